"""Clients that take part in conversations, and are started again when they die."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from time import monotonic
from typing import Final, Generic, TypeVar

from kafka_conformance.child.line_client import LineClient
from kafka_conformance.child.losses import Losses, scattered
from kafka_conformance.child.restarted import Restarted
from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.kinds.consumer.driver import ending_note
from kafka_conformance.kinds.conversation.requests_seen import RequestsSeen
from kafka_conformance.kinds.conversation.script import Conversation
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply, Status, partial_reply


@dataclass(frozen=True, slots=True)
class ConversationReaction(Reaction):
    """What came of a conversation.

    Attributes:
        seen: what the client did; nothing if it was lost.
    """

    seen: RequestsSeen = field(default_factory=RequestsSeen)


_AT_A_TIME: Final = 4
"""Conversations at a time. Most of one is waiting."""


_Program = TypeVar("_Program", bound=LineClient)

Hold = Callable[[_Program, Conversation], RequestsSeen]
"""Has a client take part in a conversation; raises `TargetLostError` if it was lost."""


class ConversationSession(Generic[_Program]):
    """Clients of one target that take part in conversations, some at a time.

    Attributes:
        notes: what happened besides, in words.
        unsteady: always empty; each conversation has a client of its own.
    """

    def __init__(self, start: Callable[[], _Program], hold: Hold[_Program]) -> None:
        """Start the first driver; `hold` has one take part in a conversation.

        Raises:
            TargetLostError: it does not come up.
        """
        self._start: Final = start
        self._held: Final = hold
        self._losses: Final = Losses("conversation")
        self._all = [_Client(start, hold, self._losses)]
        self._free = list(self._all)
        self.notes: list[str] = []
        self.unsteady = ""

    @property
    def hello(self) -> Hello:
        """What the target declares."""
        return self._all[0].driver.program.hello

    def ask(self, questions: Sequence[Conversation]) -> Iterator[ConversationReaction]:
        """Have clients take part in the conversations, and yield what came of each, in any order.

        Raises:
            GaveUpError: the target was lost too often, or does not come up again.
            StoppedError: the run was interrupted.
        """
        with ThreadPoolExecutor(_AT_A_TIME) as pool:
            order = scattered(len(questions))
            reactions = [pool.submit(self._hold, index, questions[index]) for index in order]
            try:
                yield from _results(reactions)
            finally:
                pool.shutdown(cancel_futures=True)

    def ask_afresh(self, questions: Sequence[Conversation]) -> Iterator[ConversationReaction]:
        """Do the same one after another, each with a process that has seen no other.

        Raises:
            GaveUpError: the target does not come up again.
            StoppedError: the run was interrupted.
        """
        client = self._all[0]
        for index, conversation in enumerate(questions):
            client.is_lost = client.is_lost or client.was_used
            yield client.hold(index, conversation)

    def close(self) -> None:
        """End the target; its last complaints join the notes."""
        self.notes += sorted({ending_note(client.ending) for client in self._all if client.ending})
        for client in self._all:
            self.notes += client.driver.complaints("driver")

    def _hold(self, index: int, conversation: Conversation) -> ConversationReaction:
        self._losses.check()
        try:
            client = self._free.pop()
        except IndexError:
            client = self._add()
        try:
            return client.hold(index, conversation)
        finally:
            self._free.append(client)

    def _add(self) -> _Client[_Program]:
        try:
            client = _Client(self._start, self._held, self._losses)
        except TargetLostError as lost:
            raise GaveUpError(f"it did not come up again: it {lost.detail}") from None
        self._all.append(client)
        return client


class _Client(Generic[_Program]):
    """A client in a process of its own, which is started again when it dies."""

    def __init__(self, start: Callable[[], _Program], hold: Hold[_Program], losses: Losses) -> None:
        self._losses: Final = losses
        self.driver = Restarted(start, losses)
        self._hold: Final = hold
        self.is_lost = self.was_used = False
        self.ending = ""

    def hold(self, index: int, conversation: Conversation) -> ConversationReaction:
        """Return what came of a conversation."""
        if self.is_lost:
            self.driver.renew()
            self.is_lost = False
        self.driver.program.losses = self._losses
        began, self.was_used = monotonic(), True
        try:
            seen = self._hold(self.driver.program, conversation)
        except TargetLostError as lost:
            self.is_lost = True
            self._losses.add(is_hang=lost.outcome is Outcome.HUNG)
            return ConversationReaction(index, Loss(lost.outcome, lost.detail), monotonic() - began)
        if seen.stop_reason and not self._losses.has_answered:
            self._losses.add()
        else:
            self._losses.answered()
        self.is_lost, self.ending = bool(seen.ending), seen.ending or self.ending
        return ConversationReaction(index, _reply(seen), monotonic() - began, seen=seen)


def _results(reactions: Sequence[Future[ConversationReaction]]) -> Iterator[ConversationReaction]:
    """Yield what came of conversations; where the target is given up, of those that were begun.

    Raises:
        GaveUpError: it was given up.
    """
    gave_up: GaveUpError | None = None
    for reaction in reactions:
        if gave_up is None or not reaction.cancel():
            try:
                yield reaction.result()
            except GaveUpError as error:
                gave_up = error
    if gave_up is not None:
        raise gave_up


def _reply(seen: RequestsSeen) -> Reply:
    records = answers.to_bytes(seen.got.records)
    if not seen.got.errors:
        return Reply(Status.ANSWER, records)
    return partial_reply(records, seen.got.errors[0].encode())
