"""A record as a consumer gets it, and the few numbers that records of all formats share."""

from __future__ import annotations

from typing import Final, NamedTuple

from kafka_format.primitives.integers import INT32_MAX
from kafka_format.spec.layout import find

NO_TIMESTAMP: Final = -1
NO_PRODUCER: Final = -1
NO_EPOCH: Final = -1
NO_SEQUENCE: Final = -1
"""The numbers of fields that have no value."""

CREATE_TIME: Final = 0
LOG_APPEND_TIME: Final = 1

_ATTRIBUTES: Final = find("record_batch").field("attributes")
CODEC_MASK: Final = _ATTRIBUTES.part("codec").in_place
TIMESTAMP_TYPE_BIT: Final = _ATTRIBUTES.part("timestamp_type").in_place
TRANSACTIONAL_BIT: Final = _ATTRIBUTES.part("is_transactional").in_place
CONTROL_BIT: Final = _ATTRIBUTES.part("is_control").in_place
DELETE_HORIZON_BIT: Final = _ATTRIBUTES.part("has_delete_horizon").in_place
"""Bits of the attributes of a batch; the codec and the timestamp type of messages stand in the same
places."""

_HIGHEST_SEQUENCE: Final = INT32_MAX


class Header(NamedTuple):
    """A record header. The key is UTF-8, kept as bytes."""

    key: bytes
    value: bytes | None


class Record(NamedTuple):
    """One record as a consumer gets it.

    Attributes:
        offset: absolute offset.
        timestamp: milliseconds since 1970-01-01 UTC; -1 for none.
        timestamp_type: -1 none (v0), 0 create time, 1 log append time.
        key: bytes, or None for null.
        value: bytes, or None for null (a tombstone).
        headers: in wire order; keys may repeat.
        producer_id: -1 for none.
        producer_epoch: -1 for none.
        sequence: sequence of this record; -1 for none.
        transactional: True if its batch belongs to a transaction.
        control: True if it is a control record, which no application may see.
        codec: number of the codec of its batch or wrapper.
    """

    offset: int
    timestamp: int = NO_TIMESTAMP
    timestamp_type: int = CREATE_TIME
    key: bytes | None = None
    value: bytes | None = None
    headers: tuple[Header, ...] = ()
    producer_id: int = NO_PRODUCER
    producer_epoch: int = NO_EPOCH
    sequence: int = NO_SEQUENCE
    transactional: bool = False
    control: bool = False
    codec: int = 0


def sequence_of(base_sequence: int, offset_delta: int) -> int:
    """Return the sequence of a record: -1 if its batch has none.

    After 2147483647 comes 0 (clients DefaultRecordBatch.incrementSequence). A negative delta, which
    no writer makes, gives what Java's 32 bits give there.
    """
    if base_sequence < 0:
        return -1
    number = base_sequence + offset_delta
    if offset_delta >= 0 and number <= _HIGHEST_SEQUENCE:
        return number
    wrapped = number - _HIGHEST_SEQUENCE - 1
    return wrapped if wrapped >= -_HIGHEST_SEQUENCE - 1 else wrapped + 2 * (_HIGHEST_SEQUENCE + 1)
