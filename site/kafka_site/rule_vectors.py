"""The vectors of each rule: those that keep it, and those that break it, of every kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kafka_conformance.vectors.vector import Reach, Vector

SHOWN: Final = 6
"""Vectors that a rule shows on each side; the rest are counted."""


@dataclass
class Side:
    """Vectors that keep a rule, or that break it: the ids of a few, and how many there are."""

    ids: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, identity: str) -> None:
        """Count a vector, and show it if there is room."""
        self.count += 1
        if len(self.ids) < SHOWN:
            self.ids.append(identity)

    def add_other(self, identity: str) -> None:
        """Count a vector; show it if its id begins otherwise than those that are shown.

        Those of the protocol are thousands, so the few should show how far the rule reaches.
        """
        beginnings = {known.partition("/")[0] for known in self.ids}
        if identity.partition("/")[0] in beginnings:
            self.count += 1
        else:
            self.add(identity)


@dataclass
class OfRule:
    """The vectors of one rule."""

    kept: Side = field(default_factory=Side)
    broken: Side = field(default_factory=Side)

    @property
    def count(self) -> int:
        """How many there are."""
        return self.kept.count + self.broken.count


def by_rule(
    vectors: Iterable[Vector],
    cases: Iterable[Mapping[str, Any]],
    of_protocol: Mapping[str, OfRule],
) -> Mapping[str, OfRule]:
    """Return the vectors by rule.

    Args:
        vectors: those of the record formats.
        cases: those of brokers, consumers and log directories, as JSON.
        of_protocol: those of requests and responses, which are counted already.
    """
    rules: dict[str, OfRule] = {}
    order = sorted(vectors, key=lambda vector: (list(Reach).index(vector.reach), len(vector.data)))
    for vector in order:
        for rule in vector.rules:
            of_rule = rules.setdefault(rule, OfRule())
            if vector.fault is None:
                of_rule.kept.add(vector.id)
            elif vector.fault.rule == rule:
                of_rule.broken.add(vector.id)
    for case in cases:
        breaks = broken_by(case)
        for rule in {**dict.fromkeys(case.get("rules", ())), **dict.fromkeys(breaks)}:
            of_rule = rules.setdefault(rule, OfRule())
            (of_rule.broken if rule in breaks else of_rule.kept).add(case["id"])
    for rule, more in of_protocol.items():
        of_rule = rules.setdefault(rule, OfRule())
        for side, given in ((of_rule.kept, more.kept), (of_rule.broken, more.broken)):
            side.ids += given.ids[: SHOWN - len(side.ids)]
            side.count += given.count
    return rules


def broken_by(case: Mapping[str, Any]) -> list[str]:
    """Return the rules that a case of brokers, consumers or log directories breaks."""
    expected = case.get("expected", {})
    alone = case.get("rule", expected.get("rule"))
    broken: list[str] = case.get("breaks", [alone] if alone else [])
    return broken
