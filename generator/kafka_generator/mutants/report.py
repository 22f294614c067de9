"""The kill table as vectors/kills.json, and as the page docs/kills.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_conformance.errors import UsageError

from kafka_generator.coverage.model import Cell
from kafka_generator.markdown import environment
from kafka_generator.mutants import families, layout_kills
from kafka_generator.mutants.kills import kills
from kafka_generator.mutants.mutant import MUTATION, Mutant
from kafka_generator.mutants.questions import Question, questions
from kafka_generator.mutants.redundancy import redundant

FILE: Final = "kills.json"
"""Name of the table's file, in vectors/."""

_KEYS: Final = ("id", "does", "direction", "family", "rules", "source", "digest")
EMPTY: Final[Mapping[str, Any]] = {"vectors": [], "mutants": [], "generated": [], "redundant": []}
"""The table before anything was put."""


def make(directory: Path, known: Mapping[str, Any], cells: Sequence[Cell]) -> dict[str, Any]:
    """Return the table; `directory` is vectors/. What `known` has, of the same mutant and vector, is not asked again.

    `cells` are those of the coverage: what kills nothing and is alone in none of them is redundant.

    Raises:
        UsageError: a mutant cannot be made, because the reference has changed under it; or no vector kills it.
        LayoutError: the list of those that nobody can see is wrong.
    """
    mutants, asked = families.load(), questions(directory)
    sizes = {question.id: question.size for direction in asked.values() for question in direction}
    before, old = _before(known), frozenset(known["vectors"])
    found: dict[str, list[str]] = {}
    for mutant in mutants:
        put = before.get((mutant.id, mutant.digest))
        new = [one for one in asked[mutant.direction] if put is None or one.id not in old]
        killing = sizes.keys() & {*(put or ()), *kills(mutant, new)}
        found[mutant.id] = sorted(killing, key=lambda vector: (sizes[vector], vector))
    if survivors := [mutant.id for mutant in mutants if not found[mutant.id]]:
        raise UsageError(
            f"no vector kills {', '.join(survivors)}.",
            "Add one to vectors/cases that tells the mutant from the right way.",
        )
    table = document(mutants, list(sizes), found)
    return table | {"generated": _generated(known, asked["decode"]), "redundant": redundant(table, cells)}


def _generated(known: Mapping[str, Any], asked: Sequence[Question]) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = known.get("generated", [])
    if layout_kills.is_in_step(lines, frozenset(one.id for one in asked)):
        return lines
    return layout_kills.table(asked, layout_kills.unseen())


def _before(known: Mapping[str, Any]) -> dict[tuple[str, str], list[str]]:
    """Return the vectors that killed each mutant as it was made."""
    return {
        (one["id"], one["digest"]): [known["vectors"][place] for place in one["killed_by"]] for one in known["mutants"]
    }


def document(mutants: Iterable[Mutant], vectors: Sequence[str], found: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the table as JSON has it: the ids of the vectors, and for each mutant their places in that list."""
    at = {vector: place for place, vector in enumerate(vectors)}
    killed_by = {mutant: sorted(at[vector] for vector in killing) for mutant, killing in found.items()}
    listed = [
        _described(mutant) | {"smallest": found[mutant.id][0], "killed_by": killed_by[mutant.id]} for mutant in mutants
    ]
    return {"vectors": list(vectors), "mutants": listed}


def _described(mutant: Mutant) -> dict[str, Any]:
    return {key: list(value) if isinstance(value := getattr(mutant, key), tuple) else value for key in _KEYS}


def read(directory: Path) -> dict[str, Any]:
    """Read the table; an empty one if there is no file."""
    file = directory / FILE
    if not file.exists():
        return dict(EMPTY)
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return known


def is_in_step(known: Mapping[str, Any], mutants: Iterable[Mutant], vectors: Iterable[str]) -> bool:
    """Tell whether a table is of these mutants and these vectors."""
    described = [{key: one.get(key, []) for key in _KEYS} for one in known["mutants"]]
    ids = frozenset(vectors)
    same = described == [_described(mutant) for mutant in mutants] and ids == set(known["vectors"])
    return same and layout_kills.is_in_step(known.get("generated", []), ids)


def text(known: Mapping[str, Any]) -> str:
    """Return the file's text: one line a vector and a mutant, so that a change shows where it is."""
    parts = []
    for key, found in known.items():
        lines = [json.dumps(one, ensure_ascii=False) for one in found]
        parts.append(f'"{key}": [\n' + ",\n".join(lines) + "\n]")
    return "{" + ",\n".join(parts) + "}\n"


def page(known: Mapping[str, Any]) -> str:
    """Return the page."""
    mutants = known["mutants"]
    by_family: dict[tuple[str, str], list[Any]] = {}
    for mutant in mutants:
        by_family.setdefault((mutant["direction"], mutant["family"]), []).append(mutant)
    return (
        environment(Path(__file__).parent / "templates")
        .get_template("kills.md.j2")
        .render(
            families=by_family,
            mutants=mutants,
            hardest=[mutant for mutant in mutants if len(mutant["killed_by"]) == 1],
            from_bugs=[mutant for mutant in mutants if mutant["source"] != list(MUTATION)],
            vectors=known["vectors"],
            redundant=known["redundant"],
            generated=known["generated"],
            unseen=_unseen(known["generated"]),
        )
    )


def _unseen(lines: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in lines:
        if "because" in line:
            found.setdefault(line["because"], []).append(line["id"])
    return found
