"""Pairs: every two features together that can be, with each format and codec."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from kafka_generator.constructed import factors, pairs
from kafka_generator.coverage.model import Cell


def cells(vectors: Sequence[Mapping[str, Any]]) -> Iterator[Cell]:
    """Yield a cell for every pair of values of two features."""
    known = {vector["id"] for vector in vectors}
    by_choices: dict[tuple[factors.Choice, factors.Choice], list[str]] = {}
    for row in factors.load(pairs.file()):
        for pair in factors.pairs_of(row) if pairs.name_of(row) in known else ():
            by_choices.setdefault(pair, []).append(pairs.name_of(row))
    for left, right in factors.pairs():
        name = f"{left[0]} {left[1]} with {right[0]} {right[1]}"
        yield Cell("pair", name, _ids(by_choices.get((left, right), ())), factors.impossible(left, right))


def _ids(ids: Collection[str]) -> list[str]:
    return sorted(ids)
