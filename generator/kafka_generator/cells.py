"""The cells of the layouts: each field that writers choose, at values where decoders go wrong.

An integer has its limits, -1, 0 and 1; a varint each length with each sign; a form null, empty, one
byte, and a length of two bytes; bits each of their values. `cells_of` says which cells some bytes
lie in; `all_cells` says which there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.records.entries import split
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Array, Bits, Choice, Field, Form, Integer, Layout, Nested, Varint

LAYOUTS = {"record_batch": ("v2",), "message_set_entry": ("v0", "v1")}
"""The layouts of entries that are searched, with the formats that they write."""

_LENGTHS = {-1: "null", 0: "empty", 1: "one-byte"}
_FIRST_LONG_LENGTH = 64


def kind_text(kind: str) -> str:
    """Return the kind of a cell as a person says it: `2-bytes-positive` is `2 bytes positive`."""
    return re.sub(r"\b1 bytes", "1 byte", kind.replace("-", " "))


class Cell(NamedTuple):
    """One thing that a vector should show: format, field path without indexes, kind of value."""

    format: str
    path: str
    kind: str
    rule: str

    @property
    def id(self) -> str:
        """The id of the vector that covers it."""
        return f"found/{self.format}/{self.path.replace('.', '/')}/{self.kind}"

    @property
    def title(self) -> str:
        """What the vector shows."""
        return f"{self.path} of {self.format}: {kind_text(self.kind)}"


def all_cells() -> Iterator[Cell]:
    """Yield the cells of every field that a writer chooses."""
    for name in LAYOUTS:
        yield from _of_layout(find(name), LAYOUTS[name][0], "")


def _of_layout(layout: Layout, version: str, path: str) -> Iterator[Cell]:
    for field in layout.fields:
        here = path + field.name
        kind = field.type.item if isinstance(field.type, Array) else field.type
        if isinstance(kind, Nested):
            yield from _of_layout(kind.layout, version, here + ".")
        elif isinstance(kind, Choice):
            for number, case in kind.cases.items():
                yield from _of_layout(case, f"v{number}", here + ".")
        elif field.computed is None and field.const is None:
            yield from (Cell(version, here, word, rule) for word, rule in _kinds(field))
    if layout.name == "message_set_entry":
        yield from (Cell("v1", path + "offset", word, rule) for word, rule in _kinds(layout.field("offset")))


def _kinds(field: Field) -> Iterator[tuple[str, str]]:
    kind = field.type
    if field.bits:
        for bits in field.bits:
            words = tuple(bits.enum.values.values()) if bits.enum else ("set",)
            yield from (
                (f"{bits.name}-{word}".replace("_", "-"), "field.bits") for word in words if bits.name != "is_control"
            )
    elif isinstance(kind, Integer):
        yield from ((word, "field.integer") for word in ("lowest", "minus-one", "zero", "one", "highest"))
    elif isinstance(kind, Varint):
        rule = "varlong.width" if kind.name == "varlong" else "varint.zigzag"
        for width in range(1, kind.kind.max_bytes + 1):
            yield from ((f"{width}-bytes-{sign}", rule) for sign in ("positive", "negative"))
    elif isinstance(kind, Form):
        sizes = [*(["null"] if kind.null is not None else []), "empty", "one-byte", "long"]
        yield from ((size, "length.null-is-not-empty") for size in sizes)


def _alone(bits: Bits, word: str) -> bool:
    """Tell whether a value implies nothing about other fields.

    Control records, and wrappers of v0 and v1, do.
    """
    is_wrapper = bits.enum is not None and bits.enum.name == "legacy_codec" and word != "none"
    return bits.name != "is_control" and not is_wrapper


def cells_of(data: bytes) -> set[tuple[str, str, str]]:
    """Return the cells that a run of valid entries lies in: format, path and kind."""
    cells = set()
    for entry in split(data):
        name = "record_batch" if entry.magic == 2 else "message_set_entry"
        reader = SpanReader(data)
        reader.read(find(name), entry.start, entry.end)
        for span in reader.spans:
            cells |= {(f"v{entry.magic}", _plain_path(span), word) for word in _words(span)}
    return cells


def _plain_path(span: Span) -> str:
    names = [part for part in span.path if isinstance(part, str)]
    return ".".join(names[:-1] if isinstance(span.field.type, Form) and names[-1] == "length" else names)


def _words(span: Span) -> Iterator[str]:
    field, value = span.field, span.value
    if field.bits:
        for bits in field.bits:
            part = value >> bits.low & bits.mask
            word = bits.enum.values.get(part, "") if bits.enum else "set" if part else ""
            yield f"{bits.name}-{word}".replace("_", "-")
    elif isinstance(field.type, Form):
        if span.path[-1] == "length":
            yield _LENGTHS.get(value, "long" if value >= _FIRST_LONG_LENGTH else "short")
    elif isinstance(field.type, Integer):
        limits = {field.type.lowest: "lowest", -1: "minus-one", 0: "zero", 1: "one", field.type.highest: "highest"}
        yield limits.get(value, "between")
    elif isinstance(field.type, Varint):
        yield f"{len(span.raw)}-bytes-{'negative' if value < 0 else 'positive'}"
