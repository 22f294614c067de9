"""kafka-python's `KafkaConsumer`, assigned many topics; one that raises is assigned no longer."""

import re
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

from consumer_driver import Settings, error, hello, record, serve
from kafka import KafkaConsumer, TopicPartition

_MILLISECONDS = 100
_TOPIC = re.compile(r"\bt[0-9]+\b")


class KafkaPython:
    """The client."""

    def __init__(self, broker: str, isolation: str, settings: Settings) -> None:
        """Make it."""
        self._consumer = KafkaConsumer(
            bootstrap_servers=broker,
            isolation_level=isolation,
            enable_auto_commit=False,
            auto_offset_reset=settings.get("reset", "none"),
            max_partition_fetch_bytes=int(settings.get("max_bytes", 1 << 20)),
            request_timeout_ms=int(settings.get("timeout", 305_000)),
            check_crcs=True,
            max_poll_records=1000,
            fetch_max_wait_ms=_MILLISECONDS,
        )
        self._assigned: dict[str, Any] = {}

    def assign(self, topics: Sequence[tuple[str, int]]) -> None:
        """Assign the topics."""
        self._assigned = {name: TopicPartition(name, 0) for name, _ in topics}
        self._consumer.assign(list(self._assigned.values()))
        for name, offset in topics:
            self._consumer.seek(self._assigned[name], offset)

    def poll(self) -> Iterator[str]:
        """Poll once.

        An exception is told of the topic that it names, or of all that are assigned.
        """
        try:
            found = self._consumer.poll(timeout_ms=_MILLISECONDS)
        except Exception as raised:  # noqa: BLE001 - whatever its users get
            yield from self._raised(raised)
            return
        for partition, messages in found.items():
            for message in messages:
                yield _line(partition.topic, message)

    def stop(self) -> Iterator[str]:
        """Assign nothing."""
        for name, partition in self._assigned.items():
            yield f"position\t{name}\t{self._consumer.position(partition)}"
        self._consumer.unsubscribe()

    def _raised(self, raised: Exception) -> Iterator[str]:
        text = f"{type(raised).__name__}: {raised}"
        named = [name for name in dict.fromkeys(_TOPIC.findall(text)) if name in self._assigned]
        for name in named or list(self._assigned):
            yield error(name, text)
        for name in named:
            del self._assigned[name]
        if named:
            self._consumer.assign(list(self._assigned.values()))


def _line(topic: str, message: Any) -> str:  # noqa: ANN401 - the library's own object
    key, value = message.key, message.value
    kind = -1 if message.timestamp_type is None else message.timestamp_type
    timestamp = -1 if message.timestamp is None else message.timestamp
    headers = [(name.encode("utf-8", "surrogateescape"), content) for name, content in message.headers or ()]
    return record(topic, message.offset, timestamp, kind, key, value, headers)


if __name__ == "__main__":
    known = ["reset", "max_bytes", "timeout"]
    url = "https://github.com/dpkp/kafka-python"
    serve(hello("kafka-python", version("kafka-python"), "Python", url, settings=known), KafkaPython)
