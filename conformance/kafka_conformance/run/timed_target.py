"""One target that is timed: started, warmed up, and asked for the same block again and again."""

from math import inf
from time import perf_counter

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import NotTimedError, TargetLostError
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run.workloads import FORMAT, Workload

TURN_SECONDS = 0.05
"""Long enough for the clock and for the pipe to be small, short enough for many turns."""

WARM_SECONDS = 0.4
"""A target is warm once it has not become faster for so long."""

FIRST_SECONDS = 2.0
"""The same for the first batch of a direction: compilers of running programs need seconds, and make
Java twenty times as fast as it was at first."""

COLD_SECONDS = 8.0
"""The longest that anything is warmed up."""

_FASTER = 0.9
"""A block that takes a tenth less is faster; less than that is chance."""

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
        self._known: set[Direction] = set()

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
        self._warm_up(work)

    def _warm_up(self, work: Workload) -> None:
        """Ask until it gets no faster, for blocks that are large enough for its speed by then."""
        patience = WARM_SECONDS if work.direction in self._known else FIRST_SECONDS
        self._known.add(work.direction)
        began = faster = perf_counter()
        fastest = inf
        while True:
            seconds, _ = self._exchange()
            now = perf_counter()
            if seconds < fastest * self._inputs * _FASTER:
                fastest, faster = seconds / self._inputs, now
            if seconds < TURN_SECONDS / 2 and self._inputs < LARGEST_BLOCK:
                self._inputs *= 2
                self._frame = work.frame(self._inputs)
            elif now - faster > patience or now - began > COLD_SECONDS:
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
