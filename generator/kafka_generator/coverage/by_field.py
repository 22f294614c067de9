"""Fields: each at its edges, whatever the verdict is.

An integer has its limits, -1, 0 and 1; a varint each width with each sign; a form null, empty, one
byte, long, and each width of its length; a count none, one and several; a checksum its highest bit
set and clear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kafka_format.codec.interpreter import Span
from kafka_format.spec.layout.model import BytesAfter, Checksum, CountOf, Field, Fixed, Form, Integer, Rest, Varint

from kafka_generator.coverage.model import Cell
from kafka_generator.coverage.walk import FieldPlace, all_fields

Seen = Mapping[tuple[FieldPlace, str], Sequence[str]]
"""The vectors that show a word of a place."""

_LENGTHS: Final = {-1: "null", 0: "empty", 1: "one-byte"}
_LONG: Final = 64
_WIDTHS: Final = {"varint": 4, "compact_length": 2, "uvarint": 2}
"""The widest length of a form that a vector has: 4 bytes are 1 MiB and more, 5 would be 128 MiB."""

_FOLLOWS: Final = "its number follows from the bytes around it"
_EXCLUDED: Final = {
    "framing gzip_trailer.": _FOLLOWS,
    "framing lz4_frame_header.header_checksum": _FOLLOWS,
}


def cells(seen: Seen) -> Iterator[Cell]:
    """Yield a cell for every edge of every field."""
    for place, field, _ in all_fields():
        for word in dict.fromkeys(words_of(field, place)):
            yield Cell("field", f"{place}: {word}", seen.get((place, word), ()), _why_excluded(place, word))


def _why_excluded(place: FieldPlace, word: str) -> str:
    return next((why for start, why in _EXCLUDED.items() if f"{place}: {word}".startswith(start)), "")


def words_of(field: Field, place: FieldPlace) -> Iterable[str]:
    """Return the edges of a field."""
    if field.const is not None or field.bits or field.computed is not None:
        return _of_computed(field)
    match kind := field.type:
        case Form():
            return _lengths(kind)
        case Rest():
            return ("empty", "one-byte", "long") if place.format == "v07" else ("one-byte", "long")
        case Fixed():
            return ("zeros", "other")
        case Integer() | Varint():
            return _numbers(kind)
        case _:
            return ()


def _of_computed(field: Field) -> Iterable[str]:
    if isinstance(field.computed, BytesAfter):
        widths = [f"{size}-bytes" for size in range(1, 5)]
        return widths if isinstance(field.type, Varint) else ("below-256", "256-or-more")
    if isinstance(field.computed, Checksum):
        return ("highest-bit-set", "highest-bit-clear")
    return ("none", "one", "several") if field.computed else ()


def _numbers(kind: Integer | Varint) -> Iterable[str]:
    if isinstance(kind, Varint):
        signs = ("positive", "negative") if kind.lowest else ("positive",)
        return [f"{width}-bytes-{sign}" for width in range(1, kind.kind.max_bytes + 1) for sign in signs]
    return ("zero", "one", "highest", *(("lowest", "minus-one") if kind.lowest < 0 else ()))


def _lengths(kind: Form) -> Iterable[str]:
    null = ["null"] if kind.null is not None else []
    widths = [f"length-of-{size}-bytes" for size in range(1, _WIDTHS.get(kind.length.name, 0) + 1)]
    return [*null, "empty", "one-byte", "long", *widths]


def words_in(span: Span) -> Iterator[str]:
    """Yield the edges that a field's value lies at."""
    field, value = span.field, span.value
    kind = field.type
    if isinstance(field.computed, Checksum):
        yield "highest-bit-set" if value >> 31 else "highest-bit-clear"
    elif isinstance(field.computed, CountOf):
        yield {0: "none", 1: "one"}.get(value, "several")
    elif isinstance(field.computed, BytesAfter):
        yield f"{len(span.raw)}-bytes" if isinstance(kind, Varint) else "below-256" if value < 256 else "256-or-more"
    elif isinstance(kind, Form):
        if span.path[-1] == "length":
            yield _LENGTHS.get(value, "long" if value >= _LONG else "short")
            yield f"length-of-{len(span.raw)}-bytes"
    elif isinstance(kind, Rest):
        yield _LENGTHS.get(len(value), "long" if len(value) >= _LONG else "short")
    elif isinstance(kind, Integer | Varint):
        yield from _of_number(kind, span)
    elif isinstance(kind, Fixed):
        yield "other" if any(value) else "zeros"


def _of_number(kind: Integer | Varint, span: Span) -> Iterator[str]:
    value = span.value
    if isinstance(kind, Varint):
        yield f"{len(span.raw)}-bytes-{'negative' if value < 0 else 'positive'}"
    else:
        limits = {kind.lowest: "lowest", kind.highest: "highest", -1: "minus-one", 0: "zero", 1: "one"}
        yield limits.get(value, "between")
