"""A session of the adapter protocol, for the kinds that are asked in its blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Generic, TypeVar

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.deaths import DeathLimits, QuestionGroup
from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import AdapterInput, AdapterSession, Reaction
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.targets.candidate import Candidate

_Question = TypeVar("_Question")


class BlockSession(Generic[_Question]):
    """An adapter that is asked questions of one kind.

    Attributes:
        notes: what happened besides the reactions, in words.
    """

    def __init__(
        self,
        session: AdapterSession,
        input_of: Callable[[_Question], AdapterInput],
        group_of: Callable[[_Question], QuestionGroup],
    ) -> None:
        """Ask through a session.

        Args:
            session: the adapter, which has come up.
            input_of: what a question puts into a block.
            group_of: the group of a question: of one that the adapter hangs on again and again, the
                others are not asked.
        """
        self._session: Final = session
        self._input_of, self._group_of = input_of, group_of
        self.notes = session.notes

    @property
    def unsteady(self) -> str:
        """How it was lost on a block of which it stood every question alone."""
        return self._session.unsteady

    @property
    def hello(self) -> Hello:
        """What the adapter declares."""
        return self._session.hello

    def ask(self, questions: Sequence[_Question]) -> Iterator[Reaction]:
        """Put the questions in blocks; see `AdapterSession.ask`."""
        return self._session.ask(list(map(self._input_of, questions)), list(map(self._group_of, questions)))

    def ask_afresh(self, questions: Sequence[_Question]) -> Iterator[Reaction]:
        """Put each question to a new process; see `AdapterSession.ask_afresh`."""
        return self._session.ask_afresh(list(map(self._input_of, questions)))

    def close(self) -> None:
        """End the adapter."""
        self._session.close()


def start(candidate: Candidate, limits: Limits, stopped: Callable[[], bool], deaths: DeathLimits) -> AdapterSession:
    """Start the adapter of a target.

    Raises:
        TargetLostError: it does not come up.
    """
    command = candidate.command
    assert command is not None  # noqa: S101 - only what is ready is started
    return AdapterSession(lambda: AdapterClient(command, limits, stopped), deaths)
