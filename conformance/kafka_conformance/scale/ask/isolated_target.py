"""A target that decodes in a forked child: when the child is lost, a page says on which batch.

docs/adapter-protocol.md describes what the two sides exchange, in its section "In isolation";
isolation.py, beside the adapters of Python targets, is the other side. Nothing has to be searched
for: the batch is known, replies that came before count, and the rest of the request is put again
without that batch, to the next child.

One request is under way at a time, so that nothing is left in the pipe when the child is lost. The
next one is sent as soon as the last result is there; the target works on it while we compare and
generate.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from kafka_format.codec.readings import READINGS
from kafka_tools.system.exit_text import exit_words

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.losses import GIVE_UP
from kafka_conformance.child.session import Loss
from kafka_conformance.errors import ProtocolError, TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Reply
from kafka_conformance.scale.ask import block_frames
from kafka_conformance.scale.ask.block_frames import ChildEnded
from kafka_conformance.scale.ask.fatal_faults import FatalFaults
from kafka_conformance.scale.ask.isolation_page import Page, Watch
from kafka_conformance.scale.ask.portion import Portion

VARIABLE = "KAFKA_CONFORMANCE_PAGE"
"""The environment variable that asks an adapter for isolation, and names the file that holds the
page."""

MACHINE = "KAFKA_CONFORMANCE_MACHINE"
"""The environment variable that names the file of the layout machine: it writes answers quickly."""

_GIVEN_UP = (
    "given up: too many batches killed it one after another, or it hung for too long; "
    "`--patience` gives it more time, `--seconds` and `--deaths` need less"
)


class _Results(NamedTuple):
    """Some results of a request: how many, the reply that has them, and where they begin in it."""

    how_many: int
    reply: bytes
    start: int


class _Client(AdapterClient):
    """The process that forks the children, and speaks for them."""

    def __init__(self, command: Command, limits: Limits, watch: Watch) -> None:
        super().__init__(command, limits)
        self._process.watch = watch.look

    def put_block(self, portion: Portion, numbers: Sequence[int]) -> None:
        self._blocks += 1
        self._process.send(block_frames.decode_request(self._blocks, portion.kind, portion.batches.block, numbers))
        self._process.flush(self._limits.seconds)

    def take_part(self) -> _Results | ChildEnded:
        """Wait for results, or for the end of the child.

        It takes as long as it takes, since the child is watched input by input.

        Raises:
            TargetLostError: the process itself is lost.
        """
        return self._speak(math.inf, self._part)

    def _part(self, body: bytes) -> _Results | ChildEnded:
        if body[0] == block_frames.CHILD_ENDED:
            return block_frames.read_child_ended(body)
        block_id, count, start = block_frames.read_reply(body)
        if block_id != self._blocks:
            raise ProtocolError(f"answered block {block_id} while block {self._blocks} was under way")
        return _Results(count, body, start)


@dataclass(slots=True)
class _Request:
    """Batches of a portion that are put in one block.

    Attributes:
        answered: how many results have come.
        again: it is one batch, that has killed a child, and is put once more to a fresh one.
    """

    portion: Portion
    numbers: Sequence[int]
    answered: int = 0
    again: bool = False


class IsolatedTarget:
    """A target under test. Always `close` it.

    Attributes:
        problem: why it was given up; empty while it lives.
        notes: what happened besides.
    """

    def __init__(self, command: Command, limits: Limits, fatal_faults: FatalFaults, patience: float) -> None:
        """Start it; `patience` is how many seconds may go into batches on which it hangs.

        Raises:
            TargetLostError: it does not come up.
        """
        self.problem = ""
        self.notes: list[str] = []
        self._limits = limits
        self._fatal_faults = fatal_faults
        self._patience = patience
        self._page = Page()
        self._watch = Watch(self._page, limits)
        environment = {**command.environment, VARIABLE: self._page.path, **machine_variable()}
        self._client = _Client(replace(command, environment=environment), limits, self._watch)
        self.hello = self._client.hello
        self._requests: deque[_Request] = deque()
        """The first is under way, the others wait."""

        self._losses_in_a_row = 0
        self._last_lost: tuple[Portion | None, int] = None, 0

    def send(self, portion: Portion) -> None:
        """Send the batches of a portion, except for those that are skipped."""
        self._requests.append(_Request(portion, portion.numbers))
        if len(self._requests) == 1:
            self._send()

    def await_results(self, portion: Portion) -> None:
        """Wait for the results of a portion, and add them to it."""
        while any(request.portion is portion for request in self._requests):
            try:
                part = self._client.take_part()
                if isinstance(part, ChildEnded):
                    self._child_ended(part)
                else:
                    self._compare(part)
            except TargetLostError as lost:
                first, last = portion.batches.start, portion.batches.start + len(portion.batches) - 1
                which = f"one of batches {first} to {last} (`--index` puts one alone)"
                self._watch.kill()
                self._give_up(f"given up on {which}: it {lost.detail}")

    def close(self) -> None:
        """End it."""
        if self._requests:
            self._watch.kill()
        self._client.close()
        self._page.close()

    def _send(self) -> None:
        """Put the first request under way, if there is one and all of it is not skipped."""
        while self._requests:
            request = self._requests[0]
            portion = request.portion
            if not request.again:
                request.numbers = self._fatal_faults.leave_out(portion.batches, request.numbers, portion.skipped)
            if request.numbers:
                self._client.put_block(portion, request.numbers)
                return
            self._requests.popleft()

    def _compare(self, results: _Results) -> None:
        request = self._requests[0]
        numbers = request.numbers[request.answered : request.answered + results.how_many]
        request.answered += results.how_many
        if request.answered >= len(request.numbers):
            self._requests.popleft()
            self._send()
        if not request.again:  # else it stood alone, which is no news any more
            replies = request.portion.expected.differing(numbers, results.reply, results.start)
            request.portion.replies.update((number, _reply_or_loss(reply)) for number, reply in replies.items())

    def _child_ended(self, ended: ChildEnded) -> None:
        """Note the batch, and put the others again.

        The batch too, if the child may have died of an earlier one.
        """
        status, place = ended
        request = self._requests.popleft()
        portion, number = request.portion, request.numbers[place]
        outcome = self._watch.outcome()
        portion.replies[number] = self._loss(outcome, status, again=request.again)
        rest = [*request.numbers[request.answered : place], *request.numbers[place + 1 :]]
        self._requests.appendleft(_Request(portion, rest))
        if not request.again:
            self._fatal_faults.note_death(portion.batches, number)
            if outcome is Outcome.CRASHED:
                self._requests.appendleft(_Request(portion, [number], again=True))
        in_a_row = portion is self._last_lost[0] and number - self._last_lost[1] <= 1
        self._losses_in_a_row = self._losses_in_a_row + 1 if in_a_row else 1
        self._last_lost = portion, number
        self._patience -= self._limits.seconds if outcome is Outcome.HUNG else 0
        if self._losses_in_a_row > GIVE_UP or self._patience < 0:
            self._give_up(_GIVEN_UP)
        self._send()

    def _loss(self, outcome: Outcome, status: int, *, again: bool) -> Loss:
        if outcome is Outcome.HUNG:
            return Loss(outcome, f"gave no reply for {self._limits.seconds:g} s")
        if outcome is Outcome.OUT_OF_MEMORY:
            return Loss(outcome, f"took more memory than the limit of {self._limits.memory >> 20} MiB")
        how = "again in a fresh process" if again else "but not in a fresh process: an earlier input may be to blame"
        return Loss(outcome, f"{exit_words(status)} ({how})")

    def _give_up(self, problem: str) -> None:
        self.problem = problem
        for request in self._requests:
            request.portion.give_up(request.numbers[request.answered :])
        self._requests.clear()


def machine_variable() -> dict[str, str]:
    """Return the environment that says where the layout machine is; empty where it is not used."""
    file = READINGS.machine and READINGS.machine.__file__
    return {MACHINE: file} if file else {}


def _reply_or_loss(reply: Reply) -> Reply | Loss:
    """Return an exception that is no refusal as a crash, which it would be over the pipe."""
    if reply.status == block_frames.RAISED:
        return Loss(Outcome.CRASHED, reply.content.decode("utf-8", "replace"))
    return reply
