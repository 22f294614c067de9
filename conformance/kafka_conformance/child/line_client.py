"""A driver: the child process that has a whole client in it, and speaks lines of text.

It speaks in the frames of the adapter protocol, and begins with the same hello. What it is asked
and answers are lines of words with tabs between them, which any language can write without a
library (docs/your-client.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.losses import Losses
from kafka_conformance.child.process import AdapterProcess
from kafka_conformance.errors import ProtocolError, TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.frames import frame
from kafka_conformance.protocol.hello import Hello, hello_request, parse_hello


class LineClient:
    """A running driver that has said hello.

    Attributes:
        hello: what it declared.
        limits: time and memory that it may take.
        losses: how often the target was lost, which says how long it is waited for; whoever starts
            it again and again sets it.
    """

    def __init__(self, command: Command, limits: Limits, stopped: Callable[[], bool] = lambda: False) -> None:
        """Start the driver.

        Raises:
            TargetLostError: it cannot be started, or its hello is late, missing or wrong.
        """
        self.limits = limits
        self.losses = Losses("reply")
        self._process = AdapterProcess(command, limits, stopped)
        self._process.send(frame(hello_request()))
        body = self._process.receive(limits.start_seconds)
        try:
            self.hello: Hello = parse_hello(body)
        except ProtocolError as error:
            raise self.end_as_lost(Outcome.BROKEN_PROTOCOL, str(error)) from None

    def send(self, kind: bytes, lines: Iterable[str] = ()) -> None:
        """Send a frame of a kind, with lines."""
        self._process.send(frame(kind + "\n".join(lines).encode()))

    def receive(
        self, kind: bytes, seconds: float, pulse: Callable[[], int] | None = None, most: float | None = None
    ) -> list[str]:
        """Return the lines of a reply; the time is that of `AdapterProcess.receive`.

        Raises:
            TargetLostError: it did not come in time, is of another kind, or the driver died.
        """
        body = self._process.receive(seconds, pulse, most)
        if body[:1] != kind:
            raise self.end_as_lost(Outcome.BROKEN_PROTOCOL, f"replied with kind {body[:1]!r} to {kind!r}")
        return body[1:].decode("utf-8", "replace").split("\n") if len(body) > 1 else []

    def end_as_lost(self, outcome: Outcome, detail: str) -> TargetLostError:
        """End the driver, and make the exception that tells why."""
        return self._process.end_as_lost(outcome, detail)

    def close(self) -> list[str]:
        """End the driver; return what it did wrong in its last moments, in words."""
        return self._process.close()
