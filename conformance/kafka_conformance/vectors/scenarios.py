"""Scenarios as vectors: requests put to a broker in order, and Kafka's answers to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_conformance.vectors.lines import documents
from kafka_conformance.vectors.vector import Reach, Subject, Vector, Verdict, of_document

FOLDER: Final = "scenarios"

SCHEMA: Final = "scenario"
"""The schema of a line, in spec/schema."""

FAMILY: Final = "scenario"
"""The family of these vectors."""

_EVIDENCE: Final = "clients and tools of Kafka ask so"


def load(folder: Path, patterns: Sequence[str] = ()) -> Iterator[Vector]:
    """Yield the scenarios in a folder in the order of file and line.

    Where there are patterns, only those whose id matches one are read as more than JSON.

    Raises:
        UsageError: a line does not fit spec/schema/scenario.schema.json.
    """
    yield from map(vector_of, documents(folder / FOLDER, SCHEMA, patterns))


def vector_of(document: Mapping[str, Any]) -> Vector:
    """Return a scenario as a vector; it has no bytes, and no answer in records."""
    return of_document(
        document,
        b"",
        family=FAMILY,
        formats=(FAMILY,),
        codecs=(),
        rules=(),
        verdict=Verdict.VALID,
        reach=Reach.PRODUCER,
        evidence=_EVIDENCE,
        provenance={"source": document["source"]},
        oracle=dict.fromkeys(document["kafka"], "accepted"),
        subject=Subject.SCENARIO,
    )
