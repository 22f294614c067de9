"""What kafka-python of all ages and its fork aiokafka share: a record's shape, the builders."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from batchwise import FIELDS, Row
from broker import check_producible, sequence_of, with_offsets
from python_adapter import Encode, Record

_ROOM = 1 << 30
"""Batch size that no answer reaches: the builder must never split."""


class State(NamedTuple):
    """What a batch tells of its records."""

    producer_id: int = -1
    producer_epoch: int = -1
    base_sequence: int = -1
    base_offset: int = 0
    transactional: bool = False
    control: bool = False
    codec: int = 0


ROW: Callable[[Any], Row] = attrgetter(*FIELDS)
"""Reads a record of a library in one step."""


def answer(row: Row, state: Sequence[Any]) -> Record:
    """Pass a record on as it came, with what its batch tells.

    Positional arguments and no look at anything twice: this is a good part of the time that the
    fast library takes.
    """
    producer_id, producer_epoch, base_sequence, base_offset, transactional, control, codec = state
    offset, timestamp, timestamp_type, key, value, headers = row
    return Record(
        offset,
        -1 if timestamp is None else timestamp,
        -1 if timestamp_type is None else timestamp_type,
        key,
        value,
        tuple([(name.encode(), content) for name, content in headers]) if headers else (),
        producer_id,
        producer_epoch,
        -1 if base_sequence < 0 else sequence_of(base_sequence, offset - base_offset),
        transactional,
        control,
        codec,
    )


def encoder(batch_builder: Any, legacy_builder: Any) -> Encode:  # noqa: ANN401 - the libraries' own classes
    """Make a function that writes one batch or message set with the builders of a producer."""

    def encode(magic: int, codec: int, records: list[Record]) -> bytes:
        check_producible(records)
        builder = _batch(batch_builder, codec, records[0]) if magic == 2 else legacy_builder(magic, codec, _ROOM)
        for record in records:
            headers = ([(key.decode(), value) for key, value in record.headers],) if magic == 2 else ()
            builder.append(
                record.offset - _base(magic, codec, records), record.timestamp, record.key, record.value, *headers
            )
        # The broker gives a batch the offset of its first record, and a wrapper that of its last
        # message.
        offsets = [records[0 if magic == 2 else -1].offset] if magic == 2 or codec else []
        return with_offsets(bytes(builder.build()), offsets)

    return encode


def _batch(builder: Any, codec: int, first: Record) -> Any:  # noqa: ANN401 - the libraries' own classes
    return builder(2, codec, first.transactional, first.producer_id, first.producer_epoch, first.sequence, _ROOM)


def _base(magic: int, codec: int, records: list[Record]) -> int:
    """Return the base of the builder's offsets: relative in batches and in wrappers of v1."""
    return records[0].offset if magic == 2 or (codec and magic == 1) else 0
