"""What other pages say of the vectors of requests, responses and schema records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kafka_conformance.vectors.vector import Verdict

from kafka_site.rule_vectors import OfRule

_MOST: Final = 300
"""Bytes of an example; a longer one is for those who look for it."""


@dataclass
class OfVersion:
    """The vectors of one version of a layout: how many, and the best to show."""

    vectors: int = 0
    example: Mapping[str, Any] | None = None


@dataclass
class MessageVectors:
    """The vectors by rule, and by layout and version."""

    by_rule: dict[str, OfRule] = field(default_factory=dict)
    rules: dict[str, Sequence[str]] = field(default_factory=dict)
    """The rule that each vector breaks, or all that it is about, by its id."""
    by_version: dict[tuple[str, int], OfVersion] = field(default_factory=dict)

    def add(self, vector: Mapping[str, Any]) -> None:
        """Take a vector, as JSON has it."""
        is_valid = vector["verdict"] == Verdict.VALID
        self.rules[vector["id"]] = vector["rules"] if is_valid else [vector["fault"]["rule"]]
        for rule in vector["rules"]:
            of_rule = self.by_rule.setdefault(rule, OfRule())
            if is_valid:
                of_rule.kept.add_other(vector["id"])
            elif vector["fault"]["rule"] == rule:
                of_rule.broken.add_other(vector["id"])
        for version in vector["versions"]:
            of_version = self.by_version.setdefault((vector["layout"], version), OfVersion())
            of_version.vectors += 1
            if is_valid and _rank(vector) > _rank(of_version.example):
                of_version.example = vector


def _rank(vector: Mapping[str, Any] | None) -> tuple[int, int]:
    """Say how good an example a valid vector is.

    What somebody sent comes first, then what has a header, then what has all fields; of these, the
    longest that people can still read.
    """
    if vector is None:
        return (-1, 0)
    size = len(vector["hex"]) // 2
    if size > _MOST:
        return (0, -size)
    if vector["id"].startswith("wild/"):
        return (4, size)
    if vector["kind"].startswith("framed_"):
        return (3, size)
    return (2 if vector["id"].endswith("/typical") else 1, size)
