"""Reads the rooms of a package from the code: what each is for, and which other rooms it imports.

A room is a module or a package directly below `kafka_format`, `kafka_tools` or
`kafka_conformance`. Its floor is written down in pyproject.toml, in the contracts that `make lint`
checks, and its sentence in its own docstring.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import grimp

ROOT: Final = Path(__file__).resolve().parents[3]
_HOMES: Final = {"kafka_format": "reference", "kafka_tools": "tools", "kafka_conformance": "conformance"}


class Room(NamedTuple):
    """One room.

    Attributes:
        name: its name below the package, for example `codec`.
        floor: how many floors are above it.
        file: where it is, relative to the root of the checkout: the folder of a package.
        sentence: the first paragraph of its docstring.
        imports: all rooms that its modules import.
    """

    name: str
    floor: int
    file: str
    sentence: str
    imports: frozenset[str]


def rooms(package: str) -> dict[str, Room]:
    """Return a package's rooms by name, from the top floor down, left to right on each."""
    floors = _floors(package)
    graph = grimp.build_graph(package, cache_dir=None)
    for name in floors:
        graph.squash_module(f"{package}.{name}")
    return {name: _room(graph, package, name, floor) for name, floor in floors.items()}


def _room(graph: grimp.ImportGraph, package: str, name: str, floor: int) -> Room:
    path = ROOT / _HOMES[package] / package / name
    is_package = path.is_dir()
    file = path if is_package else path.with_suffix(".py")
    docstring = sentence(path / "__init__.py" if is_package else file)
    return Room(name, floor, file.relative_to(ROOT).as_posix(), docstring, _imports(graph, package, name))


def _floors(package: str) -> dict[str, int]:
    """Return the rooms' floors, from the package's contract in pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    contract = next(each for each in settings["contracts"] if each.get("containers") == [package])
    return {name.strip(): floor for floor, names in enumerate(contract["layers"]) for name in names.split("|")}


def _imports(graph: grimp.ImportGraph, package: str, name: str) -> frozenset[str]:
    below = graph.find_modules_directly_imported_by(f"{package}.{name}")
    within = [module.removeprefix(f"{package}.") for module in below if module.startswith(f"{package}.")]
    return frozenset(within) - {name}


def sentence(file: Path) -> str:
    """Return the first paragraph of the docstring of a module, on one line."""
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split())


def essential(all_rooms: Mapping[str, Room]) -> dict[str, frozenset[str]]:
    """Return each room's imports, without those that it reaches through another one."""
    reached = {name: _rooms_below(all_rooms, name) for name in all_rooms}
    return {
        name: frozenset(
            target
            for target in room.imports
            if not any(target in reached[other] for other in room.imports if other != target)
        )
        for name, room in all_rooms.items()
    }


def _rooms_below(all_rooms: Mapping[str, Room], start: str) -> set[str]:
    """Return all rooms below one, at any distance."""
    below: set[str] = set()
    waiting = [start]
    while waiting:
        new = all_rooms[waiting.pop()].imports - below
        below |= new
        waiting.extend(new)
    return below
