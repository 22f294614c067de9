"""Questions put to a target that may die of any of them.

Blocks of questions are put several at a time while all goes well. When the target is lost, every
question that was still open is put again alone, to a target that is restarted as often as it takes;
so the one that kills it is found exactly, and all the others get their answers. One by one beats
halving: it costs a round trip a question, and a restart only for each killer.

Decoders that spoil their memory may die of a later, innocent question. `ask_afresh` tells the two
apart: it puts each question to a process that has seen no other.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from time import monotonic

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.deaths import LIMITS, DeathLimits, Deaths, QuestionGroup
from kafka_conformance.child.losses import Losses, from_all_places
from kafka_conformance.child.restarted import Restarted
from kafka_conformance.errors import TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import EncodeInput, InputKind, JsonInput, MessageInput, Reply, Status

BLOCK = 32
"""Questions a block: enough that the pipe's latency vanishes, few enough that a lost block is soon
put again one by one."""

WINDOW = 3
"""Blocks outstanding at a time: one being worked on, one on its way there, one on its way back."""

BLOCK_PATIENCE = 0.25
"""Share of a question's time that a block may take. A block that takes longer proves nothing: its
questions are put one by one, each with the whole time. So a question that hangs costs little more
than once."""

PLACES = 3
"""After some hangs in a row, so small a part of the questions that wait is passed over for now."""


@dataclass(frozen=True, slots=True)
class DecodeInput:
    """Bytes to decode."""

    input_kind: InputKind
    data: bytes


AdapterInput = DecodeInput | EncodeInput | MessageInput | JsonInput


@dataclass(frozen=True, slots=True)
class Loss:
    """In place of a reply: how the target was lost, or why it was not asked."""

    outcome: Outcome
    detail: str


@dataclass(frozen=True, slots=True)
class Reaction:
    """A target's reply to one question, or how it was lost.

    Attributes:
        question: its number in the sequence.
        reply: what it said, or how it was lost.
        seconds: the time that it took.
        is_certain: True if the target was lost on it twice, the second time in a process that had
            seen no other.
    """

    question: int
    reply: Reply | Loss
    seconds: float
    is_certain: bool = False


class AdapterSession:
    """A target that is restarted when it dies.

    Attributes:
        notes: what happened besides the replies, in words.
        deaths: what it died of, so that it is not asked for ever what it hangs on.
        unsteady: how it was lost on a block of which it stood every question alone; empty if it
            never was.
    """

    def __init__(self, start: Callable[[], AdapterClient], limits: DeathLimits = LIMITS) -> None:
        """Start the target for the first time.

        Args:
            start: starts it.
            limits: how often it may die of questions of one kind.

        Raises:
            TargetLostError: it does not come up.
        """
        self._losses = Losses("reply", waits=limits.waits)
        self._child = Restarted(start, self._losses)
        self._fresh, self._is_over = True, False
        self.deaths = Deaths(limits)
        self.notes: list[str] = []
        self.unsteady = ""

    @property
    def hello(self) -> Hello:
        """The hello of the target."""
        return self._child.program.hello

    @property
    def _client(self) -> AdapterClient:
        return self._child.program

    def ask(self, questions: Sequence[AdapterInput], groups: Sequence[QuestionGroup] = ()) -> Iterator[Reaction]:
        """Send the questions and yield a reaction to each, in any order.

        Args:
            questions: what is asked.
            groups: the group of each question: of one that the target has died of too often, the
                others are not asked. Without groups, all are.

        Raises:
            GaveUpError: the target was lost too often in a row, or does not come up again.
            StoppedError: the run was interrupted.
        """
        waiting = deque(_blocks(questions, range(len(questions))))
        open_blocks: dict[int, Sequence[int]] = {}
        done: set[int] = set()
        began = monotonic()
        while waiting or open_blocks:
            while waiting and len(open_blocks) < WINDOW:
                drawn = [index for index in waiting.popleft() if index not in done]
                block = [index for index in drawn if not self._reason_to_skip(groups, index)]
                yield from self._not_asked(groups, drawn)
                if block:
                    open_blocks[self._put(questions, block)] = block
            if not open_blocks:
                continue
            try:
                block_id, replies = self._client.receive(self._client.seconds * BLOCK_PATIENCE)
            except TargetLostError as lost:
                suspects = [index for indexes in open_blocks.values() for index in indexes]
                open_blocks.clear()
                self._lose()
                if not self._losses.has_answered:
                    everything = [*suspects, *(index for indexes in waiting for index in indexes)]
                    suspects = list(dict.fromkeys([*from_all_places(everything), *suspects]))
                left = yield from self._one_by_one(questions, groups, suspects, lost)
                done.update(set(suspects) - set(left))
                waiting.rotate(-len(waiting) // PLACES if left else 0)
                waiting.extend(_blocks(questions, left))
            else:
                answered = open_blocks.pop(block_id)
                share = (monotonic() - began) / len(answered)
                self._losses.answered(len(answered))
                for index, reply in zip(answered, replies, strict=True) if groups else ():
                    self.deaths.add(groups[index], _how(reply))
                yield from (Reaction(index, reply, share) for index, reply in zip(answered, replies, strict=True))
            began = monotonic()

    def ask_alone(self, question: AdapterInput) -> Reaction:
        """Put one question, once, and return the reaction to it.

        Raises:
            GaveUpError: the target was lost too often in a row, or does not come up again.
            StoppedError: the run was interrupted.
        """
        return self._alone([question], 0)

    def ask_afresh(self, questions: Sequence[AdapterInput]) -> Iterator[Reaction]:
        """Send each question to a new process; yield a reaction to each, in order.

        Raises:
            GaveUpError: the target does not come up again.
            StoppedError: the run was interrupted.
        """
        for index in range(len(questions)):
            if not self._fresh:
                self.close()
                self._child.renew()
                self._fresh, self._is_over = True, False
            with self._losses.second_look():
                reaction = self._alone(questions, index)
            yield reaction

    def close(self) -> None:
        """End the target; add its last messages on standard error to the notes."""
        self.notes += self._child.complaints("adapter")

    def _put(self, questions: Sequence[AdapterInput], block: Iterable[int]) -> int:
        if self._is_over:
            self._child.restart()
        self._fresh = self._is_over = False
        chosen = [questions[index] for index in block]
        if messages := [question for question in chosen if isinstance(question, MessageInput)]:
            return self._client.put_inputs(FrameKind.MESSAGE, messages)
        if files := [question for question in chosen if isinstance(question, JsonInput)]:
            return self._child.program.put_inputs(FrameKind.JSON, files)
        decode = [question for question in chosen if isinstance(question, DecodeInput)]
        if decode:
            return self._client.put_decode([question.data for question in decode], decode[0].input_kind)
        return self._client.put_encode([question for question in chosen if isinstance(question, EncodeInput)])

    def _reason_to_skip(self, groups: Sequence[QuestionGroup], index: int) -> str:
        """Return why a question is not asked; empty if it is."""
        return self.deaths.reason(groups[index]) if groups else ""

    def _not_asked(self, groups: Sequence[QuestionGroup], indexes: Iterable[int]) -> Iterator[Reaction]:
        """Yield a reaction to each question that is not asked."""
        for index in indexes:
            if reason := self._reason_to_skip(groups, index):
                yield Reaction(index, Loss(Outcome.NOT_ASKED, reason), 0.0)

    def _one_by_one(
        self,
        questions: Sequence[AdapterInput],
        groups: Sequence[QuestionGroup],
        suspects: list[int],
        lost: TargetLostError,
    ) -> Generator[Reaction, None, list[int]]:
        """Put the questions that were open when the target was lost, each alone.

        It hangs at some in a row: those that are left are returned, for others to come before them.
        """
        is_lost = False
        for place, index in enumerate(suspects):
            if self._losses.is_at_a_bad_place and is_lost and self._losses.has_answered:
                return suspects[place:]
            if self._reason_to_skip(groups, index):
                yield from self._not_asked(groups, [index])
                continue
            reaction = self._alone(questions, index)
            is_lost |= isinstance(reaction.reply, Loss)
            if groups:
                self.deaths.add(groups[index], _how(reaction.reply))
            yield reaction
        # A block has less time than one question, so a block that was merely slow is no news.
        if not is_lost and lost.outcome is not Outcome.HUNG:
            self.unsteady = f"it {lost.detail}, on one of {len(suspects)} inputs, and on none when they came alone"
        return []

    def _alone(self, questions: Sequence[AdapterInput], index: int) -> Reaction:
        began = monotonic()
        try:
            reply: Reply | Loss = self._reply(questions, index)
            self._losses.answered()
        except TargetLostError as lost:
            self._lose(is_hang=lost.outcome is Outcome.HUNG)
            reply = Loss(lost.outcome, lost.detail)
        return Reaction(index, reply, monotonic() - began)

    def _reply(self, questions: Sequence[AdapterInput], index: int) -> Reply:
        self._put(questions, [index])
        return self._client.receive(self._losses.limit(self._client.seconds))[1][0]

    def _lose(self, *, is_hang: bool = False) -> None:
        """Count a loss; the target is started again when it is asked the next time."""
        self._losses.add(is_hang=is_hang)
        self._is_over = True


def _how(reply: Reply | Loss) -> Outcome | None:
    """Return how a target was lost, or that it does not support a question; None if it answered."""
    if isinstance(reply, Loss):
        return reply.outcome
    return Outcome.UNSUPPORTED if reply.status == Status.UNSUPPORTED else None


def _blocks(questions: Sequence[AdapterInput], indexes: Iterable[int]) -> Iterator[Sequence[int]]:
    """Cut questions into blocks of one kind, in order."""
    for _, group in groupby(indexes, key=lambda index: _kind(questions[index])):
        run = list(group)
        for first in range(0, len(run), BLOCK):
            yield run[first : first + BLOCK]


def _kind(question: AdapterInput) -> object:
    return question.input_kind if isinstance(question, DecodeInput) else EncodeInput
