"""Explanations as JSON, and the line above an explained request or response."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from kafka_format.errors import FormatError
from kafka_format.explain.lines import Explanation, Line
from kafka_format.explain.requests import ExplainedFrame
from kafka_format.protocol import api_name

from kafka_tools.text import plural

_MOST_GUESSES = 8
"""Other APIs and versions that a title names."""


def explanation(explained: Explanation) -> dict[str, Any]:
    """Return an explanation as what `json.dumps` takes; bytes are hex."""
    document = {"lines": [_line(line) for line in explained.lines], "fault": explained.fault and fault(explained.fault)}
    return document | ({"missing": explained.missing} if explained.missing else {})


def pieces(parts: Iterable[Explanation]) -> Iterator[str]:
    """Yield the JSON text of an explanation that comes in parts, so that memory holds one of them.

    Its fault is the first of any part. What is missing is said by the last.
    """
    first, missing, between = None, 0, ""
    yield '{"lines": ['
    for part in parts:
        for line in part.lines:
            yield between + json.dumps(_line(line))
            between = ", "
        first, missing = first or part.fault, part.missing
    yield f'], "fault": {json.dumps(first and fault(first))}'
    yield f', "missing": {missing}}}\n' if missing else "}\n"


def frame(explained_frame: ExplainedFrame) -> dict[str, Any]:
    """Return an explained request or response as what `json.dumps` takes."""
    return {
        "kind": explained_frame.kind,
        "api": None if explained_frame.api is None else api_name(explained_frame.api),
        "version": explained_frame.version,
        "correlation_id": explained_frame.values.get("header", {}).get("correlation_id"),
        "guesses": [{"api": api_name(guess.api), "version": guess.version} for guess in explained_frame.guesses],
        **explanation(explained_frame.explanation),
    }


def title(explained_frame: ExplainedFrame) -> str:
    """Return what a request or response is, in a line."""
    if explained_frame.api is None:
        return f"a {explained_frame.kind} of an unknown API"
    text = f"{api_name(explained_frame.api)} {explained_frame.kind}, version {explained_frame.version}"
    if explained_frame.missing:
        text += f", cut ({plural(explained_frame.missing, 'byte')} missing)"
    if len(explained_frame.guesses) > 1:
        others = [str(guess) for guess in explained_frame.guesses[1:]]
        more = f" and {len(others) - _MOST_GUESSES} more" if len(others) > _MOST_GUESSES else ""
        return f"{text}: a guess, it can also be {', '.join(others[:_MOST_GUESSES])}{more}"
    return f"{text}: a guess, nothing else reads to the end" if explained_frame.guesses else text


def fault(error: FormatError) -> dict[str, Any]:
    """Return what is wrong as what `json.dumps` takes."""
    return {
        "rule": error.rule,
        "stage": str(error.stage),
        "offset": error.offset,
        "payload": error.payload,
        "path": error.path_text,
        "detail": error.detail,
    }


def _line(line: Line) -> dict[str, Any]:
    document: dict[str, Any] = {"offset": line.start, "bytes": line.raw.hex(), "path": line.path, "value": line.value}
    if line.entry is not None:
        document["entry"] = line.entry
    if line.payload:
        document["payload"] = True
    if line.is_doubted:
        document["doubted"] = True
    if line.fault is not None:
        document["fault"] = fault(line.fault)
    return document
