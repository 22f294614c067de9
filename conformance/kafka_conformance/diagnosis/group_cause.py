"""A group's cause: its name, its reach, its vectors, the rule and the fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from kafka_conformance.diagnosis.bug_groups import BugGroup
from kafka_conformance.diagnosis.cause import Cause, CausePart, worst
from kafka_conformance.diagnosis.habits import Habit
from kafka_conformance.diagnosis.match import Match
from kafka_conformance.diagnosis.omissions import Omission
from kafka_conformance.diagnosis.signature import GENERAL, Signature
from kafka_conformance.diagnosis.symptom import ACCEPTED, symptom
from kafka_conformance.diagnosis.usual import usual_first
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.vector import Vector

REPORTS = 3
"""So many bug reports are named for a cause."""

_OTHERS = 3
"""So many further names are given of a cause that could be another."""


def cause_of(
    bug_group: BugGroup,
    asked: Mapping[str, Result],
    vectors: Mapping[str, Vector],
    matches: Sequence[Match],
    direction: Direction,
) -> Cause:
    """Return the cause that a group is.

    Args:
        bug_group: the group.
        asked: what came of each vector in this direction.
        vectors: the vectors by id.
        matches: all signatures that may explain anything, to name what cannot be told apart.
        direction: what goes wrong.
    """
    findings = usual_first((asked[name] for name in bug_group.findings), vectors)
    about = [vectors[result.vector] for result in findings]
    parts = tuple(_parts(bug_group))
    id_, does = _name(bug_group, parts, {result.outcome for result in findings})
    return Cause(
        id=id_,
        does=does,
        direction=direction,
        findings=findings,
        passed=sum(match.passed for match in bug_group.matches),
        reach=worst(vector.reach for vector in about),
        rule=_main_rule(about),
        fields=tuple(text for text, _ in Counter(map(symptom, findings)).most_common()),
        reports=_reports(bug_group.matches, about),
        others=tuple(_alike(bug_group.matches[0], matches))[:_OTHERS] if len(parts) == 1 else (),
        parts=parts if len(parts) > 1 else (),
        is_harmless=bug_group.is_known and bug_group.matches[0].signature.is_harmless,
        is_named=bool(bug_group.matches),
    )


def plain_cause(
    habit: Habit | Omission, asked: Mapping[str, Result], vectors: Mapping[str, Vector], among: Iterable[Signature]
) -> Cause:
    """Return the cause that something is which a target always does, or does not do at all.

    Args:
        habit: what it does.
        asked: what came of each vector in this direction.
        vectors: the vectors by id.
        among: all signatures, for the bug reports of the one by the same name.
    """
    findings = usual_first((asked[name] for name in habit.findings), vectors)
    about = [vectors[result.vector] for result in findings]
    same = next((signature for signature in among if signature.id == habit.id), None)
    return Cause(
        id=habit.id,
        does=habit.does,
        direction=findings[0].direction,
        findings=findings,
        passed=0,
        reach=worst(vector.reach for vector in about),
        rule=_main_rule(about[:1]),
        fields=tuple(text for text, _ in Counter(map(symptom, findings)).most_common()),
        reports=same.reports[:REPORTS] if same else (),
        others=habit.alike[:_OTHERS] if isinstance(habit, Omission) else (),
        note=habit.note,
        is_harmless=same is not None and same.is_harmless,
    )


def confirmed_cause(cause: Cause, seen: Signature) -> Cause:
    """Return a cause by the name of the finding that confirmed it outside the suite.

    Its former name stays, as one of its parts: a file of known failures may have it.
    """
    former = CausePart(cause.id, cause.does, frozenset(result.vector for result in cause.findings))
    return replace(
        cause,
        id=seen.bug_id,
        does=seen.does,
        reports=tuple(dict.fromkeys([*seen.reports, *cause.reports]))[:REPORTS],
        parts=(former, *cause.parts),
        is_harmless=seen.is_harmless,
        is_named=True,
    )


def _main_rule(about: Iterable[Vector]) -> str:
    rules = Counter(vector.fault.rule if vector.fault else next(iter(vector.rules), "") for vector in about)
    return rules.most_common(1)[0][0]


def _parts(bug_group: BugGroup) -> Iterator[CausePart]:
    """Yield the signatures of a group, each with what it explains of it."""
    for match in bug_group.matches:
        if explained := match.vectors & bug_group.findings:
            yield CausePart(match.signature.id, _does(match.signature, is_known=bug_group.is_known), explained)


def _does(signature: Signature, *, is_known: bool) -> str:
    """Return what a signature does; if it is seen in another library, in its name.

    Its words were written about that library: what is alike is what fails.
    """
    is_foreign = not is_known and signature.target not in {"", GENERAL}
    return f"fails as {signature.target} does, which {signature.does}" if is_foreign else signature.does


def _name(bug_group: BugGroup, parts: Sequence[CausePart], outcomes: Collection[Outcome]) -> tuple[str, str]:
    """Return id and sentence: of the known bug, of the one signature, or of what all share."""
    if bug_group.is_known:
        signature = bug_group.matches[0].signature
        return signature.bug_id, signature.does
    if bug_group.trait is not None and (not parts or (bug_group.trait.is_check and _is_general(bug_group.matches))):
        return bug_group.trait.id, bug_group.trait.does(outcomes)
    best = max(parts, key=lambda part: len(part.vectors))
    return best.id, best.does


def _is_general(matches: Sequence[Match]) -> bool:
    """Tell whether a missing check says more than its signatures.

    It does for several, or for one that names only a rule.
    """
    signature = matches[0].signature
    return len(matches) > 1 or (signature.target == GENERAL and ACCEPTED in signature.fails.values())


def _reports(matches: Iterable[Match], about: Iterable[Vector]) -> tuple[str, ...]:
    seen = Counter(report for vector in about for report in vector.provenance.get("reports", ()))
    of_signatures = [report for match in matches for report in match.signature.reports]
    return tuple(dict.fromkeys([*of_signatures, *(report for report, _ in seen.most_common())]))[:REPORTS]


def _alike(match: Match, matches: Iterable[Match]) -> Iterator[str]:
    """Yield what else fails the same vectors in the same way, as far as this target shows."""
    for other in matches:
        if other.signature.id != match.signature.id and other.is_like(match):
            yield other.signature.id
