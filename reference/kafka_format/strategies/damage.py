"""Damage: bytes with one change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from kafka_format.codec import edits
from kafka_format.codec.edits import Edit
from kafka_format.codec.interpreter import Span
from kafka_format.primitives.integers import INT32_MAX, INT32_MIN, int32
from kafka_format.primitives.varints import VARINT, write_varint
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Array, Form, Integer, Layout, Varint, minimum_size
from kafka_format.strategies.layouts import EDGES, contents

_Change = Callable[[bytes, int, int], bytes]

PLACES: Final = st.integers(0, (1 << 16) - 1).map(lambda number: number * 40503 & 0xFFFF)
"""Places in 65536ths of the whole. Hypothesis likes small numbers; the odd factor spreads them over
all places."""


def damaged(source: SearchStrategy[bytes], layout: str | None = None) -> SearchStrategy[bytes]:
    """Draw bytes of `source` with one change: a flipped bit, a cut, an insertion, another number.

    Args:
        source: what is to be damaged.
        layout: name of the layout, if each draw of `source` is one whole structure of it. Then
            every second change is made to one field, and lengths around it and checksums over it
            are put right, so that the damage lies deeper than those.
    """
    number = st.sampled_from(EDGES) | st.integers(INT32_MIN, INT32_MAX)
    drawn = st.tuples(source, st.sampled_from(_CHANGES), PLACES, number).map(_change)
    if layout is None:
        return drawn
    model = find(layout)
    fields = st.tuples(source, PLACES, number, contents()).map(lambda draw: _field_changed(model, *draw))
    return drawn | fields


def _change(draw: tuple[bytes, _Change, int, int]) -> bytes:
    data, change, place, number = draw
    return change(data, place * (len(data) + 1) >> 16, number)


def _flip(data: bytes, place: int, number: int) -> bytes:
    return _replace(data, place, bytes([data[place] ^ 1 << number % 8])) if place < len(data) else data


def _cut(data: bytes, place: int, _: int) -> bytes:
    return data[:place]


def _insert(data: bytes, place: int, number: int) -> bytes:
    return data[:place] + bytes([number & 0xFF]) * (1 + number % 3) + data[place:]


def _set(data: bytes, place: int, number: int) -> bytes:
    return _replace(data, place, bytes([number & 0xFF]))


def _set_int32(data: bytes, place: int, number: int) -> bytes:
    return _replace(data, place, (number & 0xFFFFFFFF).to_bytes(4, "big"))


def _set_varint(data: bytes, place: int, number: int) -> bytes:
    written = write_varint(int32(number))
    return data[:place] + _bent(written, number, VARINT.max_bytes) + data[place + 1 :]


def _bent(varint: bytes, number: int, longest: int) -> bytes:
    """Return a varint with a needless zero group, or longest, with bits beyond its width."""
    if number % 2:
        return varint
    more = bytes(byte | 0x80 for byte in varint)
    return more + b"\0" if number % 3 else more.ljust(longest - 1, b"\x80")[: longest - 1] + b"\x12"


def _replace(data: bytes, place: int, patch: bytes) -> bytes:
    return data[:place] + patch + data[place + len(patch) :]


_CHANGES: Final[tuple[_Change, ...]] = (_flip, _cut, _insert, _set, _set_int32, _set_varint)


def _field_changed(layout: Layout, data: bytes, place: int, number: int, content: bytes) -> bytes:
    """Replace a field's number or content, or add content after it; put right what is around."""
    spans = edits.spans_of(layout, data)
    span = spans[place * len(spans) >> 16]
    insert = number % 4 == 0
    replacement = content if insert or isinstance(span.value, bytes) else _number(span, number)
    return edits.apply(layout, data, Edit(span.path_text, replacement, insert=insert))


def _number(span: Span, number: int) -> bytes:
    """Write a number as the field of the span has it, wrapped to its range."""
    kind = span.field.type.item if isinstance(span.field.type, Array) else span.field.type
    kind = kind.length if isinstance(kind, Form) else kind
    if isinstance(kind, Varint):
        lowest, size = kind.kind.lowest, 1 << kind.kind.bits
        return _bent(write_varint((number - lowest) % size + lowest, kind.kind), number, kind.kind.max_bytes)
    size = minimum_size(kind)
    return (number % (1 << 8 * size)).to_bytes(size, kind.order if isinstance(kind, Integer) else "big")
