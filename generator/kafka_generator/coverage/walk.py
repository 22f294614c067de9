"""All fields by the layouts, and the fields in some bytes by the interpreter.

A field's place is the format and its path without indexes: `v2 records.headers.value`. What control
records hold is `control`, and the framing of compressed payloads `framing`, with the name of the
layout in front.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from kafka_format import compression
from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.records import control, v07
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Array, Choice, Field, Form, Layout, Nested

from kafka_generator.inputs import INPUTS

_ROOTS: Final = {"record_batch": ("v2",), "message_set_entry": ("v0", "v1"), "v07_entry": ("v07", "v07")}
FRAMING: Final = (
    "gzip_header", "gzip_trailer", "xerial_header", "xerial_chunk", "lz4_frame_header", "lz4_block_header",
    "zstd_frame_header",
)  # fmt: skip
_HEADS: Final = {
    "gzip": (("gzip_header", 0), ("gzip_trailer", -8)),
    "snappy": (("xerial_header", 0), ("xerial_chunk", 16)),
    "lz4": (("lz4_frame_header", 0),),
    "zstd": (("zstd_frame_header", 0),),
}
_RECORDS: Final = 5000
"""Records of a batch that is still walked: larger ones are there for their number."""


class FieldPlace(NamedTuple):
    """A field of a format."""

    format: str
    path: str

    def __str__(self) -> str:
        """As cells are named."""
        return f"{self.format} {self.path}"


def all_fields() -> Iterator[tuple[FieldPlace, Field, Layout]]:
    """Yield every field of every layout in vectors, once, with the layout that it is in."""
    places: set[FieldPlace] = set()
    for place, field, layout in _all_fields():
        if place not in places:
            places.add(place)
            yield place, field, layout


def _all_fields() -> Iterator[tuple[FieldPlace, Field, Layout]]:
    for root, formats in _ROOTS.items():
        yield from _fields(find(root), formats[0], "")
    yield from _fields(find("message_set_entry"), "v1", "", nested=False)
    for name in ("control_record_key", *dict.fromkeys(control.VALUES.values())):
        yield from _fields(find(name), "control", f"{name}.")
    for name in FRAMING:
        yield from _fields(find(name), "framing", f"{name}.")


def _fields(
    layout: Layout, version: str, path: str, *, nested: bool = True
) -> Iterator[tuple[FieldPlace, Field, Layout]]:
    for field in layout.fields:
        kind = field.type.item if isinstance(field.type, Array) else field.type
        if isinstance(kind, Nested):
            yield from _fields(kind.layout, version, f"{path}{field.name}.")
        elif isinstance(kind, Choice) and nested:
            for case in kind.cases.values():
                yield from _fields(case, version if version == "v07" else case.name[-2:], f"{path}{field.name}.")
        elif not isinstance(kind, Choice):
            yield FieldPlace(version, path + field.name), field, layout


def spans_of(data: bytes, kind: str) -> Iterator[tuple[FieldPlace, Span]]:
    """Yield every field of the entries in some bytes, as far as readable, with its place."""
    source = INPUTS[kind]
    try:
        for entry in source.split(data):
            raw = data[entry.start : entry.end]
            yield from _entry(raw, source.layout(entry), "v07" if kind == "v07" else f"v{entry.magic}")
    except FormatError:
        return


def _entry(raw: bytes, layout: str, version: str) -> Iterator[tuple[FieldPlace, Span]]:
    batch = prefix("record_batch")
    if layout == "record_batch" and len(raw) >= batch.size and batch.read(raw).record_count > _RECORDS:
        return
    spans = _read(layout, raw)
    yield from ((FieldPlace(version, field_of(span)), span) for span in spans)
    if layout == "record_batch":
        yield from _in_batch(spans)
    else:
        yield from _in_message(spans, layout, version)


def _read(layout: str, raw: bytes) -> list[Span]:
    """Return the spans of a structure, also where it ends in a fault or in other bytes."""
    reader = SpanReader(raw)
    with suppress(FormatError):
        reader.read(find(layout), 0, len(raw))
    return reader.spans


def field_of(span: Span) -> str:
    """Return the path of a span without indexes, and that of a form for its length."""
    names = [part for part in span.path if isinstance(part, str)]
    return ".".join(names[:-1] if isinstance(span.field.type, Form) and names[-1] == "length" else names)


def _in_batch(spans: list[Span]) -> Iterator[tuple[FieldPlace, Span]]:
    attributes = next((span.value for span in spans if span.path == ("attributes",)), 0)
    for span in spans:
        if span.path == ("records",):
            yield from _framing(span.raw, attributes & CODEC_MASK)
    if attributes & CONTROL_BIT:
        yield from _control(spans)


def _control(spans: list[Span]) -> Iterator[tuple[FieldPlace, Span]]:
    for span in spans:
        if span.path[0] == "records" and span.path[2:] == ("key",):
            key = list(_name_spans("control", "control_record_key", span.raw))
            yield from key
            name = next((control.type_name(part.value) for _, part in key if part.path == ("type",)), control.UNKNOWN)
            value = next((part.raw for part in spans if part.path == (*span.path[:2], "value")), b"")
            if name != control.UNKNOWN:
                yield from _name_spans("control", control.VALUES[name], value)


def _name_spans(version: str, layout: str, raw: bytes) -> Iterator[tuple[FieldPlace, Span]]:
    yield from ((FieldPlace(version, f"{layout}.{field_of(span)}"), span) for span in _read(layout, raw))


def _in_message(spans: list[Span], layout: str, version: str) -> Iterator[tuple[FieldPlace, Span]]:
    fields = {span.path: span for span in spans}
    attributes = fields.get(("message", "attributes"))
    content = fields.get(("message", "value")) or fields.get(("message", "payload"))
    codec = attributes.value & (v07.CODEC_MASK if version == "v07" else CODEC_MASK) if attributes else 0
    if not codec or codec >= len(compression.NAMES) or content is None:
        return
    yield from _framing(content.raw, codec)
    try:
        inner = compression.decompress(compression.NAMES[codec], content.raw, magic=0 if version == "v0" else 1)
    except FormatError:
        return
    yield from spans_of(inner, "v07" if layout == "v07_entry" else "run")


def _framing(payload: bytes, codec: int) -> Iterator[tuple[FieldPlace, Span]]:
    for name, start in _HEADS.get(compression.NAMES[codec] if codec < len(compression.NAMES) else "", ()):
        spans = list(_name_spans("framing", name, payload[start:]))
        yield from spans
        if name == "lz4_frame_header" and spans:
            yield from _name_spans("framing", "lz4_block_header", payload[spans[-1][1].end :])
