"""kafka-python 2.0.2 behind the adapter protocol: its own consumer's reading of a fetched run.

This release, of 2020, is what many still run. The steps are those of `Fetcher._unpack_message_set`
in kafka/consumer/fetcher.py. Its consumer documents `check_crcs`, on by default, so a look at
checksums is declared; that nothing in it ever looks is for the suite to find. It unpacks a response
whole before it hands out a record. Batches do not tell their producer's id, epoch and sequence.
Since Python 3.12 the release does not import alone: its copy of six looks for modules in a way that
is gone, so a newer six stands in for that part.
"""

import sys
from collections.abc import Iterator
from importlib.metadata import version

import six

if sys.version_info >= (3, 12):
    sys.modules["kafka.vendor.six.moves"] = six.moves

import kafka.codec
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.legacy_records import LegacyRecordBatchBuilder
from kafka.record.memory_records import MemoryRecords
from kafka_python_family import ROW, State, answer, encoder
from python_adapter import Record, serve

_NOT_TOLD = {"producer_id", "producer_epoch", "sequence", "codec"}


def decode(data: bytes) -> list[Record]:
    """Read a record run; raises whatever the library raises."""
    return list(_decode(MemoryRecords(data)))


def _decode(records: MemoryRecords) -> Iterator[Record]:
    while (batch := records.next_batch()) is not None:
        state = State()
        if hasattr(batch, "is_control_batch"):  # format v2
            state = State(transactional=batch.is_transactional, control=batch.is_control_batch)
        for record in batch:
            yield answer(ROW(record), state)


def _codecs() -> list[str]:
    return ["none", *(name for name in ("gzip", "snappy", "lz4", "zstd") if getattr(kafka.codec, f"has_{name}")())]


if __name__ == "__main__":
    hello = {
        "name": "kafka-python-2",
        "version": version("kafka-python"),
        "language": "Python",
        "formats": ["v0", "v1", "v2"],
        "codecs": _codecs(),
        "fields": [field for field in Record._fields if field not in _NOT_TOLD],
        "checks_crc": True,
        "url": "https://github.com/dpkp/kafka-python",
    }
    serve(hello, decode, encoder(DefaultRecordBatchBuilder, LegacyRecordBatchBuilder))
