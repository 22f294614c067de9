"""Group the findings of a target into causes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kafka_conformance.diagnosis.by_rule import general_signatures
from kafka_conformance.diagnosis.cause import Cause, Diagnosis, build
from kafka_conformance.diagnosis.matching import Earned, Match, cover, earned_by, matches
from kafka_conformance.diagnosis.signature import Signature, signatures
from kafka_conformance.diagnosis.symptom import symptom
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.golden import Reach, Vector

_OTHERS = 3
"""So many further names are told of a cause that could be another."""


def diagnose(
    target: str,
    results: Iterable[Result],
    vectors: Mapping[str, Vector],
    known: Sequence[Signature] | None = None,
) -> Diagnosis:
    """Return what the findings of a target come from.

    Args:
        target: its name; what was seen in the same library comes first between equals.
        results: what came of every vector that was put to it.
        vectors: the vectors by id.
        known: the signatures to look among; all by default.
    """
    kept, library = list(results), target.partition("@")[0]
    pool = [*signatures(), *general_signatures(vectors.values())] if known is None else known
    causes: list[Cause] = []
    unexplained: list[Result] = []
    for direction in Direction:
        asked = {result.vector: result for result in kept if result.direction is direction}
        among = [one for one in pool if one.direction is direction]
        found, rest = _of_direction(asked, among, vectors, library)
        causes += found
        unexplained += rest
    order = list(Reach)
    causes.sort(key=lambda cause: (order.index(cause.reach), -len(cause.findings), not cause.is_silent))
    unexplained.sort(key=lambda result: (order.index(vectors[result.vector].reach), len(vectors[result.vector].data)))
    return Diagnosis(tuple(causes), tuple(unexplained), tuple(vectors[one.vector].reach for one in unexplained))


def _of_direction(
    asked: Mapping[str, Result], among: Iterable[Signature], vectors: Mapping[str, Vector], library: str
) -> tuple[list[Cause], list[Result]]:
    failed = {name: symptom(result) for name, result in asked.items() if result.is_finding}
    if not failed:
        return [], []
    passed = {name for name, result in asked.items() if result.outcome is Outcome.PASSED}
    found = matches(among, failed, passed, library)
    chosen = cover(found)
    earned = earned_by(chosen)
    causes = [_cause(match, found, asked, vectors, earned) for match in chosen]
    return causes, [asked[name] for name in failed if name not in earned.exact | earned.others]


def _cause(
    match: Match,
    found: Sequence[Match],
    asked: Mapping[str, Result],
    vectors: Mapping[str, Vector],
    earned: Earned,
) -> Cause:
    explained = [asked[name] for name in sorted(match.exact | match.others - earned.exact)]
    signature = match.signature
    return build(
        (signature.id, signature.does),
        signature.direction,
        explained,
        vectors,
        passed=match.passed,
        reports=signature.reports,
        others=list(_alike(match, found))[:_OTHERS],
    )


def _alike(match: Match, found: Iterable[Match]) -> Iterator[str]:
    """Yield what else fails the same vectors in the same way, as far as this target shows."""
    for other in found:
        if other is not match and other.is_like(match):
            yield other.signature.id
