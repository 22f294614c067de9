"""From records to the bytes that a producer or broker would write: one batch of v2, or a message set of v0 or v1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kafka_format import compression, structure
from kafka_format.errors import EncodeError
from kafka_format.records.model import (
    CONTROL_BIT,
    LOG_APPEND_TIME,
    TIMESTAMP_TYPE_BIT,
    TRANSACTIONAL_BIT,
    Record,
    sequence_of,
)

_SHARED = ("timestamp_type", "producer_id", "producer_epoch", "transactional", "control")


def encode(records: Sequence[Record], *, magic: int = 2, codec: str = "none") -> bytes:
    """Write records as one batch (magic 2), or as messages or one wrapper (magic 0 and 1). No records give no bytes.

    Offsets are kept: the first is the base, the others may leave gaps. The record's own `codec` is not looked at.

    Raises:
        EncodeError: the format cannot hold what a record has, or the records cannot share a batch.
    """
    if codec not in compression.NAMES:
        raise EncodeError(f"there is no codec `{codec}`; there are {', '.join(compression.NAMES)}", path="codec")
    if not records:
        return b""
    if magic == 2:
        return _batch(records, codec)
    if magic in (0, 1):
        return _message_set(records, magic, codec)
    raise EncodeError(f"is {magic}; there are 0, 1 and 2", path="magic")


def _batch(records: Sequence[Record], codec: str) -> bytes:
    first = records[0]
    for index, record in enumerate(records):
        for name in _SHARED:
            if getattr(record, name) != getattr(first, name):
                raise EncodeError(
                    "differs from the first record's, so they cannot share a batch", path=f"[{index}].{name}"
                )
        if record.sequence != sequence_of(first.sequence, record.offset - first.offset):
            raise EncodeError("does not follow from the first record's", path=f"[{index}].sequence")
    batch = structure("record_batch")
    appended = first.timestamp_type == LOG_APPEND_TIME
    attributes = compression.NAMES.index(codec) | TIMESTAMP_TYPE_BIT * appended
    attributes |= TRANSACTIONAL_BIT * first.transactional | CONTROL_BIT * first.control
    value = batch.type(
        base_offset=first.offset,
        attributes=attributes,
        base_timestamp=first.timestamp,
        max_timestamp=max(record.timestamp for record in records),
        producer_id=first.producer_id,
        producer_epoch=first.producer_epoch,
        base_sequence=first.sequence,
        records=_items(records, first),
    )
    return batch.encode(value)


def _items(records: Sequence[Record], first: Record) -> list[Any]:
    item, header = structure("record").type, structure("header").type
    return [
        item(
            timestamp_delta=record.timestamp - first.timestamp,
            offset_delta=record.offset - first.offset,
            key=record.key,
            value=record.value,
            headers=[header._make(one) for one in record.headers],
        )
        for record in records
    ]


def _message_set(records: Sequence[Record], magic: int, codec: str) -> bytes:
    for index, record in enumerate(records):
        _fits(record, magic, index)
    if codec == "none":
        return b"".join(_entry(record.offset, _message(record, magic)) for record in records)
    if codec == "zstd":
        raise EncodeError(f"zstd is not allowed in v{magic}; it came with v2 batches (KIP-110)", path="codec")
    first, last = records[0], records[-1]
    base = first.offset if magic else 0
    inner = b"".join(
        _entry(record.offset - base, _message(record._replace(timestamp_type=0), magic)) for record in records
    )
    timestamp = max(record.timestamp for record in records)
    payload = compression.compress(codec, inner, magic=magic)
    wrapper = Record(last.offset, timestamp, first.timestamp_type, value=payload)
    return _entry(last.offset, _message(wrapper, magic, compression.NAMES.index(codec)))


def _fits(record: Record, magic: int, index: int) -> None:
    """Refuse what v0 and v1 have no place for."""
    if record.headers:
        raise EncodeError(f"v{magic} has no headers", path=f"[{index}].headers")
    if record.producer_id != -1 or record.transactional or record.control:
        raise EncodeError(f"v{magic} has no producers, transactions or control records", path=f"[{index}].producer_id")
    if magic == 0 and record.timestamp != -1:
        raise EncodeError("v0 has no timestamps", path=f"[{index}].timestamp")


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
