"""Files of JSON lines: each line with the place where it stands, and the keys that it must have."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_tools import schemas

from kafka_conformance.errors import VectorError
from kafka_conformance.vectors.patterns import chooses
from kafka_conformance.vectors.vector import Verdict

_REQUIRED: Final[dict[str, type]] = {
    "id": str,
    "title": str,
    "format": str,
    "family": str,
    "formats": list,
    "codecs": list,
    "rules": list,
    "verdict": str,
}
"""The keys of every vector of records."""


def text_lines(file: Path) -> Iterator[tuple[str, str]]:
    """Yield place (`file:line`) and text of each line that is not blank."""
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield f"{file.name}:{number}", line


def json_lines(folder: Path) -> Iterator[tuple[str, Any]]:
    """Yield place (`folder/file:line`) and content of each line of each `*.jsonl` in a folder.

    Raises:
        VectorError: naming file and line, for a line that is not JSON.
    """
    for file in sorted(folder.glob("*.jsonl")):
        for where, line in text_lines(file):
            place = f"{folder.name}/{where}"
            yield place, parsed(line, place)


def documents(folder: Path, schema: str, patterns: Sequence[str] = ()) -> Iterator[Any]:
    """Yield the content of each line of each `*.jsonl` in a folder, in the order of file and line.

    Args:
        folder: where the files are.
        schema: one of spec/schema, which each line that is wanted must fit.
        patterns: only lines whose id matches one of these are wanted; empty for all.

    Raises:
        VectorError: naming file and line, for a line that is not JSON.
        UsageError: a line does not fit the schema.
    """
    for place, document in json_lines(folder):
        if _is_wanted(document, patterns):
            check_schema(document, schema, place)
            yield document


def _is_wanted(document: object, patterns: Sequence[str]) -> bool:
    """Tell whether a line has a wanted id, or none at all, which its schema has to refuse."""
    identity = document.get("id") if isinstance(document, dict) else None
    return not patterns or not isinstance(identity, str) or chooses(patterns, identity)


def check_schema(document: Mapping[str, Any], schema: str, place: str) -> None:
    """Check a line by a schema of spec/schema; `place` is where it stands, for the error.

    Raises:
        UsageError: it does not fit.
    """
    schemas.check(document, schema, f"vectors/{place}: {document.get('id')}")


def parsed(line: str, place: str) -> Any:  # noqa: ANN401 - any JSON
    """Return what a line says.

    Raises:
        VectorError: naming its place, if it is not JSON.
    """
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise VectorError(f"{place}: not JSON: {error}") from None


def check(document: object, place: str) -> None:
    """Check that a document has the keys of a vector.

    Raises:
        VectorError: naming its place and the key.
    """
    if not isinstance(document, dict):
        raise VectorError(f"{place}: a vector is a JSON object, this is {type(document).__name__}")
    for key, kind in _REQUIRED.items():
        if not isinstance(document.get(key), kind):
            raise VectorError(f"{place}: {key!r} is missing or is not of type {kind.__name__}")
    if document["verdict"] not in set(Verdict):
        raise VectorError(f"{place}: verdict {document['verdict']!r} is not one of {', '.join(Verdict)}")
