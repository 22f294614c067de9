"""Findings about keys and values as a list of bugs: what is known of the reader comes first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from kafka_conformance.diagnosis.cause import Diagnosis, worst_first
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group, known_group
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.vectors.vector import Vector


def diagnose_contents(
    target: str, results: Sequence[Result], vectors: Mapping[str, Vector], _hello: Hello
) -> Diagnosis:
    """Return what the findings of a reader come from; none is left unexplained."""
    groups: dict[FindingGroup, list[Result]] = defaultdict(list)
    for result in results:
        if result.is_finding:
            group = known_group(Part.SERDE, target, result.vector) or _group(result, vectors)
            groups[group].append(result)
    causes = [cause_of_group(group, findings, vectors) for group, findings in sorted(groups.items())]
    return Diagnosis(tuple(worst_first(causes)))


def _group(result: Result, vectors: Mapping[str, Vector]) -> FindingGroup:
    """Return the group of findings of one kind of content, of one rule or part."""
    vector = vectors[result.vector]
    content, rule = vector.formats[0], next(iter(vector.rules), "")
    if result.outcome is Outcome.WRONG_ANSWER:
        return FindingGroup(f"contents/{content}/{result.path}", f"gives another {result.path} of {content}")
    if result.outcome is Outcome.ACCEPTED_INVALID:
        return FindingGroup(f"contents/{content}/{rule}", f"accepts {content} that breaks {rule}")
    return FindingGroup(f"contents/{content}/{result.outcome}", f"{result.outcome.words}: {content}")
