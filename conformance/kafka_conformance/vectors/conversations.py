"""Conversations as vectors: what a broker answers in order, from vectors/conversations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.lines import documents
from kafka_conformance.vectors.vector import Subject, Vector, Verdict, of_document

FOLDER: Final = "conversations"

SCHEMA: Final = "conversation"
"""The schema of a line, in spec/schema."""

FAMILY: Final = "conversation"
"""The family of these vectors."""

_ORACLE: Final = "kafka-clients "


def load(folder: Path, patterns: Sequence[str] = ()) -> Iterator[Vector]:
    """Yield the conversations in a folder in the order of file and line.

    Where there are patterns, only those whose id matches one are read as more than JSON.

    The bytes of one are the log that the broker has, the answer are the records that the
    application must get.

    Raises:
        UsageError: a line does not fit spec/schema/conversation.schema.json.
    """
    yield from map(vector_of, documents(folder / FOLDER, SCHEMA, patterns))


def vector_of(document: Mapping[str, Any]) -> Vector:
    """Return a conversation as a vector."""
    releases = (name.removeprefix(_ORACLE) for name in document.get("oracle", ()))
    return of_document(
        document,
        bytes.fromhex(document["hex"]),
        family=FAMILY,
        formats=("v2",),
        codecs=("none",),
        rules=(),
        verdict=Verdict.VALID,
        answer=tuple(json_answers.to_json(json_answers.from_json(document["expect"]["records"]))),
        provenance={"source": document["source"]},
        oracle=dict.fromkeys(releases, "accepted"),
        subject=Subject.CONVERSATION,
    )
