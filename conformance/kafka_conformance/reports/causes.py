"""Causes in words, for all reports: the sentence about a target, the line about a cause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kafka_tools.text import one_line, plural

from kafka_conformance.diagnosis.cause import MET, Cause, Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports.severity import by_severity
from kafka_conformance.run.run import Run
from kafka_conformance.run.target import Target
from kafka_conformance.vectors.vector import Reach

NONE = Diagnosis()


class CauseSection(NamedTuple):
    """Causes of one kind of bytes, or findings without a cause: the heading, and its reaches.

    Causes that are no bugs have a group of their own, which has no reach.
    """

    key: str
    heading: str
    reaches: tuple[Reach, ...]


GROUPS = (
    CauseSection("met", "bugs that users meet", MET),
    CauseSection("damage", "with damaged data", (Reach.DAMAGE,)),
    CauseSection("crafted", "only with crafted bytes", (Reach.CRAFTED,)),
    CauseSection("harmless", "differences that are no bugs", ()),
)
"""The groups, worst first."""


class CauseCounts(NamedTuple):
    """The number of causes of a target by group, known ones aside, and of findings without one."""

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


def counts(diagnosis: Diagnosis) -> CauseCounts:
    """Count the causes of a target."""
    met, damage, crafted, harmless = (len(of_group(diagnosis, group)) for group in GROUPS)
    return CauseCounts(met, damage, crafted, harmless, len(list(unexplained_places(diagnosis))))


def unexplained_places(diagnosis: Diagnosis, *reaches: Reach) -> Iterator[int]:
    """Yield the places of unexplained findings that are not known, of these reaches or of all."""
    for place, (result, reach) in enumerate(zip(diagnosis.unexplained, diagnosis.reaches, strict=True)):
        if not result.known and (not reaches or reach in reaches):
            yield place


def sentence(diagnosis: Diagnosis) -> str:
    """Return the verdict on a target: `3 bugs that users meet, 7 only with crafted bytes`."""
    number = counts(diagnosis)
    parts: list[str] = []
    for group, many in zip(GROUPS, number, strict=False):
        if many:
            short = f"{many} {group.heading.removeprefix('bugs ')}"
            parts.append(short if parts and group.reaches else group_title(group, many))
    if number.unexplained:
        parts.append(f"{plural(number.unexplained, 'finding')} that no cause explains")
    return ", ".join(parts) if parts else "no bug found"


def group_title(group: CauseSection, many: int) -> str:
    """Name a group of so many causes: `1 bug that users meet`."""
    if not group.reaches:
        return "1 difference that is no bug" if many == 1 else f"{many} {group.heading}"
    return f"{plural(many, 'bug')} {group.heading.removeprefix('bugs ')}"


def badness(diagnosis: Diagnosis) -> tuple[int, ...]:
    """Return the sort key of a target, best first: bugs users meet, then with damage, then crafted.

    Findings that no cause explains count as one more bug of their reach.
    """
    bugs = [group for group in GROUPS if group.reaches]
    return tuple(
        len(diagnosis.of(*group.reaches)) + bool(list(unexplained_places(diagnosis, *group.reaches))) for group in bugs
    )


def rank(run: Run) -> list[Target]:
    """Return the targets that came up, the best first."""
    came_up = [target for target in run.targets if target.hello is not None]
    return sorted(came_up, key=lambda target: (badness(diagnosis_of(run, target)), counts(diagnosis_of(run, target))))


def title(cause: Cause) -> str:
    """Return the title of a cause: what the decoder does wrong."""
    direction = "" if cause.direction is Direction.DECODE else f" ({cause.direction})"
    return one_line(f"{cause.does}{direction}", 300)


def explains(cause: Cause, diagnosis: Diagnosis) -> str:
    """Return a text about how many findings a cause explains, and how well it fits."""
    share = f"explains {len(cause.findings)} of {plural(diagnosis.findings, 'finding')}"
    if not cause.passed:
        return share
    return f"{share}, though it passes {cause.passed} that such a {_coder(cause)} fails"


def behaves(cause: Cause) -> str:
    """Return the title of a cause as a sentence about the target."""
    if cause.note:
        return one_line(f"It {cause.does}: {cause.note}.", 400)
    return one_line(f"Behaves like {'an' if _coder(cause)[0] == 'e' else 'a'} {_coder(cause)} that {cause.does}.", 400)


def _coder(cause: Cause) -> str:
    return "decoder" if cause.direction is Direction.DECODE else "encoder"


def harm(cause: Cause) -> str:
    """Return what happens to a user's data, for the worst finding of a cause."""
    if all(result.path == _ERROR for result in cause.findings):
        return "refused, with an error that is not Kafka's"
    outcomes = {result.outcome for result in cause.findings}
    return next(words for of, words in _HARM if not of.isdisjoint(outcomes))


_ERROR: Final = "error_code"
"""Where brokers differ that refuse what is to be refused."""

_HARM = (
    ({Outcome.WRONG_ANSWER}, "wrong records without an error"),
    ({Outcome.CRASHED, Outcome.HUNG, Outcome.OUT_OF_MEMORY}, "crashes, hangs or fills the memory"),
    ({Outcome.REFUSED_VALID, Outcome.PARTIAL_ANSWER}, "an error, and the records do not arrive"),
    ({Outcome.ACCEPTED_INVALID}, "takes what it has to refuse"),
    (set(Outcome), "no answer that can be trusted"),
)
"""The meaning of an outcome for users, the worst first."""


def reduction_text(diagnosis: Diagnosis, findings: Sequence[Result]) -> str:
    """Return a text about the smallest bytes of some findings; empty if they were not reduced."""
    small = diagnosis.smallest_of(findings)
    if small is None:
        return ""
    parts = " and ".join(small.enough or small.parts) or "nothing but default values"
    size = f"{plural(len(small.data), 'byte')}{'' if small.finished else ' or less'}"
    return f"still fails on {size}, with {parts}"


def nearest(cause: Cause) -> str:
    """Name the nearest bug reports; empty if there are none."""
    return ", ".join(cause.reports)


def of_group(diagnosis: Diagnosis, group: CauseSection) -> Sequence[Cause]:
    """Return the causes of a group, known failures aside, the worst first."""
    return diagnosis.of(*group.reaches) if group.reaches else diagnosis.harmless
