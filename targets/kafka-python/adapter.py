"""kafka-python behind the adapter protocol: what its own consumer does with a fetched record run.

The steps are those of `Fetcher.PartitionRecords._unpack_records` in kafka/consumer/fetcher.py, with `check_crcs` on,
as it is by default: every batch's checksum, then every record's (the inner messages of a v1 wrapper have one each).
Only one step is left out, the hiding of control batches, because the records below it are the library's work and
worth checking.
"""

from collections.abc import Callable, Iterator
from importlib.metadata import version
from operator import attrgetter
from typing import Any

import kafka.codec
from batchwise import Batchwise, Run
from kafka.errors import CorruptRecordError
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.legacy_records import LegacyRecordBatchBuilder
from kafka.record.memory_records import MemoryRecords
from kafka_python_family import ROW, State, answer, encoder
from python_adapter import Record, serve

_V2 = 2
_STATE: Callable[[Any], tuple[int, ...]] = attrgetter(
    *("producer_id", "producer_epoch", "base_sequence", "base_offset"),
    *("is_transactional", "is_control_batch", "compression_type"),
)
"""Reads all fields of a `State` in one step."""


def read(data: bytes) -> Iterator[Run]:
    """Read a record run, batch by batch; raises whatever the library raises."""
    for batch in MemoryRecords(data):
        if not batch.validate_crc():
            raise CorruptRecordError(f"Record batch at offset {batch.base_offset} failed crc check")
        # Records of v2 have no checksum of their own: their `validate_crc` is `return True`.
        yield _state(batch), map(ROW, batch if batch.magic == _V2 else map(_checked, batch))


def _checked(record: Any) -> Any:  # noqa: ANN401 - the library's own objects
    if not record.validate_crc():
        raise CorruptRecordError(f"Record at offset {record.offset} failed crc check")
    return record


decode = Batchwise(read, answer)


def _state(batch: Any) -> tuple[int, ...]:  # noqa: ANN401 - the library's own objects
    return _STATE(batch) if batch.magic == _V2 else State(codec=batch.compression_type)


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
    encode = encoder(DefaultRecordBatchBuilder, LegacyRecordBatchBuilder)
    serve(hello, decode, encode)
