"""The kill table of records, vectors/kills.json, and the page docs/kills.md."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from kafka_generator.coverage.model import Cell
from kafka_generator.markdown import environment
from kafka_generator.mutants import families, layout_kills
from kafka_generator.mutants.kill_table import KillTable, Table, describe
from kafka_generator.mutants.kills import symptoms
from kafka_generator.mutants.mutant import MUTATION, Mutant
from kafka_generator.mutants.questions import Question, questions
from kafka_generator.mutants.redundancy import redundant
from kafka_generator.mutants.unseen import unseen

_NOT_ASKED: Final = frozenset({"title", "family", "rules", "flag", "source", "provenance", "reach", "oracle", "judged"})
"""Members of a vector that change nothing about what kills."""


class RecordKills(KillTable):
    """Mutants of decoders, encoders and brokers, and all vectors of records."""

    name = "kills.json"
    empty: ClassVar[Table] = {"vectors": [], "digests": [], "mutants": [], "generated": [], "redundant": []}
    advice = "Add one to vectors/cases that tells the mutant from the right way."

    def __init__(self, directory: Path, vectors: Iterable[Mapping[str, Any]], cells: Sequence[Cell] = ()) -> None:
        """Take the vectors.

        Args:
            directory: vectors/.
            vectors: all vectors, as JSON has them.
            cells: those of the coverage: what kills nothing and is alone in none of them is
                redundant.
        """
        super().__init__(directory)
        self._directory = directory
        self._digests = digests_of(vectors)
        self._cells = cells

    def mutants(self) -> list[Mutant]:
        """Return the mutants of records and brokers."""
        return families.load()

    def is_current(self, known: Table) -> bool:
        """Tell whether a table is of these vectors."""
        old = _unchanged_vectors(known, self._digests)
        same = all("fails" in row for row in known["mutants"]) and old == self._digests.keys() == set(known["vectors"])
        return same and layout_kills.is_in_step(known.get("generated", []), old)

    def ask(self, known: Table) -> dict[str, Any]:
        """Return the table. Pairs of mutant and vector that `known` has are not asked again.

        Raises:
            UsageError: a mutant cannot be made, because the reference has changed under it; or no
                vector kills it.
            LayoutError: the list of those that nobody can see is wrong.
        """
        asked = questions(self._directory)
        sizes = {question.id: question.size for direction in asked.values() for question in direction}
        before, old = _before(known), _unchanged_vectors(known, self._digests)
        fails: dict[str, dict[str, str]] = {}
        for mutant in self.mutants():
            put = before.get((mutant.id, mutant.digest))
            new = [question for question in asked[mutant.direction] if put is None or question.id not in old]
            kept = {vector: how for vector, how in (put or {}).items() if vector in old}
            killing = kept | symptoms(mutant, new)
            smallest_first = sorted(sizes.keys() & killing.keys(), key=lambda vector: (sizes[vector], vector))
            fails[mutant.id] = {vector: killing[vector] for vector in smallest_first}
        self.refuse([mutant for mutant, killing in fails.items() if not killing])
        table = document(self.mutants(), {vector: self._digests[vector] for vector in sizes}, fails)
        rows = _generated_rows(known, old, asked["decode"])
        return table | {"generated": rows, "redundant": redundant(table, self._cells)}


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
        listed.append(describe(mutant) | smallest | {"fails": fails})
    return {"vectors": list(vectors), "digests": list(vectors.values()), "mutants": listed}


def _kinds(killing: Mapping[str, str]) -> list[str]:
    return sorted(set(killing.values()))


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
