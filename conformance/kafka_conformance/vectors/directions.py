"""Vectors of what consumers and brokers do with bytes: those of vectors/directions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_format import compression, records
from kafka_format.broker.consumer import deliver
from kafka_format.errors import FormatError
from kafka_format.spec import data

from kafka_conformance.errors import VectorError
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.lines import check, json_lines
from kafka_conformance.vectors.vector import Subject, Vector, of_document

FOLDER: Final = "directions"

DELIVER: Final = "deliver"
"""The family of the vectors that are about what consumers give to applications."""

ASSIGN: Final = "assign"
"""The family of the vectors that are about what brokers do with what producers send."""


CONVERT: Final = "convert"
"""The family of the vectors that are about what brokers do for consumers of older formats."""

_SAME_FOR_ALL: Final[Mapping[str, Any]] = {"oracle": {}, "provenance": {}}
"""Their oracle names those that agree with the whole result, not who accepts the bytes."""


def documents(folder: Path | None = None) -> Iterator[dict[str, Any]]:
    """Yield the vectors in a folder as JSON, by default those of this distribution, in order.

    Raises:
        VectorError: naming file and line, for a line that is no such vector.
    """
    for place, document in json_lines((folder or data.path("vectors")) / FOLDER):
        try:
            check({"format": "", "codecs": [], **document}, place)
            bytes.fromhex(document["hex"])
        except (KeyError, TypeError, ValueError) as error:
            raise VectorError(f"{place}: no direction vector: {error!r}") from None
        yield dict(document)


def load(folder: Path | None = None) -> Iterator[Vector]:
    """Yield the vectors in a folder, by default those of this distribution, in order.

    Those of `deliver` have the records that an application gets as their answer; the others have
    none.

    Raises:
        VectorError: naming file and line, for a line that is no such vector.
    """
    return map(_vector, documents(folder))


def _vector(document: Mapping[str, Any]) -> Vector:
    content = bytes.fromhex(document["hex"])
    if document["family"] != DELIVER:
        return of_document(document, content, codecs=("none",), subject=Subject.APPEND, **_SAME_FOR_ALL)
    delivered = deliver(content, int(document["fetch_offset"]), document["isolation"], aborted_transactions(document))
    answer = tuple(json_answers.to_json(delivered.records))
    return of_document(
        document, content, codecs=_codecs(content), answer=answer, subject=Subject.DELIVERY, **_SAME_FOR_ALL
    )


def aborted_transactions(document: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """Return the aborted transactions of a fetch answer: pairs of producer id and first offset."""
    return tuple((int(producer), int(first)) for producer, first in document["aborted"])


def _codecs(content: bytes) -> tuple[str, ...]:
    """Return the codecs of the records that can be read."""
    try:
        codecs = {compression.NAMES[record.codec] for record in records.decode(content)}
    except FormatError:
        codecs = set()
    return tuple(sorted(codecs)) or ("none",)
