"""Bugs that people met, by vector and by rule: reported ones, and those found in known programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Finding, Part
from kafka_conformance.vectors.patterns import Ids
from kafka_conformance.vectors.vector import Vector
from kafka_generator.bugs import Bug, load

from kafka_site.message_vectors import MessageVectors
from kafka_site.templates import ROOT

_FEW: Final = 3
"""A vector about more rules tells little of each."""


SUBJECTS: Final[Mapping[Part, str]] = {
    Part.DECODER: "In decoders of records",
    Part.MESSAGES: "In decoders of requests and responses",
    Part.CONSUMER: "In consumers",
    Part.PRODUCER: "In producers",
    Part.BROKER: "In what brokers append",
    Part.SCENARIO: "In what else brokers answer",
    Part.LOG_READER: "In readers of log directories",
    Part.SERDE: "In readers of keys and values",
}
"""What findings are about, in the order of the page."""


def name(finding: Finding) -> str:
    """Return the name of a finding among those of all programs."""
    return f"{finding.target}/{finding.id}"


@dataclass(frozen=True)
class Bugs:
    """All that is known of bugs.

    Attributes:
        vectors: the vectors of the record formats by id.
        of_protocol: those of requests and responses.
    """

    vectors: Mapping[str, Vector]
    of_protocol: MessageVectors = field(default_factory=MessageVectors)

    @cached_property
    def reported(self) -> Sequence[Bug]:
        """Those that people reported, vectors or not."""
        return load(ROOT / "vectors" / "bugs.yaml")

    @cached_property
    def findings(self) -> Sequence[Finding]:
        """Those that the suite found in programs, and somebody looked at."""
        return [finding for of_subject in self.by_subject.values() for finding in of_subject]

    @cached_property
    def by_subject(self) -> Mapping[str, Sequence[Finding]]:
        """Those, by what they are about: `SUBJECTS`."""
        return {
            subject: [finding for group in catalogue.about(part).values() for finding in group.findings]
            for part, subject in SUBJECTS.items()
        }

    @cached_property
    def vectors_of(self) -> Mapping[str, Sequence[str]]:
        """The vectors that show each finding, the smallest first.

        Of those of the protocol, which are so many, patterns stay patterns.
        """
        known = Ids(self.vectors)
        return {name(finding): _vectors_of(finding, known) for finding in self.findings}

    @cached_property
    def reports_by_vector(self) -> Mapping[str, Sequence[str]]:
        """The reports whose bug each vector shows."""
        by_vector: dict[str, list[str]] = {}
        for bug in self.reported:
            for vector in bug.vectors:
                by_vector.setdefault(vector, []).extend(bug.reports)
        return {vector: list(dict.fromkeys(reports)) for vector, reports in by_vector.items()}

    @cached_property
    def findings_by_vector(self) -> Mapping[str, Sequence[Finding]]:
        """The findings that each vector shows."""
        findings: dict[str, list[Finding]] = {}
        for finding in self.findings:
            for vector in dict.fromkeys(map(without_version, self.vectors_of[name(finding)])):
                findings.setdefault(vector, []).append(finding)
        return findings

    @cached_property
    def reports_by_rule(self) -> Mapping[str, Sequence[str]]:
        """The reports of bugs whose vectors break each rule, or are about little else."""
        by_rule: dict[str, dict[str, None]] = {}
        for vector, reports in self.reports_by_vector.items():
            for rule in self._rules_of(vector):
                by_rule.setdefault(rule, {}).update(dict.fromkeys(reports))
        return {rule: list(reports) for rule, reports in by_rule.items()}

    @cached_property
    def findings_by_rule(self) -> Mapping[str, Sequence[Finding]]:
        """The findings whose smallest vector breaks each rule, or is about little else."""
        findings: dict[str, list[Finding]] = {}
        for finding in self.findings:
            for rule in self._rules_of(finding.smallest):
                findings.setdefault(rule, []).append(finding)
        return findings

    def _rules_of(self, identity: str) -> Sequence[str]:
        """Return the rules that a vector tells of: the one that it breaks, or its few."""
        rules = self._about(identity)
        return rules if len(rules) < _FEW else ()

    def rules_of(self, finding: Finding) -> Sequence[str]:
        """Return the rules that a finding is about: those of its smallest vector."""
        return self._about(finding.smallest)

    def _about(self, identity: str) -> Sequence[str]:
        """Return the rule that a vector breaks, or all that it is about."""
        vector = self.vectors.get(identity)
        if vector is None:
            return self.of_protocol.rules.get(without_version(identity), ())
        return (vector.fault.rule,) if vector.fault else vector.rules


def without_version(identity: str) -> str:
    """Return the id of a vector of the protocol; some findings name one version of it: `id@3`."""
    return identity.partition("@")[0]


def _vectors_of(finding: Finding, known: Ids) -> Sequence[str]:
    ids = dict.fromkeys([finding.smallest])
    for pattern in finding.vectors:
        ids |= dict.fromkeys(list(known.fitting(pattern)) or [pattern])
    return list(ids)
