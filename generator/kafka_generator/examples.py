"""Examples that a search found: stored, so that a new version of Hypothesis changes nothing.

Each line is one example: the cell of the layouts that it covers, and its bytes. New cells get new
lines; a line is never changed.
"""

from __future__ import annotations

import json
from pathlib import Path

from kafka_format.spec.layout.yamlfile import Section

from kafka_generator.cases import Case


def load(file: Path) -> list[tuple[Case, bytes]]:
    """Load the found examples, as valid cases of the family `found`."""
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    return [_case(json.loads(line), number) for number, line in enumerate(lines, 1)]


def _case(document: dict[str, str], line: int) -> tuple[Case, bytes]:
    section = Section("vectors/cases/found.jsonl", line, {}, {})
    case = Case(
        id=document["id"],
        title=document["title"],
        family="found",
        verdict="valid",
        rules=(document["rule"],),
        flag="",
        section=section,
        run=(),
        twin="",
        mutate=None,
        broken="",
        path="",
        source=f"search: {document['cell']}",
    )
    return case, bytes.fromhex(document["hex"])
