"""One target for thousands of batches, kept alive over many blocks, and the fate of each batch."""

import shutil
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import InputKind
from kafka_conformance.scale.ask import isolation_page
from kafka_conformance.scale.ask.comparison import Expected
from kafka_conformance.scale.ask.fatal_faults import FatalFaults
from kafka_conformance.scale.ask.isolated_target import IsolatedTarget
from kafka_conformance.scale.ask.judge import V07, judge_reply, leave_out_undeclared
from kafka_conformance.scale.ask.piped_target import PipedTarget
from kafka_conformance.scale.ask.portion import Portion
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.plan import Endurance


class Commands(NamedTuple):
    """The ways to start a target.

    Attributes:
        piped: behind the adapter protocol.
        isolated: so that it decodes in a forked child; None if it cannot.
    """

    piped: Command
    isolated: Command | None = None


class Channel(Protocol):
    """Sends batches to a target: `IsolatedTarget` or `PipedTarget`."""

    problem: str

    @property
    def hello(self) -> Hello:
        """The hello of the target."""

    @property
    def notes(self) -> list[str]:
        """Other events, in words."""

    def send(self, portion: Portion) -> None:
        """Send batches; at most two blocks may be unanswered."""

    def await_results(self, portion: Portion) -> None:
        """Wait until the portion has the target's results."""

    def close(self) -> None:
        """End the target."""


@dataclass(slots=True)
class _Open:
    """A block whose replies are still to come."""

    batches: Batches
    checked: Checked = field(default_factory=lambda: Checked({}, set(), set()))
    portions: list[Portion] = field(default_factory=list)


class Checker:
    """A target under test. Always `close` it.

    Attributes:
        target: its name.
        problem: why it was given up; empty while it lives.
    """

    def __init__(self, target: str, commands: Commands, limits: Limits, endurance: Endurance) -> None:
        """Describe the target; it starts with the first batches."""
        self.target = target
        self.problem = ""
        self._commands = commands
        self._limits = limits
        self._patience = endurance.patience
        self._fatal_faults = FatalFaults(endurance.deaths)
        self._channel: Channel | None = None
        self._open: deque[_Open] = deque()

    def send(self, batches: Batches) -> None:
        """Send batches to the target; at most two blocks may be unanswered.

        Only formats and codecs that it declares are put; the others have the outcome `unsupported`.
        """
        opened = _Open(batches)
        self._open.append(opened)
        channel = self._alive()
        if channel is None:
            opened.checked.not_put.update(range(len(batches)))
            return
        self._fatal_faults.note_sent(batches)
        numbers = leave_out_undeclared(batches, channel.hello, self.target, opened.checked.results)
        expected = Expected(batches, channel.hello.fields)
        for kind, chosen in _by_kind(batches, numbers):
            opened.portions.append(Portion(batches, kind, chosen, expected))
            channel.send(opened.portions[-1])

    def next_results(self) -> Checked:
        """Wait for the results of the batches that were sent first, and judge them."""
        opened = self._open.popleft()
        for portion in opened.portions:
            assert self._channel is not None  # noqa: S101 - else nothing was put
            self._channel.await_results(portion)
            self.problem = self._channel.problem
            self._judge(portion, self._channel.hello, opened.checked)
        return opened.checked

    def take_notes(self) -> tuple[str, ...]:
        """Return notes since the last call, for instance on a crash that did not happen again."""
        notes = () if self._channel is None else tuple(self._channel.notes)
        if self._channel is not None:
            self._channel.notes.clear()
        return notes

    def close(self) -> None:
        """End the target."""
        if self._channel is not None:
            self._channel.close()

    def _alive(self) -> Channel | None:
        """Return the running target, started if need be; None once it is given up."""
        if self._channel is None and not self.problem:
            try:
                self._channel = self._start()
            except TargetLostError as lost:
                self.problem = f"did not come up: it {lost.detail}"
        return None if self.problem else self._channel

    def _start(self) -> Channel:
        piped, isolated = self._commands
        if isolated is not None and isolation_page.possible():
            return IsolatedTarget(end_with_parent(isolated), self._limits, self._fatal_faults, self._patience)
        return PipedTarget(end_with_parent(piped), self._limits, self._fatal_faults, self._patience)

    def _judge(self, portion: Portion, hello: Hello, checked: Checked) -> None:
        checked.skipped.update(portion.skipped)
        checked.not_put.update(portion.not_put)
        for number, reply in portion.replies.items():
            result = judge_reply(portion.batches, number, hello, self.target, reply)
            if result.outcome is not Outcome.PASSED:
                checked.results[number] = result


def _by_kind(batches: Batches, numbers: Sequence[int]) -> Iterator[tuple[InputKind, Sequence[int]]]:
    """Cut batches into those of each kind of input."""
    old: Sequence[int] = ()
    if any(sort.format == V07 for sort in batches.sorts):
        old = [number for number in numbers if batches.sort(number).format == V07]
        numbers = [number for number in numbers if batches.sort(number).format != V07]
    for kind, chosen in ((InputKind.RECORDS, numbers), (InputKind.MESSAGE_SET_07, old)):
        if chosen:
            yield kind, chosen


def end_with_parent(command: Command) -> Command:
    """Have Linux end the target when this process ends: Spark kills its workers with SIGKILL."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return command
    return replace(command, arguments=(setpriv, "--pdeathsig", "KILL", *command.arguments))
