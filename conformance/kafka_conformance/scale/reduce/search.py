"""One generated batch made small, and why a target fails on it.

A batch without a fault is a tree, and trees are made smaller. For a batch with a fault three starts
are tried in turn: the twin without the fault, in case the fault has nothing to do with the failure;
the bytes with the fault, if they are valid and a tree can express it; and the twin, with the fault
done to every candidate again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from kafka_format import sampler

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reduction import tree
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.reduction.entries import Entries, expectation
from kafka_conformance.reduction.judged_bytes import JudgedBytes
from kafka_conformance.reduction.search import Budget, Search
from kafka_conformance.reduction.shrink import OutOfBudgetError
from kafka_conformance.reduction.tree import Tree
from kafka_conformance.scale.results.reductions import ReducedCause
from kafka_conformance.scale.results.rows import symptom
from kafka_conformance.vectors.vector import Verdict

PLACES: Final = 4
"""Places in which a fault is done to a candidate before the candidate counts as one that does not
fail."""

NO_FAULT: Final = sampler.FAULTS[0]

FIRST_PLACES: Final = 64
"""The same for the twin of the batch itself."""

CALLS: Final = 5000
"""Most questions for one finding. Hundreds are usual."""


class Start(NamedTuple):
    """Where a search starts: failing bytes, their twin without the fault, and the fault."""

    asked: JudgedBytes
    twin: bytes
    fault: sampler.Fault


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest bytes of a batch that a target fails on.

    Attributes:
        asked: the bytes, judged by the reference.
        result: what the target did with them.
        tree: the tree of these bytes; of their twin if a fault is done to them.
        fault: what is done to them.
        twin: the bytes before the fault; empty if nothing is done to them.
        is_redone: False if the fault, done again, did not make the target fail, so nothing could be
            made smaller.
        cause: what must be removed for the target to be right; without parts if time ran out.
        is_finished: whether everything was tried.
    """

    asked: JudgedBytes
    result: Result
    tree: Tree
    fault: sampler.Fault
    twin: bytes
    is_redone: bool = True
    cause: ReducedCause = field(default_factory=ReducedCause)
    is_finished: bool = False


def unreduced(start: Start, result: Result) -> Smallest:
    """Return a batch as it was generated."""
    twin_tree = tree.parse(start.twin, start.asked.format)
    return Smallest(start.asked, result, twin_tree, start.fault, b"" if start.fault is NO_FAULT else start.twin)


def reduce_batch(
    asker: Asker, start: Start, result: Result, budget: Budget, on_change: Callable[[int], object]
) -> Smallest:
    """Make a batch small on which a target fails, and find the cause.

    Args:
        asker: the target.
        start: the batch.
        result: what the target did with it.
        budget: what may be spent.
        on_change: is called after each question, with the size of the smallest bytes so far.
    """
    smallest = unreduced(start, result)

    def tell(smallest: JudgedBytes | None) -> None:
        on_change(len((smallest or start.asked).data))

    search: Search[JudgedBytes] | None = None
    fault = start.fault
    try:
        for subject, first in _starts(asker, start, smallest.tree):
            search = Search(subject, first, lambda other: failure_kind(other) == failure_kind(result), budget, tell)
            fault = subject.fault or NO_FAULT
            if search.fails(first):
                subject.places = PLACES
                smallest = _kept(search, fault, is_finished=search.run())
                break
        else:
            smallest = replace(smallest, is_redone=False, is_finished=True)
        if search is not None and smallest.is_finished:
            smallest = replace(smallest, cause=_cause_of_batch(search, fault))
    except OutOfBudgetError:
        smallest = replace(smallest, is_finished=False)
    return smallest


def _kept(search: Search[JudgedBytes], fault: sampler.Fault, *, is_finished: bool) -> Smallest:
    """Return what a search of bytes has kept."""
    assert search.smallest is not None  # noqa: S101 - it failed on its first tree
    assert search.result is not None  # noqa: S101 - the same
    twin = b"" if fault is NO_FAULT else tree.write(search.tree)
    return Smallest(search.smallest, search.result, search.tree, fault, twin, is_finished=is_finished)


def _starts(asker: Asker, start: Start, twin: Tree) -> Iterator[tuple[Entries, Tree]]:
    """Yield subjects with the trees to begin with, the most telling first."""
    version, harmed = start.asked.format, start.asked
    yield Entries(asker, version), twin
    if start.fault is NO_FAULT:
        return
    if harmed.verdict is Verdict.VALID:
        yield Entries(asker, version), tree.parse(harmed.data, version)
    yield Entries(asker, version, start.fault, expectation(harmed), FIRST_PLACES), twin


def _cause_of_batch(search: Search[JudgedBytes], fault: sampler.Fault) -> ReducedCause:
    """Return what must be removed for the target to be right: the fault, if one is done."""
    if fault is not NO_FAULT:
        return ReducedCause((fault.name,), search.passes(search.tree))
    return cause_of(search)


def cause_of(search: Search[Any]) -> ReducedCause:
    """Return the parts that must be removed for the target to be right.

    Raises:
        OutOfBudgetError: there was no time to ask.
    """
    cause = search.cause()
    return ReducedCause(tuple(part.text for part in cause.parts), cause.is_proven)


def failure_kind(result: Result) -> tuple[Outcome, str]:
    """Return how a target fails: the outcome, and the field, error text or rule.

    Two batches that a target fails on in the same way have this in common. A crash is a crash,
    whatever it says.
    """
    if result.outcome is Outcome.ACCEPTED_INVALID:
        return result.outcome, result.expected
    worded = result.outcome in {Outcome.WRONG_ANSWER, Outcome.REFUSED_VALID}
    return result.outcome, symptom(result) if worded else ""
