"""The kill table of the protocol, vectors/protocol/kills.json: made, kept up to date, and shown."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from kafka_conformance.errors import UsageError
from kafka_conformance.kinds.message import wrong_layouts
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.versioned import VersionedLayout

from kafka_generator.markdown import environment
from kafka_generator.mutants import families
from kafka_generator.mutants.layout_digest import layout_digest
from kafka_generator.mutants.mutant import MUTATION, Mutant, program
from kafka_generator.mutants.protocol.field_kills import field_kills
from kafka_generator.mutants.protocol.questions import Questions
from kafka_generator.mutants.unseen import unseen

FILE: Final = f"{protocol.FOLDER}/kills.json"
"""Name of the table's file, in vectors/."""

EMPTY: Final[Mapping[str, Any]] = MappingProxyType({"mutants": [], "fields": []})
"""The table before anything was put."""

_KEYS: Final = ("id", "does", "direction", "family", "rules", "source", "digest")
_HERE: Final = Path(__file__).parent
UNSEEN: Final = _HERE / "unseen.yaml"
"""The mutants of fields that nobody can see."""


def read(directory: Path) -> Mapping[str, Any]:
    """Read the table; `directory` is vectors/. It is empty if there is no file."""
    file = directory / FILE
    document: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else EMPTY
    return document


def is_in_step(directory: Path, known: Mapping[str, Any]) -> bool:
    """Tell whether a table is of the mutants and the vectors that there are."""
    described = [{key: mutant[key] for key in _KEYS} for mutant in known["mutants"]]
    if described != [_describe(mutant) for mutant in families.load_protocol()]:
        return False
    digests = _digests(directory)
    return {field["layout"]: field["digest"] for field in known["fields"]} == {
        layout.name: digests[layout.name] for layout in _layouts()
    }


def make(directory: Path, known: Mapping[str, Any] = EMPTY) -> dict[str, Any]:
    """Return the table. Mutants, layouts and vectors that `known` has are not asked again.

    Raises:
        UsageError: a mutant cannot be made, because the reference has changed under it; or no
            vector kills it.
    """
    vectors = protocol.load(directory)
    questions = Questions(vectors)
    return {
        "mutants": list(_lines(questions, {mutant["id"]: mutant for mutant in known["mutants"]})),
        "fields": list(_fields(directory, questions, vectors, {field["layout"]: field for field in known["fields"]})),
    }


def _lines(questions: Questions, known: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    survivors = []
    for mutant in families.load_protocol():
        line, before = _describe(mutant), known.get(mutant.id, {})
        smallest = questions.by_id.get(before.get("smallest", ""))
        if smallest is not None and line["digest"] == before["digest"] and questions.kills(mutant, [smallest]):
            yield line | {"smallest": smallest.id}
        elif killing := questions.first_kill(mutant):
            yield line | {"smallest": killing}
        else:
            survivors.append(mutant.id)
    if survivors:
        advice = "Let generator/kafka_generator/protocol_vectors make one that tells the mutant from the right way."
        raise UsageError(f"no vector of the protocol kills {', '.join(survivors)}.", advice)


def _fields(
    directory: Path, questions: Questions, vectors: Sequence[ProtocolVector], known: Mapping[str, Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield a line for each layout: how many mutants its fields have, and which nobody sees."""
    digests, hidden, survivors = _digests(directory), unseen(UNSEEN), set[str]()
    for layout in _layouts():
        line = known.get(layout.name)
        if line is None or line["digest"] != digests[layout.name]:
            own = [vector for vector in vectors if vector.layout == layout.name and not vector.is_framed]
            kills = field_kills(layout, questions, own)
            line = {
                "layout": layout.name,
                "digest": digests[layout.name],
                "made": kills.made,
                "unseen": kills.survivors,
            }
        survivors |= set(line["unseen"])
        yield dict(line)
    if more := sorted(survivors - hidden.keys()):
        raise UsageError(f"no vector of the protocol kills {', '.join(more)}.", f"Add one, or a reason to {UNSEEN}.")
    if more := sorted(hidden.keys() - survivors):
        raise UsageError(f"vectors of the protocol kill {', '.join(more)}.", f"Take it out of {UNSEEN}.")


def _layouts() -> list[VersionedLayout]:
    return [layout for layout in specification().versioned.values() if layout.kind != "header"]


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


def _describe(mutant: Mutant) -> dict[str, Any]:
    return {key: list(value) if isinstance(value := getattr(mutant, key), tuple) else value for key in _KEYS}


def text(known: Mapping[str, Any]) -> str:
    """Return the file's text, one line a mutant and a layout, so that diffs show what changed."""
    parts = []
    for key, rows in known.items():
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        parts.append(f'"{key}": [\n' + ",\n".join(lines) + "\n]")
    return "{" + ",\n".join(parts) + "}\n"


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
