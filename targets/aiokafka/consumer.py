"""aiokafka's `AIOKafkaConsumer`, assigned to many topics, a new one for each assignment."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from inspect import signature
from typing import Any

from aiokafka import AIOKafkaConsumer, TopicPartition
from consumer_driver import Settings, error, hello, record, serve

_MILLISECONDS = 100
_MOST = 1000
_MEMBER = {
    "enable_auto_commit": True,
    "auto_commit_interval_ms": 100,
    "heartbeat_interval_ms": 100,
    "session_timeout_ms": 10_000,
}
"""A member of a group commits by itself, and often."""


_LOGIN = {"security_protocol": "SASL_PLAINTEXT", "sasl_plain_username": "reader", "sasl_plain_password": "any"}


class Aiokafka:
    """The client. Its tasks run while it is polled."""

    def __init__(self, broker: str, isolation: str, settings: Settings) -> None:
        """Note how to make a client; that is done when topics are assigned."""
        self._loop = asyncio.new_event_loop()
        self._settings = {
            "bootstrap_servers": broker,
            "isolation_level": isolation,
            "enable_auto_commit": False,
            "auto_offset_reset": settings.get("reset", "none"),
            "max_partition_fetch_bytes": int(settings.get("max_bytes", 1 << 20)),
            "request_timeout_ms": int(settings.get("timeout", 40_000)),
            "check_crcs": True,
            "fetch_max_wait_ms": _MILLISECONDS,
            "retry_backoff_ms": 20,
        }
        if "group" in settings:
            self._settings |= _MEMBER | {"group_id": settings["group"]}
        if "instance" in settings:
            self._settings |= {"group_instance_id": settings["instance"]}
        if "sasl" in settings:
            self._settings |= _LOGIN | {"sasl_mechanism": settings["sasl"]}
        self._consumer: Any = None

    def assign(self, topics: Sequence[tuple[str, int]]) -> None:
        """Assign the topics to a new client."""
        self._loop.run_until_complete(self._assign(topics))

    def poll(self) -> Iterator[str]:
        """Take what there is; an exception names no topic."""
        try:
            polled = self._loop.run_until_complete(self._consumer.getmany(timeout_ms=_MILLISECONDS, max_records=_MOST))
        except Exception as raised:  # noqa: BLE001 - whatever its users get
            yield error("?", f"{type(raised).__name__}: {raised}")
            return
        for partition, messages in polled.items():
            for message in messages:
                yield _line(partition.topic, message)

    def stop(self) -> Iterator[str]:
        """End the client."""
        self._loop.run_until_complete(self._consumer.stop())
        return iter(())

    async def _assign(self, topics: Sequence[tuple[str, int]]) -> None:
        self._consumer = AIOKafkaConsumer(**self._settings)
        if "group_id" in self._settings:
            self._consumer.subscribe([name for name, _ in topics])
            await self._consumer.start()
            return
        await self._consumer.start()
        partitions = {TopicPartition(name, 0): offset for name, offset in topics}
        self._consumer.assign(list(partitions))
        for partition, offset in partitions.items():
            self._consumer.seek(partition, offset)


def _line(topic: str, message: Any) -> str:  # noqa: ANN401 - the library's own object
    kind = -1 if message.timestamp_type is None else message.timestamp_type
    timestamp = -1 if message.timestamp is None else message.timestamp
    headers = [(key.encode("utf-8", "surrogateescape"), value) for key, value in message.headers]
    place = (topic, message.offset, timestamp, kind)
    return record(*place, message.key, message.value, headers)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    has_instances = "group_instance_id" in signature(AIOKafkaConsumer).parameters  # since 0.10.0
    known = ["reset", "max_bytes", "timeout", "group", *(["instance"] if has_instances else []), "sasl"]
    url = "https://github.com/aio-libs/aiokafka"
    declared = hello("aiokafka", version("aiokafka"), "Python (Cython)", url, settings=known)
    serve(declared, Aiokafka)
