"""Bytes, line by line: which bytes are which field, and where they are wrong.

The spans come from the interpreter, which walks until it has to stop (`entry_spans`); the verdict
comes from the decoder that everybody uses. What was not read any more is shown as such, so that no
byte of the input is missing from the lines.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from kafka_format.codec import checks
from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.errors import FieldPath, FormatError, Stage
from kafka_format.explain.content_notes import notes
from kafka_format.explain.entry_spans import Allowed, cut_off_spans, entry_spans, v07_spans
from kafka_format.explain.schema_spans import with_schema_records
from kafka_format.primitives.counts import byte_count
from kafka_format.protocol import records
from kafka_format.records import iterate, v07
from kafka_format.records.budget import DEFAULT_RECORDS
from kafka_format.records.entries import Entry, split
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Checksum, Counted, Fixed, Layout
from kafka_format.spec.releases import allowed_flags

_LONGEST_TEXT: Final = 60
_LENGTHS: Final = ("length", "count")
"""Ends of the paths of lengths that can be -1 for null."""

MOST_LINES: Final = 500_000
"""Lines after which sound entries are left out, save what is wrong: a segment of 1 GB would take
the memory of ten machines, and nobody reads on."""

DEFAULT_LIMIT: Final = 4 << 20
"""Decompressed bytes of an entry that are explained, unless the caller says otherwise: more than
anybody reads."""


class Line(NamedTuple):
    """One line of an explanation: some bytes, their field and value.

    Attributes:
        entry: index of the entry that they are in; None for a single structure or bytes outside of
            any entry.
        path: the field; empty for bytes that belong to none.
        start: first byte; counts in the decompressed payload if `payload`.
        raw: the bytes.
        value: what they say, for people.
        payload: True if they are part of a decompressed payload.
        fault: what is wrong with them, if this is where decoding failed.
        is_doubted: True if a checksum before them is wrong, so that any of them may be, too.
    """

    entry: int | None
    path: str
    start: int
    raw: bytes
    value: str
    payload: bool = False
    fault: FormatError | None = None
    is_doubted: bool = False


class Explanation(NamedTuple):
    """All lines of an input, and the fault that stopped its decoding, if any.

    Attributes:
        lines: the lines.
        fault: what is wrong; the first of what is.
        missing: bytes that are missing at its end at least, where it is cut.
    """

    lines: list[Line]
    fault: FormatError | None
    missing: int = 0


class _Kind(NamedTuple):
    """A kind of input: cuts it into entries, decodes these, and reads them with places."""

    split: Callable[[bytes], Iterator[Entry]]
    iterate: Callable[..., Iterator[Any]]
    spans: Callable[[bytes, Entry, Allowed], list[Span]]
    cut_off: Callable[[bytes, int], Iterator[Span]]
    """The fields of an entry that is cut off, as far as they are there."""
    notes: Callable[[list[Span]], Mapping[int, str]]
    """What is noted behind the values of fields, by the index of their spans."""


def explain(
    data: bytes,
    *,
    flags: frozenset[str] = frozenset(),
    as_kafka: str = "",
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
    topic: str = "",
) -> Explanation:
    """Explain a run of entries of v0, v1 and v2.

    The arguments are those of `records.decode`, but both limits hold for each entry by itself. An
    entry that is over one is explained without what is compressed in it. Lines take up to 450 bytes
    for each byte that they explain; after `MOST_LINES` of them, adjacent sound entries share a
    line. With the name of one of Kafka's own topics as `topic`, keys and values are explained by
    their schemas; what else keys and values are is noted, and called a guess where it is one.

    Raises:
        ValueError: there is no such flag or release. Wrong bytes raise nothing; they are the
            explanation's fault.
    """
    flags = allowed_flags(flags, as_kafka)
    decode = partial(iterate, as_kafka=as_kafka, max_records=max_records)
    spans = partial(_schema_spans, topic=topic) if topic in records.topics() else entry_spans
    noted = partial(notes, topic=topic)
    kind = _Kind(partial(split, flags=flags), decode, spans, cut_off_spans, noted)
    return _explain(kind, data, Allowed(flags, limit))


def _schema_spans(data: bytes, entry: Entry, allowed: Allowed, topic: str) -> list[Span]:
    return list(with_schema_records(entry_spans(data, entry, allowed), topic, allowed.flags))


def explain_v07(
    data: bytes,
    *,
    flags: frozenset[str] = frozenset(),
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
) -> Explanation:
    """Explain a message set of 0.7; the arguments are those of `explain`."""
    decode = partial(v07.iterate, max_records=max_records)
    kind = _Kind(v07.split, decode, v07_spans, lambda *_: iter(()), lambda _: {})
    return _explain(kind, data, Allowed(allowed_flags(flags, ""), limit))


class _LeftOut(NamedTuple):
    """Sound entries one after another that get one line together.

    Attributes:
        first: index of the first one.
        number: how many they are.
        start: their first byte.
        end: the byte after their last.
    """

    first: int = 0
    number: int = 0
    start: int = 0
    end: int = 0

    def with_entry(self, index: int, entry: Entry) -> _LeftOut:
        """Return these and the next one."""
        if not self.number:
            return _LeftOut(index, 1, entry.start, entry.end)
        return self._replace(number=self.number + 1, end=entry.end)

    def lines(self, data: bytes) -> list[Line]:
        """Return their line; none if there are none."""
        if not self.number:
            return []
        raw: Any = memoryview(data)[self.start : self.end]  # a copy would take as much as all of them
        which = f"entries {self.first} to {self.first + self.number - 1}" if self.number > 1 else f"entry {self.first}"
        return [Line(None, "", self.start, raw, f"{which}: sound, left out as there are so many")]


def _explain(kind: _Kind, data: bytes, allowed: Allowed) -> Explanation:
    lines: list[Line] = []
    position = 0
    left_out = _LeftOut()
    fault = _fault_of_run(kind, data, allowed)
    try:
        for index, entry in enumerate(kind.split(data)):
            if len(lines) >= MOST_LINES and (fault is None or fault.entry != index):
                left_out = left_out.with_entry(index, entry)
                position = entry.end
                continue
            lines += left_out.lines(data)
            left_out = _LeftOut()
            too_much = fault is not None and fault.entry == index and fault.stage is Stage.RESOURCE
            spans = kind.spans(data, entry, allowed._replace(limit=0) if too_much else allowed)
            lines += _with_notes(lines_of(spans, fault, index, data, entry.end), kind.notes(spans))
            position = entry.end
            if fault is not None and fault.entry == index:
                break
    except FormatError:
        lines += [*left_out.lines(data), *_wrong_frame(data, position, fault)]
        return Explanation(lines, fault)
    lines += left_out.lines(data)
    if position < len(data):
        lines += _tail(kind, data, position, fault)
    return Explanation(lines, fault)


def _with_notes(lines: list[Line], noted: Mapping[int, str]) -> list[Line]:
    for index, note in noted.items():
        lines[index] = lines[index]._replace(value=f"{lines[index].value}; {note}")
    return lines


def explain_structure(
    name: str,
    data: bytes,
    version: int | None = None,
    *,
    flags: frozenset[str] = frozenset(),
    limit: int = DEFAULT_LIMIT,
) -> Explanation:
    """Explain one structure that is all of `data`; `version` is that of a layout that has versions.

    Raises:
        LayoutError: there is no such layout or version.
    """
    layout = find(name, version)
    reader = SpanReader(data, flags=flags, limit=limit)
    try:
        _, end = reader.read(layout, 0, len(data))
        if version is not None:
            checks.check_end(layout, data, end, flags)
        fault = checks.input_trailing(end, len(data) - end) if version is None and end < len(data) else None
    except FormatError as error:
        fault = error
    return Explanation(lines_of(reader.spans, fault, None, data, len(data), layout=layout), fault)


def _fault_of_run(kind: _Kind, data: bytes, allowed: Allowed) -> FormatError | None:
    try:
        for _ in kind.iterate(data, flags=allowed.flags, limit=allowed.limit):
            pass
    except FormatError as error:
        return error
    return None


def lines_of(
    spans: list[Span],
    fault: FormatError | None,
    entry: int | None,
    data: bytes,
    end: int,
    start: int = 0,
    layout: Layout | None = None,
) -> list[Line]:
    """Turn spans into lines, one each, with a mark at the fault or a line for what was not read.

    Args:
        spans: where the fields are.
        fault: why reading had to stop, if it had.
        entry: the entry that they are in.
        data: the bytes.
        end: where what was read ends.
        start: where it begins.
        layout: the structure that they are of, if it says what clients leave behind it.
    """
    mine = fault if fault is not None and fault.entry == entry else None
    lines = []
    position = start
    for span in spans:
        here = (
            mine is not None
            and span.payload == mine.payload
            and span.start <= mine.offset < max(span.end, span.start + 1)
        )
        here = here and (mine is None or _are_near(span.path, mine.path))
        lines.append(
            Line(entry, span.path_text, span.start, span.raw, text_of(span), span.payload, mine if here else None)
        )
        mine = None if here else mine
        position = position if span.payload else span.end
    if fault is not None and fault.entry == entry and position < end:
        lines.append(Line(entry, mine.path_text if mine else "", position, data[position:end], "not read", fault=mine))
    elif mine is not None:
        lines.append(Line(entry, mine.path_text, mine.offset, b"", "missing", mine.payload, mine))
    elif position < end:
        lines.append(Line(entry, "", position, data[position:end], _ignored(layout, data[position:end])))
    return lines


def _ignored(layout: Layout | None, rest: bytes) -> str:
    """Say of bytes behind all that was read which client leaves them, if one is known to."""
    surplus = checks.surplus_of(layout, rest) if layout is not None else None
    return "ignored" if surplus is None else f"ignored, as all releases do; from {surplus.writer}"


def _are_near(path: FieldPath, fault: FieldPath) -> bool:
    """Tell whether one path leads to the other.

    A codec's fault names all that is compressed.
    """
    shared = min(len(path), len(fault))
    return path[:shared] == fault[:shared]


def _wrong_frame(data: bytes, position: int, fault: FormatError | None) -> list[Line]:
    """Return the line of an entry whose frame is wrong."""
    at = fault.offset if fault is not None else position
    path = fault.path_text if fault is not None else ""
    before = [Line(None, "", position, data[position:at], "not read")] if at > position else []
    return [*before, Line(None, path, at, data[at:], "not read", fault=fault)]


def _tail(kind: _Kind, data: bytes, position: int, fault: FormatError | None) -> Iterator[Line]:
    """Yield the lines of what follows the last entry that was read."""
    if fault is not None:
        yield Line(None, "", position, data[position:], "not read")
        return
    rest = position
    for span in kind.cut_off(data, position):
        yield Line(None, span.path_text, span.start, span.raw, text_of(span))
        rest = span.end
    yield Line(
        None,
        "",
        rest,
        data[rest:],
        f"cut-off entry of {byte_count(len(data) - position)}, left out as Kafka does",
    )


def text_of(span: Span) -> str:
    """Return a field's value as text for people: numbers with names, bytes as text if possible.

    A UUID is shown as Kafka's tools show it, in base64.
    """
    kind = span.field.type
    if isinstance(kind, Counted) and isinstance(span.path[-1], int):
        kind = kind.item
    if isinstance(kind, Fixed):
        return urlsafe_b64encode(span.value).decode().rstrip("=")
    if isinstance(span.value, bytes | bytearray):
        return bytes_text(bytes(span.value))
    if span.path[-1] in _LENGTHS and not span.field.bits:
        return f"{span.value} (null)" if span.value == -1 else str(span.value)
    if isinstance(span.field.computed, Checksum):
        return f"{span.value:#010x}"
    if span.field.const is not None and len(span.raw) > 1:
        return f"{span.value:#x}"
    return str(span.value) + _bits_text(span) + _name_text(span)


def _name_text(span: Span) -> str:
    names = span.field.names
    return f" ({names.values.get(span.value, 'no name')})" if names is not None else ""


def _bits_text(span: Span) -> str:
    parts = []
    for bits in span.field.bits:
        part = span.value >> bits.low & bits.mask
        if bits.enum is not None:
            parts.append(f"{bits.name}={bits.enum.values.get(part, f'{part}?')}")
        elif part:
            parts.append(bits.name if bits.low == bits.high else f"{bits.name}={part}")
    return f" ({', '.join(parts)})" if parts else ""


def bytes_text(value: bytes) -> str:
    """Return bytes as text, if they are one, else how many they are."""
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = ""
    shown = f"{text!r}" if text and text.isprintable() else f"{len(value)} byte{'' if len(value) == 1 else 's'}"
    return shown if len(shown) <= _LONGEST_TEXT else shown[:_LONGEST_TEXT] + "…"
