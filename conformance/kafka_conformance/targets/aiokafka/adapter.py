"""aiokafka behind the adapter protocol: what its own consumer does with a fetched record run.

The steps are those of `PartitionRecords._unpack_records` in aiokafka/consumer/fetcher.py, with `check_crcs` on, as it
is by
default: one checksum a batch or wrapper. Only the hiding of control batches is left out, because the records below it
    are the library's work and worth checking. The wheel's Cython readers are what runs; they tell no codec for
    formats v0 and v1, so codec is not declared.
"""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import aiokafka.codec
from aiokafka.errors import CorruptRecordException, UnsupportedCodecError
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.legacy_records import LegacyRecordBatchBuilder
from aiokafka.record.memory_records import MemoryRecords
from python_adapter import NO_TIMESTAMP, NotSupported, Record, sequence_of, serve, with_base_offset

_LZ4 = 3
_ROOM = 1 << 30
"""Batch size that no answer reaches: the builder must never split."""


def decode(data: bytes) -> Iterator[Record]:
    """Read a record run; raises whatever the library raises."""
    try:
        yield from _decode(data)
    except UnsupportedCodecError as error:
        # The library says so on purpose, for LZ4 in format v0; an unknown codec is refused in the same class.
        if "LZ4 is not supported" in str(error):
            raise NotSupported(str(error)) from None
        raise


def _decode(data: bytes) -> Iterator[Record]:
    records = MemoryRecords(data)
    while records.has_next():
        batch = records.next_batch()
        if not batch.validate_crc():
            raise CorruptRecordException("Invalid CRC")
        has_state = batch.producer_id is not None
        for record in batch:
            yield _record(record, _producer_state(batch, record) if has_state else {})


def encode(magic: int, codec: int, records: list[Record]) -> bytes:
    """Write one batch or message set with the library's builders."""
    if (magic, codec) == (0, _LZ4):
        raise NotSupported("LZ4 in format v0")
    if magic == 2:
        return _encode_batch(codec, records)
    return _encode_messages(magic, codec, records)


def _record(record: Any, state: dict[str, Any]) -> Record:  # noqa: ANN401 - the library's own objects
    return Record(
        offset=record.offset,
        timestamp=NO_TIMESTAMP if record.timestamp is None else record.timestamp,
        timestamp_type=-1 if record.timestamp_type is None else record.timestamp_type,
        key=record.key,
        value=record.value,
        headers=tuple((key.encode(), value) for key, value in record.headers),
        **state,
    )


def _producer_state(batch: Any, record: Any) -> dict[str, Any]:  # noqa: ANN401 - the library's own objects
    return {
        "producer_id": batch.producer_id,
        "producer_epoch": batch.producer_epoch,
        "sequence": sequence_of(batch.base_sequence, record.offset - batch.base_offset),
        "transactional": bool(batch.is_transactional),
        "control": bool(batch.is_control_batch),
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
    return ["none", *(name for name in ("gzip", "snappy", "lz4", "zstd") if getattr(aiokafka.codec, f"has_{name}")())]


if __name__ == "__main__":
    hello = {
        "name": "aiokafka",
        "version": version("aiokafka"),
        "language": "Python (Cython)",
        "formats": ["v0", "v1", "v2"],
        "codecs": _codecs(),
        "fields": [field for field in Record._fields if field != "codec"],
        "checks_crc": True,
        "url": "https://github.com/aio-libs/aiokafka",
    }
    serve(hello, decode, encode)
