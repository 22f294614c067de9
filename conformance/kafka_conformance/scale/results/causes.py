"""Which reduced findings have one cause: they are shown together, the simplest first."""

import re
from collections.abc import Iterable
from itertools import count
from typing import Final, NamedTuple

from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.results.reductions import Reduced

_NUMBERS: Final = re.compile(r"\[\d+\]")
_CONTENT: Final = re.compile(r"= hex:.*")
_DEADLY: Final = {Outcome.CRASHED, Outcome.HUNG, Outcome.OUT_OF_MEMORY}


class CauseGroup(NamedTuple):
    """Findings of a target with one cause, and their numbers: simplest first, then by number."""

    findings: tuple[tuple[int, Reduced], ...]

    @property
    def number(self) -> int:
        """The number of the simplest finding."""
        return self.findings[0][0]

    @property
    def main(self) -> Reduced:
        """The simplest finding."""
        return self.findings[0][1]

    @property
    def batches(self) -> int:
        """Batches of the run that have one of the symptoms."""
        return sum(finding.batch.batches for _, finding in self.findings)


def groups(findings: Iterable[Reduced]) -> tuple[CauseGroup, ...]:
    """CauseGroup findings by their cause, and number them.

    Targets keep their order. A cause that kills the target comes first, then the most frequent;
    what did not happen again comes last. Findings that stand in this order already keep their
    numbers.
    """
    by_cause: dict[tuple[str, ...], list[Reduced]] = {}
    for finding in findings:
        by_cause.setdefault(_cause_key(finding), []).append(finding)
    targets = list(dict.fromkeys(key[0] for key in by_cause))
    ordered = sorted(by_cause.values(), key=lambda group: (targets.index(group[0].batch.target), *_rank(group)))
    numbers = count(1)
    return tuple(CauseGroup(tuple((next(numbers), finding) for finding in _simplest_first(group))) for group in ordered)


def _simplest_first(group: list[Reduced]) -> list[Reduced]:
    def size(each: Reduced) -> tuple[int, ...]:
        return each.minimal.part_count, each.minimal.size, -each.batch.batches, each.batch.index

    main = min(group, key=size)
    return [main, *sorted((each for each in group if each is not main), key=lambda each: -each.batch.batches)]


def _rank(group: list[Reduced]) -> tuple[bool, bool, int]:
    again = any(finding.is_finding for finding in group)
    deadly = any(finding.outcome in _DEADLY for finding in group)
    return not again, not deadly, -sum(finding.batch.batches for finding in group)


def _cause_key(finding: Reduced) -> tuple[str, ...]:
    """Target and cause, without numbers of items, contents of bytes and the format of a fault."""
    batch, parts, fault = finding.batch, finding.cause.parts, finding.minimal.fault
    if not parts:  # an unknown cause is like no other
        return batch.target, finding.failure.outcome, batch.symptom, str(batch.index)
    named = (fault.partition("/")[2],) if fault else parts
    return batch.target, *(_CONTENT.sub("= hex", _NUMBERS.sub("[]", part)) for part in named)
