"""The kill table as vectors/kills.json, and as the page docs/kills.md."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_conformance.errors import UsageError

from kafka_generator.coverage.model import Cell
from kafka_generator.markdown import environment
from kafka_generator.mutants import families, layout_kills
from kafka_generator.mutants.kills import symptoms
from kafka_generator.mutants.mutant import MUTATION, Mutant
from kafka_generator.mutants.questions import Question, questions
from kafka_generator.mutants.redundancy import redundant
from kafka_generator.mutants.unseen import unseen

FILE: Final = "kills.json"
"""Name of the table's file, in vectors/."""

_KEYS: Final = ("id", "does", "direction", "family", "rules", "source", "digest")
_NOT_ASKED: Final = frozenset({"title", "family", "rules", "flag", "source", "provenance", "reach", "oracle", "judged"})
"""Members of a vector that change nothing about what kills."""

EMPTY: Final[Mapping[str, Any]] = {"vectors": [], "digests": [], "mutants": [], "generated": [], "redundant": []}
"""The table before anything was put."""


def make(
    directory: Path, known: Mapping[str, Any], vectors: Iterable[Mapping[str, Any]], cells: Sequence[Cell]
) -> dict[str, Any]:
    """Return the table. Pairs of mutant and vector that `known` has are not run again.

    Args:
        directory: vectors/.
        known: the table before.
        vectors: all vectors, as JSON has them.
        cells: those of the coverage: what kills nothing and is alone in none of them is redundant.

    Raises:
        UsageError: a mutant cannot be made, because the reference has changed under it; or no
            vector kills it.
        LayoutError: the list of those that nobody can see is wrong.
    """
    mutants, asked = families.load(), questions(directory)
    sizes = {question.id: question.size for direction in asked.values() for question in direction}
    digests = digests_of(vectors)
    before, old = _before(known), _unchanged_vectors(known, digests)
    fails: dict[str, dict[str, str]] = {}
    for mutant in mutants:
        put = before.get((mutant.id, mutant.digest))
        new = [question for question in asked[mutant.direction] if put is None or question.id not in old]
        kept = {vector: how for vector, how in (put or {}).items() if vector in old}
        killing = kept | symptoms(mutant, new)
        smallest_first = sorted(sizes.keys() & killing.keys(), key=lambda vector: (sizes[vector], vector))
        fails[mutant.id] = {vector: killing[vector] for vector in smallest_first}
    if survivors := [mutant.id for mutant in mutants if not fails[mutant.id]]:
        raise UsageError(
            f"no vector kills {', '.join(survivors)}.",
            "Add one to vectors/cases that tells the mutant from the right way.",
        )
    table = document(mutants, {vector: digests[vector] for vector in sizes}, fails)
    return table | {"generated": _generated_rows(known, old, asked["decode"]), "redundant": redundant(table, cells)}


def digests_of(vectors: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return a digest by vector id: of its bytes, verdict and answer. Large ones are left out."""
    return {
        vector["id"]: hashlib.sha256(
            json.dumps({key: vector[key] for key in sorted(vector.keys() - _NOT_ASKED)}).encode()
        ).hexdigest()[:8]
        for vector in vectors
        if "recipe" not in vector
    }


def _unchanged_vectors(known: Mapping[str, Any], digests: Mapping[str, str]) -> frozenset[str]:
    """Return the ids of the vectors that a table was made with as they are."""
    before = zip(known["vectors"], known.get("digests", ()), strict=False)
    return frozenset(vector for vector, digest in before if digests.get(vector) == digest)


def _generated_rows(known: Mapping[str, Any], old: frozenset[str], asked: Sequence[Question]) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = known.get("generated", [])
    if layout_kills.is_in_step(lines, old):
        return lines
    return layout_kills.table(asked, unseen(layout_kills.UNSEEN))


def _before(known: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, str]]:
    """Return the vectors that killed each mutant as it was made, and how."""
    return {
        (mutant["id"], mutant["digest"]): {
            known["vectors"][place]: how for how, places in mutant["fails"].items() for place in places
        }
        for mutant in known["mutants"]
        if "fails" in mutant
    }


def document(
    mutants: Iterable[Mutant], vectors: Mapping[str, str], killed: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """Return the table as JSON: the ids of vectors, and each mutant's places in that list.

    `vectors` has their digests; `killed` has how each mutant fails the vectors that kill it, the
    smallest first.
    """
    at = {vector: place for place, vector in enumerate(vectors)}
    listed = []
    for mutant in mutants:
        killing = killed[mutant.id]
        places = {vector: at[vector] for vector in sorted(killing, key=lambda vector: at[vector])}
        fails = {how: [places[vector] for vector in places if killing[vector] == how] for how in _kinds(killing)}
        smallest = {"smallest": next(iter(killing)), "killed_by": list(places.values())}
        listed.append(_describe(mutant) | smallest | {"fails": fails})
    return {"vectors": list(vectors), "digests": list(vectors.values()), "mutants": listed}


def _kinds(killing: Mapping[str, str]) -> list[str]:
    return sorted(set(killing.values()))


def _describe(mutant: Mutant) -> dict[str, Any]:
    return {key: list(value) if isinstance(value := getattr(mutant, key), tuple) else value for key in _KEYS}


def read(directory: Path) -> dict[str, Any]:
    """Read the table; an empty one if there is no file."""
    file = directory / FILE
    if not file.exists():
        return dict(EMPTY)
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return known


def is_in_step(known: Mapping[str, Any], mutants: Iterable[Mutant], vectors: Iterable[Mapping[str, Any]]) -> bool:
    """Tell whether a table is of these mutants and of these vectors, which are as JSON has them."""
    described = [{key: mutant.get(key, []) for key in _KEYS} for mutant in known["mutants"]]
    digests = digests_of(vectors)
    old = _unchanged_vectors(known, digests)
    same = (
        all("fails" in mutant for mutant in known["mutants"])
        and described == [_describe(mutant) for mutant in mutants]
        and old == digests.keys() == set(known["vectors"])
    )
    return same and layout_kills.is_in_step(known.get("generated", []), old)


def text(known: Mapping[str, Any]) -> str:
    """Return the file's text, one line a vector and a mutant, so that diffs show what changed."""
    parts = []
    for key, rows in known.items():
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        parts.append(f'"{key}": [\n' + ",\n".join(lines) + "\n]")
    return "{" + ",\n".join(parts) + "}\n"


def page(known: Mapping[str, Any], protocol: str = "") -> str:
    """Return the page; `protocol` is its part about the protocol."""
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
            protocol=protocol,
        )
    )


def _unseen(lines: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    ids: dict[str, list[str]] = {}
    for line in lines:
        if "because" in line:
            ids.setdefault(line["because"], []).append(line["id"])
    return ids
