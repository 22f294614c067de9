"""The bugs of one part of a client, with when each can happen and what it does to data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Finding, FindingKind, Part
from kafka_conformance.vectors.patterns import WILD

from kafka_generator.card.harms import harm_of
from kafka_generator.card.moments import moment_of, when
from kafka_generator.card.rules import EVERYDAY, RARE, rules
from kafka_generator.recorded.results import RecordedCause, Row

_BREAKS: Final = "does not do what it must"
"""How what a client does begins that does not keep a sentence, which follows (kinds.consumer)."""


@dataclass(frozen=True, slots=True)
class Bug:
    """One thing that a client gets wrong.

    Attributes:
        id: the name of its cause.
        part: the part that shows it.
        does: what the client does, as the end of a sentence.
        direction: `encode` if it writes wrongly.
        moment: the name of the first moment at which it can happen.
        harm: the name of what it does to data at that moment.
        example: the vector that shows it best.
        vectors: those that are known to show it.
        findings: how many vectors show it; 0 if nobody counted.
        finding: what is known of it, confirmed outside of the suite or looked at; None if it is
            what a run made of its findings alone.
        met: the circumstances in which it is met, as the end of a sentence; empty if nothing says.
    """

    id: str
    part: Part
    does: str
    direction: Direction
    moment: str
    harm: str
    example: str
    vectors: tuple[str, ...] = ()
    findings: int = 0
    finding: Finding | None = None
    met: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """All that was found in one part of a client.

    Attributes:
        bugs: the worst first.
        unexplained: findings that no cause explains.
        unnamed: bugs that a run counted that users meet, and whose causes were not recorded.
    """

    bugs: tuple[Bug, ...] = ()
    unexplained: int = 0
    unnamed: int = 0

    def of(self, moment: str) -> int:
        """Count the bugs of a moment."""
        return sum(bug.moment == moment for bug in self.bugs)


def worst_first(bugs: Iterable[Bug]) -> list[Bug]:
    """Return bugs in the order of moments, then of harms.

    Of those that are alike, those that somebody looked at come first, then those of more vectors.
    """
    moments = [moment.name for moment in rules().moments]
    harms = [harm.name for harm in rules().harms]

    def key(bug: Bug) -> tuple[int, int, bool, int, str]:
        return moments.index(bug.moment), harms.index(bug.harm), bug.finding is None, -bug.findings, bug.does

    return sorted(bugs, key=key)


def found(row: Row) -> Found:
    """Return what was found in a part of a client."""
    unexplained = row.bugs.get("unexplained", 0)
    if row.causes or not row.findings:
        bugs = [_recorded(row, left) for cause in row.causes if (left := _without_tolerated(row, cause)) is not None]
        return Found(tuple(_once(worst_first(bugs))), unexplained)
    bugs = list(_known(row))
    met = sum(bug.finding is not None and bug.finding.kind is FindingKind.REACHABLE for bug in bugs)
    return Found(tuple(worst_first(bugs)), unexplained, max(0, row.bugs["met"] + row.bugs["damage"] - met))


def _once(bugs: Iterable[Bug]) -> Iterator[Bug]:
    """Yield each bug once that somebody looked at: several causes of a run may be signs of one.

    It is as its worst sign, with the vectors of all.
    """
    of_finding: dict[str | int, list[Bug]] = {}
    for number, bug in enumerate(bugs):
        of_finding.setdefault(bug.finding.id if bug.finding else number, []).append(bug)
    for first, *others in of_finding.values():
        vectors = (*first.vectors, *(vector for other in others for vector in other.vectors))
        yield replace(first, vectors=vectors, findings=sum(bug.findings for bug in (first, *others)))


def of_codec(found: Found) -> Found:
    """Return what was found in the codec of a library whose consumer or producer was run.

    What its bugs do to applications in everyday use was seen there, and counts there.
    """
    bugs = [replace(bug, moment=RARE, met="") if bug.moment == EVERYDAY else bug for bug in found.bugs]
    return replace(found, bugs=tuple(worst_first(bugs)))


def _without_tolerated(row: Row, cause: RecordedCause) -> RecordedCause | None:
    """Return a cause without the vectors of differences that are no bug; None if all are."""
    if cause.harmless:
        return None
    fine = [finding for finding in _looked_at(row) if finding.kind is FindingKind.TOLERATED]
    outcomes = cause.outcomes * len(cause.vectors) if len(cause.outcomes) == 1 else cause.outcomes
    shown = dict(zip(cause.vectors, outcomes, strict=False))
    left = {vector: outcome for vector, outcome in shown.items() if not any(each.is_about(vector) for each in fine)}
    if len(left) == len(shown):
        return cause
    if not left:
        return None
    example = cause.example if cause.example in left else next(iter(left))
    findings = cause.findings - len(shown) + len(left)
    return replace(cause, vectors=tuple(left), outcomes=tuple(left.values()), example=example, findings=findings)


def _looked_at(row: Row) -> Sequence[Finding]:
    """Return what somebody looked at of a part of a library."""
    of_target = catalogue.about(row.part).get(row.target)
    return () if of_target is None else of_target.findings


def _quoted(does: str) -> str:
    """Quote the sentence that a client does not keep: else it reads as what the client does."""
    says, is_one, kept = does.rstrip(".").partition(": ")
    return f'{says}: "{kept}"' if is_one and says.startswith(_BREAKS) else does


def _finding(row: Row, cause: RecordedCause) -> Finding | None:
    """Return the finding that a cause is named after, or that is about all of its vectors."""
    by_vectors = (finding for finding in _looked_at(row) if all(map(finding.is_about, cause.vectors)))
    return known(cause.id) or (next(by_vectors, None) if cause.vectors else None)


def _recorded(row: Row, cause: RecordedCause) -> Bug:
    direction, (moment, met) = _direction(row, cause.direction), when(cause.vectors)
    finding = _finding(row, cause)
    does = _quoted(cause.does) if finding is None else finding.title
    outcomes = cause.outcomes_of(lambda vector: moment_of([vector]) == moment)
    return Bug(
        id=cause.id,
        part=row.part,
        does=does.rstrip("."),  # a rule ends with one, and so does the sentence
        direction=direction,
        moment=moment,
        harm=harm_of(outcomes, direction, row.part, in_requests=cause.in_requests),
        example=cause.example,
        vectors=cause.vectors,
        findings=cause.findings,
        finding=finding,
        met=met,
    )


def _known(row: Row) -> Iterator[Bug]:
    """Yield the bugs that the file of findings knows of the release that was run.

    When it happens follows from the vectors that are named one by one: what a pattern fits beside
    them may come out right.
    """
    of_target = catalogue.about(row.part).get(row.target)
    if of_target is None or of_target.version != row.version:
        return
    for finding in of_target.findings:
        if finding.kind is FindingKind.TOLERATED or finding.bug:
            continue
        yield _of_finding(row, finding)


def _of_finding(row: Row, finding: Finding) -> Bug:
    named = [vector for vector in finding.vectors if not WILD.search(vector)] or [finding.smallest]
    direction, (moment, met) = _direction(row, finding.direction), when(named)
    return Bug(
        id=f"{finding.target}/{finding.id}",
        part=row.part,
        does=finding.title,
        direction=direction,
        moment=moment,
        harm=harm_of(finding.outcomes, direction, row.part),
        example=finding.smallest,
        vectors=tuple(named),
        finding=finding,
        met=met,
    )


def _direction(row: Row, direction: str) -> Direction:
    """Return what goes wrong: a producer writes, whatever the question was."""
    return Direction.ENCODE if row.part is Part.PRODUCER else Direction(direction)


def known(cause: str) -> Finding | None:
    """Return the finding that a cause is named after: `TARGET/ID`."""
    return _findings().get(cause)


@cache
def _findings() -> dict[str, Finding]:
    every = [finding for group in catalogue.load_all() for finding in group.findings]
    return {f"{finding.target}/{finding.id}": finding for finding in every}
