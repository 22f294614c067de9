"""`vectors --serve`: golden vectors served to any Kafka client, each as the log of a topic."""

from collections.abc import Iterator

import click
from kafka_tools.commands.serve import serve, topic_name
from kafka_tools.server import Broker, BrokerSettings, Serving, Topic, Topics

from kafka_conformance.errors import UsageError
from kafka_conformance.kinds.consumer import questions as views
from kafka_conformance.vectors import golden


def serve_vectors(patterns: tuple[str, ...], port: int, *, once: bool) -> int:
    """Serve vectors until Ctrl-C; the exit status is 1 if a request of a client breaks a rule.

    Raises:
        UsageError: none of the vectors can be served.
    """
    topics = Topics(_topics(patterns, Serving.ONCE if once else Serving.AS_LOG))
    if not len(topics):
        raise UsageError("none of these vectors can be served.", "Vectors of Kafka 0.7 have no fetch to be served to.")
    return serve(Broker(topics, BrokerSettings(port=port), click.echo))


def _topics(patterns: tuple[str, ...], serving: Serving) -> Iterator[Topic]:
    for vector in golden.choose(patterns=patterns):
        seen = views.view(vector)
        if seen is not None:
            topic = seen.topic(topic_name(vector.id))
            topic.serving = serving
            yield topic
