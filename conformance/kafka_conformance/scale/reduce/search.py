"""The search for the smallest bytes on which a target fails as on a batch, and for the cause.

A batch without a fault is a tree, and trees are made smaller. For a batch with a fault three starts
are tried in turn: the twin without the fault, in case the fault has nothing to do with the failure;
the bytes with the fault, if they are valid and a tree can express it; and the twin, with the fault
done to every candidate again.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from kafka_format import sampler
from kafka_format.errors import EncodeError

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reduction import tree
from kafka_conformance.reduction.asker import Asker, vector_of
from kafka_conformance.reduction.shrink import OutOfBudgetError, shrink
from kafka_conformance.reduction.tree import Tree
from kafka_conformance.scale.results.reductions import NO_FAULT, ReducedCause
from kafka_conformance.scale.results.rows import symptom
from kafka_conformance.vectors.vector import Vector, Verdict

PLACES: Final = 4
"""Places in which a fault is done to a candidate before the candidate counts as one that does not
fail."""

FIRST_PLACES: Final = 64
"""The same for the twin of the batch itself."""

CALLS: Final = 5000
"""Most questions for one finding. Hundreds are usual."""


class Start(NamedTuple):
    """Where a search starts: failing bytes, their twin without the fault, and the fault."""

    vector: Vector
    twin: bytes
    fault: sampler.Fault


class ReductionSearch:
    """Asks about candidates, and remembers the last one that failed in the same way.

    Attributes:
        vector: the smallest bytes so far, judged by the reference.
        result: what the target did with them.
        tree: the tree of these bytes; of their twin if a fault is done to them.
        fault: what is done to them.
        twin: the bytes before the fault; empty if nothing is done to them.
        redone: False if the fault, done again, did not make the target fail, so nothing could be
            made smaller.
    """

    def __init__(
        self, asker: Asker, start: Start, result: Result, late: Callable[[], bool], tell: Callable[[Vector], None]
    ) -> None:
        """Start from a result.

        `late` says when time is over; `tell` gets the smallest bytes so far.
        """
        self.vector, twin, self.fault = start
        self.result = result
        self.tree = tree.parse(twin, self.vector.format)
        self.twin = b"" if self.fault is NO_FAULT else twin
        self.redone = True
        self._asker, self._late, self._tell = asker, late, tell
        self._expected = _expectation(self.vector)
        self._kind = failure_kind(result)
        self._last_call = asker.calls + CALLS
        self._places = PLACES
        self._known: dict[tuple[str, bytes], Result] = {}

    def run(self) -> bool:
        """Make the bytes smaller; return whether every candidate was tried."""
        try:
            for fault, first in self._starts(self.tree, self.vector):
                if self._starts_with(fault, first):
                    self.tree, finished = shrink(first, self.fails)
                    return finished
        except OutOfBudgetError:
            return False
        self.redone = False
        return True

    def cause(self) -> ReducedCause:
        """Find what must be removed for the target to answer correctly.

        That is the fault, if one is done. Otherwise it is each part of the tree that is enough by
        itself, or all parts if none is.

        Raises:
            OutOfBudgetError: there was no time to ask.
        """
        if self.twin:
            return ReducedCause((self.fault.name,), self._passes(self.tree))
        parts = tree.parts(self.tree)
        enough = tuple(part.text for part in parts if self._passes(tree.without(self.tree, part)))
        return ReducedCause(enough or tuple(part.text for part in parts), bool(enough))

    def fails(self, candidate: Tree) -> bool:
        """Tell whether the target fails on a tree, with the fault done to it, as on the batch."""
        self._check_budget()
        data = _write(candidate)
        if not data:
            return False
        codecs = _codecs(candidate)
        for harmed in self._harm(data, codecs):
            if self._fails_alike(harmed, codecs):
                self.twin = b"" if self.fault is NO_FAULT else data
                return True
        return False

    def _starts(self, twin: Tree, harmed: Vector) -> Iterator[tuple[sampler.Fault, Tree]]:
        fault = self.fault
        yield NO_FAULT, twin
        if fault is NO_FAULT:
            return
        if harmed.verdict is Verdict.VALID:
            yield NO_FAULT, tree.parse(harmed.data, harmed.format)
        self._places = FIRST_PLACES
        yield fault, twin

    def _starts_with(self, fault: sampler.Fault, first: Tree) -> bool:
        before, self.fault, failed = self.fault, fault, False
        try:
            failed = self.fails(first)
        finally:  # time may run out: the bytes are still those with the fault
            if failed:
                self._places = PLACES
            else:
                self.fault = before
        return failed

    def _harm(self, data: bytes, codecs: tuple[str, ...]) -> Iterator[bytes]:
        """Do the fault to valid bytes, in a few places; without a fault, the bytes themselves."""
        if self.fault is NO_FAULT:
            yield data
            return
        if vector_of(data, self.vector.format, codecs).verdict is not Verdict.VALID:
            return
        for word in range(1, 1 + self._places):
            harmed = sampler.apply_fault(self.fault, data, self.vector.format, codecs[0], word)
            if harmed is not None:
                yield harmed

    def _fails_alike(self, data: bytes, codecs: tuple[str, ...]) -> bool:
        vector = vector_of(data, self.vector.format, codecs, self.fault.flag)
        vector = replace(vector, title=self.fault.doc)
        expected = (Verdict.VALID, "") if self.fault is NO_FAULT else self._expected
        if _expectation(vector) != expected:
            return False
        result = self._ask(vector)
        if failure_kind(result) != self._kind:
            return False
        self.vector, self.result = vector, result
        self._tell(self.vector)
        return True

    def _passes(self, candidate: Tree) -> bool:
        """Tell whether the target answers correctly for a tree as it is, without a fault."""
        data = _write(candidate)
        vector = vector_of(data, self.vector.format, _codecs(candidate))
        return bool(data) and vector.verdict is Verdict.VALID and self._ask(vector).outcome is Outcome.PASSED

    def _ask(self, vector: Vector) -> Result:
        known = self._known.get((vector.flag, vector.data))
        if known is None:
            self._check_budget()
            known = self._known[vector.flag, vector.data] = self._asker.ask(vector)
            self._tell(self.vector)
        return known

    def _check_budget(self) -> None:
        if self._late() or self._asker.calls >= self._last_call:
            raise OutOfBudgetError


def failure_kind(result: Result) -> tuple[Outcome, str]:
    """Return how a target fails: the outcome, and the field, error text or rule.

    Two batches that a target fails on in the same way have this in common. A crash is a crash,
    whatever it says.
    """
    if result.outcome is Outcome.ACCEPTED_INVALID:
        return result.outcome, result.expected
    worded = result.outcome in {Outcome.WRONG_ANSWER, Outcome.REFUSED_VALID}
    return result.outcome, symptom(result) if worded else ""


def _expectation(vector: Vector) -> tuple[Verdict, str]:
    return vector.verdict, vector.fault.rule if vector.fault else ""


def _codecs(candidate: Tree) -> tuple[str, ...]:
    return tuple(sorted({tree.codec_of(entry) for entry in candidate}))


def _write(candidate: Tree) -> bytes:
    """The bytes of a tree; none if a value does not fit."""
    try:
        return tree.write(candidate)
    except (EncodeError, OverflowError):
        return b""
