"""The kill table of the protocol, vectors/protocol/kills.json, and its part of docs/kills.md."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, Final

from kafka_conformance.kinds.message import wrong_layouts
from kafka_conformance.vectors import protocol
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.versioned import VersionedLayout
from kafka_tools.errors import UsageError

from kafka_generator.markdown import environment
from kafka_generator.mutants import families
from kafka_generator.mutants.kill_table import KillTable, Table
from kafka_generator.mutants.layout_digest import layout_digest
from kafka_generator.mutants.mutant import MUTATION, Mutant, program
from kafka_generator.mutants.protocol.field_kills import field_kills
from kafka_generator.mutants.protocol.questions import Questions
from kafka_generator.mutants.unseen import unseen
from kafka_generator.protocol_vectors.shapes import layouts

_HERE: Final = Path(__file__).parent
UNSEEN: Final = _HERE / "unseen.yaml"
"""The mutants of fields that nobody can see."""


class ProtocolKills(KillTable):
    """Mutants of requests, responses and schema records, those of fields too, and all vectors."""

    name = f"{protocol.FOLDER}/kills.json"
    empty: ClassVar[Table] = {"mutants": [], "fields": []}
    advice = "Let generator/kafka_generator/protocol_vectors make one that tells the mutant from the right way."

    def __init__(self, directory: Path) -> None:
        """Take vectors/."""
        super().__init__(directory)
        self._directory = directory

    def mutants(self) -> list[Mutant]:
        """Return the mutants that somebody wrote down."""
        return families.load_protocol()

    def is_current(self, known: Table) -> bool:
        """Tell whether the rows of fields are of the layouts and vectors that there are."""
        return {row["layout"]: row["digest"] for row in known["fields"]} == self._digests

    def ask(self, known: Table) -> dict[str, Any]:
        """Return the table. Mutants, layouts and vectors that `known` has are not asked again.

        Raises:
            UsageError: a mutant cannot be made, because the reference has changed under it; or no
                vector kills it.
        """
        questions = Questions(protocol.load(self._directory))

        def kills(mutant: Mutant, vector: str) -> bool:
            return vector in questions.by_id and bool(questions.kills(mutant, [questions.by_id[vector]]))

        rows = self.smallest_kills(known, kills, questions.first_kill)
        fields = self.fields(questions, {row["layout"]: row for row in known["fields"]})
        return {"mutants": rows, "fields": list(fields)}

    def fields(self, questions: Questions, known: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield a row for each layout: how many mutants its fields have, and which nobody sees.

        Raises:
            UsageError: no vector kills a mutant that is not listed in `UNSEEN`, or one kills a
                listed one.
        """
        hidden, survivors = unseen(UNSEEN), set[str]()
        for layout in _layouts():
            row = known.get(layout.name)
            if row is None or row["digest"] != self._digests[layout.name]:
                vectors = questions.by_id.values()
                own = [vector for vector in vectors if vector.layout == layout.name and not vector.is_framed]
                kills = field_kills(layout, questions, own)
                digest = self._digests[layout.name]
                row = {"layout": layout.name, "digest": digest, "made": kills.made, "unseen": kills.survivors}
            survivors |= set(row["unseen"])
            yield dict(row)
        if more := sorted(survivors - hidden.keys()):
            advice = f"Add one, or a reason to {UNSEEN}."
            raise UsageError(f"no vector of the protocol kills {', '.join(more)}.", advice)
        if more := sorted(hidden.keys() - survivors):
            raise UsageError(f"vectors of the protocol kill {', '.join(more)}.", f"Take it out of {UNSEEN}.")

    @cached_property
    def _digests(self) -> dict[str, str]:
        """A digest by layout: of what it reads, its vectors, and how mutants are made."""
        return _digests(self._directory)


def _layouts() -> list[VersionedLayout]:
    return [layout for layout in layouts() if layout.kind != "header"]


def _digests(directory: Path) -> dict[str, str]:
    """Return a digest by layout: of what it reads, its vectors, and how mutants are made."""
    files = {line["file"].split(".")[0]: line["sha256"] for line in _index(directory)}
    made = program(Path(wrong_layouts.__file__).read_text(encoding="utf-8"))
    return {
        layout.name: hashlib.sha256(f"{made}{layout_digest(layout)}{files.get(_family(layout))}".encode()).hexdigest()[
            :8
        ]
        for layout in _layouts()
    }


def _index(directory: Path) -> list[Mapping[str, Any]]:
    index = json.loads((directory / protocol.FOLDER / protocol.INDEX).read_text(encoding="utf-8"))
    lines: list[Mapping[str, Any]] = index["files"]
    return lines


def _family(layout: VersionedLayout) -> str:
    """Return the file of vectors that a layout's are in."""
    if layout.api is not None:
        return specification().enums["api"].values[layout.api]
    return Path(layout.file).parent.name


def page(known: Mapping[str, Any]) -> str:
    """Return the part of docs/kills.md that is about the protocol."""
    by_family = {key: list(lines) for key, lines in groupby(known["mutants"], _heading)}
    template = environment(_HERE.parent / "templates").get_template("protocol_kills.md.j2")
    return template.render(
        families=by_family,
        mutants=known["mutants"],
        from_bugs=[mutant for mutant in known["mutants"] if mutant["source"] != list(MUTATION)],
        made=sum(field["made"] for field in known["fields"]),
        layouts=len(known["fields"]),
        unseen=_by_reason(mutant for line in known["fields"] for mutant in line["unseen"]),
    )


def _heading(line: Mapping[str, Any]) -> tuple[str, str]:
    return line["direction"].removesuffix("-protocol"), line["family"]


def _by_reason(ids: Iterable[str]) -> dict[str, list[str]]:
    hidden = unseen(UNSEEN)
    ids_by_reason: dict[str, list[str]] = {}
    for id_ in ids:
        ids_by_reason.setdefault(hidden.get(id_, "not known"), []).append(id_)
    return ids_by_reason
