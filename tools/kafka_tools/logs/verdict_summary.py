"""Broken rules counted by rule, and the first of each: what fits on a screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kafka_format.log.verification import Breach

from kafka_tools.logs import verdicts
from kafka_tools.text import plural

_SHOWN = 5
"""Rules of which the first breach is shown; all are counted."""

_COUNTED = 12
_WORST = ("v2.", "legacy.", "entry.", "log.name.", "log.segment.", "log.epochs.not-negative")
"""How rules begin that are about records, or keep a broker from starting."""


@dataclass(slots=True)
class RuleVerdict:
    """A broken rule.

    Attributes:
        first: where it is broken first.
        count: how often; in `files` in which files.
    """

    first: Breach
    count: int = 0
    files: set[Path] = field(default_factory=set)


class VerdictSummary:
    """Counts broken rules as they come."""

    def __init__(self) -> None:
        """Begin with none."""
        self.rules: dict[str, RuleVerdict] = {}

    def add(self, breach: Breach) -> None:
        """Count a broken rule."""
        verdict = self.rules.setdefault(breach.rule, RuleVerdict(breach))
        verdict.count += 1
        verdict.files.add(breach.path)

    @property
    def count(self) -> int:
        """How often rules are broken."""
        return sum(verdict.count for verdict in self.rules.values())

    def table(self) -> Iterator[str]:
        """Yield a line for each rule, the worst first; nothing if there is one breach alone."""
        if self.count < 2:
            return
        ordered = self._ordered()
        width = max(len(verdict.first.rule) for verdict in ordered)
        yield f"{'rule':<{width}}  broken  files"
        for verdict in ordered[:_COUNTED]:
            yield f"{verdict.first.rule:<{width}}  {verdict.count:>6,}  {len(verdict.files):>5,}"
        if len(ordered) > _COUNTED:
            rest = ordered[_COUNTED:]
            yield f"{plural(len(rest), 'other rule')}: {sum(verdict.count for verdict in rest):,}"

    def examples(self) -> Iterator[list[str]]:
        """Yield the lines about the first breach of each rule; of many rules, of the worst."""
        for verdict in self._ordered()[:_SHOWN]:
            said = list(verdicts.lines(verdict.first))
            if verdict.count > 1:
                said.insert(1, f"  the first of {verdict.count:,} in {plural(len(verdict.files), 'file')}")
            yield said

    def ending(self) -> str:
        """Return how many there are, and how to see all."""
        if not self.count:
            return "no rule is broken"
        is_all = self.count == len(self.rules) <= _SHOWN
        return plural(self.count, "broken rule") + ("" if is_all else "; --all lists each")

    def _ordered(self) -> list[RuleVerdict]:
        return sorted(
            self.rules.values(), key=lambda verdict: (not verdict.first.rule.startswith(_WORST), -verdict.count)
        )
