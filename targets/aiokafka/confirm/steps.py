"""aiokafka: what `AIOKafkaProducer` tells an application that sends and commits, step by step.

Arguments: the broker's address, the topic, a file with the steps, settings as `name=value`.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from aiokafka import AIOKafkaProducer
from step_lines import do, take

LIMITS = {"linger_ms": 0, "request_timeout_ms": 2000, "retry_backoff_ms": 50}
SECONDS = 8


class Steps:
    """See `step_lines.Steps`; the producer's tasks run while it is waited for."""

    def __init__(self, address: str, topic: str, **settings: object) -> None:
        self.loop, self.topic = asyncio.new_event_loop(), topic
        self.producer = self.wait(self._make(bootstrap_servers=address, enable_idempotence=True, **settings))

    async def _make(self, **settings: object) -> AIOKafkaProducer:
        return AIOKafkaProducer(**settings)

    def wait(self, awaited: Awaitable[Any]) -> Any:  # noqa: ANN401 - the library has no types
        """Run the loop until it is done."""
        return self.loop.run_until_complete(asyncio.wait_for(awaited, SECONDS))

    def start(self) -> None:
        """See `step_lines.Steps`."""
        self.wait(self.producer.start())

    def begin(self) -> None:
        """See `step_lines.Steps`."""
        self.wait(self.producer.begin_transaction())

    def send(self, value: bytes) -> Callable[[], object]:
        """See `step_lines.Steps`."""
        sent = self.wait(self.producer.send(self.topic, value, partition=0))
        return lambda: self.wait(sent)

    def commit(self) -> None:
        """See `step_lines.Steps`."""
        self.wait(self.producer.commit_transaction())

    def abort(self) -> None:
        """See `step_lines.Steps`."""
        self.wait(self.producer.abort_transaction())


def main(address: str, topic: str, file: str, *settings: str) -> None:
    name = {"transactional_id": topic} if "transactional=true" in settings else {}
    steps = Steps(address, topic, **LIMITS, **name)
    if do("start", steps.start):
        take(steps, file)


main(*sys.argv[1:])
