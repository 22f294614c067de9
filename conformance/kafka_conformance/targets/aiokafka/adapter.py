"""aiokafka behind the adapter protocol: what its own consumer does with a fetched record run.

The steps are those of `PartitionRecords._unpack_records` in aiokafka/consumer/fetcher.py, with `check_crcs` on, as it
is by default: one checksum a batch or wrapper. Only the hiding of control batches is left out, because the records
below it are the library's work and worth checking.

The wheel's Cython readers are what runs, or those in Python where AIOKAFKA_NO_EXTENSIONS is set (the target
aiokafka-pure). The former tell no codec for formats v0 and v1, so codec is not declared.
"""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import aiokafka.codec
from aiokafka.errors import CorruptRecordException, UnsupportedCodecError
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.legacy_records import LegacyRecordBatchBuilder
from aiokafka.record.memory_records import MemoryRecords
from aiokafka.util import NO_EXTENSIONS
from kafka_python_family import State, answer, encoder
from python_adapter import NotSupported, Record, serve

_LZ4 = 3
_encode = encoder(DefaultRecordBatchBuilder, LegacyRecordBatchBuilder)


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
        state = _state(batch)
        for record in batch:
            yield answer(record, state)


def encode(magic: int, codec: int, records: list[Record]) -> bytes:
    """Write one batch or message set with the library's builders."""
    if (magic, codec) == (0, _LZ4):
        raise NotSupported("LZ4 in format v0")
    return _encode(magic, codec, records)


def _state(batch: Any) -> State:  # noqa: ANN401 - the library's own objects
    if batch.producer_id is None:  # formats v0 and v1
        return State()
    producer = (batch.producer_id, batch.producer_epoch, batch.base_sequence)
    return State(*producer, batch.base_offset, bool(batch.is_transactional), bool(batch.is_control_batch))


def _codecs() -> list[str]:
    return ["none", *(name for name in ("gzip", "snappy", "lz4", "zstd") if getattr(aiokafka.codec, f"has_{name}")())]


if __name__ == "__main__":
    hello = {
        "name": "aiokafka-pure" if NO_EXTENSIONS else "aiokafka",
        "version": version("aiokafka"),
        "language": "Python" if NO_EXTENSIONS else "Python (Cython)",
        "formats": ["v0", "v1", "v2"],
        "codecs": _codecs(),
        "fields": [field for field in Record._fields if field != "codec"],
        "checks_crc": True,
        "url": "https://github.com/aio-libs/aiokafka",
    }
    serve(hello, decode, encode)
