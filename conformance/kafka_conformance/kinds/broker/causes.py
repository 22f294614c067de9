"""Findings about brokers as a list of bugs: by what they refuse, append and change.

No signature of a wrong decoder fits a broker, which decodes little: what it has in common is the
error, the stage of the check that it leaves out, or the field.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from kafka_conformance.diagnosis.cause import Diagnosis, worst_first
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Vector

_LEAVES_OUT: Final = {
    "framing": "appends entries whose size or magic is wrong",
    "checksum": "appends entries whose checksum is wrong",
    "decompression": "appends payloads that cannot be decompressed",
    "structure": "appends batches without a look at their records",
}
"""What a broker does that leaves out the checks of a stage."""

_ERROR_CODES: Final = "answers/"
"""How the ids of causes begin that are only about an error code."""

_PLACE: Final = re.compile(r"entries\[\d+\]\.|\[\d+\]")
_LOST: Final = {Outcome.BROKEN_PROTOCOL: "hangs up or breaks the protocol"}


def diagnose_appends(results: Iterable[Result], vectors: Mapping[str, Vector]) -> Diagnosis:
    """Return what the findings of a broker come from; none is left unexplained."""
    groups: dict[FindingGroup, list[Result]] = defaultdict(list)
    for result in results:
        if result.is_finding:
            groups[_group(result, vectors[result.vector])].append(result)
    causes = [
        replace(cause_of_group(group, results, vectors), is_about_codes=group.id.startswith(_ERROR_CODES))
        for group, results in sorted(groups.items())
    ]
    return Diagnosis(tuple(worst_first(causes)))


def _group(result: Result, vector: Vector) -> FindingGroup:
    if result.outcome is Outcome.REFUSED_VALID:
        return FindingGroup(f"refuses/{result.got}", f"refuses what Kafka appends, with {result.got}")
    if result.outcome is Outcome.WRONG_ANSWER:
        return _wrong(result)
    if result.outcome is not Outcome.ACCEPTED_INVALID:
        words = _LOST.get(result.outcome, result.outcome.words)
        return FindingGroup(f"lost/{result.outcome.value}", f"{words} where Kafka answers")
    if not result.rule:
        return FindingGroup("appends/version", "appends what the version of Produce or Fetch does not carry")
    stage = vector.fault.stage if vector.fault is not None else ""
    if stage in _LEAVES_OUT:
        return FindingGroup(f"appends/{stage}", _LEAVES_OUT[stage])
    return FindingGroup(f"appends/{result.rule}", f"appends what breaks {result.rule}")


def _wrong(result: Result) -> FindingGroup:
    if result.path == "error_code":
        words = f"refuses with {result.got}, where Kafka answers {result.expected}"
        return FindingGroup(f"{_ERROR_CODES}{result.got}/{result.expected.replace(' or ', '-')}", words)
    field = _PLACE.sub("", result.path)
    return FindingGroup(f"keeps/{field}", f"differs from Kafka in the {field} that it serves")
