"""Loads the golden vectors, and checks them.

A vector file has one JSON object a line. Loading refuses whatever a later step would stumble over
(a missing key, bytes that are not hex, an id that occurs twice) and says in which file and line it
stands, so that the runner never has to wonder. The answer stays as the JSON said it;
`vectors.json_answers` turns it into records.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_format.spec import data
from kafka_tools.errors import UsageError

from kafka_conformance.errors import VectorError
from kafka_conformance.vectors import recipes
from kafka_conformance.vectors.lines import check, parsed, text_lines
from kafka_conformance.vectors.patterns import fits_any
from kafka_conformance.vectors.vector import Refusal, Vector, Verdict, of_document

PROMOTED: Final = "promoted"
"""The family of the vectors that were findings of a Spark run."""

PROMOTED_FILE: Final = f"{PROMOTED}.jsonl"
"""Where their cases stand, in the folder `cases` beside the vectors."""

_FIRST_ID: Final = re.compile(r'\{"id": "([^"\\]*)"')
"""How the lines begin that generate.py writes: found without parsing the line, most of which is
long."""


def load(directory: Path | None = None, *, patterns: Sequence[str] = ()) -> tuple[Vector, ...]:
    """Load a directory's vectors (default: those of this distribution), by file and line.

    Args:
        directory: where the files are.
        patterns: only vectors whose id matches one of these; the other lines are not even parsed.
            Empty for all.

    Raises:
        VectorError: naming file and line, for a line that is no vector or an id that was seen
            before.
        UsageError: if there is no vector file at all.
    """
    folder = directory if directory is not None else package_folder()
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise UsageError(
            f"no vector files (*.jsonl) in {folder}.", "Run generate.py in a checkout, or name another directory."
        )
    seen: dict[str, str] = {}
    return tuple(_once(vector, place, seen) for file in files for place, vector in read(file, patterns))


def read(file: Path, patterns: Sequence[str] = ()) -> Iterator[tuple[str, Vector]]:
    """Yield place (`file:line`) and vector of every line that is not blank and whose id fits."""
    return ((place, parse(line, place)) for place, line in text_lines(file) if _may_fit(line, patterns))


def _may_fit(line: str, patterns: Sequence[str]) -> bool:
    """Tell whether a line may be a vector with a matching id.

    One that does not begin with its id may.
    """
    first = _FIRST_ID.match(line) if patterns else None
    return first is None or fits_any(first[1], patterns)


def parse(line: str, place: str) -> Vector:
    """Turn one line into a vector; `place` is where it stands, for the error."""
    document = parsed(line, place)
    check(document, place)
    if document["verdict"] != Verdict.INVALID and document.get("answer") is None:
        raise VectorError(f"{place}: {document['id']}: a {document['verdict']} vector needs an answer")
    data, answer, fault = _data(document, place), _answer(document, place), _fault(document.get("fault"), place)
    try:
        return of_document(document, data, answer=answer, fault=fault)
    except (KeyError, TypeError, ValueError) as error:
        raise VectorError(f"{place}: 'reach' needs from and evidence: {error!r}") from None


def _data(document: Mapping[str, Any], place: str) -> bytes:
    """Return the bytes of a vector, as they stand there or by their recipe."""
    try:
        if "recipe" in document:
            return recipes.expand(document["recipe"])
        return bytes.fromhex(document["hex"])
    except UsageError as error:
        raise VectorError(f"{place}: {document['id']}: {error}") from None
    except (KeyError, TypeError):
        raise VectorError(f"{place}: 'hex' (a text) or 'recipe' (an object) is missing") from None
    except ValueError as error:
        raise VectorError(f"{place}: 'hex' of {document['id']} is not hex: {error}") from None


def _answer(document: Mapping[str, Any], place: str) -> Sequence[Mapping[str, Any]] | None:
    answer = document.get("answer")
    if answer is None:
        return None
    try:
        return recipes.Unfolded(answer) if "recipe" in document else tuple(answer)
    except (KeyError, TypeError, ValueError) as error:
        raise VectorError(f"{place}: {document['id']}: an answer that cannot be read: {error!r}") from None


def _fault(document: Mapping[str, Any] | None, place: str) -> Refusal | None:
    if document is None:
        return None
    try:
        return Refusal(
            stage=document["stage"],
            rule=document["rule"],
            offset=int(document["offset"]),
            path=document.get("path") or "",
            twin=document.get("twin") or "",
        )
    except (KeyError, TypeError, ValueError) as error:
        raise VectorError(f"{place}: 'fault' needs stage, rule and offset: {error!r}") from None


def _once(vector: Vector, place: str, seen: dict[str, str]) -> Vector:
    if vector.id in seen:
        raise VectorError(
            f"{place}: id {vector.id!r} is already taken by {seen[vector.id]}; an id names one vector for ever"
        )
    seen[vector.id] = place
    return vector


def package_folder() -> Path:
    """Return the folder of the vectors that are shipped with the package."""
    return data.path("vectors")
