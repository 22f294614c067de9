"""librdkafka's consumer, through confluent-kafka: one client with many topics, `check.crcs` on."""

from collections.abc import Iterator, Sequence
from typing import Any

import confluent_kafka
from confluent_kafka import Consumer, TopicPartition
from consumer_driver import error, hello, record, serve

_TYPES = {confluent_kafka.TIMESTAMP_NOT_AVAILABLE: -1, confluent_kafka.TIMESTAMP_CREATE_TIME: 0}
_LOG_APPEND_TIME = 1
_MOST = 1000
_SECONDS = 0.1


class Librdkafka:
    """The client."""

    def __init__(self, broker: str, isolation: str) -> None:
        """Make it; it connects when topics are assigned."""
        self._consumer = Consumer(
            {
                "bootstrap.servers": broker,
                "group.id": "conformance",
                "isolation.level": isolation,
                "check.crcs": True,
                "enable.auto.commit": False,
                "enable.auto.offset.store": False,
                "auto.offset.reset": "error",
                "fetch.error.backoff.ms": 50,
                "log_level": 0,
            }
        )

    def assign(self, _broker: str, _isolation: str, topics: Sequence[tuple[str, int]]) -> None:
        """Assign the topics."""
        self._consumer.assign([TopicPartition(name, 0, offset) for name, offset in topics])

    def poll(self) -> Iterator[str]:
        """Take what is in the queue."""
        for message in self._consumer.consume(_MOST, _SECONDS):
            yield self._line(message)

    def stop(self) -> Iterator[str]:
        """Assign nothing."""
        for one in self._consumer.position(self._consumer.assignment()):
            if one.offset >= 0:
                yield f"position\t{one.topic}\t{one.offset}"
        self._consumer.unassign()

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
    version = confluent_kafka.libversion()[0]
    serve(hello("librdkafka", version, "C", "https://github.com/confluentinc/librdkafka"), Librdkafka)
