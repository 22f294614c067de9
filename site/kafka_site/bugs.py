"""Bugs that people met, by vector and by rule: reported ones, and those found in known decoders."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kafka_conformance.findings import catalogue
from kafka_conformance.findings.catalogue import Finding
from kafka_conformance.vectors.vector import Vector
from kafka_generator.bugs import Bug, load

from kafka_site.templates import ROOT

_FEW: Final = 3
"""A vector about more rules tells little of each."""


def name(finding: Finding) -> str:
    """Return the name of a finding among those of all decoders."""
    return f"{finding.target}/{finding.id}"


@dataclass(frozen=True)
class Bugs:
    """All that is known of bugs.

    Attributes:
        vectors: the vectors of the record formats by id.
    """

    vectors: Mapping[str, Vector]

    @cached_property
    def reported(self) -> Sequence[Bug]:
        """Those that people reported, vectors or not."""
        return load(ROOT / "vectors" / "bugs.yaml")

    @cached_property
    def found(self) -> Sequence[Finding]:
        """Those that the suite found in decoders, and somebody looked at."""
        return [finding for group in catalogue.load_all().values() for finding in group.findings]

    @cached_property
    def vectors_of(self) -> Mapping[str, Sequence[str]]:
        """The vectors that show each finding, the smallest first."""
        return {name(one): self._shown_by(one) for one in self.found}

    def _shown_by(self, finding: Finding) -> Sequence[str]:
        found = dict.fromkeys([finding.smallest])
        for pattern in finding.vectors:
            found |= dict.fromkeys(fnmatch.filter(self.vectors, pattern))
        return list(found)

    @cached_property
    def reports_by_vector(self) -> Mapping[str, Sequence[str]]:
        """The reports whose bug each vector shows."""
        found: dict[str, list[str]] = {}
        for bug in self.reported:
            for vector in bug.vectors:
                found.setdefault(vector, []).extend(bug.reports)
        return {vector: list(dict.fromkeys(reports)) for vector, reports in found.items()}

    @cached_property
    def findings_by_vector(self) -> Mapping[str, Sequence[Finding]]:
        """The findings that each vector shows."""
        found: dict[str, list[Finding]] = {}
        for finding in self.found:
            for vector in self.vectors_of[name(finding)]:
                found.setdefault(vector, []).append(finding)
        return found

    @cached_property
    def reports_by_rule(self) -> Mapping[str, Sequence[str]]:
        """The reports of bugs whose vectors break each rule, or are about little else."""
        found: dict[str, dict[str, None]] = {}
        for vector, reports in self.reports_by_vector.items():
            for rule in self._told(vector):
                found.setdefault(rule, {}).update(dict.fromkeys(reports))
        return {rule: list(reports) for rule, reports in found.items()}

    @cached_property
    def findings_by_rule(self) -> Mapping[str, Sequence[Finding]]:
        """The findings whose smallest vector breaks each rule, or is about little else."""
        found: dict[str, list[Finding]] = {}
        for finding in self.found:
            for rule in self._told(finding.smallest):
                found.setdefault(rule, []).append(finding)
        return found

    def _told(self, identity: str) -> Sequence[str]:
        """Return the rules that a vector tells of: the one that it breaks, or its few."""
        vector = self.vectors.get(identity)
        if vector is None:
            return ()
        if vector.fault:
            return (vector.fault.rule,)
        return vector.rules if len(vector.rules) < _FEW else ()

    def rules_of(self, finding: Finding) -> Sequence[str]:
        """Return the rules that a finding is about: those of its smallest vector."""
        smallest = self.vectors.get(finding.smallest)
        if smallest is None:
            return ()
        return (smallest.fault.rule,) if smallest.fault else smallest.rules
