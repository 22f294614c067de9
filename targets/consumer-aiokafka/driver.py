"""aiokafka's `AIOKafkaConsumer`, assigned to many topics; a topic that raises is no longer assigned."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

from aiokafka import AIOKafkaConsumer, TopicPartition
from consumer_driver import error, hello, record, serve

_MILLISECONDS = 100
_TOPIC = re.compile(r"\bt[0-9]+\b")
_NO_TIMESTAMP = -1


class Aiokafka:
    """The client, and the loop that it runs in whenever the suite asks."""

    def __init__(self, broker: str, isolation: str) -> None:
        """Make and start it."""
        self._loop = asyncio.new_event_loop()
        self._consumer = self._loop.run_until_complete(_started(broker, isolation))
        self._assigned: dict[str, Any] = {}

    def assign(self, _broker: str, _isolation: str, topics: Sequence[tuple[str, int]]) -> None:
        """Assign the topics."""
        self._loop.run_until_complete(self._assign(topics))

    async def _assign(self, topics: Sequence[tuple[str, int]]) -> None:
        self._assigned = {name: TopicPartition(name, 0) for name, _ in topics}
        self._consumer.assign(list(self._assigned.values()))
        for name, offset in topics:
            self._consumer.seek(self._assigned[name], offset)

    def poll(self) -> Iterator[str]:
        """Poll topic by topic after an exception, so that it is told of the topic that it is about."""
        try:
            found = self._loop.run_until_complete(self._consumer.getmany(timeout_ms=_MILLISECONDS, max_records=1000))
        except Exception as raised:  # noqa: BLE001 - whatever its users get
            yield from self._raised(raised)
            return
        for partition, messages in found.items():
            for message in messages:
                yield _line(partition.topic, message)

    def stop(self) -> Iterator[str]:
        """Assign nothing."""
        self._loop.run_until_complete(self._stop())
        return iter(())

    async def _stop(self) -> None:
        self._consumer.unsubscribe()

    def _raised(self, raised: Exception) -> Iterator[str]:
        text = f"{type(raised).__name__}: {raised}"
        named = [name for name in dict.fromkeys(_TOPIC.findall(text)) if name in self._assigned]
        if not named:
            yield error(next(iter(self._assigned), "?"), text)
        for name in named:
            yield error(name, text)


async def _started(broker: str, isolation: str) -> AIOKafkaConsumer:
    consumer = AIOKafkaConsumer(
        bootstrap_servers=broker,
        isolation_level=isolation,
        enable_auto_commit=False,
        auto_offset_reset="none",
        check_crcs=True,
        fetch_max_wait_ms=_MILLISECONDS,
    )
    await consumer.start()
    return consumer


def _line(topic: str, message: Any) -> str:  # noqa: ANN401 - the library's own object
    headers = [(name.encode("utf-8", "surrogateescape"), content) for name, content in message.headers or ()]
    kind = -1 if message.timestamp_type is None else message.timestamp_type
    timestamp = _NO_TIMESTAMP if message.timestamp is None else message.timestamp
    return record(topic, message.offset, timestamp, kind, message.key, message.value, headers)


if __name__ == "__main__":
    serve(hello("aiokafka", version("aiokafka"), "Python (Cython)", "https://github.com/aio-libs/aiokafka"), Aiokafka)
