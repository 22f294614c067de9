"""The family `start` as it is stored: bases, and variants with what Kafka did on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_tools.errors import UsageError

from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.cases import cases

ROOT: Final = Path(__file__).parents[3]
FOLDER: Final = ROOT / "vectors" / "start"
BASES: Final = "bases.jsonl"
VARIANTS: Final = "variants.jsonl"


ASKED: Final = ("base", "role", "log_dirs", "edits", "settings", "releases")
"""What a start depends on: if it is as it was, Kafka is not asked again."""


def contents(vectors: Path) -> dict[Path, str]:
    """Return the text of every file of the family, by its path.

    Raises:
        UsageError: Kafka was not started on a variant as it is now.
    """
    folder = vectors / "start"
    known = {line["id"]: line for line in read(folder / VARIANTS)}
    made = [_take_over(case.line(), known) for case in cases(bases(folder))]
    return {folder / BASES: text(read(folder / BASES)), folder / VARIANTS: text(made)}


def _take_over(line: dict[str, Any], known: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    before = known.get(line["id"])
    if before is None or is_new(line, known):
        advice = "Run `python -m kafka_generator.recordings.starts`."
        raise UsageError(f"Kafka was not started on {line['id']}.", advice)
    return {**line, "kafka": before["kafka"]}


def is_new(line: dict[str, Any], known: Mapping[str, dict[str, Any]]) -> bool:
    """Tell whether a variant is new, or is another than the one of which it is known what came."""
    before = known.get(line["id"])
    return before is None or any(before.get(key) != line.get(key) for key in ASKED)


def read(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file; none if it is not there."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def write(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """Write a file, an object a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(lines), encoding="utf-8")


def text(lines: Iterable[dict[str, Any]]) -> str:
    """Return the text of a file, an object a line."""
    return "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)


def bases(folder: Path = FOLDER) -> dict[str, dict[str, bytes]]:
    """Return the files of each base, by its name and their paths."""
    return {
        base["id"]: {path: bytes.fromhex(content) for path, content in base["files"].items()}
        for base in read(folder / BASES)
    }


def lay_out(files: dict[str, bytes], changes: Iterable[edits.Edit], folder: Path) -> None:
    """Write a variant of a base into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    edits.apply(folder, changes)
