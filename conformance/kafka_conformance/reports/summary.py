"""A run, counted: how much of what was asked of a target came out right.

A case is one vector in one direction. What a target does not declare is a gap: counted apart, never
as a pass and never as a failure.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from kafka_format.spec.rules import rules
from kafka_tools.text import plural

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run.run import Run
from kafka_conformance.vectors.vector import Vector


class State(StrEnum):
    """The states of a tally, the worst last."""

    EMPTY = "empty"
    GAP = "gap"
    PASSED = "passed"
    KNOWN = "known"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Tally:
    """Cases counted.

    Attributes:
        passed: cases that came out right.
        known: findings that are known failures.
        findings: findings that are not.
        gaps: cases that the target does not declare, or says that it does not support, or was not
            asked because it hung or died of others of the kind too often.
        otherwise: answers on damaged files that differ from Kafka's, which are no findings.
    """

    passed: int = 0
    known: int = 0
    findings: int = 0
    gaps: int = 0
    otherwise: int = 0

    @property
    def asked(self) -> int:
        """Cases that count: all but the gaps, and what may be answered otherwise."""
        return self.passed + self.known + self.findings

    @property
    def state(self) -> State:
        """The worst of what was counted."""
        if self.findings:
            return State.FAILED
        if self.known:
            return State.KNOWN
        if self.passed:
            return State.PASSED
        return State.GAP if self.gaps else State.EMPTY

    @property
    def share(self) -> float:
        """Passed cases in per cent of those that count, rounded down; 0 if none does.

        So 100 means all.
        """
        return self.passed * 1000 // self.asked / 10 if self.asked else 0.0


_REASONS: Final = 5
"""Reasons that are shown why questions were not asked."""

Matrix = Mapping[str, Mapping[str, Tally]]
"""Tallies by row (a rule, a family), then by target; every row has every target."""


def tally(results: Iterable[Result]) -> Tally:
    """Count results."""
    counts = Counter(map(_column, results))
    return Tally(**counts)


def by_target(run: Run) -> dict[str, Tally]:
    """Count the cases of every target."""
    return {target.name: tally(run.of(target.name)) for target in run.targets}


def by_direction(run: Run) -> Matrix:
    """Count by decoding and encoding; a direction that nobody was asked for is left out."""
    asked = {result.direction for result in run.results}
    kept = {direction: [result for result in run.results if result.direction is direction] for direction in Direction}
    return {direction: _row(run, kept[direction]) for direction in Direction if direction in asked}


def by_family(run: Run) -> Matrix:
    """Count by family, in the order of the vectors."""
    return _matrix(run, lambda vector: (vector.family,))


def by_rule(run: Run) -> Matrix:
    """Count by rule, in the order of the specification; ids that it does not know come last."""
    matrix = _matrix(run, lambda vector: vector.rules)
    place = {rule: index for index, rule in enumerate(rules())}
    return {rule: matrix[rule] for rule in sorted(matrix, key=lambda rule: (place.get(rule, len(place)), rule))}


def outcomes(run: Run) -> dict[str, Counter[Outcome]]:
    """Count the outcomes of every target that are not known failures."""
    return {
        target.name: Counter(result.outcome for result in run.of(target.name) if not result.known)
        for target in run.targets
    }


def not_asked_lines(results: Iterable[Result]) -> Iterator[str]:
    """Yield lines about what a target was not asked, since it was lost too often, or for good."""
    counts = Counter(result.detail for result in results if result.outcome is Outcome.NOT_ASKED)
    if not counts:
        return
    yield f"{plural(counts.total(), 'question')} not asked, for it hung or died too often:"
    for reason, number in counts.most_common(_REASONS):
        yield f"  {number} {reason}"
    if len(counts) > _REASONS:
        yield f"  and {plural(len(counts) - _REASONS, 'more kind')}; the report has all of them"


def closing(run: Run) -> str:
    """Return the result of a run in one sentence."""
    affected = len({result.target for result in run.findings})
    sentence = f"{plural(len(run.findings), 'finding')} in {plural(affected, 'target')}" if affected else "no findings"
    if broken := sum(target.standing.is_broken for target in run.targets):
        sentence += f"; {plural(broken, 'target')} did not run to the end"
    asked = f"{plural(len(run.vectors), 'vector')}, {plural(len(run.targets), 'target')}"
    return f"{asked}, {run.footer.seconds:.1f} s: {sentence}."


def _matrix(run: Run, rows_of: Callable[[Vector], Iterable[str]]) -> dict[str, dict[str, Tally]]:
    rows = {vector.id: tuple(rows_of(vector)) for vector in run.vectors}
    results: dict[str, list[Result]] = {row: [] for names in rows.values() for row in names}
    for result in run.results:
        for row in rows[result.vector]:
            results[row].append(result)
    return {row: _row(run, of_row) for row, of_row in results.items()}


def _row(run: Run, results: Iterable[Result]) -> dict[str, Tally]:
    kept: defaultdict[str, list[Result]] = defaultdict(list)
    for result in results:
        kept[result.target].append(result)
    return {target.name: tally(kept[target.name]) for target in run.targets}


def _column(result: Result) -> str:
    if result.outcome is Outcome.PASSED:
        return "passed"
    if result.outcome is Outcome.OTHERWISE:
        return "otherwise"
    if not result.outcome.was_asked:
        return "gaps"
    return "known" if result.known else "findings"
