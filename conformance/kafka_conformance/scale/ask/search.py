"""The search for the batches of a block on which a target was lost.

They are put again, some at a time, to an `AdapterSession`, which finds out what the target does on
each. Of what was seen to kill it often enough, the others are skipped.
"""

from collections.abc import Callable, Iterator, Sequence
from time import monotonic

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.session import BLOCK, WINDOW, AdapterSession, DecodeInput, Loss
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Reply
from kafka_conformance.scale.ask.fatal_faults import FatalFaults
from kafka_conformance.scale.ask.portion import Portion

AT_ONCE = BLOCK * WINDOW
"""Batches that a session has open at a time: all of them are put alone if it is lost on one."""


class KillerSearch:
    """Searches for the batches that kill a target, within the time limit for this target.

    Attributes:
        notes: what happened besides, for instance a crash that did not happen again.
    """

    def __init__(self, start: Callable[[], AdapterClient], fatal_faults: FatalFaults, patience: float) -> None:
        """`start` starts the target; `patience` in seconds, for all searches together."""
        self.notes: list[str] = []
        self._start = start
        self._fatal_faults = fatal_faults
        self._patience = patience
        self._left = patience

    def run(self, portion: Portion, numbers: Sequence[int], lost: TargetLostError) -> str:
        """Send batches again, on one of which the target died; add the results to the portion.

        Returns:
            Why the target was given up; empty if it was not.
        """
        problem = ""
        began = monotonic()
        try:
            session = AdapterSession(self._start)
            for number, reply in self._replies(session, portion, numbers):
                portion.replies[number] = reply
                if isinstance(reply, Loss):
                    self._fatal_faults.note_death(portion.batches, number)
                if monotonic() - began > self._left:
                    problem = self._give_up(lost)
                    break
            self.notes += [*session.notes, *filter(None, [session.unsteady])]
        except TargetLostError as again:
            problem = f"did not come up again: it {again.detail}"
        except GaveUpError as given_up:
            problem = str(given_up)
        self._left -= monotonic() - began
        if not problem and lost.outcome is not Outcome.HUNG and not _any_loss(portion, numbers):
            self.notes.append(
                f"the target {lost.detail}, on one of {len(numbers)} batches, and on none when they came again"
            )
        return problem

    def _replies(
        self, session: AdapterSession, portion: Portion, numbers: Sequence[int]
    ) -> Iterator[tuple[int, Reply | Loss]]:
        batches = portion.batches
        for first in range(0, len(numbers), AT_ONCE):
            left = self._fatal_faults.leave_out(batches, numbers[first : first + AT_ONCE], portion.skipped)
            for exchange in session.ask([DecodeInput(portion.kind, batches.input(number)) for number in left]):
                yield left[exchange.question], exchange.reply

    def _give_up(self, lost: TargetLostError) -> str:
        advice = "`--patience` gives it more time, `--seconds` and `--deaths` need less"
        return f"given up: it {lost.detail}, and so on, for {self._patience:g} s; {advice}"


def _any_loss(portion: Portion, numbers: Sequence[int]) -> bool:
    return any(isinstance(portion.replies.get(number), Loss) for number in numbers)
