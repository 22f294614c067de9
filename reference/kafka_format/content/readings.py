"""What a key or a value is by its headers, by the name of its topic, or by its first bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

from kafka_format.codec.compiler import version
from kafka_format.codec.structures import structure
from kafka_format.content import streams_topics
from kafka_format.errors import FormatError
from kafka_format.protocol.records import decode_layout
from kafka_format.spec.layout import specification

Header = tuple[bytes, bytes | None]
Part = Literal["key", "value"]


class Evidence(StrEnum):
    """What bears a reading out."""

    HEADER = "header"
    TOPIC = "topic"
    BYTES = "bytes"


class Reading(NamedTuple):
    """What a key or a value is.

    Attributes:
        name: who writes such content, for people.
        evidence: what bears it out. Only a header is sure: a topic may have any name, and any
            content may begin with these bytes. The header `v`, which anybody may write, counts in a
            changelog alone, and where all bytes fit.
        said_by: the name of the header or topic, or the bytes in hex.
        fields: what is read, by name, in the order of the bytes.
        payload: the content behind it; None where there is none.
    """

    name: str
    evidence: Evidence
    said_by: str
    fields: Mapping[str, Any]
    payload: bytes | None = None

    @property
    def is_sure(self) -> bool:
        """Whether it is no guess."""
        return self.evidence is Evidence.HEADER


CONFLUENT: Final = "Confluent's schema registry"
APICURIO: Final = "Apicurio's registry"
AZURE: Final = "Azure's schema registry"
GLUE: Final = "AWS Glue's schema registry"
CLOUD_EVENTS: Final = "CloudEvents"
MIRROR: Final = "MirrorMaker"
STREAMS: Final = "Kafka Streams"

_TOPICS: Final = (
    (re.compile(r"mm2-offset-syncs\..+\.internal"), "mirror_offset_sync"),
    (re.compile(r".+\.checkpoints\.internal"), "mirror_checkpoint"),
    (re.compile(r"(?:.+\.)?heartbeats"), "mirror_heartbeat"),
)
"""Names that MirrorMaker gives its topics unless it is told otherwise (MirrorClientConfig,
DefaultReplicationPolicy), and how the layouts of their records begin."""

_SIZE: Final = 4
_HIGHEST_ID: Final = 1 << 24
"""Registries count from 1; few have given a million numbers."""

_FIRST: Final = (b"\0", b"\1", b"\3")
"""What framings begin with."""

_NUMBERS: Final = frozenset({1, 2, 4, 8, 16})
"""Sizes of plain numbers and UUIDs, which may begin with any byte."""

_COMPRESSIONS: Final = {0: "none", 5: "zlib"}
"""Of Glue's payloads."""

_AVRO: Final = re.compile(rb"avro/binary\+([0-9A-Za-z-]+)")
_DIGEST_VERSION, _RANDOM_VERSION = 3, 4
_VARIANT: Final = "specified in RFC 4122"


def read_key(data: bytes, headers: Iterable[Header] = (), topic: str = "") -> Reading | None:
    """Return what a key is; None where nothing bears anything out.

    Args:
        data: the key.
        headers: the headers of its record.
        topic: the name of its topic, if that is known.
    """
    return next(_readings("key", data, list(headers), topic), None)


def read_value(data: bytes, headers: Iterable[Header] = (), topic: str = "") -> Reading | None:
    """Return what a value is; as `read_key`."""
    return next(_readings("value", data, list(headers), topic), None)


def _readings(part: Part, data: bytes, headers: list[Header], topic: str) -> Iterator[Reading]:
    yield from _by_headers(part, data, headers)
    if part == "value" and (waits := streams_topics.buffered(data, topic, dict(headers).get(b"v"))) is not None:
        yield Reading(STREAMS, Evidence.HEADER, "v", waits)
    yield from _by_topic(part, data, topic)
    if len(data) not in _NUMBERS:
        yield from _by_bytes(data)


def _by_headers(part: Part, data: bytes, headers: list[Header]) -> Iterator[Reading]:
    last = {key: value for key, value in headers if value is not None}
    name = f"__{part}_schema_id"
    if (value := last.get(name.encode())) is not None and (fields := _schema(value)) is not None:
        yield Reading(CONFLUENT, Evidence.HEADER, name, fields, data)
    start = f"apicurio.{part}.".encode()
    if ids := {
        _text(key[len(start) :]): _number_or_text(value) for key, value in last.items() if key.startswith(start)
    }:
        yield Reading(APICURIO, Evidence.HEADER, f"{start.decode()}{next(iter(ids))}", ids, data)
    if part == "value":
        yield from _of_content_type(data, last)


