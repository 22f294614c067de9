"""A cause: what a number of findings of one target come from, or may come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.vector import Reach


class CausePart(NamedTuple):
    """One of several signatures that make up a cause: its id, what it does, its vectors."""

    id: str
    does: str
    vectors: frozenset[str]


@dataclass(frozen=True, slots=True)
class ReducedVector:
    """What is left of a vector.

    Attributes:
        data: the smallest bytes that the target still fails on.
        parts: what is not at its simplest in them, with values: `records[0].headers[0].key =
            hex:ff`.
        enough: those without which the target answers correctly; empty if it takes several, or all.
        finished: False if time ran out before everything was tried.
    """

    data: bytes
    parts: tuple[str, ...]
    enough: tuple[str, ...]
    finished: bool


@dataclass(frozen=True, slots=True)
class Cause:
    """What some findings of a target come from.

    Attributes:
        id: stable name, as a known-failures file has it: that of the signature that fits, or of
            what findings share.
        does: what a decoder does that fails like this: `reads the offset as int8`.
        direction: what goes wrong: decoding or encoding.
        findings: what it explains, the most usual vector first; a finding may have two causes.
        passed: vectors that the signature fails and the target passes: 0 if it fits exactly.
        reach: the likeliest origin of the vectors that it explains.
        rule: the rule that most of them are about.
        fields: what is wrong in the answers, or what happens instead.
        reports: bug reports of the like, nearest first.
        others: what else it could be: signatures that these vectors do not tell from this one.
        parts: the signatures that add up to it, where they are several.
        note: of what a target does not do at all, the figures that say so, and what to declare if
            it is meant so.
        is_harmless: True if it was looked at, and is a difference that is no bug.
        is_named: True if a signature explains it, not only what its findings have in common.
        is_about_codes: True if a broker gives another error code than Kafka, and does the same: it
            stands behind all that is stored or served wrong.
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
    parts: tuple[CausePart, ...] = ()
    note: str = ""
    is_harmless: bool = False
    is_named: bool = True
    is_about_codes: bool = False

    @property
    def ids(self) -> frozenset[str]:
        """All names that it goes by: its own, and those of its parts."""
        return frozenset({self.id, *(part.id for part in self.parts)})

    def findings_named(self, name: str) -> Iterator[Result]:
        """Yield the findings of a name: all for the cause's own, some for a part's."""
        vectors = frozenset[str]().union(*(part.vectors for part in self.parts if part.id == name))
        return (result for result in self.findings if name == self.id or result.vector in vectors)

    @property
    def example(self) -> str:
        """The id of the vector that shows it best: data that people have today come first."""
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
        reduced: what is left of vectors whose findings no signature explains, by vector; empty if
            nobody looked.
    """

    causes: tuple[Cause, ...] = ()
    unexplained: tuple[Result, ...] = ()
    reaches: tuple[Reach, ...] = ()
    reduced: Mapping[str, ReducedVector] = field(default_factory=dict)

    @property
    def findings(self) -> int:
        """How many findings there are, explained or not."""
        explained = {(result.direction, result.vector) for cause in self.causes for result in cause.findings}
        return len(explained) + len(self.unexplained)

    def with_results(self, results: Iterable[Result]) -> Diagnosis:
        """Return the same with these results for their cases.

        They may be known failures by now.
        """
        now = {(result.direction, result.vector): result for result in results}
        causes = [
            replace(cause, findings=tuple(now[finding.direction, finding.vector] for finding in cause.findings))
            for cause in self.causes
        ]
        unexplained = tuple(now[result.direction, result.vector] for result in self.unexplained)
        return replace(self, causes=tuple(causes), unexplained=unexplained)

    def smallest_of(self, findings: Iterable[Result]) -> ReducedVector | None:
        """Return what is left of the vector of a finding that was made small; None if none was."""
        names = (
            finding.vector
            for finding in findings
            if finding.direction is Direction.DECODE and finding.vector in self.reduced
        )
        return next((self.reduced[name] for name in names), None)

    def of(self, *reaches: Reach) -> list[Cause]:
        """Return the causes of these reaches that are bugs, known failures aside."""
        return [cause for cause in self.causes if cause.reach in reaches and not (cause.is_known or cause.is_harmless)]

    @property
    def harmless(self) -> list[Cause]:
        """The causes that are differences, but no bugs; known failures aside."""
        return [cause for cause in self.causes if cause.is_harmless and not cause.is_known]


_ORDER: Final = {reach: place for place, reach in enumerate(Reach)}


def worst(reaches: Iterable[Reach]) -> Reach:
    """Return the likeliest of some origins."""
    return min(reaches, key=_ORDER.__getitem__, default=Reach.CRAFTED)


def worst_first(causes: Iterable[Cause]) -> list[Cause]:
    """Return causes in the order of reports.

    What is stored, served or read wrong comes before error codes, then by reach, then by number.
    """
    return sorted(
        causes,
        key=lambda cause: (cause.is_about_codes, _ORDER[cause.reach], -len(cause.findings), not cause.is_silent),
    )


def merge(diagnoses: Sequence[Diagnosis]) -> Diagnosis:
    """Return one diagnosis of several, of the same target: the worst causes first."""
    if len(diagnoses) == 1:
        return diagnoses[0]
    causes = worst_first(cause for diagnosis in diagnoses for cause in diagnosis.causes)
    left = [pair for diagnosis in diagnoses for pair in zip(diagnosis.unexplained, diagnosis.reaches, strict=True)]
    left.sort(key=lambda pair: _ORDER[pair[1]])
    return Diagnosis(
        tuple(causes),
        tuple(result for result, _ in left),
        tuple(reach for _, reach in left),
        {vector: small for diagnosis in diagnoses for vector, small in diagnosis.reduced.items()},
    )
