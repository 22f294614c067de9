"""Vectors that could go: those that kill nothing and are alone in no cell of the coverage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kafka_generator.coverage.model import Cell


def killing(known: Mapping[str, Any]) -> Counter[str]:
    """Return how many mutants each vector kills."""
    return Counter(known["vectors"][place] for mutant in known["mutants"] for place in mutant["killed_by"])


def alone(cells: Iterable[Cell]) -> dict[str, list[str]]:
    """Return by vector the cells of the coverage that would be empty without it."""
    vectors: dict[str, list[str]] = {}
    for cell in cells:
        if len(set(cell.vectors)) == 1:
            vectors.setdefault(cell.vectors[0], []).append(f"{cell.kind}: {cell.name}")
    return vectors


def redundant(known: Mapping[str, Any], cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return the vectors that kill nothing and cover nothing alone, with the cells they share."""
    idle = [vector for vector in known["vectors"] if vector not in killing(known) and vector not in alone(cells)]
    shared: dict[str, list[str]] = {vector: [] for vector in idle}
    for cell in cells:
        for vector in shared.keys() & set(cell.vectors):
            shared[vector].append(f"{cell.kind} {cell.name}")
    return [{"vector": vector, "shares": cells_} for vector, cells_ in shared.items()]
