"""Entries, line by line, to the last byte: one that is cut, and what follows a wrong checksum.

`lines` shows what a decoder reads, and stops where it does. Here what a decoder leaves out is shown
as well: the entry that is cut as far as it goes, and the rest of an entry whose checksum is wrong,
of which every line is marked as doubted.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from kafka_format.codec.interpreter import Span
from kafka_format.errors import FormatError, Stage
from kafka_format.explain.cut import CutReader
from kafka_format.explain.entry_spans import Allowed, entry_spans, v07_spans
from kafka_format.explain.lines import DEFAULT_LIMIT, Explanation, Line, explain, explain_v07, lines_of
from kafka_format.explain.schema_spans import with_schema_records
from kafka_format.primitives.counts import byte_count
from kafka_format.protocol import records
from kafka_format.records import v07
from kafka_format.records.entries import FORMATS, MAGIC_AT, OVERHEAD, SMALLEST_SIZE, Entry, split
from kafka_format.spec.releases import allowed_flags

_MOST: Final = 100
"""Entries with a wrong checksum that are shown to their ends; after them reading stops."""

_ZSTD: Final = 0xFD2FB528
"""The magic number of a frame of zstd (RFC 8878)."""

_LARGEST: Final = 1 << 30
"""An entry that says it is larger is none that was cut."""


def salvage(data: bytes, *, topic: str = "", **how: Any) -> Explanation:
    """Explain a run of entries as `lines.explain` does, to its last byte.

    The arguments are those of `lines.explain`; wrong bytes raise nothing.

    Raises:
        ValueError: there is no such flag or release.
    """
    allowed = Allowed(allowed_flags(how.get("flags", frozenset()), how.get("as_kafka", "")), DEFAULT_LIMIT)
    allowed = allowed._replace(limit=how.get("limit", DEFAULT_LIMIT))
    lines: list[Line] = []
    first: FormatError | None = None
    position = count = 0
    for _ in range(_MOST):
        dump = explain(data[position:], topic=topic, **how)
        entry = _faulty(data, position, dump.fault)
        if entry is None or dump.fault is None or dump.fault.entry is None:
            break
        lines += [_moved(line, position, count) for line in _before(dump, entry, position)]
        lines += _doubted(data, entry, count + dump.fault.entry, allowed, topic)
        first = first or _fault_at(dump.fault, position, count)
        position, count = entry.end, count + dump.fault.entry + 1
        if position == len(data):
            return Explanation(lines, first)
    else:
        dump = explain(data[position:], topic=topic, **how)
    rest = _with_cut_entry(data[position:], dump, allowed, topic)
    lines += [_moved(line, position, count) for line in rest.lines]
    return rest._replace(lines=lines, fault=first or (rest.fault and _fault_at(rest.fault, position, count)))


def _faulty(data: bytes, start: int, fault: FormatError | None) -> Entry | None:
    """Return the entry whose checksum is wrong, and that it has nothing else wrong before it."""
    if fault is None or fault.stage is not Stage.CHECKSUM or fault.payload or fault.entry is None:
        return None
    entry = next(islice(split(memoryview(data)[start:]), fault.entry, None))  # type: ignore[arg-type]
    return entry._replace(start=entry.start + start, end=entry.end + start)


def _before(dump: Explanation, entry: Entry, start: int) -> Iterator[Line]:
    """Yield the lines up to the checksum that is wrong."""
    for line in dump.lines:
        if line.start + start >= entry.end and not line.payload:
            return
        if line.value != "not read" or line.fault is not None or line.start + start < entry.start:
            yield line


def _doubted(data: bytes, entry: Entry, index: int, allowed: Allowed, topic: str) -> Iterator[Line]:
    """Yield the lines behind the checksum of an entry, each marked."""
    spans = _spans(data, entry, allowed, topic)
    at = next((at for at, span in enumerate(spans) if span.path[-1] == "crc"), len(spans))
    start = spans[at].end if at < len(spans) else entry.end
    for line in lines_of(spans[at + 1 :], None, index, data, entry.end, start):
        yield line._replace(is_doubted=True)


def _spans(data: bytes, entry: Entry, allowed: Allowed, topic: str) -> list[Any]:
    spans = entry_spans(data, entry, allowed, CutReader)
    return list(with_schema_records(spans, topic, allowed.flags)) if topic in records.topics() else spans


def _with_cut_entry(data: bytes, dump: Explanation, allowed: Allowed, topic: str) -> Explanation:
    """Return an explanation with all that there is of an entry that is cut at the end."""
    start = max((entry.end for entry in split(data)), default=0) if dump.fault is None else len(data)
    entry = cut_entry(data, start)
    if entry is None:
        return dump._replace(missing=_missing_of_header(data, start)) if start < len(data) else dump
    index = sum(1 for _ in split(data))
    spans = _spans(data, entry, allowed, topic)
    lines = [line for line in dump.lines if line.payload or line.start < start]
    lines += lines_of(spans, None, index, data, len(data), start)
    missing = entry.end - len(data)
    text = f"the entry is cut: {_missing_text(missing, entry.end - start)}, and Kafka leaves it out"
    if _is_zstd(spans):
        text += "; zstd gives whole blocks only, so that the last one there is shows nothing"
    return Explanation([*lines, Line(index, "", len(data), b"", text)], None, missing)


def _missing_of_header(data: bytes, start: int) -> int:
    """Return how many bytes are missing, at least, of an entry whose magic is not there."""
    there = len(data) - start
    size = int.from_bytes(data[start + OVERHEAD - 4 : start + OVERHEAD], "big", signed=True)
    known = size if there >= OVERHEAD and SMALLEST_SIZE <= size <= _LARGEST else SMALLEST_SIZE
    return max(OVERHEAD + known - there, 0)


def _missing_text(missing: int, size: int) -> str:
    return f"{missing} of its {byte_count(size)} {'is' if missing == 1 else 'are'} missing"


def _is_zstd(spans: list[Span]) -> bool:
    return any(span.path[-1] == "magic" and span.value == _ZSTD for span in spans)


def salvage_v07(data: bytes, **how: Any) -> Explanation:
    """Explain a message set of 0.7 as `lines.explain_v07` does, but to its last byte.

    A reader that fetched refuses a first entry that is cut, since it can go no further; who looks
    at bytes can.
    """
    dump = explain_v07(data, **how)
    if dump.fault is not None and dump.fault.rule != "v07.first-entry.whole":
        return dump
    start = 0 if dump.fault is not None else max((entry.end for entry in v07.split(data)), default=0)
    if start == len(data):
        return dump
    size = int.from_bytes(data[start : start + v07.OVERHEAD], "big", signed=True)
    there = len(data) - start
    end = start + v07.OVERHEAD + max(size if there >= v07.OVERHEAD else 0, v07.SMALLEST_SIZE)
    index = sum(1 for _ in v07.split(data)) if start else 0
    allowed = Allowed(allowed_flags(how.get("flags", frozenset()), ""), how.get("limit", DEFAULT_LIMIT))
    spans = v07_spans(data, Entry(start, end, 0), allowed, CutReader)
    lines = [line for line in dump.lines if line.payload or line.start < start]
    lines += lines_of(spans, None, index, data, len(data), start)
    text = f"the entry is cut: {_missing_text(end - len(data), end - start)}, and Kafka leaves it out"
    return Explanation([*lines, Line(index, "", len(data), b"", text)], None, end - len(data))


def cut_entry(data: bytes, start: int) -> Entry | None:
    """Return the entry that begins at a byte and ends behind the last one; None if none can."""
    if len(data) - start <= MAGIC_AT or data[start + MAGIC_AT] not in FORMATS:
        return None
    size = int.from_bytes(data[start + OVERHEAD - 4 : start + OVERHEAD], "big", signed=True)
    if not SMALLEST_SIZE <= size <= _LARGEST:
        return None
    return Entry(start, start + OVERHEAD + size, data[start + MAGIC_AT])


def moved(part: Explanation, start: int, count: int) -> Explanation:
    """Return an explanation of what begins at a byte, behind some entries, as one of all bytes."""
    fault = part.fault and _fault_at(part.fault, start, count)
    return part._replace(lines=[_moved(line, start, count) for line in part.lines], fault=fault)


def _moved(line: Line, start: int, count: int) -> Line:
    """Return a line of a part of the bytes as one of all of them."""
    fault = None if line.fault is None else _fault_at(line.fault, start, count)
    entry = None if line.entry is None else line.entry + count
    return line._replace(entry=entry, start=line.start if line.payload else line.start + start, fault=fault)


def _fault_at(fault: FormatError, start: int, count: int) -> FormatError:
    return fault.within(offset=start, entry=None if fault.entry is None else fault.entry + count)
