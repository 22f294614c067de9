"""How fast targets are, beside one another, apart from whether they are right.

All targets are alive at once and take turns, round by round, so that a slow moment of the machine meets all of them.
Each turn is one block, large enough that the way through the pipe is small beside the work, and timed from its first
byte written to the last byte read. What is told is a ratio: how many times as fast as the yardstick, the median of the
rounds. The block carries answers, so writing them is part of what is measured, for every target alike.

A target is only timed at what it gets right: the first reply is looked at.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Header, Record

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import NotTimedError, ProtocolError, TargetLostError
from kafka_conformance.judging.difference import first_difference
from kafka_conformance.protocol import answers, messages
from kafka_conformance.protocol.frames import frame
from kafka_conformance.protocol.hello import CODECS, Direction
from kafka_conformance.protocol.messages import DecodeRequest, EncodeInput, EncodeRequest, InputKind, Status
from kafka_conformance.text import plural

FORMAT = "v2"
ROUNDS = 7
TURN_SECONDS = 0.05
"""Long enough for the clock and for the pipe to be small, short enough for many turns."""

WARM_SECONDS = 0.3
"""Time that a target has before it is timed: compilers of running programs need some."""

LARGEST_BLOCK = 8192
_SIZES = (100, 1)
_RECORD = Record(0, 1_700_000_000_000, 0, b"key-000000", b"", (Header(b"trace", b"0123456789abcdef"),))
_WORDS = b"the quick brown fox jumps over the lazy dog and on it goes until a hundred bytes are full: "


@dataclass(frozen=True, slots=True)
class Workload:
    """What is done again and again: one batch decoded, or written."""

    direction: Direction
    codec: str
    count: int
    wanted: tuple[Record, ...]

    @property
    def name(self) -> str:
        """The workload in a few words."""
        return f"{self.direction} {plural(self.count, 'record')}, {self.codec}"

    def frame(self, blocks: int) -> bytes:
        """Return the frame that asks for the batch so many times."""
        if self.direction is Direction.DECODE:
            data = records.encode(self.wanted, codec=self.codec)
            return frame(messages.request(DecodeRequest(0, InputKind.RECORDS, [data] * blocks)))
        item = EncodeInput(2, CODECS.index(self.codec), answers.to_bytes(self.wanted))
        return frame(messages.request(EncodeRequest(0, [item] * blocks)))


@dataclass(frozen=True, slots=True)
class Measured:
    """One target at one workload.

    Attributes:
        ratio: times as fast as the yardstick, the median of the rounds; None if it was not timed.
        low: the same in its slowest round.
        high: the same in its fastest round.
        why: why it was not timed, in words; empty if it was.
    """

    target: str
    workload: str
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    why: str = ""


def workloads() -> Iterator[Workload]:
    """Yield every workload: both directions, both sizes, plain and with each codec."""
    for direction in Direction:
        for count in _SIZES:
            for codec in CODECS:
                yield Workload(direction, codec, count, tuple(_batch(count, CODECS.index(codec))))


def yardstick(names: Sequence[str]) -> str:
    """Choose what counts as 1.0: Kafka's own classes, or else the reference, or else whoever comes first."""
    return next((name for name in ("kafka-clients", "reference") if name in names), names[0])


class Runner:
    """A target that is measured. Always `close` it.

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
        _look(work, self._exchange()[1], hello.fields)
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


def measure(runners: Sequence[Runner], works: Iterable[Workload]) -> Iterator[Measured]:
    """Measure all targets at all workloads, one workload after another."""
    stick = yardstick([runner.name for runner in runners])
    for work in works:
        yield from _measure(runners, work, stick)


def _measure(runners: Sequence[Runner], work: Workload, stick: str) -> Iterator[Measured]:
    fit: list[Runner] = []
    why: dict[str, str] = {}
    for runner in runners:
        try:
            runner.prepare(work)
            fit.append(runner)
        except NotTimedError as reason:
            why[runner.name] = str(reason)
    rounds = _rounds(fit, why)
    for runner in runners:
        if runner.name in why:
            yield Measured(runner.name, work.name, why=why[runner.name])
        elif stick in why:
            yield Measured(runner.name, work.name, why=f"{stick}, the yardstick, is not timed")
        else:
            ratios = [one[stick] / one[runner.name] for one in rounds]
            yield Measured(runner.name, work.name, median(ratios), min(ratios), max(ratios))


def _rounds(runners: Sequence[Runner], why: dict[str, str]) -> list[dict[str, float]]:
    """Let all take turns; one that is lost on the way joins those that are not timed."""
    rounds: list[dict[str, float]] = []
    for _ in range(ROUNDS):
        seconds: dict[str, float] = {}
        for runner in runners:
            if runner.name not in why:
                try:
                    seconds[runner.name] = runner.turn()
                except NotTimedError as reason:
                    why[runner.name] = str(reason)
        rounds.append(seconds)
    return rounds


class _TimedClient(AdapterClient):
    """An adapter that has said hello, and answers ready-made frames."""

    def exchange(self, frame: bytes) -> tuple[float, bytes]:
        """Send a frame and return the seconds until its reply was there, and the reply."""
        began = perf_counter()
        self._process.send(frame)
        body = self._process.receive(self._limits.seconds)
        return perf_counter() - began, body


def _look(work: Workload, body: bytes, fields: Sequence[str]) -> None:
    """Look at the first reply: what is not right is not timed."""
    try:
        (reply,) = messages.parse_block_reply(body).replies
        if reply.status != Status.ANSWER:
            raise NotTimedError(reply.text)
        if work.direction is Direction.DECODE:
            got = answers.from_bytes(reply.content)
        else:
            got = records.decode(reply.content)
            fields = [field for field in fields if field != "codec"]
    except (ProtocolError, FormatError, ValueError) as error:
        raise NotTimedError(str(error)) from None
    difference = first_difference(work.wanted, got, fields)
    if difference is not None:
        raise NotTimedError(f"wrong: {difference.path} is {difference.got}, not {difference.expected}")


def _batch(count: int, codec: int) -> Iterator[Record]:
    """A batch as producers send it: keys of 10 bytes, values of 100 that compress somewhat, one header."""
    for number in range(count):
        value = (b"%08d " % (number * 7919) + _WORDS)[:100]
        yield _RECORD._replace(
            offset=number, timestamp=_RECORD.timestamp + number, key=b"key-%06d" % number, value=value, codec=codec
        )
