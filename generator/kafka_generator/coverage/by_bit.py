"""Bits: each bit of each attributes byte, set and clear, whether it has a meaning or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kafka_format.codec.interpreter import Span
from kafka_format.spec.layout.model import Field, Integer, Layout

from kafka_generator.coverage.model import Cell
from kafka_generator.coverage.walk import FieldPlace, all_fields

Seen = Mapping[tuple[FieldPlace, str], Sequence[str]]

_ATTRIBUTES: Final = "attributes"
_LENGTH: Final = "it is part of the length of a block, and no block is that long"


def cells(seen: Seen) -> Iterator[Cell]:
    """Yield two cells a bit."""
    for place, field, layout in all_fields():
        if not has_bits(field):
            continue
        for bit in range(_width(field)):
            for word in (f"bit-{bit}-set", f"bit-{bit}-clear"):
                yield Cell("bit", f"{place}: {word}", seen.get((place, word), ()), _why_excluded(layout, bit, word))


def _why_excluded(layout: Layout, bit: int, word: str) -> str:
    if layout.name == "lz4_block_header" and bit < 31 and word.endswith("-set"):
        return _LENGTH
    return ""


def has_bits(field: Field) -> bool:
    """Tell whether a field is read bit by bit: it has named bits, or unused attributes."""
    return bool(field.bits) or field.name == _ATTRIBUTES


def _width(field: Field) -> int:
    return field.type.size * 8 if isinstance(field.type, Integer) else 0


def words_in(span: Span) -> Iterator[str]:
    """Yield each bit of a field with its value."""
    if has_bits(span.field):
        for bit in range(_width(span.field)):
            yield f"bit-{bit}-{'set' if span.value >> bit & 1 else 'clear'}"
