"""Bytes as a run of entries of v0, v1 and v2, or of 0.7."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError, Stage
from kafka_format.explain.cut import CutReader
from kafka_format.explain.entry_spans import Allowed, cut_off_spans, entry_spans
from kafka_format.explain.requests import SIZE
from kafka_format.explain.salvage import cut_entry
from kafka_format.primitives.counts import byte_count
from kafka_format.recognition.model import LEAST, Candidate, Kind
from kafka_format.records import iterate, v07
from kafka_format.records.entries import FORMATS, MAGIC_AT, OVERHEAD, Entry, split

_BATCH: Final = prefix("record_batch")
_LARGEST_LIKELY: Final = 100 << 20
"""Brokers take no larger request (socket.request.max.bytes)."""

_EARLIEST, _LATEST = 0, 4_102_444_800_000
"""Times that records have: 1970 to 2100, in milliseconds; -1 stands for none."""

_FEW: Final = 35
"""Bytes of a batch up to its first timestamp; fewer tell little."""

_SELDOM: Final = 1 << 16
"""A checksum below it is one in 65,536; small numbers in its place are many."""

_HIGHEST_OFFSET: Final = 1 << 48
_ODD_BITS: Final = ~0x7F
"""Attributes of batches that no release has given a meaning."""


def candidates(data: bytes) -> Iterator[Candidate]:
    """Yield what bytes are as entries."""
    yield from _of_run(data)
    yield from _of_07(data)


def _of_run(data: bytes) -> Iterator[Candidate]:
    entry = first_entry(data)
    if entry is not None:
        yield _whole(data, entry)
        return
    cut = cut_entry(data, 0)
    if cut is not None and cut.end > len(data):
        yield from _cut(data, cut)
    yield from _of_unknown_magic(data)


def _of_unknown_magic(data: bytes) -> Iterator[Candidate]:
    """Yield an entry of which all but the magic fits: its size takes it to the last byte."""
    size = int.from_bytes(data[OVERHEAD - SIZE : OVERHEAD], "big", signed=True)
    if len(data) <= MAGIC_AT or size != len(data) - OVERHEAD or data[MAGIC_AT] in FORMATS or not _has_offset(data):
        return
    title = f"an entry with the unknown magic {data[MAGIC_AT]}"
    yield Candidate(Kind.RECORDS, title, 50, ("its size takes it to the last byte",), ("no release writes such",))


def first_entry(data: bytes) -> Entry | None:
    """Return the first entry if it is whole."""
    try:
        return next(split(data[: MAGIC_AT + 1] if len(data) <= MAGIC_AT else data), None)
    except FormatError:
        return None


def _whole(data: bytes, entry: Entry) -> Candidate:
    """Judge a run by its first entry, which is whole."""
    name = FORMATS[entry.magic]
    one = Candidate(Kind.RECORDS, _title(data, name), 0, (f"an entry of {byte_count(entry.end)}, magic {entry.magic}",))
    try:
        for _ in iterate(data[: entry.end]):
            break
    except FormatError as error:
        is_likely = _is_likely(data, entry) and (entry.magic == 2 or bool(_ends_with_its_value(data, entry)))
        if error.stage in (Stage.RESOURCE, Stage.DECOMPRESSION, Stage.SEMANTICS) or is_likely:
            return one._replace(score=75, against=(str(error),))
        is_exact = entry.end == len(data) and _has_offset(data)
        return one._replace(score=60 if is_exact else 30, against=(str(error),))
    checksum = (*one.evidence, "its checksum is right")
    return one._replace(score=98, evidence=checksum)


def _has_offset(data: bytes) -> bool:
    """Tell whether bytes begin with an offset that a log reaches."""
    return int.from_bytes(data[:8], "big") < _HIGHEST_OFFSET


def _title(data: bytes, name: str) -> str:
    """Say what a run is: a batch is `v2`."""
    is_batch = name == "v2"
    return f"records, {'a record batch (v2)' if is_batch else f'messages of {name}'}" + ("" if data else ", empty")


def _cut(data: bytes, entry: Entry) -> Iterator[Candidate]:
    """Yield an entry that says it is longer than what there is."""
    name, missing = FORMATS[entry.magic], entry.end - len(data)
    against = (f"{missing} of its {byte_count(entry.end)} missing",)
    score = 62 if _is_likely(data, entry) else 20
    if score > LEAST and entry.magic == 2:
        score = LEAST + 8 if len(data) < _FEW else score
    elif score > LEAST:
        fits = _ends_with_its_value(data, entry)
        score = LEAST + 4 if fits is None else score if fits else 20
    if entry.end > _LARGEST_LIKELY or missing > 1000 * len(data):
        score -= 35
        against = (f"one entry of {entry.end} bytes would swallow everything",)
    evidence = (f"the header of an entry with magic {entry.magic}",)
    title = f"the start of {_title(data, name)}"
    yield Candidate(Kind.RECORDS, title, score, evidence, against, missing=missing)


def _ends_with_its_value(data: bytes, entry: Entry) -> bool | None:
    """Tell whether the lengths of a message's key and value say the same end as the size in front.

    None where they are not there.
    """
    spans = entry_spans(data, entry, Allowed(frozenset(), 0), CutReader)
    lengths = [span for span in spans if span.path[-1] == "length" and isinstance(span.value, int)]
    ends = {span.path[-2]: span.end + max(span.value, 0) for span in lengths}
    if "value" in ends:
        return bool(ends["value"] == entry.end)
    return False if ends.get("key", 0) > entry.end - SIZE else None


def _is_likely(data: bytes, entry: Entry) -> bool:
    """Tell whether the fields of an entry's header are such as are written."""
    fields: dict[str, Any] = {str(span.path[-1]): span.value for span in cut_off_spans(data, entry.start)}
    if not 0 <= fields.get("base_offset", fields.get("offset", 0)) < _HIGHEST_OFFSET:
        return False
    if entry.magic == 2:
        return _is_likely_batch(fields, entry.end - entry.start)
    attributes = fields.get("attributes", 0)
    if 0 <= fields.get("crc", _SELDOM) < _SELDOM:
        return False
    return (
        entry.end - entry.start <= _LARGEST_LIKELY >> 3
        and attributes & ~0xF == 0
        and attributes & 7 <= 3
        and _is_time(fields)
    )


