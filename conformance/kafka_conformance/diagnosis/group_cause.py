"""A group's cause: its name, its reach, its smallest vector, the rule and the fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kafka_conformance.diagnosis.bug_groups import BugGroup
from kafka_conformance.diagnosis.cause import Cause, Part, worst
from kafka_conformance.diagnosis.habits import Habit
from kafka_conformance.diagnosis.match import Match
from kafka_conformance.diagnosis.missing import Missing
from kafka_conformance.diagnosis.signature import GENERAL, Signature
from kafka_conformance.diagnosis.symptom import ACCEPTED, symptom
from kafka_conformance.findings.catalogue import FindingKind
from kafka_conformance.judging.result import Result
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.vector import Reach, Vector

REPORTS = 3
"""So many bug reports are named for a cause."""

_OTHERS = 3
"""So many further names are told of a cause that could be another."""


def cause_of(
    one: BugGroup,
    asked: Mapping[str, Result],
    vectors: Mapping[str, Vector],
    found: Sequence[Match],
    direction: Direction,
) -> Cause:
    """Return the cause that a group is.

    Args:
        one: the group.
        asked: what came of each vector in this direction.
        vectors: the vectors by id.
        found: all signatures that may explain anything, for what cannot be told from those that do.
        direction: what goes wrong.
    """
    findings = _smallest_first((asked[name] for name in one.findings), vectors)
    about = [vectors[result.vector] for result in findings]
    parts = tuple(_parts(one))
    id_, does = _name(one, parts)
    return Cause(
        id=id_,
        does=does,
        direction=direction,
        findings=findings,
        passed=sum(match.passed for match in one.matches),
        reach=worst(vector.reach for vector in about),
        rule=_main_rule(about),
        fields=tuple(text for text, _ in Counter(map(symptom, findings)).most_common()),
        reports=_reports(one.matches, about),
        others=tuple(_alike(one.matches[0], found))[:_OTHERS] if len(parts) == 1 else (),
        parts=parts if len(parts) > 1 else (),
        is_harmless=one.is_known and one.matches[0].signature.kind == FindingKind.TOLERATED,
        is_named=bool(one.matches),
    )


def plain_cause(
    one: Habit | Missing, asked: Mapping[str, Result], vectors: Mapping[str, Vector], among: Iterable[Signature]
) -> Cause:
    """Return the cause that something is which a target always does, or does not do at all.

    Args:
        one: what it does.
        asked: what came of each vector in this direction.
        vectors: the vectors by id.
        among: all signatures, for the bug reports of the one by the same name.
    """
    findings = _smallest_first((asked[name] for name in one.findings), vectors)
    about = [vectors[result.vector] for result in findings]
    same = next((signature for signature in among if signature.id == one.id), None)
    return Cause(
        id=one.id,
        does=one.does,
        direction=findings[0].direction,
        findings=findings,
        passed=0,
        reach=worst(vector.reach for vector in about),
        rule=_main_rule(about[:1]),
        fields=tuple(text for text, _ in Counter(map(symptom, findings)).most_common()),
        reports=same.reports[:REPORTS] if same else (),
        others=one.alike[:_OTHERS] if isinstance(one, Missing) else (),
        note=one.note,
        is_harmless=same is not None and same.kind == FindingKind.TOLERATED,
    )


def _main_rule(about: Iterable[Vector]) -> str:
    rules = Counter(vector.fault.rule if vector.fault else next(iter(vector.rules), "") for vector in about)
    return rules.most_common(1)[0][0]


def _smallest_first(findings: Iterable[Result], vectors: Mapping[str, Vector]) -> tuple[Result, ...]:
    order = list(Reach)

    def rank(result: Result) -> tuple[int, int, str]:
        vector = vectors[result.vector]
        return order.index(vector.reach), len(vector.data), vector.id

    return tuple(sorted(findings, key=rank))


def _parts(one: BugGroup) -> Iterator[Part]:
    """Yield the signatures of a group, each with what it explains of it."""
    for match in one.matches:
        if explained := match.vectors & one.findings:
            yield Part(match.signature.id, match.signature.does, explained)


def _name(one: BugGroup, parts: Sequence[Part]) -> tuple[str, str]:
    """Return id and sentence: of the known bug, of the one signature, or of what all share."""
    if one.is_known:
        signature = one.matches[0].signature
        return signature.bug_id, signature.does
    if one.trait is not None and (not parts or (one.trait.is_check and _is_general(one.matches))):
        return one.trait.id, one.trait.does
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


def _alike(match: Match, found: Iterable[Match]) -> Iterator[str]:
    """Yield what else fails the same vectors in the same way, as far as this target shows."""
    for other in found:
        if other.signature.id != match.signature.id and other.is_like(match):
            yield other.signature.id
