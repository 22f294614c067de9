"""aiokafka behind the adapter protocol: what its own consumer does with a fetched record run.

The steps are those of `PartitionRecords._unpack_records` in aiokafka/consumer/fetcher.py, with
`check_crcs` on, as it is by default: one checksum a batch or wrapper. Only the hiding of control
batches is left out, because the records below it are the library's work and worth checking.

The wheel's Cython readers are what runs, or those in Python where AIOKAFKA_NO_EXTENSIONS is set
(the target aiokafka-pure). The former tell no codec for formats v0 and v1, so codec is not
declared.

Requests and responses are read with the structs of `aiokafka.protocol`, and written again.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from io import BytesIO
from operator import attrgetter
from typing import Any

from aiokafka.errors import CorruptRecordException
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.legacy_records import LegacyRecordBatchBuilder
from aiokafka.record.memory_records import MemoryRecords
from aiokafka.util import NO_EXTENSIONS
from batchwise import Batchwise, Run
from kafka_python_family import ROW, State, answer, encoder
from python_adapter import NotSupported, Record, serve

try:
    messages: Any = import_module("aiokafka.protocol.api")
    codec: Any = import_module("aiokafka.codec")
except ImportError:  # up to 0.8, both were kafka-python's
    messages, codec = None, import_module("kafka.codec")
try:
    from aiokafka.errors import UnsupportedCodecError
except ImportError:  # up to 0.7
    from kafka.errors import UnsupportedCodecError

_LZ4 = 3
_NO_STATE = State()
"""Formats v0 and v1 have nothing to tell."""

_STATE: Callable[[Any], tuple[int, ...]] = attrgetter(
    "producer_id", "producer_epoch", "base_sequence", "base_offset", "is_transactional", "is_control_batch"
)
"""Reads all fields of a `State` but the codec, in one step."""

_encode = encoder(DefaultRecordBatchBuilder, LegacyRecordBatchBuilder)


def read(data: bytes) -> Iterator[Run]:
    """Read a record run, batch by batch; raises whatever the library raises."""
    try:
        yield from _read(data)
    except UnsupportedCodecError as error:
        # The library says so on purpose, for LZ4 in format v0; an unknown codec is refused in the
        # same class.
        if "LZ4 is not supported" in str(error):
            raise NotSupported(str(error)) from None
        raise


def _read(data: bytes) -> Iterator[Run]:
    entries = MemoryRecords(data)
    while entries.has_next():
        batch = entries.next_batch()
        if not batch.validate_crc():
            raise CorruptRecordException("Invalid CRC")
        yield _state(batch), map(ROW, batch)


decode = Batchwise(read, answer)


def encode(magic: int, codec: int, records: list[Record]) -> bytes:
    """Write one batch or message set with the library's builders."""
    if (magic, codec) == (0, _LZ4):
        raise NotSupported("LZ4 in format v0")
    return _encode(magic, codec, records)


def _state(batch: Any) -> tuple[int, ...]:  # noqa: ANN401 - the library's own objects
    return _NO_STATE if batch.producer_id is None else (*_STATE(batch), 0)


def _structs() -> dict[tuple[int, int], Any]:
    """Return the structs of requests by API and version."""
    if messages is None:
        return {}
    for module in ("admin", "commit", "coordination", "fetch", "group", "metadata", "offset", "produce", "transaction"):
        import_module(f"aiokafka.protocol.{module}")
    base = messages.RequestStruct if hasattr(messages, "RequestStruct") else messages.Request  # up to 0.12
    return {(struct_class.API_KEY, struct_class.API_VERSION): struct_class for struct_class in base.__subclasses__()}


_STRUCTS = _structs()
_HEADERS = [
    ("RequestHeader_v1", "RequestHeader_v2", "ResponseHeader_v0", "ResponseHeader_v1"),
    ("RequestHeader_v0", "RequestHeader_v1", "ResponseHeader_v0", "ResponseHeader_v1"),  # 0.12
    ("RequestHeader", "RequestHeaderV2", "ResponseHeader", "ResponseHeaderV2"),  # up to 0.11
]
"""The headers of requests and of responses, without and with tagged fields, by release."""
_HEADER = next((names for names in _HEADERS if all(hasattr(messages, name) for name in names)), ())


def message(kind: int, api: int, number: int, data: bytes) -> bytes:
    """Read a request (kind 0) or response and write it again."""
    request = _STRUCTS.get((api, number))
    if request is None:
        raise NotSupported(f"there is no version {number} of API {api}")
    header = getattr(messages, _HEADER[2 * kind + request.FLEXIBLE_VERSION])
    schemas = (header.SCHEMA, (request.RESPONSE_TYPE if kind else request).SCHEMA)
    wire = BytesIO(data)
    return b"".join([schema.encode(schema.decode(wire)) for schema in schemas])


def _codecs() -> list[str]:
    def has(name: str) -> bool:
        return bool(getattr(codec, f"has_{name}", bool)())  # zstd came last

    return ["none", *(name for name in ("gzip", "snappy", "lz4", "zstd") if has(name))]


if __name__ == "__main__":
    hello = {
        "name": "aiokafka-pure" if NO_EXTENSIONS else "aiokafka",
        "version": version("aiokafka"),
        "language": "Python" if NO_EXTENSIONS else "Python (Cython)",
        "formats": ["v0", "v1", "v2"],
        "codecs": _codecs(),
        "fields": [field for field in Record._fields if field != "codec"],
        "checks_crc": True,
        **({"apis": {"form": "bytes"}} if _STRUCTS else {}),
        "url": "https://github.com/aio-libs/aiokafka",
    }
    serve(hello, decode, encode, message)
