"""Findings that have something in common, as one cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from kafka_conformance.diagnosis.cause import Cause, worst
from kafka_conformance.diagnosis.symptom import of_outcome
from kafka_conformance.diagnosis.usual import usual_first
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import FindingKind, Part
from kafka_conformance.vectors.vector import Vector

OTHERWISE: Final = "otherwise"
"""How a message fails that is read, and not as Kafka reads it."""


class FindingGroup(NamedTuple):
    """What findings have in common: a stable name, and what a target does that fails so."""

    id: str
    does: str
    is_harmless: bool = False


def known_group(part: Part, target: str, vector: str) -> FindingGroup | None:
    """Return the bug of a target that a file of findings has and a vector shows; None if none is.

    Args:
        part: what of its library was asked.
        target: its name.
        vector: the id of the vector.
    """
    known = catalogue.about(part).get(target.partition("@")[0])
    shown = next((each for each in known.findings if each.is_about(vector)), None) if known else None
    if shown is None:
        return None
    return FindingGroup(f"{shown.target}/{shown.id}", shown.title, shown.kind is FindingKind.TOLERATED)


def how_of(outcome: Outcome) -> str:
    """Return how a target fails, in a word."""
    return OTHERWISE if outcome is Outcome.WRONG_ANSWER else of_outcome(outcome)


def cause_of_group(
    group: FindingGroup,
    findings: Sequence[Result],
    vectors: Mapping[str, Vector],
    others: tuple[str, ...] | None = None,
) -> Cause:
    """Return the cause that a group of findings is.

    A signature explains it if `others`, what else it could be, is a list, even an empty one.
    """
    kept = usual_first(findings, vectors)
    about = [vectors[result.vector] for result in kept]
    ruled = Counter(vector.fault.rule if vector.fault else next(iter(vector.rules), "") for vector in about)
    return Cause(
        id=group.id,
        does=group.does,
        direction=Direction.DECODE,
        findings=kept,
        passed=0,
        reach=worst(vector.reach for vector in about),
        rule=ruled.most_common(1)[0][0],
        fields=tuple(how for how, _ in Counter(how_of(result.outcome) for result in kept).most_common()),
        others=others or (),
        is_harmless=group.is_harmless,
        is_named=others is not None,
    )
