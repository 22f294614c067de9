"""Fields as a tree: a row for each structure, and what is in it below, by its own short name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kafka_tools.show.hexdump import Row

_STEP: Final = "  "
_PARTS_OF_VALUES: Final = frozenset({"length", "count", "marker"})
"""What stands in front of a value, and is shown as its neighbour: `name.length`."""


def as_tree(rows: Sequence[Row]) -> list[Row]:
    """Return rows with short names, and rows for the structures around them."""
    made: list[Row] = []
    around: list[str] = []
    entry: int | None = None
    for row in rows:
        if row.entry != entry:
            around, entry = [], row.entry
        if not row.path:
            made.append(row)
            continue
        parts = _parts(row.path)
        same = next((at for at, (one, other) in enumerate(zip(around, parts, strict=False)) if one != other), None)
        same = min(len(around), len(parts) - 1) if same is None else min(same, len(parts) - 1)
        made += [
            Row("", "", _STEP * at + part, "", entry=row.entry) for at, part in enumerate(parts[:-1]) if at >= same
        ]
        made.append(replace(row, path=_STEP * (len(parts) - 1) + parts[-1]))
        around = parts[:-1]
    return made


def _parts(path: str) -> list[str]:
    """Return the structures on the way to a field, and its name with what stands in front of it."""
    parts = path.split(".")
    if len(parts) > 1 and parts[-1] in _PARTS_OF_VALUES:
        return [*parts[:-2], ".".join(parts[-2:])]
    return parts
