"""Edits of encoded structures: one field gets other bytes, and all else stays right.

Lengths around the field and checksums over it are corrected afterwards. So the edit is the only
thing that is wrong, and a decoder that refuses the result has found it, and not its side effects.
"""

from __future__ import annotations

from typing import NamedTuple

from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.primitives.varints import write_varint
from kafka_format.spec.layout.fixed import gap
from kafka_format.spec.layout.model import BytesAfter, Checksum, Form, Integer, Layout, Varint


class Edit(NamedTuple):
    """One change to one field.

    Attributes:
        path: the field in words, for example `records[0].key.length`.
        replacement: the bytes that take its place.
        insert: True to put them after the field instead of in its place.
        repair: False to leave lengths and checksums as they were.
    """

    path: str
    replacement: bytes
    insert: bool = False
    repair: bool = True


def number_bytes(span: Span, number: int) -> bytes:
    """Return a number as the field of the span has it: fixed or varint.

    Raises:
        OverflowError: it does not fit.
    """
    kind = span.field.type.length if isinstance(span.field.type, Form) else span.field.type
    if isinstance(kind, Varint):
        return write_varint(number, kind.kind)
    if not isinstance(kind, Integer):
        msg = f"{span.path_text} is not a number"
        raise TypeError(msg)
    return number.to_bytes(kind.size, kind.order, signed=kind.lowest < 0)


def spans_of(layout: Layout, data: bytes) -> list[Span]:
    """Return the spans of one whole structure, without those inside of a compressed payload."""
    reader = SpanReader(data)
    reader.read(layout, 0, len(data))
    return [span for span in reader.spans if not span.payload]


def find_span(layout: Layout, data: bytes, path: str) -> Span:
    """Return the span of a field.

    Raises:
        KeyError: the structure has no such field; the text lists what it has.
    """
    spans = spans_of(layout, data)
    for span in spans:
        if span.path_text == path:
            return span
    msg = f"no field {path}; there are {', '.join(span.path_text for span in spans)}"
    raise KeyError(msg)


def apply(layout: Layout, data: bytes, edit: Edit) -> bytes:
    """Return the bytes of one whole structure with one edit.

    Raises:
        KeyError: the structure has no such field.
    """
    spans = spans_of(layout, data)
    target = find_span(layout, data, edit.path)
    start = target.end if edit.insert else target.start
    growth = len(edit.replacement) - (target.end - start)
    changed = data[:start] + edit.replacement + data[target.end :]
    if not edit.repair:
        return changed
    at_end = edit.insert or target.start == target.end
    around = [span for span in spans if span.path_text != edit.path and _frames(span, start, at_end=at_end)]
    for frame in reversed(around):
        written = number_bytes(frame, frame.value + growth)
        changed = changed[: frame.start] + written + changed[frame.end :]
        growth += len(written) - (frame.end - frame.start)
    return _with_checksums(layout, changed, spans, edit.path)


def _frames(span: Span, position: int, *, at_end: bool) -> bool:
    """Tell whether a length counts the byte at a position.

    With `at_end`, also what is inserted right after its last byte.
    """
    counts = isinstance(span.field.computed, BytesAfter)
    return counts and span.end <= position < span.end + span.value + at_end


def _with_checksums(layout: Layout, data: bytes, spans: list[Span], path: str) -> bytes:
    """Put right every checksum but the mutated one.

    Checksums stand before all that can grow, so their place is the old one.
    """
    for span in spans:
        if isinstance(span.field.computed, Checksum) and span.path_text != path:
            start = span.end + gap(_owner(layout, span), span.field, span.field.computed)
            actual = CHECKSUMS[span.field.computed.algorithm](data[start:])
            data = data[: span.start] + number_bytes(span, actual) + data[span.end :]
    return data


def _owner(layout: Layout, span: Span) -> Layout:
    """Return the layout that a span's field stands in: this one, or a case of its choice."""
    candidates = [layout]
    for field in layout.fields:
        candidates += getattr(field.type, "cases", {}).values()
    return next(candidate for candidate in candidates if span.field in candidate.fields)
