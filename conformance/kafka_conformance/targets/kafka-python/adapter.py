"""kafka-python behind the adapter protocol: what its own consumer does with a fetched record run.

The steps are those of `Fetcher.PartitionRecords._unpack_records` in kafka/consumer/fetcher.py, with `check_crcs` on,
as it is by default: every batch's checksum, then every record's (the inner messages of a v1 wrapper have one each).
Only one step is left out, the hiding of control batches, because the records below it are the library's work and
worth checking.
"""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import kafka.codec
from kafka.errors import CorruptRecordError
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.legacy_records import LegacyRecordBatchBuilder
from kafka.record.memory_records import MemoryRecords
from kafka_python_family import State, answer, encoder
from python_adapter import Record, serve


def decode(data: bytes) -> Iterator[Record]:
    """Read a record run; raises whatever the library raises."""
    for batch in MemoryRecords(data):
        if not batch.validate_crc():
            raise CorruptRecordError(f"Record batch at offset {batch.base_offset} failed crc check")
        state = _state(batch)
        for record in batch:
            if not record.validate_crc():
                raise CorruptRecordError(f"Record at offset {record.offset} failed crc check")
            yield answer(record, state)


def _state(batch: Any) -> State:  # noqa: ANN401 - the library's own objects
    if batch.magic < 2:
        return State(codec=batch.compression_type)
    producer = (batch.producer_id, batch.producer_epoch, batch.base_sequence)
    return State(*producer, batch.base_offset, batch.is_transactional, batch.is_control_batch, batch.compression_type)


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
    serve(hello, decode, encoder(DefaultRecordBatchBuilder, LegacyRecordBatchBuilder))
