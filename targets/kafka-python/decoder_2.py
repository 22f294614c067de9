"""kafka-python 2.0.2 behind the adapter protocol: its own consumer's reading of a fetched run.

This release, of 2020, is what many still run. The steps are those of `Fetcher._unpack_message_set`
in kafka/consumer/fetcher.py. Its consumer documents `check_crcs`, on by default, so a look at
checksums is declared; that nothing in it ever looks is for the suite to find. It unpacks a response
whole before it hands out a record. Batches do not tell their producer's id, epoch and sequence.
Since Python 3.12 the release does not import alone: its copy of six looks for modules in a way that
is gone, so a newer six stands in for that part.

Requests and responses are read with the structs of `kafka.protocol`, and written again. No version
that 2.0.2 knows has tagged fields; later releases say of some that they have.
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
from kafka.protocol import api as headers
from kafka.protocol.api import Request
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


_MODULES = [
    *("admin", "commit", "fetch", "group", "metadata", "offset", "produce"),
    # from 2.1 on, most APIs have a module of their own
    *("add_offsets_to_txn", "add_partitions_to_txn", "api_versions", "broker_api_versions", "end_txn"),
    *("find_coordinator", "init_producer_id", "list_offsets", "offset_for_leader_epoch", "sasl_authenticate"),
    *("sasl_handshake", "txn_offset_commit"),
]


def _structs() -> dict[tuple[int, int], Any]:
    """Return the structs of requests by API and version."""
    for module in _MODULES:
        if find_spec(f"kafka.protocol.{module}"):
            import_module(f"kafka.protocol.{module}")
    return {(struct_class.API_KEY, struct_class.API_VERSION): struct_class for struct_class in Request.__subclasses__()}


_STRUCTS = _structs()


def _has_tags(struct: Any, request: Any) -> bool:  # noqa: ANN401 - the library's own classes
    """Tell whether the library expects tagged fields in the header of a request or response."""
    says = struct if hasattr(headers.Response, "FLEXIBLE_VERSION") else request  # up to 2.0 requests say it for both
    return bool(getattr(says, "FLEXIBLE_VERSION", False))


def message(kind: int, api: int, number: int, data: bytes) -> bytes:
    """Read a request (kind 0) or response and write it again."""
    request = _STRUCTS.get((api, number))
    if request is None:
        raise NotSupported(f"there is no version {number} of API {api}")
    struct = request.RESPONSE_TYPE if kind else request
    if _has_tags(struct, request):
        header = (headers.ResponseHeaderV2 if kind else headers.RequestHeaderV2).SCHEMA
    else:
        header = Int32 if kind else headers.RequestHeader.SCHEMA
    wire = BytesIO(data)
    return b"".join([schema.encode(schema.decode(wire)) for schema in (header, struct.SCHEMA)])


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
