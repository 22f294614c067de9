"""Counts the house: rooms, floors, arrows and lines of each package, from its imports.

`python -m kafka_generator.architecture.count` prints a table. A room is a module or a package
directly below a package. Arrows are imports from one room of a package to another, each pair once.
Floors are the rooms on the longest way along arrows. Lines are those of all Python files but stubs.
Another checkout is counted if its folders come first in PYTHONPATH.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

import grimp

PACKAGES: Final = ("kafka_format", "kafka_tools", "kafka_conformance")


class House(NamedTuple):
    """A package in numbers."""

    rooms: int
    floors: int
    arrows: int
    lines: int


def count(package: str) -> House | None:
    """Return the numbers of a package; None if there is no such package here."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    arrows = imports(package)
    lines = sum(_lines(file) for file in Path(spec.origin).parent.rglob("*.py"))
    return House(len(arrows), floors(arrows), sum(map(len, arrows.values())), lines)


def imports(package: str) -> dict[str, frozenset[str]]:
    """Return which rooms of a package each of its rooms imports."""
    graph = grimp.build_graph(package, cache_dir=None)
    rooms = graph.find_children(package)
    for room in rooms:
        graph.squash_module(room)
    return {room: frozenset(graph.find_modules_directly_imported_by(room) & rooms - {room}) for room in rooms}


def floors(arrows: Mapping[str, frozenset[str]]) -> int:
    """Return how many rooms are on the longest way along arrows, which have no circle."""

    @cache
    def height(room: str) -> int:
        return 1 + max(map(height, arrows[room]), default=0)

    return max(map(height, arrows), default=0)


def _lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def main() -> None:
    """Print the table."""
    print("| package | rooms | floors | arrows | lines |", "|---|---|---|---|---|", sep="\n")
    for package in PACKAGES:
        house = count(package)
        if house is not None:
            print(f"| {package} | {house.rooms} | {house.floors} | {house.arrows} | {house.lines:,} |")


if __name__ == "__main__":
    main()
