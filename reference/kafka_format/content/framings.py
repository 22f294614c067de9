"""Framings: what names the schema of a value, in front of it or in a header."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from typing import Final

from kafka_format.codec.structures import structure
from kafka_format.content.answers import Answer, Headers, Reader, wrong
from kafka_format.errors import FormatError, Stage

_AVRO: Final = re.compile(r"avro/binary\+([^+]+)")
_HIGHEST_ID: Final = (1 << 31) - 1
_MOST: Final = 64 << 20
"""Bytes that a payload of Glue may decompress to."""


def by_id(data: bytes, flags: frozenset[str]) -> tuple[Answer, bytes]:
    """Read an id of four bytes, and return the content behind it."""
    read = structure("confluent_id").decode(data, flags=flags)
    if not 0 < read.schema_id <= _HIGHEST_ID:
        raise wrong(f"is {read.schema_id}", "content.schema-id", 1, "schema_id")
    return {"schema_id": read.schema_id}, read.payload


def by_guid(data: bytes, flags: frozenset[str]) -> tuple[Answer, bytes]:
    """Read a GUID, and return the content behind it."""
    read = structure("confluent_guid").decode(data, flags=flags)
    return {"guid": read.guid.hex()}, read.payload


def _by_either(data: bytes, flags: frozenset[str]) -> tuple[Answer, bytes]:
    return (by_guid if data[:1] == b"\1" else by_id)(data, flags)


def by_long_id(data: bytes, flags: frozenset[str]) -> tuple[Answer, bytes]:
    """Read an id of eight bytes, and return the content behind it."""
    read = structure("apicurio_long_id").decode(data, flags=flags)
    if read.global_id <= 0:
        raise wrong(f"is {read.global_id}", "content.schema-id", 1, "global_id")
    return {"schema_id": read.global_id}, read.payload


def _indexes(data: bytes, before: int, flags: frozenset[str]) -> tuple[list[int], bytes]:
    """Return the indexes of a Protobuf message, and the message behind them."""
    try:
        read = structure("message_indexes").decode(data, flags=flags)
    except FormatError as error:
        raise error.within(offset=before) from None
    if min(read.indexes, default=0) < 0:
        raise wrong(f"has {min(read.indexes)}", "content.indexes", before, "indexes")
    return list(read.indexes) or [0], read.payload


_Named = Callable[[bytes, frozenset[str]], tuple[Answer, bytes]]


def prefixed(named: _Named, *, has_indexes: bool = False) -> Reader:
    """Return a reader of content behind what names its schema."""

    def read(data: bytes, _: object, flags: frozenset[str]) -> Answer:
        answer, payload = named(data, flags)
        if has_indexes:
            answer["indexes"], payload = _indexes(payload, len(data) - len(payload), flags)
        return answer | {"payload": payload.hex()}

    return read


def in_header(name: str, *, has_indexes: bool = False) -> Reader:
    """Return a reader of content whose schema is named in a header."""

    def read(data: bytes, headers: Headers, flags: frozenset[str]) -> Answer:
        named = headers.get(name)
        if named is None:
            raise wrong(f"there is no header {name}", "content.magic")
        answer = prefixed(_by_either, has_indexes=has_indexes)(named, {}, flags)
        return answer | {"payload": data.hex()}

    return read


def glue(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read what AWS Glue's serializers write; the payload is decompressed."""
    read = structure("glue_header").decode(data, flags=flags)
    if read.compression not in (0, 5):
        raise wrong(f"is {read.compression}", "content.glue.compression", 1, "compression")
    payload = _inflated(read.payload) if read.compression else read.payload
    return {"guid": read.schema_version_id.hex(), "payload": payload.hex()}


def _inflated(data: bytes) -> bytes:
    rule, stream = "content.glue.stream", zlib.decompressobj()
    try:
        plain = stream.decompress(data, _MOST)
    except zlib.error as error:
        raise wrong(str(error), rule, 18, "payload", stage=Stage.DECOMPRESSION) from None
    if stream.unconsumed_tail:
        raise wrong(f"has more than {_MOST} bytes", "compression.limit", 18, "payload", stage=Stage.RESOURCE)
    if not stream.eof or stream.unused_data:
        what = "has bytes behind it" if stream.eof else "is cut off"
        raise wrong(f"the stream {what}", rule, 18, "payload", stage=Stage.DECOMPRESSION)
    return plain


def azure(data: bytes, headers: Headers, _: frozenset[str]) -> Answer:
    """Read what Azure's serializers write; the id is a text."""
    kind = (headers.get("content-type") or b"").decode("utf-8", "replace")
    if (match := _AVRO.fullmatch(kind)) is None:
        raise wrong(f"the header content-type is {kind!r}", "content.azure")
    return {"schema_id": match[1], "payload": data.hex()}


_REQUIRED: Final = ("ce_specversion", "ce_id", "ce_source", "ce_type")


def cloud_event(data: bytes, headers: Headers, _: frozenset[str]) -> Answer:
    """Read a CloudEvent in binary mode; its value are the attributes."""
    if missing := [name for name in _REQUIRED if not headers.get(name)]:
        raise wrong(f"there is no {missing[0]}", "content.cloudevents.attributes")
    named = {name[3:]: value or b"" for name, value in headers.items() if name.startswith("ce_")}
    texts = {name: value.decode("utf-8", "replace") for name, value in named.items()}
    if texts["specversion"] != "1.0":
        raise wrong(f"is {texts['specversion']}", "content.cloudevents.version")
    return {"value": texts, "payload": data.hex()}
