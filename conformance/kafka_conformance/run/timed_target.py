"""One target that is timed: started, warmed up, and asked for the same block again and again."""

from time import perf_counter

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import NotTimedError, TargetLostError
from kafka_conformance.run.workloads import FORMAT, Workload

TURN_SECONDS = 0.05
"""Long enough for the clock and for the pipe to be small, short enough for many turns."""

WARM_SECONDS = 0.3
"""Time that a target has before it is timed: compilers of running programs need some."""

LARGEST_BLOCK = 8192


class TimedTarget:
    """A running target that is timed. Always `close` it.

    Attributes:
        name: the target.
    """

    def __init__(self, name: str, command: Command, limits: Limits) -> None:
        """Start it.

        Raises:
            TargetLostError: it does not come up.
        """
        self.name = name
        self._command = command
        self._limits = limits
        self._client = _TimedClient(command, limits)
        self._frame = b""
        self._inputs = 0

    def prepare(self, work: Workload) -> None:
        """Look whether it gets the workload right, warm it up, and find the size of a block.

        Raises:
            NotTimedError: it cannot be timed at this.
        """
        hello = self._client.hello
        if FORMAT not in hello.formats or work.codec not in hello.codecs or work.direction not in hello.directions:
            raise NotTimedError("not declared")
        self._inputs = 1
        self._frame = work.frame(1)
        work.check(self._exchange()[1], hello.fields)
        began = perf_counter()
        while True:
            seconds, _ = self._exchange()
            if seconds < TURN_SECONDS / 2 and self._inputs < LARGEST_BLOCK:
                self._inputs *= 2
                self._frame = work.frame(self._inputs)
            elif perf_counter() - began > WARM_SECONDS:
                return

    @property
    def version(self) -> str:
        """The version that runs."""
        return self._client.hello.version

    def turn(self) -> float:
        """Return the seconds that one batch takes."""
        return self._exchange()[0] / self._inputs

    def close(self) -> None:
        """End the target."""
        self._client.close()

    def _exchange(self) -> tuple[float, bytes]:
        try:
            return self._client.exchange(self._frame)
        except TargetLostError as lost:
            words = f"it {lost.detail}"
            try:
                self._client = _TimedClient(self._command, self._limits)
            except TargetLostError:
                words += ", and did not come up again"
            raise NotTimedError(words) from None


class _TimedClient(AdapterClient):
    """An adapter that has said hello, and answers ready-made frames."""

    def exchange(self, frame: bytes) -> tuple[float, bytes]:
        """Send a frame and return the seconds until its reply was there, and the reply."""
        began = perf_counter()
        self._process.send(frame)
        body = self._process.receive(self._limits.seconds)
        return perf_counter() - began, body
