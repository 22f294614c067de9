"""Which reduced findings have one cause, so that a person reads about it once.

A cause is what the target is right without: the fault, or parts of the reduced batch (see `searching.Search.why`).
Whatever else the batch needs gives the failure its form: with a key behind it, the same misreading yields a wrong
offset in place of an error. So findings of one target with the same cause stand side by side. The simplest of them is
the one to read, the others are its further symptoms. Nothing is grouped whose cause is not known.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.reduction.reduced import Reduced

_NUMBERS: Final = re.compile(r"\[\d+\]")
_CONTENT: Final = re.compile(r"= hex:.*")
_DEADLY: Final = {Outcome.CRASHED, Outcome.HUNG, Outcome.OUT_OF_MEMORY}


@dataclass(frozen=True, slots=True)
class Cause:
    """Findings of one target that come of the same.

    Attributes:
        findings: with their numbers from 1; the simplest first, then the most frequent.
    """

    findings: tuple[tuple[int, Reduced], ...]

    @property
    def number(self) -> int:
        """The number of the simplest."""
        return self.findings[0][0]

    @property
    def main(self) -> Reduced:
        """The simplest."""
        return self.findings[0][1]

    @property
    def batches(self) -> int:
        """Batches of the run that have one of the symptoms."""
        return sum(one.batches for _, one in self.findings)


def grouped(found: Iterable[Reduced]) -> tuple[Reduced, ...]:
    """Order findings: those of one cause side by side.

    Targets stand as they come. Of the causes of a target those come first that end or stop it, then the most frequent,
    and last what did not happen again.
    """
    groups: dict[tuple[str, ...], list[Reduced]] = {}
    for one in found:
        groups.setdefault(_key(one), []).append(one)
    targets = list(dict.fromkeys(key[0] for key in groups))
    ordered = sorted(groups.values(), key=lambda group: (targets.index(group[0].target), *_rank(group)))
    return tuple(one for group in ordered for one in _ordered(group))


def causes(found: Sequence[Reduced]) -> tuple[Cause, ...]:
    """Return the causes of findings that stand in that order."""
    groups: dict[tuple[str, ...], list[tuple[int, Reduced]]] = {}
    for number, one in enumerate(found, 1):
        groups.setdefault(_key(one), []).append((number, one))
    return tuple(Cause(tuple(group)) for group in groups.values())


def _ordered(group: Sequence[Reduced]) -> list[Reduced]:
    main = min(group, key=lambda one: (one.parts, one.reduced_size, -one.batches, one.index))
    return [main, *sorted((one for one in group if one is not main), key=lambda one: -one.batches)]


def _rank(group: Sequence[Reduced]) -> tuple[bool, bool, int]:
    again = any(one.is_finding for one in group)
    deadly = any(Outcome(one.outcome) in _DEADLY for one in group)
    return not again, not deadly, -sum(one.batches for one in group)


def _key(one: Reduced) -> tuple[str, ...]:
    """Target and cause, without numbers of items, contents of bytes and the format of a fault.

    A cause that is not known is alone.
    """
    if not one.cause:
        return one.target, one.outcome, one.symptom, str(one.index)
    cause = (one.fault.partition("/")[2],) if one.fault else one.cause
    return one.target, *(_CONTENT.sub("= hex", _NUMBERS.sub("[]", part)) for part in cause)
