"""A cell, a vector as the kinds see it, and the counting of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

SHOWN: Final = 3
"""Vectors of a cell that the JSON file names, at most."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One thing that a vector should show.

    Attributes:
        kind: what sort of thing, for example `rule`.
        name: what exactly; unique within its kind.
        vectors: ids of the vectors that show it.
        excluded: why no vector can, or why it is shown elsewhere; empty if one should.
    """

    kind: str
    name: str
    vectors: Sequence[str] = ()
    excluded: str = ""

    @property
    def is_empty(self) -> bool:
        """True if a vector is missing."""
        return not self.vectors and not self.excluded


@dataclass(frozen=True, slots=True)
class Count:
    """The number of cells of a kind: covered, excluded and empty."""

    kind: str
    covered: int
    empty: int
    excluded: Mapping[str, int]

    @property
    def all(self) -> int:
        """Cells that a vector should show."""
        return self.covered + self.empty


def count_by_kind(cells: Iterable[Cell]) -> list[Count]:
    """Count the cells by kind, in the order of their first cell."""
    kinds: dict[str, list[Cell]] = {}
    for cell in cells:
        kinds.setdefault(cell.kind, []).append(cell)
    return [_count(kind, members) for kind, members in kinds.items()]


def _count(kind: str, cells: Sequence[Cell]) -> Count:
    empty = sum(cell.is_empty for cell in cells)
    excluded = Counter(cell.excluded for cell in cells if cell.excluded and not cell.vectors)
    return Count(kind, len(cells) - empty - excluded.total(), empty, excluded)


def document(cells: Iterable[Cell]) -> dict[str, Any]:
    """Return the content of the JSON file: the counts, and every cell with some of its vectors."""
    known = list(cells)
    counts = {
        count.kind: {"cells": count.all, "covered": count.covered, "excluded": dict(count.excluded)}
        for count in count_by_kind(known)
    }
    return {"counts": counts, "cells": [_cell(cell) for cell in known]}


def _cell(cell: Cell) -> dict[str, Any]:
    values: dict[str, Any] = {"kind": cell.kind, "name": cell.name, "vectors": len(cell.vectors)}
    if cell.vectors:
        values["examples"] = list(cell.vectors[:SHOWN])
    elif cell.excluded:
        values["excluded"] = cell.excluded
    return values
