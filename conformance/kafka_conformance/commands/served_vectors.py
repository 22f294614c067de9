"""`vectors --serve`: golden vectors served to any Kafka client, each as the log of a topic."""

from collections.abc import Iterable, Iterator

import click
from kafka_tools.commands.serve import serve, topic_name
from kafka_tools.errors import UsageError
from kafka_tools.server import Broker, BrokerSettings, Serving, Topic, Topics

from kafka_conformance.kinds.consumer import questions as views
from kafka_conformance.vectors.vector import AnyVector, Vector


def serve_vectors(chosen: Iterable[AnyVector], port: int, *, once: bool) -> int:
    """Serve vectors until Ctrl-C; the exit status is 1 if a request of a client breaks a rule.

    Raises:
        UsageError: none of the vectors can be served.
    """
    topics = Topics(_topics(chosen, Serving.ONCE if once else Serving.AS_LOG))
    if not len(topics):
        raise UsageError("none of these vectors can be served.", "Vectors of Kafka 0.7 have no fetch to be served to.")
    return serve(Broker(topics, BrokerSettings(port=port), click.echo))


def _topics(chosen: Iterable[AnyVector], serving: Serving) -> Iterator[Topic]:
    for vector in chosen:
        seen = views.view(vector) if isinstance(vector, Vector) else None
        if seen is not None:
            topic = seen.topic(topic_name(vector.id))
            topic.serving = serving
            yield topic
