"""Encoding of records as a producer or broker does: one batch of v2, or messages of v0 or v1."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

from kafka_format import compression
from kafka_format.codec.compiler import structure
from kafka_format.codec.readings import REFUSED
from kafka_format.errors import EncodeError
from kafka_format.records import quick
from kafka_format.records.entries import FORMATS
from kafka_format.records.model import (
    CONTROL_BIT,
    LOG_APPEND_TIME,
    TIMESTAMP_TYPE_BIT,
    TRANSACTIONAL_BIT,
    Record,
    sequence_of,
)
from kafka_format.records.type_errors import type_error

_SHARED: Final = ("timestamp_type", "producer_id", "producer_epoch", "transactional", "control")
_shared = attrgetter(*_SHARED)
_new: Final = tuple.__new__
"""Makes a named tuple of a tuple, without looking at either."""


def encode(records: Sequence[Record], *, magic: int = 2, codec: str = "none") -> bytes:
    """Write records as one batch (magic 2), or as messages or a wrapper (magic 0, 1).

    No records give no bytes.

    Offsets are kept: the first is the base, the others may leave gaps. The record's own `codec` is
    ignored.

    Raises:
        EncodeError: the format cannot hold what a record has, or the records cannot share a batch
            or wrapper. Its path is that of the record, `[2].timestamp`, or that of the field that
            does not fit, `records[2].offset_delta`.
    """
    if codec not in compression.NAMES:
        raise EncodeError(f"there is no codec `{codec}`; there are {', '.join(compression.NAMES)}", path=("codec",))
    if magic not in FORMATS:
        raise EncodeError(f"is {magic}; there are {', '.join(map(str, FORMATS))}", path=("magic",))
    try:
        return _encode(records, magic, codec) if len(records) else b""
    except (EncodeError, TypeError, AttributeError, ValueError) as error:
        raise type_error(records) or error from None


def _encode(records: Sequence[Record], magic: int, codec: str) -> bytes:
    if magic == 2:
        try:
            return quick.encode(records, _attributes(records[0], codec), codec)
        except REFUSED:
            return structure("record_batch").encode(_batch(records, codec))
    for index, record in enumerate(records):
        _fits(record, magic, index)
    if codec == "none":
        return b"".join([_entry(record.offset, _message(record, magic)) for record in records])
    return _wrapper(records, magic, codec)


def _batch(records: Sequence[Record], codec: str) -> Any:
    first, attributes = records[0], _attributes(records[0], codec)
    max_timestamp = max([record.timestamp for record in records])
    value = (  # in wire order; what is None is filled
        first.offset, None, -1, 2, None, attributes, None, first.timestamp, max_timestamp,
        first.producer_id, first.producer_epoch, first.sequence, None, _items(records, first),
    )  # fmt: skip
    return _new(structure("record_batch").type, value)


def _attributes(first: Record, codec: str) -> int:
    attributes = compression.NAMES.index(codec) | TIMESTAMP_TYPE_BIT * (first.timestamp_type == LOG_APPEND_TIME)
    return attributes | TRANSACTIONAL_BIT * first.transactional | CONTROL_BIT * first.control


def _items(records: Sequence[Record], first: Record) -> list[Any]:
    """Return a batch's records.

    What all share must be the same; the rest counts from the first record.
    """
    item, shared = structure("record").type, _shared(first)
    base_offset, base_timestamp, base_sequence = first.offset, first.timestamp, first.sequence
    items = []
    for index, record in enumerate(records):
        if _shared(record) != shared:
            raise _not_shared(record, first, index)
        offset_delta, timestamp_delta = record.offset - base_offset, record.timestamp - base_timestamp
        if timestamp_delta and first.timestamp_type == LOG_APPEND_TIME:
            raise _two_append_times(index)
        if record.sequence != sequence_of(base_sequence, offset_delta):
            raise EncodeError("does not follow from the first record's", path=(index, "sequence"))
        value = (None, 0, timestamp_delta, offset_delta, record.key, record.value, None, record.headers)
        items.append(_new(item, value))  # in wire order; what is None is filled
    return items


def _not_shared(record: Record, first: Record, index: int) -> EncodeError:
    name = next(name for name in _SHARED if getattr(record, name) != getattr(first, name))
    return EncodeError("differs from the first record's, so they cannot share a batch", path=(index, name))


def _two_append_times(index: int) -> EncodeError:
    return EncodeError("differs from the first record's, and an append time is one for all", path=(index, "timestamp"))


def _wrapper(records: Sequence[Record], magic: int, codec: str) -> bytes:
    if codec == "zstd":
        raise EncodeError(f"zstd is not allowed in v{magic}; it came with v2 batches (KIP-110)", path=("codec",))
    _fits_wrapper(records, magic)
    base = _inner_base(records[0], magic)
    inner = [_entry(record.offset - base, _message(record, magic)) for record in records]
    wrapper = _wrapper_record(records, compression.compress(codec, b"".join(inner), magic=magic))
    return _entry(wrapper.offset, _message(wrapper, magic, compression.NAMES.index(codec)))


def _fits_wrapper(records: Sequence[Record], magic: int) -> None:
    """Refuse records that cannot share a wrapper."""
    first, last = records[0], records[-1]
    for index, record in enumerate(records):
        if magic and record.timestamp_type != first.timestamp_type:
            raise _not_shared(record, first, index)
        if record.timestamp != first.timestamp and first.timestamp_type == LOG_APPEND_TIME:
            raise _two_append_times(index)
    if magic and last.offset == 0 != first.offset:
        raise EncodeError(
            "is 0, which in a wrapper says that inner offsets are absolute (KAFKA-5365)", path=(-1, "offset")
        )


def _inner_base(first: Record, magic: int) -> int:
    """Return what offsets in a wrapper count from: they are relative in v1 (KIP-31)."""
    return first.offset if magic else 0


def _wrapper_record(records: Sequence[Record], payload: bytes) -> Record:
    """Return the wrapper as a record: the offset of the last, the largest timestamp."""
    timestamp = max([record.timestamp for record in records])
    return Record(records[-1].offset, timestamp, records[0].timestamp_type, value=payload)


def _fits(record: Record, magic: int, index: int) -> None:
    """Refuse what v0 and v1 have no place for."""
    if record.headers:
        raise EncodeError(f"v{magic} has no headers", path=(index, "headers"))
    if (record.producer_id, record.producer_epoch, record.sequence) != (-1, -1, -1):
        raise EncodeError(f"v{magic} has no producers", path=(index, "producer_id"))
    if record.transactional or record.control:
        raise EncodeError(f"v{magic} has no transactions and no control records", path=(index, "transactional"))
    if magic == 0 and (record.timestamp != -1 or record.timestamp_type == LOG_APPEND_TIME):
        raise EncodeError("v0 has no timestamps", path=(index, "timestamp"))


def _message(record: Record, magic: int, attributes: int = 0) -> Any:
    if magic == 0:
        return structure("message_v0").type(attributes=attributes, key=record.key, value=record.value)
    attributes |= TIMESTAMP_TYPE_BIT * (record.timestamp_type == LOG_APPEND_TIME)
    return structure("message_v1").type(
        attributes=attributes, timestamp=record.timestamp, key=record.key, value=record.value
    )


def _entry(offset: int, message: Any) -> bytes:
    entry = structure("message_set_entry")
    return entry.encode(entry.type(offset=offset, message=message))
