"""Findings about log directories as a list of bugs: what is known of the reader comes first."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from kafka_conformance.diagnosis.cause import Diagnosis, worst_first
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group, known_group
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.logs import Ask
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.vectors.vector import Vector

_DOING: Final = {
    Ask.OPEN: "after a clean stop",
    Ask.RECOVER: "after a crash",
    Ask.VERIFY: "when it looks for broken rules",
    Ask.READ: "of a single file",
}
_INDEX: Final = re.compile(r"\[\d+\]")


def diagnose_logs(target: str, results: Sequence[Result], vectors: Mapping[str, Vector], _hello: Hello) -> Diagnosis:
    """Return what the findings of a reader come from; none is left unexplained."""
    groups: dict[FindingGroup, list[Result]] = defaultdict(list)
    for result in results:
        if result.is_finding:
            group = known_group(Part.LOG_READER, target, result.vector.partition("@")[0]) or _group(result)
            groups[group].append(result)
    causes = [cause_of_group(group, findings, vectors) for group, findings in sorted(groups.items())]
    return Diagnosis(tuple(worst_first(causes)))


def _group(result: Result) -> FindingGroup:
    ask = Ask(result.vector.rpartition("@")[2])
    if result.outcome is not Outcome.WRONG_ANSWER:
        return FindingGroup(f"logs/{ask}/{result.outcome}", f"{result.outcome.words} {_DOING[ask]}")
    part = _INDEX.sub("", result.path)
    return FindingGroup(f"logs/{ask}/{part}", f"gives other {part} than Kafka {_DOING[ask]}")
