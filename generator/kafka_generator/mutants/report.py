"""The kill table as vectors/kills.json, and as the page docs/kills.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_conformance.errors import UsageError

from kafka_generator.coverage.model import Cell
from kafka_generator.markdown import environment
from kafka_generator.mutants import mechanical, source
from kafka_generator.mutants.altered import specification_edits
from kafka_generator.mutants.declared import Fault, load
from kafka_generator.mutants.judging import kills
from kafka_generator.mutants.mutant import Mutant
from kafka_generator.mutants.putting import Question, questions
from kafka_generator.mutants.redundancy import redundant

FILE: Final = "kills.json"
"""Name of the table's file, in vectors/."""

_TOLD: Final = ("id", "does", "direction", "family", "rules", "source", "digest")
EMPTY: Final[Mapping[str, Any]] = {"vectors": [], "faults": [], "generated": [], "redundant": []}
"""The table before anything was put."""

_MUTATION: Final = "mutation"


def make(directory: Path, known: Mapping[str, Any], cells: Sequence[Cell]) -> dict[str, Any]:
    """Return the table; `directory` is vectors/. What `known` has, of the same fault and vector, is not asked again.

    `cells` are those of the coverage: what kills nothing and is alone in none of them is redundant.

    Raises:
        UsageError: a fault cannot be made, because the reference has changed under it; or no vector kills it.
        LayoutError: a file of faults is wrong.
    """
    faults, asked = load(directory / "faults"), questions(directory)
    sizes = {question.id: question.size for direction in asked.values() for question in direction}
    before, old = _before(known), frozenset(known["vectors"])
    found: dict[str, list[str]] = {}
    for fault in faults:
        put = before.get((fault.id, fault.digest))
        new = [one for one in asked[fault.direction] if put is None or one.id not in old]
        killing = sizes.keys() & {*(put or ()), *kills(fault, new)}
        found[fault.id] = sorted(killing, key=lambda vector: (sizes[vector], vector))
    if survivors := [fault.id for fault in faults if not found[fault.id]]:
        raise UsageError(
            f"no vector kills {', '.join(survivors)}.",
            "Add one to vectors/cases that tells the fault from the right way.",
        )
    table = document(faults, list(sizes), found)
    return table | {"generated": _generated(directory, known, asked["decode"]), "redundant": redundant(table, cells)}


def _generated(directory: Path, known: Mapping[str, Any], asked: Sequence[Question]) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = known.get("generated", [])
    if mechanical.is_in_step(lines, frozenset(one.id for one in asked)):
        return lines
    return mechanical.table(asked, mechanical.unseen(directory / "faults"))


def _before(known: Mapping[str, Any]) -> dict[tuple[str, str], list[str]]:
    """Return the vectors that killed each fault as it was made."""
    return {
        (one["id"], one["digest"]): [known["vectors"][place] for place in one["killed_by"]] for one in known["faults"]
    }


def document(
    faults: Iterable[Fault | Mutant], vectors: Sequence[str], found: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return the table as JSON has it: the ids of the vectors, and for each fault their places in that list."""
    at = {vector: place for place, vector in enumerate(vectors)}
    killed_by = {fault: sorted(at[vector] for vector in killing) for fault, killing in found.items()}
    listed = [_told(fault) | {"smallest": found[fault.id][0], "killed_by": killed_by[fault.id]} for fault in faults]
    return {"vectors": list(vectors), "faults": listed}


def _told(fault: Fault | Mutant) -> dict[str, Any]:
    return {key: list(value) if isinstance(value := getattr(fault, key), tuple) else value for key in _TOLD}


def read(directory: Path) -> dict[str, Any]:
    """Read the table; an empty one if there is no file."""
    file = directory / FILE
    if not file.exists():
        return dict(EMPTY)
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return known


def is_in_step(known: Mapping[str, Any], faults: Iterable[Fault | Mutant], vectors: Iterable[str]) -> bool:
    """Tell whether a table is of these faults and these vectors."""
    told = [{key: one.get(key, []) for key in _TOLD} for one in known["faults"]]
    ids = frozenset(vectors)
    same = told == [_told(fault) for fault in faults] and ids == set(known["vectors"])
    return same and mechanical.is_in_step(known.get("generated", []), ids)


def check_edits(faults: Iterable[Fault | Mutant]) -> None:
    """Look whether all faults can still be made of the reference as it is now.

    Raises:
        UsageError: one cannot; it says which, and which text is not there.
    """
    for fault in faults:
        if isinstance(fault, Mutant):
            continue
        of_spec, of_source = specification_edits(fault.edits)
        source.apply(of_source, source.ROOT, fault.id)
        source.apply(of_spec, source.spec_root(), fault.id)


def text(known: Mapping[str, Any]) -> str:
    """Return the file's text: one line a vector and a fault, so that a change shows where it is."""
    parts = []
    for key, found in known.items():
        lines = [json.dumps(one, ensure_ascii=False) for one in found]
        parts.append(f'"{key}": [\n' + ",\n".join(lines) + "\n]")
    return "{" + ",\n".join(parts) + "}\n"


def page(known: Mapping[str, Any]) -> str:
    """Return the page."""
    faults = known["faults"]
    families: dict[tuple[str, str], list[Any]] = {}
    for one in faults:
        families.setdefault((one["direction"], one["family"]), []).append(one)
    return (
        environment(Path(__file__).parent / "templates")
        .get_template("kills.md.j2")
        .render(
            families=families,
            faults=faults,
            hardest=[one for one in faults if len(one["killed_by"]) == 1],
            from_bugs=[one for one in faults if one["source"] != [_MUTATION]],
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
