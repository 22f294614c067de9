"""Keys and values, byte for byte, where the kind of their content is known."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress

from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.content import serdes
from kafka_format.errors import FormatError
from kafka_format.explain.lines import Explanation, Line, lines_of
from kafka_format.spec.layout import find

_STRICT: frozenset[str] = frozenset()
_BEHIND = "payload"
"""The field in which the next structure lies."""


def explain_content(
    kind: str, data: bytes, headers: Sequence[serdes.Header] = (), flags: frozenset[str] = _STRICT
) -> Explanation:
    """Explain a key or a value.

    Args:
        kind: one of `serdes.KINDS`.
        data: the bytes.
        headers: the headers of its record.
        flags: names of the leniencies that are allowed.
    """
    value, fault = "", None
    try:
        value = json.dumps(serdes.read(kind, data, headers, flags), ensure_ascii=False)
    except FormatError as error:
        fault = error
    if spans := [*_spans(serdes.KINDS[kind].layouts, data, flags)]:
        return Explanation(lines_of(spans, fault, None, data, len(data)), fault)
    return Explanation([Line(None, kind, 0, data, value, fault=fault)], fault)


def _spans(layouts: Sequence[str], data: bytes, flags: frozenset[str]) -> Iterator[Span]:
    """Yield where the fields of each structure are, as far as they can be read."""
    start = 0
    for number, layout in enumerate(layouts, 1):
        reader = SpanReader(data, flags=flags)
        with suppress(FormatError):
            reader.read(find(layout), start, len(data))
        *fields, last = reader.spans or [None]
        yield from filter(None, fields)
        if last is None or (last.path[-1] == _BEHIND and number < len(layouts)):
            start = len(data) if last is None else last.start
            continue
        yield last
