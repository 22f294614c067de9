"""Strategies for `kafka_format.records`: records that share a batch, and runs of entries."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from kafka_format import compression
from kafka_format.codec.compiler import structure
from kafka_format.primitives.integers import INT16_MAX, INT32_MAX, INT64_MAX
from kafka_format.records import CREATE_TIME, LOG_APPEND_TIME, NO_TIMESTAMP, Header, Record, encode
from kafka_format.records.control import VALUES
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT, TIMESTAMP_TYPE_BIT, sequence_of
from kafka_format.spec.layout import find
from kafka_format.strategies.damage import PLACES
from kafka_format.strategies.layouts import contents, encoded, numbers, values

_LEGACY_CODECS: Final = tuple(find("message_v1").field("attributes").part("codec").names)[1:]
_MOST: Final = 4

_NULLABLE: Final = st.none() | contents()
_PAIRS: Final = st.tuples(_NULLABLE, _NULLABLE)
_GAPS: Final = st.just(1) | numbers(1, INT32_MAX // _MOST)
_TIMESTAMPS: Final = numbers(-1, INT64_MAX - 1)  # so that the delta of any two fits 64 bits
_KINDS: Final = st.sampled_from([CREATE_TIME, LOG_APPEND_TIME])


def records(magic: int = 2) -> SearchStrategy[list[Record]]:
    """Draw one to four records that can share a batch (magic 2) or a wrapper (magic 0 and 1).

    Offsets grow, with gaps. Timestamps are anything that a producer may write, or one append time.
    Of batches, every second one holds control records.
    """
    if magic == 2:
        return _batches(_PAIRS, control=False) | _batches(control_records(), control=True)
    drawn = st.tuples(numbers(0, INT64_MAX), _KINDS, _items(_PAIRS))
    return drawn.map(lambda draw: _legacy(magic, *draw))


def _batches(pairs: SearchStrategy[Any], *, control: bool) -> SearchStrategy[list[Record]]:
    headers = st.lists(st.tuples(contents(utf8=True), _NULLABLE).map(Header._make), max_size=2).map(tuple)
    marks = st.tuples(numbers(-1, INT64_MAX), numbers(-1, INT16_MAX), numbers(-1, INT32_MAX), st.booleans())
    drawn = st.tuples(numbers(0, INT64_MAX), _KINDS, _items(pairs), st.lists(headers, min_size=_MOST), marks)
    return drawn.map(lambda draw: _batch(*draw, control=control))


def control_records() -> SearchStrategy[tuple[bytes, bytes | None]]:
    """Draw key and value of control records: of each known type, and of types that nobody knows."""
    types = find("control_record_key").field("type").names
    known = types.values if types else {}
    drawn = [st.tuples(_control_key(st.just(number)), encoded(VALUES[name])) for number, name in known.items()]
    others = numbers(-1 - INT16_MAX, INT16_MAX).filter(lambda number: number not in known)
    return st.one_of(st.tuples(_control_key(others), _NULLABLE), *drawn)


def _control_key(types: SearchStrategy[int]) -> SearchStrategy[bytes]:
    return encoded("control_record_key", version=st.just(0) | numbers(0, INT16_MAX), type=types)


def _items(pairs: SearchStrategy[tuple[bytes | None, bytes | None]]) -> SearchStrategy[list[Any]]:
    """Draw what one to four records have of their own: distance, timestamp, key and value."""
    return st.lists(st.tuples(_GAPS, _TIMESTAMPS, pairs), min_size=1, max_size=_MOST)


def _common_records(first_offset: int, kind: int, items: list[Any]) -> list[Record]:
    """Make records of what all formats have."""
    deltas = list(accumulate((item[0] for item in items[1:]), initial=0))
    base = min(first_offset, INT64_MAX - deltas[-1])
    return [
        Record(base + delta, items[0][1] if kind == LOG_APPEND_TIME else timestamp, kind, key, value)
        for delta, (_, timestamp, (key, value)) in zip(deltas, items, strict=True)
    ]


def _legacy(magic: int, first_offset: int, kind: int, items: list[Any]) -> list[Record]:
    shared = _common_records(first_offset, kind, items)
    return shared if magic else [record._replace(timestamp=-1, timestamp_type=NO_TIMESTAMP) for record in shared]


def _batch(
    first_offset: int, kind: int, items: list[Any], headers: list[Any], marks: tuple[Any, ...], *, control: bool
) -> list[Record]:
    producer_id, epoch, sequence, transactional = marks
    shared = _common_records(first_offset, kind, items)
    return [
        record._replace(
            headers=mine,
            producer_id=producer_id,
            producer_epoch=epoch,
            sequence=sequence_of(sequence, record.offset - shared[0].offset),
            transactional=transactional,
            control=control,
        )
        for record, mine in zip(shared, headers, strict=False)
    ]


def _messages(magic: int) -> SearchStrategy[bytes]:
    """Draw entries of one uncompressed message."""
    plain = numbers(-128, 127).map(lambda number: number & ~CODEC_MASK)
    message = values(f"message_v{magic}", attributes=plain)
    return encoded("message_set_entry", offset=numbers(0, INT64_MAX >> 1), message=message)


def wrappers(magic: int, payloads: SearchStrategy[bytes] | None = None) -> SearchStrategy[bytes]:
    """Draw entries of one wrapper message of v0 or v1.

    Args:
        magic: 0 or 1.
        payloads: what is compressed into the wrapper, instead of one to four messages of the same
            magic.
    """
    if payloads is None:
        payloads = st.lists(_messages(magic), min_size=1, max_size=_MOST).map(b"".join)
    offset = st.just(0) | numbers((INT64_MAX >> 1) + 1, INT64_MAX)
    drawn = st.tuples(offset, st.sampled_from(_LEGACY_CODECS), _KINDS, _TIMESTAMPS, _NULLABLE, payloads)
    return drawn.map(lambda draw: _wrapper(magic, *draw))


def _wrapper(
    magic: int, offset: int, codec: str, kind: int, timestamp: int, key: bytes | None, payload: bytes
) -> bytes:
    message = {
        "magic": magic,
        "attributes": compression.NAMES.index(codec) | (TIMESTAMP_TYPE_BIT if magic and kind == LOG_APPEND_TIME else 0),
        "key": key,
        "value": compression.compress(codec, payload, magic=magic),
    }
    stamp = {"timestamp": timestamp} if magic else {}
    return structure("message_set_entry").encode({"offset": offset, "message": message | stamp})


def _data_batches() -> SearchStrategy[bytes]:
    """Draw batches whose records may say anything, because they are no control records."""
    data = values("record_batch").map(lambda value: value._replace(attributes=value.attributes & ~CONTROL_BIT))
    return data.map(structure("record_batch").encode)


def entries() -> SearchStrategy[bytes]:
    """Draw valid runs of entries of all formats and codecs, some cut off in the last entry."""
    control = _batches(control_records(), control=True).map(encode)
    batch = st.one_of(_data_batches(), _data_batches(), control)
    entry = batch | st.one_of(_messages(0), _messages(1)) | st.one_of(wrappers(0), wrappers(1))
    cut = st.just(b"") | st.tuples(entry, PLACES).map(lambda draw: draw[0][: draw[1] * len(draw[0]) >> 16])
    return st.tuples(st.lists(entry, min_size=1, max_size=_MOST), cut).map(lambda draw: b"".join(draw[0]) + draw[1])
