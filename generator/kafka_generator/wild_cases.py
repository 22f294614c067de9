"""The cases of vectors/cases/wild.jsonl: segments of real brokers that real producers wrote to.

`recordings.wild` writes the file, a line a segment.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from kafka_format.spec.layout.yamlfile import Section

from kafka_generator.cases import Case

FAMILY: Final = "wild"
FILE: Final = f"vectors/cases/{FAMILY}.jsonl"

_FIRST: Final = f"{FAMILY}/java-"
"""Whose case it is where several wrote the same."""


def load(file: Path) -> list[tuple[Case, bytes]]:
    """Return the segments as valid cases of the family `wild`; none if there is no file.

    What producers write for old brokers is mostly the same, so the same bytes are one case, which
    names them all.
    """
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    documents = [json.loads(text) | {"line": number} for number, text in enumerate(lines, 1)]
    kept = {document["hex"]: document for document in documents if not _is_old(document)}
    for document in sorted(
        filter(_is_old, documents), key=lambda case: (not case["id"].startswith(_FIRST), case["id"])
    ):
        kept.setdefault(document["hex"], document).setdefault("writers", []).append(document["producer"])
    chosen = [document for document in documents if not _is_old(document) or kept[document["hex"]] is document]
    return [_case(document) for document in chosen]


def _is_old(document: dict[str, Any]) -> bool:
    """Tell whether a producer wrote it to an old broker, or an old producer."""
    return document["id"].split("/")[2] in {"v0", "v1", "v2"}


def _case(document: dict[str, Any]) -> tuple[Case, bytes]:
    settings = ", ".join(f"{name}={value}" for name, value in document["settings"].items())
    producer = f"{document['producer']} ({settings}), " if document["producer"] else ""
    others = sorted({*document.get("writers", [])} - {document["producer"]})
    same = f"; the same bytes from {', '.join(others)}" if others else ""
    source = f"{producer}Kafka broker {document['broker']}; {document['script']}{same}"
    case = Case(
        id=document["id"],
        title=document["title"],
        family=FAMILY,
        verdict="valid",
        rules=tuple(document["rules"]),
        flag="",
        section=Section(FILE, document["line"], {}, {}),
        run=(),
        twin="",
        mutate=None,
        broken="",
        path="",
        source=source,
    )
    return case, bytes.fromhex(document["hex"])
