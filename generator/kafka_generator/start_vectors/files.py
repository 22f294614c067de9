"""The family `start` as it is stored: bases, and variants with what Kafka did on them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_tools.errors import UsageError

from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.cases import Case, cases

ROOT: Final = Path(__file__).parents[3]
FOLDER: Final = ROOT / "vectors" / "start"
BASES: Final = "bases.jsonl"
VARIANTS: Final = "variants.jsonl"
ZOOKEEPER: Final = "zookeeper"
"""The role of a broker of before KRaft; its ZooKeeper has the files of the folder of that name."""

DYNAMIC: Final = ("dynamic", "new")
"""How the names of bases begin whose voters stand in the metadata log, and not in the settings."""

_OF_COORDINATORS: Final = frozenset({"offsets", "transactions", "share"})
_UNREADABLE: Final = ("MetadataParseException", "in the record")
_CONTRADICTING: Final = ("metadata log record", "Unable to apply")
"""Parts of the errors that a node ends with at a record of its metadata."""

_OF_REMOTE: Final = "start/tiered/record-"
"""How the ids of variants begin that have records in the metadata of remote storage."""

_PASSED_OVER: Final = frozenset({"start/transactions/static/value-version"})
"""Records that 4.4.0 cannot read, and passes over with a warning: an id keeps an older state."""

ASKED: Final = ("base", "role", "log_dirs", "edits", "settings", "releases")
"""What a start depends on: if it is as it was, Kafka is not asked again."""


_MADE_UP: Final = re.compile(r"\.(?!0123456789abcdef)[0-9a-f]{32}-(?=stray)")
"""An id that a broker made up; variants have one that counts up."""


def contents(vectors: Path) -> dict[Path, str]:
    """Return the text of every file of the family, by its path.

    Raises:
        UsageError: Kafka was not started on a variant as it is now.
    """
    folder = vectors / "start"
    known = {line["id"]: line for line in read(folder / VARIANTS)}
    made = [_take_over(case, known) for case in cases(bases(folder))]
    return {folder / BASES: text(read(folder / BASES)), folder / VARIANTS: text(made)}


def variants(contents: Mapping[Path, str]) -> list[dict[str, Any]]:
    """Return the variants in the text of the family's files."""
    texts = [made for path, made in contents.items() if path.name == VARIANTS]
    return [json.loads(line) for made in texts for line in made.splitlines()]


def broken_rules(line: Mapping[str, Any], kafka: Mapping[str, Any]) -> list[str]:
    """Return the rules about contents that a variant breaks, by what the newest release did."""
    kind, answer = line["id"].split("/")[1], kafka[max(kafka)]
    errors = str(answer.get("errors", ()))
    if kind in _OF_COORDINATORS:
        is_passed_over = line["id"] in _PASSED_OVER
        return ["log.contents.coordinator"] if is_passed_over or answer.get("not_served") else []
    if line["id"].startswith(_OF_REMOTE):
        return ["log.contents.remote"] if answer.get("not_served") else []
    if kind != "record" or answer["result"] != "exits":
        return []
    if any(words in errors for words in _UNREADABLE):
        return ["log.contents.metadata"]
    return ["log.contents.image"] if any(words in errors for words in _CONTRADICTING) else []


def _take_over(case: Case, known: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    line = case.line()
    before = known.get(line["id"])
    if before is None or is_new(line, known):
        advice = "Run `python -m kafka_generator.recordings.starts`."
        raise UsageError(f"Kafka was not started on {line['id']}.", advice)
    breaks = [*case.breaks, *broken_rules(line, before["kafka"])]
    return {**line, "breaks": breaks, "kafka": before["kafka"]}


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


def without_id(path: str) -> str:
    """Return a path without the id of a stray that a broker made up, or that was drawn."""
    return _MADE_UP.sub(".ID-", path)
