"""The search for the batches of a lost block that killed the target.

They are put again, some at a time, to a `Session`, which tells what the target does on each. What was seen to kill it
often enough is left out of those that follow.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.session import BLOCK, WINDOW, DecodeQuestion, Loss, Session
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import InputKind, Reply
from kafka_conformance.scale.batches import Batches
from kafka_conformance.scale.sparing import Sparing

AT_ONCE = BLOCK * WINDOW
"""Batches that a session has open at a time: all of them are put alone if it is lost on one."""


@dataclass(slots=True)
class Found:
    """What came of a search, by the number of the batch.

    Attributes:
        words: what the target said, or how it was lost.
        spared: the results of batches that were not put, because what they have is known to kill it.
        problem: why it was given up; empty if it was not. Batches that are in neither of the two were not put.
        notes: what happened besides.
    """

    words: dict[int, Reply | Loss] = field(default_factory=dict)
    spared: dict[int, Result] = field(default_factory=dict)
    problem: str = ""
    notes: list[str] = field(default_factory=list)


class Search:
    """Searches again and again, for as long as the patience with one target lasts."""

    def __init__(self, start: Callable[[], AdapterClient], sparing: Sparing, patience: float) -> None:
        """`start` starts the target; `patience` in seconds, for all searches together."""
        self._start = start
        self._sparing = sparing
        self._patience = patience
        self._left = patience

    def run(self, batches: Batches, kind: InputKind, numbers: Sequence[int], lost: TargetLostError) -> Found:
        """Put the batches of these numbers again, on one of which the target was lost."""
        found = Found()
        began = monotonic()
        try:
            session = Session(self._start)
            for number, word in self._words(session, batches, kind, numbers, found):
                found.words[number] = word
                if isinstance(word, Loss):
                    self._sparing.died(batches, number)
                if monotonic() - began > self._left:
                    found.problem = self._given_up(lost)
                    break
            found.notes += [*session.notes, *filter(None, [session.unsteady])]
        except TargetLostError as again:
            found.problem = f"did not come up again: it {again.detail}"
        except GaveUpError as given_up:
            found.problem = str(given_up)
        self._left -= monotonic() - began
        if not found.problem and lost.outcome is not Outcome.HUNG and not _any_loss(found):
            found.notes.append(
                f"the target {lost.detail}, on one of {len(numbers)} batches, and on none when they came again"
            )
        return found

    def _words(
        self, session: Session, batches: Batches, kind: InputKind, numbers: Sequence[int], found: Found
    ) -> Iterator[tuple[int, Reply | Loss]]:
        for first in range(0, len(numbers), AT_ONCE):
            left = self._sparing.spare(batches, numbers[first : first + AT_ONCE], found.spared)
            for word in session.ask([DecodeQuestion(kind, batches.input(number)) for number in left]):
                yield left[word.question], word.reply

    def _given_up(self, lost: TargetLostError) -> str:
        advice = "`--patience` gives it more time, `--seconds` and `--deaths` need less"
        return f"given up: it {lost.detail}, and so on, for {self._patience:g} s; {advice}"


def _any_loss(found: Found) -> bool:
    return any(isinstance(word, Loss) for word in found.words.values())
