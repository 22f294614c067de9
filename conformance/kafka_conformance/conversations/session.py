"""A client that takes part in one conversation after another, and is started again when it dies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from kafka_conformance.child.restarted import Restarted
from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.consumers.driver import Driver
from kafka_conformance.conversations import stage
from kafka_conformance.conversations.course import Course
from kafka_conformance.conversations.script import Conversation
from kafka_conformance.errors import TargetLostError
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply, Status, partial_reply


@dataclass(frozen=True, slots=True)
class Talk(Reaction):
    """What came of a conversation.

    Attributes:
        course: what the client did; None if it was lost.
    """

    course: Course | None = None


class ConversationSession:
    """A client that is started again when it dies.

    Attributes:
        notes: what happened besides, in words.
        unsteady: always empty; each conversation has a client of its own.
    """

    def __init__(self, start: Callable[[], Driver]) -> None:
        """Start the driver.

        Raises:
            TargetLostError: it does not come up.
        """
        self._driver = Restarted(start, "conversation")
        self._is_lost = self._was_used = False
        self.notes: list[str] = []
        self.unsteady = ""

    @property
    def hello(self) -> Hello:
        """What the target declares."""
        return self._driver.program.hello

    def ask(self, questions: Sequence[Conversation]) -> Iterator[Talk]:
        """Have the client take part in each conversation, and yield what came of it, in order.

        Raises:
            GaveUpError: the target does not come up again.
            StoppedError: the run was interrupted.
        """
        for index, conversation in enumerate(questions):
            yield self._talk(index, conversation)

    def ask_afresh(self, questions: Sequence[Conversation]) -> Iterator[Talk]:
        """Do the same, each with a process that has seen no other.

        Raises:
            GaveUpError: the target does not come up again.
            StoppedError: the run was interrupted.
        """
        for index, conversation in enumerate(questions):
            self._is_lost = self._is_lost or self._was_used
            yield self._talk(index, conversation)

    def close(self) -> None:
        """End the target; its last complaints join the notes."""
        self.notes += self._driver.complaints("driver")

    def _talk(self, index: int, conversation: Conversation) -> Talk:
        if self._is_lost:
            self._driver.restart()
            self._is_lost = False
        began, self._was_used = monotonic(), True
        try:
            course = stage.play(self._driver.program, conversation)
        except TargetLostError as lost:
            self._is_lost = True
            return Talk(index, Loss(lost.outcome, lost.detail), monotonic() - began)
        self._driver.forget_starts()
        return Talk(index, _reply(course), monotonic() - began, course.position, course=course)


def _reply(course: Course) -> Reply:
    records = answers.to_bytes(course.got.records)
    if not course.got.errors:
        return Reply(Status.ANSWER, records)
    return partial_reply(records, course.got.errors[0].encode())
