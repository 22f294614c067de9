"""Causes in words, for all reports: the sentence about a target, the line about a cause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kafka_conformance.diagnosis.cause import MET, Cause, Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports.severity import by_severity
from kafka_conformance.runs.run import Run
from kafka_conformance.runs.target import Target
from kafka_conformance.text import one_line, plural
from kafka_conformance.vectors.vector import Reach

NONE = Diagnosis()


class CauseGroup(NamedTuple):
    """Causes of one kind of bytes, or findings without a cause: the heading, and its reaches.

    Causes that are no bugs have a group of their own, which has no reach.
    """

    key: str
    heading: str
    reaches: tuple[Reach, ...]


GROUPS = (
    CauseGroup("met", "bugs that users meet", MET),
    CauseGroup("damage", "with damaged data", (Reach.DAMAGE,)),
    CauseGroup("crafted", "only with crafted bytes", (Reach.CRAFTED,)),
    CauseGroup("harmless", "differences that are no bugs", ()),
)
"""The groups, worst first."""


class CauseCounts(NamedTuple):
    """How many causes a target has by group, known ones aside, and how many findings lack one."""

    met: int
    damage: int
    crafted: int
    harmless: int
    unexplained: int


def diagnosis_of(run: Run, target: Target) -> Diagnosis:
    """Return the diagnosis of a target; an empty one if the run was not diagnosed."""
    if target.name in run.diagnoses:
        return run.diagnoses[target.name]
    vectors = {vector.id: vector for vector in run.vectors}
    left = tuple(by_severity(run.of(target.name), vectors))
    return Diagnosis((), left, tuple(vectors[result.vector].reach for result in left))


def counts(found: Diagnosis) -> CauseCounts:
    """Count the causes of a target."""
    met, damage, crafted, harmless = (len(of_group(found, group)) for group in GROUPS)
    return CauseCounts(met, damage, crafted, harmless, len(list(unexplained_places(found))))


def unexplained_places(found: Diagnosis, *reaches: Reach) -> Iterator[int]:
    """Yield the places of unexplained findings that are not known, of these reaches or of all."""
    for place, (result, reach) in enumerate(zip(found.unexplained, found.reaches, strict=True)):
        if not result.known and (not reaches or reach in reaches):
            yield place


def sentence(found: Diagnosis) -> str:
    """Return the verdict on a target: `3 bugs that users meet, 7 only with crafted bytes`."""
    number = counts(found)
    parts: list[str] = []
    for group, many in zip(GROUPS, number, strict=False):
        if many:
            short = f"{many} {group.heading.removeprefix('bugs ')}"
            parts.append(short if parts and group.reaches else group_title(group, many))
    if number.unexplained:
        parts.append(f"{plural(number.unexplained, 'finding')} that no cause explains")
    return ", ".join(parts) if parts else "no bug found"


def group_title(group: CauseGroup, many: int) -> str:
    """Name a group of so many causes: `1 bug that users meet`."""
    if not group.reaches:
        return "1 difference that is no bug" if many == 1 else f"{many} {group.heading}"
    return f"{plural(many, 'bug')} {group.heading.removeprefix('bugs ')}"


def badness(found: Diagnosis) -> tuple[int, ...]:
    """Return the sort key of a target, best first: bugs users meet, then with damage, then crafted.

    Findings that no cause explains count as one more bug of their reach.
    """
    bugs = [group for group in GROUPS if group.reaches]
    return tuple(
        len(found.of(*group.reaches)) + bool(list(unexplained_places(found, *group.reaches))) for group in bugs
    )


def rank(run: Run) -> list[Target]:
    """Return the targets that came up, the best first."""
    came_up = [target for target in run.targets if target.hello is not None]
    return sorted(came_up, key=lambda target: (badness(diagnosis_of(run, target)), counts(diagnosis_of(run, target))))


def title(cause: Cause) -> str:
    """Say what a decoder does that fails so, as a line."""
    direction = "" if cause.direction is Direction.DECODE else f" ({cause.direction})"
    return one_line(f"{cause.does}{direction}", 300)


def explains(cause: Cause, found: Diagnosis) -> str:
    """Say how much a cause explains, and how well it fits."""
    share = f"explains {len(cause.findings)} of {plural(found.findings, 'finding')}"
    if not cause.passed:
        return share
    return f"{share}, though it passes {cause.passed} that such a {_coder(cause)} fails"


def behaves(cause: Cause) -> str:
    """Say the same as a sentence about the target."""
    if cause.note:
        return one_line(f"It {cause.does}: {cause.note}.", 400)
    return one_line(f"Behaves like {'an' if _coder(cause)[0] == 'e' else 'a'} {_coder(cause)} that {cause.does}.", 400)


def _coder(cause: Cause) -> str:
    return "decoder" if cause.direction is Direction.DECODE else "encoder"


def reduction_text(found: Diagnosis, findings: Sequence[Result]) -> str:
    """Return what matters in the smallest bytes of some findings; empty if nobody reduced them."""
    small = found.smallest_of(findings)
    if small is None:
        return ""
    parts = " and ".join(small.enough or small.parts) or "nothing but default values"
    size = f"{plural(len(small.data), 'byte')}{'' if small.finished else ' or less'}"
    return f"still fails on {size}, with {parts}"


def nearest(cause: Cause) -> str:
    """Name the nearest bug reports; empty if there are none."""
    return ", ".join(cause.reports)


def of_group(found: Diagnosis, group: CauseGroup) -> Sequence[Cause]:
    """Return the causes of a group, known failures aside, the worst first."""
    return found.of(*group.reaches) if group.reaches else found.harmless
