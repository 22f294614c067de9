"""A cause: what a number of findings of one target come from, or may come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kafka_conformance.diagnosis.symptom import symptom
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.golden import Reach, Vector

REPORTS = 3
"""So many bug reports are named for a cause."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What some findings of a target come from.

    Attributes:
        id: name of the signature that fits, as a known-failures file has it.
        does: what a decoder does that fails like this: `reads the offset as int8`.
        direction: what goes wrong: decoding or encoding.
        findings: what it explains, the smallest vector first; a finding may have two causes.
        passed: vectors that the signature fails and the target passes: 0 if it fits exactly.
        reach: the likeliest origin of the vectors that it explains.
        rule: the rule that most of them are about.
        fields: what is wrong in the answers, or what happens instead.
        reports: bug reports of the like, nearest first.
        others: what else it could be: signatures that these vectors do not tell from this one.
    """

    id: str
    does: str
    direction: Direction
    findings: tuple[Result, ...]
    passed: int
    reach: Reach
    rule: str
    fields: tuple[str, ...]
    reports: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def smallest(self) -> str:
        """The id of the smallest vector that shows it."""
        return self.findings[0].vector

    @property
    def is_known(self) -> bool:
        """True if all that it explains are known failures."""
        return all(result.known for result in self.findings)

    @property
    def is_met(self) -> bool:
        """True if users meet it: bytes that producers or brokers write show it."""
        return self.reach in MET

    @property
    def is_silent(self) -> bool:
        """True if it gives wrong answers, which nobody notices."""
        return any(result.outcome is Outcome.WRONG_ANSWER for result in self.findings)


MET = (Reach.PRODUCER, Reach.BROKER)
"""Bytes that users meet."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the findings of one target come from.

    Attributes:
        causes: the worst first: by reach, then by the number of findings.
        unexplained: findings that no cause explains, in the order of severity by reach.
        reaches: the reach of each unexplained finding.
    """

    causes: tuple[Cause, ...] = ()
    unexplained: tuple[Result, ...] = ()
    reaches: tuple[Reach, ...] = ()

    @property
    def findings(self) -> int:
        """How many findings there are, explained or not."""
        explained = {(result.direction, result.vector) for cause in self.causes for result in cause.findings}
        return len(explained) + len(self.unexplained)

    def with_results(self, results: Iterable[Result]) -> Diagnosis:
        """Return the same with these results in place of those of the same case, which may be known failures by now."""
        now = {(result.direction, result.vector): result for result in results}
        causes = [
            replace(cause, findings=tuple(now[one.direction, one.vector] for one in cause.findings))
            for cause in self.causes
        ]
        unexplained = tuple(now[one.direction, one.vector] for one in self.unexplained)
        return replace(self, causes=tuple(causes), unexplained=unexplained)

    def of(self, *reaches: Reach) -> list[Cause]:
        """Return the causes of these reaches that are not known failures."""
        return [cause for cause in self.causes if cause.reach in reaches and not cause.is_known]


def worst(reaches: Iterable[Reach]) -> Reach:
    """Return the likeliest of some origins."""
    order = list(Reach)
    return min(reaches, key=order.index, default=Reach.CRAFTED)


def build(
    name: tuple[str, str],
    direction: Direction,
    findings: Iterable[Result],
    vectors: Mapping[str, Vector],
    *,
    passed: int,
    reports: Sequence[str],
    others: Sequence[str] = (),
) -> Cause:
    """Return the cause that explains these findings; `name` is its id and what it does."""
    order = list(Reach)
    kept = sorted(
        findings,
        key=lambda result: (order.index(vectors[result.vector].reach), len(vectors[result.vector].data), result.vector),
    )
    about = [vectors[result.vector] for result in kept]
    rules = Counter(vector.fault.rule if vector.fault else next(iter(vector.rules), "") for vector in about)
    fields = Counter(map(symptom, kept))
    seen = Counter(report for vector in about for report in vector.provenance.get("reports", ()))
    near = [*dict.fromkeys([*reports, *(report for report, _ in seen.most_common())])]
    return Cause(
        *name,
        direction,
        tuple(kept),
        passed,
        worst(vector.reach for vector in about),
        rules.most_common(1)[0][0],
        tuple(field for field, _ in fields.most_common()),
        tuple(near[:REPORTS]),
        tuple(others),
    )
