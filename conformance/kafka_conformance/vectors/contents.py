"""Vectors of keys and values: framings of schema registries, and what Kafka's serializers write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from kafka_conformance.vectors.lines import documents
from kafka_conformance.vectors.vector import Refusal, Subject, Vector, Verdict, of_document

FOLDER: Final = "content"

SCHEMA: Final = "content-vector"
"""The schema of a line, in spec/schema."""

FORMAT: Final = "content"
"""The format of these vectors in reports."""

_FAMILY_PARTS: Final = 2


def load(folder: Path, patterns: Sequence[str] = ()) -> Iterator[Vector]:
    """Yield the vectors in a folder in the order of file and line.

    Where there are patterns, only those whose id matches one are read as more than JSON.

    Raises:
        UsageError: a line does not fit spec/schema/content-vector.schema.json.
    """
    yield from map(vector_of, documents(folder / FOLDER, SCHEMA, patterns))


def headers_of(document: Mapping[str, Any]) -> list[tuple[str, bytes | None]]:
    """Return the headers of the record that a value is in."""
    return [(name, None if value is None else bytes.fromhex(value)) for name, value in document["headers"]]


def vector_of(document: Mapping[str, Any]) -> Vector:
    """Return a line as a vector: its format is `content`, its only format in detail the kind."""
    rule = document.get("rule", "")
    vector = of_document(
        document,
        bytes.fromhex(document["hex"] or ""),
        family="/".join(document["id"].split("/")[:_FAMILY_PARTS]),
        formats=(document["content"],),
        codecs=(),
        rules=(rule,) if rule else (),
        fault=Refusal("structure", rule, 0) if document["verdict"] != Verdict.VALID else None,
        provenance={"source": document["authority"]},
        oracle={release: next(iter(said)) for release, said in document.get("oracle", {}).items()},
        subject=Subject.CONTENT,
    )
    return replace(vector, format=FORMAT)
