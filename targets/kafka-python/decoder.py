"""kafka-python behind the adapter protocol: what its own consumer does with a fetched record run.

The steps are those of `Fetcher.PartitionRecords._unpack_records` in kafka/consumer/fetcher.py, with
`check_crcs` on, as it is by default: every batch's checksum, then every record's (the inner
messages of a v1 wrapper have one each). Only one step is left out, the hiding of control batches,
because the records below it are the library's work and worth checking.

Requests and responses are read with the classes of `kafka.protocol`, as its connections do, and
written again.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from operator import attrgetter
from typing import Any

import kafka.codec
from batchwise import Batchwise, Run
from kafka.errors import CorruptRecordError
from kafka.protocol.api_message import ApiMessage
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.legacy_records import LegacyRecordBatchBuilder
from kafka.record.memory_records import MemoryRecords
from kafka_python_family import ROW, State, answer, encoder
from python_adapter import NotSupported, Record, serve

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


def _messages() -> dict[tuple[bool, int], Any]:
    """Return the classes of requests and responses by whether it is a request, and the API."""
    for module in ("admin", "consumer", "metadata", "producer", "sasl"):
        import_module(f"kafka.protocol.{module}")
    classes, by_api = ApiMessage.__subclasses__(), dict[tuple[bool, int], Any]()
    while classes:
        message_class = classes.pop()
        classes += message_class.__subclasses__()
        if getattr(message_class, "_json", None) is not None:  # a class that has a schema
            by_api.setdefault((message_class.is_request(), message_class.API_KEY), message_class)
    return by_api


_MESSAGES = _messages()


def message(kind: int, api: int, version: int, data: bytes) -> bytes:
    """Read a request (kind 0) or response and write it again."""
    message_class = _MESSAGES.get((kind == 0, api))
    if message_class is None or not message_class.valid_versions[0] <= version <= message_class.max_version:
        raise NotSupported(f"there is no version {version} of API {api}")
    decoded = message_class.decode(data, version=version, header=True)
    header = decoded.encode_header(flexible=message_class.flexible_version_q(version))
    decoded._header = None  # noqa: SLF001 - that of a response cannot take the version which `encode` puts into it
    return bytes(header) + bytes(decoded.encode(version=version))


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
        "apis": {"form": "bytes"},
        "url": "https://github.com/dpkp/kafka-python",
    }
    encode = encoder(DefaultRecordBatchBuilder, LegacyRecordBatchBuilder)
    serve(hello, decode, encode, message)