def _is_likely_batch(fields: dict[str, Any], size: int) -> bool:
    if "attributes" not in fields:
        return size <= _LARGEST_LIKELY >> 3
    if fields["attributes"] & _ODD_BITS or fields["attributes"] & 7 > 4:
        return False
    count = fields.get("record_count", 0)
    return (
        fields.get("partition_leader_epoch", 0) >= -1
        and fields.get("last_offset_delta", 0) >= 0
        and _is_time(fields)
        and fields.get("producer_id", -1) >= -1
        and (fields["attributes"] & 7 > 0 or 0 <= count <= size)
    )


def _is_time(fields: dict[str, Any]) -> bool:
    times = (fields.get(name, -1) for name in ("timestamp", "base_timestamp", "max_timestamp"))
    return all(time == -1 or _EARLIEST <= time < _LATEST for time in times)


def _of_07(data: bytes) -> Iterator[Candidate]:
    """Yield a message set of 0.7, whose entries have a size, a magic of 0 or 1, and a checksum."""
    size = int.from_bytes(data[:4], "big", signed=True)
    head = 9 + (data[4] if len(data) > 4 else 0)
    if len(data) < head or data[4] > 1 or not 5 <= size <= len(data) - 4:
        return
    title, evidence = "a message set of Kafka 0.7", ("the checksum of its first entry is right",)
    is_nothing = not any(data[head - 4 : head])  # zeros are the checksum of nothing, too
    try:
        ends = [entry.end for entry in v07.split(data)] if is_nothing else [len(data)]
        if ends[-1:] == [len(data)] and any(True for _ in v07.iterate(data if is_nothing else data[: size + 4])):
            yield Candidate(Kind.RECORDS_07, title, LEAST + 7 if is_nothing else 96, evidence)
    except FormatError:
        return
