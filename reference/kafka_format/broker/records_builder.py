"""Writes records anew as a broker does, with clients MemoryRecordsBuilder.

A broker writes records itself when it cannot keep the producer's bytes: for another format, another
codec, or offsets that do not count from 0. What it writes differs from what
`kafka_format.records.encode` gives for the records that a consumer sees: with log append time the
records of a v2 batch keep their own timestamps, and inner messages of v1 carry the append time and
its bit themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kafka_format import compression
from kafka_format.codec.compiler import structure
from kafka_format.errors import FormatError, Stage
from kafka_format.primitives.integers import INT32_MAX, int64
from kafka_format.records.model import (
    CREATE_TIME,
    LOG_APPEND_TIME,
    NO_TIMESTAMP,
    TIMESTAMP_TYPE_BIT,
    TRANSACTIONAL_BIT,
    Record,
)


class BuilderSettings(NamedTuple):
    """The settings for writing records.

    Attributes:
        magic: 0, 1 or 2.
        codec: name of the codec.
        base_offset: what offsets are counted from, in a v2 batch and in a v1 wrapper.
        timestamp_type: 0 create time, 1 log append time.
        append_time: milliseconds, for log append time.
        producer_id: -1 for none; v2 only, like all that follow.
        producer_epoch: -1 for none.
        base_sequence: -1 for none.
        transactional: True if the batch belongs to a transaction.
        leader_epoch: -1 for unknown.
    """

    magic: int
    codec: str
    base_offset: int
    timestamp_type: int = CREATE_TIME
    append_time: int = NO_TIMESTAMP
    producer_id: int = -1
    producer_epoch: int = -1
    base_sequence: int = -1
    transactional: bool = False
    leader_epoch: int = -1

    @property
    def appended(self) -> bool:
        """Whether the broker's clock gives the timestamps."""
        return self.timestamp_type == LOG_APPEND_TIME


def max_timestamp(records: Sequence[Record], settings: BuilderSettings) -> int:
    """Return the largest timestamp as the broker notes it: -1 if there is none."""
    if settings.appended:
        return settings.append_time
    return max((record.timestamp for record in records), default=NO_TIMESTAMP) if settings.magic else NO_TIMESTAMP


def write(records: Sequence[Record], settings: BuilderSettings) -> bytes:
    """Write records as one batch or wrapper, or as messages one after another.

    Only the offset, timestamp, key, value and headers of the records are used; the rest is in the
    settings.

    Raises:
        FormatError: the format cannot hold the records, or a broker refuses to write them.
    """
    _check_codec(settings)
    previous = None
    for index, record in enumerate(records):
        _check(index, record, previous, settings)
        previous = record.offset
    if not records:
        return b""
    return _batch(records, settings) if settings.magic == 2 else _legacy(records, settings)


def refusal(rule: str, detail: str, *path: str | int, offset: int = 0, entry: int | None = None) -> FormatError:
    """Return the error of a broker that refuses well-formed entries."""
    return FormatError(detail, rule=rule, stage=Stage.SEMANTICS, offset=offset, path=path, entry=entry)


def _check_codec(settings: BuilderSettings) -> None:
    if settings.codec == "zstd" and settings.magic < 2:
        raise refusal("conversion.zstd.refused", f"zstd is not allowed in v{settings.magic}", "attributes")


def _check(index: int, record: Record, previous: int | None, settings: BuilderSettings) -> None:
    """Refuse what MemoryRecordsBuilder.appendWithOffset refuses."""
    path = ("records", index)
    if previous is not None and record.offset <= previous:
        detail = f"{record.offset} follows {previous}"
        raise refusal("conversion.offsets.increase", detail, *path, "offset")
    if record.timestamp < NO_TIMESTAMP:
        detail = f"is {record.timestamp}, less than -1"
        raise refusal("conversion.timestamp.not-negative", detail, *path, "timestamp")
    if record.headers and settings.magic < 2:
        raise refusal("offsets.headers.refused", f"v{settings.magic} has no headers", *path, "headers")
    if record.offset - settings.base_offset > INT32_MAX:
        detail = f"{record.offset} is too far from the base offset {settings.base_offset}"
        raise refusal("conversion.offsets.within-int32", detail, *path, "offset")


def _batch(records: Sequence[Record], settings: BuilderSettings) -> bytes:
    batch, item = structure("record_batch"), structure("record").type
    base_timestamp = records[0].timestamp
    attributes = compression.NAMES.index(settings.codec)
    attributes |= TIMESTAMP_TYPE_BIT * settings.appended | TRANSACTIONAL_BIT * settings.transactional
    items = []
    for record in records:
        deltas = int64(record.timestamp - base_timestamp), record.offset - settings.base_offset
        items.append(item(None, 0, *deltas, record.key, record.value, None, record.headers))
    value = batch.type(
        base_offset=settings.base_offset,
        partition_leader_epoch=settings.leader_epoch,
        attributes=attributes,
        base_timestamp=base_timestamp,
        max_timestamp=max_timestamp(records, settings),
        producer_id=settings.producer_id,
        producer_epoch=settings.producer_epoch,
        base_sequence=settings.base_sequence,
        records=items,
    )
    return batch.encode(value)


def _legacy(records: Sequence[Record], settings: BuilderSettings) -> bytes:
    base = _inner_base(settings)
    written = b"".join([_entry(record.offset - base, _message(record, settings)) for record in records])
    if settings.codec == "none":
        return written
    return _entry(records[-1].offset, _wrapper(records, written, settings))


def _inner_base(settings: BuilderSettings) -> int:
    """Return the base of inner offsets: in wrappers of v1 they are relative (KIP-31)."""
    return settings.base_offset if settings.magic and settings.codec != "none" else 0


def _wrapper(records: Sequence[Record], written: bytes, settings: BuilderSettings) -> Any:
    """Return the message that holds these records, `written` as a message set."""
    payload = compression.compress(settings.codec, written, magic=settings.magic)
    message = _message(Record(0, max_timestamp(records, settings), value=payload), settings)
    return message._replace(attributes=message.attributes | compression.NAMES.index(settings.codec))


def _message(record: Record, settings: BuilderSettings) -> Any:
    if settings.magic == 0:
        return structure("message_v0").type(attributes=0, key=record.key, value=record.value)
    return structure("message_v1").type(
        attributes=TIMESTAMP_TYPE_BIT * settings.appended,
        timestamp=settings.append_time if settings.appended else record.timestamp,
        key=record.key,
        value=record.value,
    )


def _entry(offset: int, message: Any) -> bytes:
    entry = structure("message_set_entry")
    return entry.encode(entry.type(offset=offset, message=message))
