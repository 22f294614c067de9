"""kafka-python behind the adapter protocol: what its own consumer does with a fetched record run.

The steps are those of `Fetcher.PartitionRecords._unpack_records` in kafka/consumer/fetcher.py, with `check_crcs` on,
as it is by
default: every batch's checksum, then every record's (the inner messages of a v1 wrapper have one each). Only one step
    is left out, the hiding of control batches, because the records below it are the library's work and worth
    checking.
"""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import kafka.codec
from kafka.errors import CorruptRecordError
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.legacy_records import LegacyRecordBatchBuilder
from kafka.record.memory_records import MemoryRecords
from python_adapter import NO_TIMESTAMP, NotSupported, Record, sequence_of, serve, with_base_offset

_ROOM = 1 << 30
"""Batch size that no answer reaches: the builder must never split."""


def decode(data: bytes) -> Iterator[Record]:
    """Read a record run; raises whatever the library raises."""
    for batch in MemoryRecords(data):
        if not batch.validate_crc():
            raise CorruptRecordError(f"Record batch at offset {batch.base_offset} failed crc check")
        state = _producer_state(batch) if batch.magic >= 2 else {}
        for record in batch:
            if not record.validate_crc():
                raise CorruptRecordError(f"Record at offset {record.offset} failed crc check")
            yield _record(record, batch, state)


def encode(magic: int, codec: int, records: list[Record]) -> bytes:
    """Write one batch or message set with the library's builders."""
    if magic == 2:
        return _encode_batch(codec, records)
    return _encode_messages(magic, codec, records)


def _record(record: Any, batch: Any, state: dict[str, Any]) -> Record:  # noqa: ANN401 - the library's own objects
    fields = dict(state)
    if fields:
        fields["sequence"] = sequence_of(batch.base_sequence, record.offset - batch.base_offset)
    return Record(
        offset=record.offset,
        timestamp=NO_TIMESTAMP if record.timestamp is None else record.timestamp,
        timestamp_type=-1 if record.timestamp_type is None else record.timestamp_type,
        key=record.key,
        value=record.value,
        headers=tuple((key.encode(), value) for key, value in record.headers),
        codec=batch.compression_type,
        **fields,
    )


def _producer_state(batch: Any) -> dict[str, Any]:  # noqa: ANN401 - the library's own objects
    return {
        "producer_id": batch.producer_id,
        "producer_epoch": batch.producer_epoch,
        "transactional": batch.is_transactional,
        "control": batch.is_control_batch,
    }


def _encode_batch(codec: int, records: list[Record]) -> bytes:
    first = records[0]
    if first.control or first.timestamp_type == 1:
        raise NotSupported("the builder writes neither control batches nor log append time")
    builder = DefaultRecordBatchBuilder(
        2, codec, first.transactional, first.producer_id, first.producer_epoch, first.sequence, _ROOM
    )
    for record in records:
        headers = [(key.decode(), value) for key, value in record.headers]
        builder.append(record.offset - first.offset, record.timestamp, record.key, record.value, headers)
    return with_base_offset(bytes(builder.build()), first.offset)


def _encode_messages(magic: int, codec: int, records: list[Record]) -> bytes:
    if any(record.timestamp_type == 1 for record in records):
        raise NotSupported("the builder does not write log append time")
    base = records[0].offset if codec and magic == 1 else 0
    builder = LegacyRecordBatchBuilder(magic, codec, _ROOM)
    for record in records:
        builder.append(record.offset - base, record.timestamp, record.key, record.value)
    messages = bytes(builder.build())
    # The broker gives a wrapper the offset of its last message.
    return with_base_offset(messages, records[-1].offset) if codec else messages


def _codecs() -> list[str]:
    return ["none", *(name for name in ("gzip", "snappy", "lz4", "zstd") if getattr(kafka.codec, f"has_{name}")())]


if __name__ == "__main__":
    hello = {
        "name": "kafka-python",
        "version": version("kafka-python"),
        "language": "Python",
        "formats": ["v0", "v1", "v2"],
        "codecs": _codecs(),
        "fields": list(Record._fields),
        "checks_crc": True,
        "url": "https://github.com/dpkp/kafka-python",
    }
    serve(hello, decode, encode)
