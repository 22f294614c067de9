"""What kafka-python, in old releases too, and its fork aiokafka share: the shape of a record, and the builders."""

from typing import Any

from broker import check_producible, with_offsets
from python_adapter import Encode, Record

_ROOM = 1 << 30
"""Batch size that no answer reaches: the builder must never split."""


def answer(record: Any, **state: Any) -> Record:  # noqa: ANN401 - the libraries' own objects
    """Pass a record on as it came, with what its batch tells."""
    return Record(
        offset=record.offset,
        timestamp=-1 if record.timestamp is None else record.timestamp,
        timestamp_type=-1 if record.timestamp_type is None else record.timestamp_type,
        key=record.key,
        value=record.value,
        headers=tuple((key.encode(), value) for key, value in record.headers),
        **state,
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
        # The broker gives a batch the offset of its first record, and a wrapper that of its last message.
        offsets = [records[0 if magic == 2 else -1].offset] if magic == 2 or codec else []
        return with_offsets(bytes(builder.build()), offsets)

    return encode


def _batch(builder: Any, codec: int, first: Record) -> Any:  # noqa: ANN401 - the libraries' own classes
    return builder(2, codec, first.transactional, first.producer_id, first.producer_epoch, first.sequence, _ROOM)


def _base(magic: int, codec: int, records: list[Record]) -> int:
    """What the offsets that the builder is given count from: those in batches and v1 wrappers are relative."""
    return records[0].offset if magic == 2 or (codec and magic == 1) else 0
