"""Keys and values, byte for byte, where the kind of their content is known."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress

from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.content import serdes, telemetry
from kafka_format.content.schemas import LAYOUTS, version_that_fits
from kafka_format.content.streams_assignment import LAYOUT, version_of
from kafka_format.errors import FormatError
from kafka_format.explain.lines import Explanation, Line, explain_structure, lines_of
from kafka_format.explain.telemetry import explain_telemetry
from kafka_format.explain.topic_records import explain_layout
from kafka_format.spec.layout import Layout, find, specification
from kafka_format.spec.layout.fixed import packer

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
    if kind in telemetry.CODECS:
        return explain_telemetry(telemetry.CODECS[kind], data, flags=flags)
    if kind in LAYOUTS:
        return _of_layout(LAYOUTS[kind], data, flags)
    value, fault = "", None
    try:
        value = json.dumps(serdes.read(kind, data, headers, flags), ensure_ascii=False)
    except FormatError as error:
        fault = error
    if spans := [*_fields(serdes.KINDS[kind], data, flags)]:
        return Explanation(lines_of(spans, fault, None, data, len(data)), fault)
    return Explanation([Line(None, kind, 0, data, value, fault=fault)], fault)


def _of_layout(name: str, data: bytes, flags: frozenset[str]) -> Explanation:
    """Explain content that a layout of the protocol describes."""
    if specification().versioned[name].behind:
        return explain_layout(name, data, flags=flags)
    return explain_structure(name, data, version_that_fits(name, data, flags), flags=flags)


def _fields(kind: serdes.Kind, data: bytes, flags: frozenset[str]) -> Iterator[Span]:
    """Yield where all fields are: those in front, and those of a fixed size at the end."""
    front = [*_spans(kind.layouts, data, flags)]
    if kind.end and front and front[-1].path == (_BEHIND,):
        end = find(kind.end)
        key, at = front.pop(), len(data) - packer(end).size
        behind = SpanReader(data, flags=flags)
        if key.start <= at:
            behind.read(end, at, len(data))
            key = key._replace(path=("key",), end=at, raw=data[key.start : at], value=data[key.start : at])
        front += (key, *behind.spans)
    yield from front


def _spans(layouts: Sequence[str], data: bytes, flags: frozenset[str]) -> Iterator[Span]:
    """Yield where the fields of each structure are, as far as they can be read."""
    start = 0
    for layout in layouts:
        reader = SpanReader(data, flags=flags)
        with suppress(FormatError):
            reader.read(_layout(layout, data), start, len(data))
        is_last = layout == layouts[-1] or not reader.spans or reader.spans[-1].path[-1] != _BEHIND
        yield from reader.spans if is_last else reader.spans[:-1]
        if is_last:
            return
        start = reader.spans[-1].start


def _layout(name: str, data: bytes) -> Layout:
    """Return a layout; of one that has versions, the version that the bytes tell."""
    return find(name, version_of(data)) if name == LAYOUT else find(name)
