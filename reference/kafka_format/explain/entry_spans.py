"""Which bytes of an entry are which field, also inside wrappers and control records.

The spans come from the interpreter, which walks as far as it can. Bytes after that get no span;
the caller knows from the decoder what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from kafka_format import compression
from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.codec.prefix import prefix
from kafka_format.compression.partial import decompress_start
from kafka_format.errors import FieldPath, FormatError
from kafka_format.explain.cut import ENDLESS, CutError, CutReader
from kafka_format.records import compression_framing, control, legacy, v07
from kafka_format.records.entries import FORMATS, MAGIC_AT, Entry, split
from kafka_format.records.formats import LAYOUTS
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT
from kafka_format.spec.layout import Layout, find

_COMPRESSED: Final = (("records",), ("message", "value"), ("message", "payload"))
"""Ends of the paths of compressed fields."""

_DEEPEST: Final = 16
"""Wrappers of 0.7 that are opened inside one another; no writer makes even two, and a hostile one
must not count."""


class Allowed(NamedTuple):
    """The settings of a reader: leniencies, and the bytes that a payload may decompress to."""

    flags: frozenset[str]
    limit: int


def entry_spans(data: bytes, entry: Entry, allowed: Allowed, read: type[SpanReader] = SpanReader) -> list[Span]:
    """Return the spans of an entry of v0, v1 or v2, as far as it can be read.

    With `CutReader` as `read`, it may be cut, and its checksum wrong.
    """
    flags = allowed.flags if entry.magic == 2 else legacy.flags_of(data, entry, allowed.flags)
    reader = read(data, flags=flags, limit=allowed.limit)
    try:
        values, _ = reader.read(find(LAYOUTS[entry.magic]), entry.start, entry.end)
    except FormatError:
        return list(_frame_payloads(reader.spans))
    except CutError:
        return list(_frame_payloads([*reader.spans, *_inside_cut(reader.spans, allowed)]))
    if entry.magic == 2 and values["attributes"] & CONTROL_BIT:
        reader.spans = list(_with_control_fields(reader.spans, allowed.flags))
    if entry.magic < 2 and values["message"]["attributes"] & CODEC_MASK:
        reader.spans += _inside(values["message"], allowed)
    return list(_frame_payloads(reader.spans))


def cut_off_spans(data: bytes, start: int) -> Iterator[Span]:
    """Yield the spans of the header of an entry that is cut off, as far as it is there."""
    magic = data[start + MAGIC_AT] if len(data) > start + MAGIC_AT else None
    if magic in FORMATS and LAYOUTS[magic] == "record_batch":
        yield from _fixed_spans("record_batch", data, start)
        return
    yield from _fixed_spans("message_set_entry", data, start)
    if magic in FORMATS:
        inside = start + prefix("message_set_entry").size
        yield from _fixed_spans(f"message_{FORMATS[magic]}", data, inside, ("message",))


def _fixed_spans(layout: str, data: bytes, start: int, path: FieldPath = ()) -> Iterator[Span]:
    """Yield the spans of the fields at fixed places, as far as the bytes go."""
    known = prefix(layout)
    for name, place in known.places.items():
        at = start + place
        end = at + known.packers[name].size
        if end <= len(data):
            value = known.value(data, start, name)
            yield Span((*path, name), at, end, value, data[at:end], payload=False, field=known.layout.field(name))


def _frame_payloads(spans: list[Span]) -> Iterator[Span]:
    """Yield spans, with the framing of a compressed payload in place of its bytes."""
    codec = "none"
    for span in spans:
        codec = "none" if span.path[-1] == "magic" else codec
        for bits in span.field.bits:
            if bits.name == "codec" and bits.enum is not None and isinstance(span.value, int):
                codec = bits.enum.values.get(span.value >> bits.low & bits.mask, "none")
        if codec != "none" and any(span.path[-len(end) :] == end for end in _COMPRESSED):
            yield from compression_framing.spans(span, codec)
        else:
            yield span


def _with_control_fields(spans: list[Span], flags: frozenset[str]) -> Iterator[Span]:
    """Yield the spans of a control batch, with the fields of keys and values instead of bytes."""
    number = None
    for span in spans:
        part = _control_part(span)
        layout = control.layout_of(part, number) if part else None
        if layout is None:
            yield span
            continue
        fields = list(_fields_of(span, layout, flags))
        yield from fields
        if layout.name == "control_record_key":
            number = next((field.value for field in fields if field.path == (*span.path, "type")), None)


def _control_part(span: Span) -> str:
    """Return `key` or `value` if the span is that of a record; else nothing."""
    match span.path:
        case ("records", int(), "key" | "value" as part):
            return part
        case _:
            return ""


def _fields_of(span: Span, layout: Layout, flags: frozenset[str]) -> Iterator[Span]:
    """Yield the fields of a key or value as far as it can be read, and the rest as one span."""
    reader = SpanReader(span.raw, flags=flags, payload=span.payload)
    with suppress(FormatError):  # the decoder says the same, and says it better
        reader.read(layout, 0, len(span.raw), span.path)
    end = reader.spans[-1].end if reader.spans else 0
    yield from (part._replace(start=span.start + part.start, end=span.start + part.end) for part in reader.spans)
    if end < len(span.raw):
        rest = span.raw[end:]
        yield span._replace(start=span.start + end, value=rest, raw=rest)


def _inside(message: dict[str, Any], allowed: Allowed) -> Iterator[Span]:
    """Yield the spans of the message set inside a wrapper of v0 or v1, as far as it can be read."""
    codec = compression.NAMES[message["attributes"] & CODEC_MASK]
    try:
        payload = compression.decompress(
            codec, message["value"] or b"", magic=message["magic"], limit=allowed.limit, flags=allowed.flags
        )
        for index, entry in enumerate(split(payload)):
            reader = SpanReader(payload, flags=legacy.flags_of(payload, entry, allowed.flags), payload=True)
            try:
                reader.read(find("message_set_entry"), entry.start, entry.end, ("message", "value", index))
            finally:
                yield from reader.spans
    except FormatError:
        return


def _inside_cut(spans: list[Span], allowed: Allowed) -> Iterator[Span]:
    """Yield the spans of what can be decompressed of a wrapper of v0 or v1 that is cut."""
    last = spans[-1] if spans else None
    if last is None or last.path != ("message", "value"):
        return
    attributes = next(span.value for span in spans if span.path == ("message", "attributes"))
    codec = compression.NAMES[attributes & CODEC_MASK]
    payload = decompress_start(codec, last.raw, allowed.limit) if codec != "none" else b""
    reader, position, index = CutReader(payload, flags=allowed.flags, payload=True), 0, 0
    with suppress(FormatError, CutError):
        while position < len(payload):
            _, position = reader.read(find("message_set_entry"), position, ENDLESS, ("message", "value", index))
            index += 1
    yield from reader.spans


def v07_spans(data: bytes, entry: Entry, allowed: Allowed, read: type[SpanReader] = SpanReader) -> list[Span]:
    """Return the spans of an entry of 0.7; a `CutReader` reads one that is cut."""
    spans: list[Span] = []
    try:
        for span in _v07_entry(data, entry, allowed, read=read):
            spans.append(span)  # noqa: PERF402 - what came before an error counts
    except (FormatError, CutError):
        pass  # the decoder says the same, and says it better
    return list(_frame_payloads(spans))


def _v07_entry(
    data: bytes,
    entry: Entry,
    allowed: Allowed,
    path: FieldPath = (),
    depth: int = 0,
    read: type[SpanReader] = SpanReader,
) -> Iterator[Span]:
    """Yield the spans of an entry, and of the message set in it if it is a wrapper."""
    reader = read(data, flags=allowed.flags, payload=depth > 0)
    try:
        values, _ = reader.read(find("v07_entry"), entry.start, entry.end, path)
    finally:
        yield from reader.spans
    message = values["message"]
    codec = v07.CODECS[message.get("attributes", 0) & v07.CODEC_MASK]
    if codec != "none" and depth < _DEEPEST:
        payload = compression.decompress(codec, message["payload"], magic=0, limit=allowed.limit, flags=allowed.flags)
        for index, inner in enumerate(v07.split(payload)):
            yield from _v07_entry(payload, inner, allowed, (*path, "message", "payload", index), depth + 1)