def _of_content_type(data: bytes, headers: Mapping[bytes, bytes]) -> Iterator[Reading]:
    """Yield what the headers of CloudEvents' binding to Kafka and of Azure's serializers say."""
    kind = headers.get(b"content-type", b"")
    if (avro := _AVRO.fullmatch(kind)) is not None:
        yield Reading(AZURE, Evidence.HEADER, "content-type", {"schema_id": _text(avro[1])}, data)
    if b"ce_specversion" in headers:
        fields = {_text(key[3:]): _text(value) for key, value in headers.items() if key.startswith(b"ce_")}
        yield Reading(CLOUD_EVENTS, Evidence.HEADER, "ce_specversion", fields, data)
    elif kind.startswith(b"application/cloudevents+json"):
        yield Reading(CLOUD_EVENTS, Evidence.HEADER, "content-type", {"mode": "structured"}, data)


def _by_topic(part: Part, data: bytes, topic: str) -> Iterator[Reading]:
    for pattern, start in _TOPICS:
        if pattern.fullmatch(topic):
            with suppress(FormatError):
                yield Reading(MIRROR, Evidence.TOPIC, topic, _decode(f"{start}_{part}", data))
    for fields, payload in streams_topics.of_topic(part, data, topic):
        yield Reading(STREAMS, Evidence.TOPIC, topic, fields, payload)


def _decode(layout: str, data: bytes) -> dict[str, Any]:
    has_version = bool(specification().versioned[layout].behind)
    value = decode_layout(layout, data).value if has_version else version(layout, 0).decode(data)
    return dict(value._asdict())


def _by_bytes(data: bytes) -> Iterator[Reading]:
    """Yield what content begins like; of ids, only such as a registry gives in its first years."""
    if data[:1] not in _FIRST or _is_size_of_the_rest(data):
        return
    with suppress(FormatError):
        read = structure("confluent_id").decode(data)
        if 0 < read.schema_id < _HIGHEST_ID and read.payload:
            yield Reading(CONFLUENT, Evidence.BYTES, data[:1].hex(), {"schema_id": read.schema_id}, read.payload)
    with suppress(FormatError):
        named = structure("confluent_guid").decode(data)
        if _is_guid(named.guid, _DIGEST_VERSION):
            yield Reading(CONFLUENT, Evidence.BYTES, data[:1].hex(), {"guid": UUID(bytes=named.guid)}, named.payload)
    with suppress(FormatError):
        glue = structure("glue_header").decode(data)
        if glue.compression in _COMPRESSIONS and _is_guid(glue.schema_version_id, _RANDOM_VERSION):
            schema = {"schema_version_id": UUID(bytes=glue.schema_version_id)}
            fields = {"compression": _COMPRESSIONS[glue.compression], **schema}
            yield Reading(GLUE, Evidence.BYTES, data[:2].hex(), fields, glue.payload)


def _is_size_of_the_rest(data: bytes) -> bool:
    """Tell whether the first four bytes are the size of the rest, as in front of a text."""
    return int.from_bytes(data[:_SIZE], "big") == len(data) - _SIZE


def _schema(value: bytes) -> dict[str, Any] | None:
    """Return what names a schema: magic byte and id, or magic byte and GUID, and indexes behind."""
    with suppress(FormatError):
        read = structure("confluent_id").decode(value)
        return {"schema_id": read.schema_id, **_indexes(read.payload)}
    with suppress(FormatError):
        guid = structure("confluent_guid").decode(value)
        return {"guid": UUID(bytes=guid.guid), **_indexes(guid.payload)}
    return None


def _indexes(data: bytes) -> dict[str, list[int]]:
    if not data:
        return {}
    read = structure("message_indexes").decode(data)
    return {"indexes": read.indexes or [0]}


def _is_guid(data: bytes, version: int) -> bool:
    guid = UUID(bytes=data)
    return guid.variant == _VARIANT and guid.version == version


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _number_or_text(data: bytes) -> int | str:
    """Return an id of Apicurio, which is eight or four bytes, or a text."""
    return int.from_bytes(data, "big") if len(data) in {4, 8} and not data[0] else _text(data)
