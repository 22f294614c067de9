"""confluent-kafka's `Consumer`, assigned to many topics, with `check.crcs`.

Each assignment gets a new client: librdkafka asks about topics that it did not know when it
connected only once a second.
"""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

import confluent_kafka
from confluent_kafka import Consumer, TopicPartition
from consumer_driver import Settings, error, hello, record, serve

_TYPES = {confluent_kafka.TIMESTAMP_NOT_AVAILABLE: -1, confluent_kafka.TIMESTAMP_CREATE_TIME: 0}
_LOG_APPEND_TIME = 1
_MOST = 1000
_SECONDS = 0.1
_SETTINGS = {
    "group.id": "conformance",
    "check.crcs": True,
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "auto.offset.reset": "error",
    "fetch.error.backoff.ms": 50,
    "log_level": 0,
}
_NAMES = {"reset": "auto.offset.reset", "max_bytes": "fetch.message.max.bytes", "timeout": "socket.timeout.ms"}
"""Settings of conversations, and what they are called here."""


class ConfluentKafka:
    """The client."""

    def __init__(self, broker: str, isolation: str, settings: Settings) -> None:
        """Note how to make a client; that is done when topics are assigned."""
        self._settings = {**_SETTINGS, "bootstrap.servers": broker, "isolation.level": isolation}
        self._settings |= {_NAMES[setting]: value for setting, value in settings.items()}
        self._consumer: Consumer

    def assign(self, topics: Sequence[tuple[str, int]]) -> None:
        """Assign the topics to a new client."""
        self._consumer = Consumer(self._settings)
        self._consumer.assign([TopicPartition(name, 0, offset) for name, offset in topics])

    def poll(self) -> Iterator[str]:
        """Take what is in the queue."""
        for message in self._consumer.consume(_MOST, _SECONDS):
            yield self._line(message)

    def stop(self) -> Iterator[str]:
        """End the client."""
        for partition in self._consumer.position(self._consumer.assignment()):
            if partition.offset >= 0:
                yield f"position\t{partition.topic}\t{partition.offset}"
        self._consumer.close()

    def _line(self, message: Any) -> str:  # noqa: ANN401 - the library's own object
        problem = message.error()
        if problem is not None:
            topic = message.topic() or "?"
            return error(topic, f"{problem.name()}: {problem.str()}")
        kind, timestamp = message.timestamp()
        kind = _TYPES.get(kind, _LOG_APPEND_TIME)
        try:
            headers = [(name.encode(), value) for name, value in message.headers() or ()]
        except UnicodeDecodeError as refused:  # confluent-kafka has header keys as text
            return error(message.topic(), f"{type(refused).__name__}: {refused}")
        place = (message.topic(), message.offset(), timestamp if kind >= 0 else -1, kind)
        return record(*place, message.key(), message.value(), headers)


if __name__ == "__main__":
    url = "https://github.com/confluentinc/confluent-kafka-python"
    serve(
        hello("confluent-kafka", version("confluent-kafka"), "Python (C)", url, settings=list(_NAMES)), ConfluentKafka
    )
