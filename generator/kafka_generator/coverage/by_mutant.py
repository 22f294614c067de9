"""Rules that no bytes can break.

Each has a decoder that is wrong in it, and a vector of it that kills that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kafka_format.spec.rules import rules

from kafka_generator.coverage.by_rule import WITHOUT
from kafka_generator.coverage.model import Cell


def cells(kills: Mapping[str, Any], vectors: Iterable[Mapping[str, Any]]) -> Iterator[Cell]:
    """Yield a cell a rule that only a target breaks; `kills` is the table of vectors/kills.json."""
    about = {vector["id"]: vector["rules"] for vector in vectors}
    for rule in rules().values():
        if rule.broken_by == "target":
            killers = [vector for vector in _killing(kills, rule.id) if rule.id in about.get(vector, ())]
            yield Cell("rule misread", rule.id, killers, WITHOUT.get(rule.about, ""))


def _killing(kills: Mapping[str, Any], rule: str) -> Iterator[str]:
    """Yield the vectors that kill a mutant which says that it breaks the rule."""
    for mutant in kills["mutants"]:
        if rule in mutant.get("rules", ()):
            yield from (kills["vectors"][place] for place in mutant["killed_by"])
