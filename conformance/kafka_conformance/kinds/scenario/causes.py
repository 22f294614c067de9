"""Findings about the answers of a broker as a list of bugs: known ones, or by API and field."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from kafka_conformance.diagnosis.cause import Diagnosis, worst_first
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group, known_group
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.scenario.comparison import is_error
from kafka_conformance.kinds.scenario.questions import AT
from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.vectors.vector import Vector

_STEP: Final = re.compile(r"steps\[\d+\]\.|\[[^\]]*\]")

_NONE: Final = "NONE"


def diagnose_scenarios(target: str, results: Iterable[Result], vectors: Mapping[str, Vector]) -> Diagnosis:
    """Return what the findings come from; none is left unexplained."""
    groups: dict[FindingGroup, list[Result]] = defaultdict(list)
    for result in results:
        if result.is_finding:
            known = known_group(Part.SCENARIO, target, result.vector.partition(AT)[0])
            groups[known or _group(result)].append(result)
    causes = [
        replace(cause_of_group(group, findings, vectors), is_about_codes=_is_about_codes(findings))
        for group, findings in sorted(groups.items())
    ]
    return Diagnosis(tuple(worst_first(causes)))


def _is_about_codes(findings: Iterable[Result]) -> bool:
    """Tell whether an error code is given for another: who gives one for none refuses something."""
    return all(
        each.outcome is Outcome.WRONG_ANSWER
        and is_error(_place(each)[1])
        and _NONE not in (each.got, *each.expected.split(" or "))
        for each in findings
    )


def _place(result: Result) -> tuple[str, str]:
    """Return the API and the field in which an answer differs first."""
    api, _, field = _STEP.sub("", result.path).partition(".")
    return api, field


def _group(result: Result) -> FindingGroup:
    if result.outcome is not Outcome.WRONG_ANSWER:
        return FindingGroup(f"lost/{result.outcome.value}", f"{result.outcome.words} where Kafka answers")
    api, field = _place(result)
    words = f"answers {api} with {result.got}, where Kafka says {result.expected}"
    if not is_error(field):
        field = field.rpartition(".")[2]  # where it stands differs by version
        words = f"answers {api} otherwise than Kafka, in `{field}`"
        return FindingGroup(f"{api}/{field}", words)
    return FindingGroup(f"{api}/{result.got}/{result.expected}", words)
