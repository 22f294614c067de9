"""kafka-python 2.0.2 behind the adapter protocol: its own consumer's reading of a fetched run.

This release, of 2020, is what many still run. The steps are those of `Fetcher._unpack_message_set`
in kafka/consumer/fetcher.py. Its consumer documents `check_crcs`, on by default, so a look at
checksums is declared; that nothing in it ever looks is for the suite to find. It unpacks a response
whole before it hands out a record. Batches do not tell their producer's id, epoch and sequence.
Since Python 3.12 the release does not import alone: its copy of six looks for modules in a way that
is gone, so a newer six stands in for that part.

Requests and responses are read with the structs of `kafka.protocol`, and written again; no version
that it knows has tagged fields.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from io import BytesIO
from typing import Any

import six

if sys.version_info >= (3, 12):
    sys.modules["kafka.vendor.six.moves"] = six.moves

import kafka.codec
from kafka.protocol.api import Request, RequestHeader
from kafka.protocol.types import Int32
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.legacy_records import LegacyRecordBatchBuilder
from kafka.record.memory_records import MemoryRecords
from kafka_python_family import ROW, State, answer, encoder
from python_adapter import NotSupported, Record, serve

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


def _structs() -> dict[tuple[int, int], Any]:
    """Return the structs of requests by API and version."""
    if find_spec("kafka.protocol.list_offsets"):  # from 2.1 on, headers and structs are others
        return {}
    for module in ("admin", "commit", "fetch", "group", "metadata", "offset", "produce"):
        import_module(f"kafka.protocol.{module}")
    return {(struct_class.API_KEY, struct_class.API_VERSION): struct_class for struct_class in Request.__subclasses__()}


_STRUCTS = _structs()


def message(kind: int, api: int, number: int, data: bytes) -> bytes:
    """Read a request (kind 0) or response and write it again."""
    request = _STRUCTS.get((api, number))
    if request is None:
        raise NotSupported(f"there is no version {number} of API {api}")
    schemas = (Int32, request.RESPONSE_TYPE.SCHEMA) if kind else (RequestHeader.SCHEMA, request.SCHEMA)
    wire = BytesIO(data)
    return b"".join([schema.encode(schema.decode(wire)) for schema in schemas])


def _codecs() -> list[str]:
    def has(name: str) -> bool:
        return bool(getattr(kafka.codec, f"has_{name}", bool)())  # 1.4 has no zstd

    return ["none", *(name for name in ("gzip", "snappy", "lz4", "zstd") if has(name))]


if __name__ == "__main__":
    hello = {
        "name": "kafka-python-2",
        "version": version("kafka-python"),
        "language": "Python",
        "formats": ["v0", "v1", "v2"],
        "codecs": _codecs(),
        "fields": [field for field in Record._fields if field not in _NOT_TOLD],
        "checks_crc": True,
        **({"apis": {"form": "bytes"}} if _STRUCTS else {}),
        "url": "https://github.com/dpkp/kafka-python",
    }
    serve(hello, decode, encoder(DefaultRecordBatchBuilder, LegacyRecordBatchBuilder), message)
