"""Readers of framings that are wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kafka_format.content import serdes
from kafka_format.errors import FormatError

from kafka_generator.content_vectors.reading import misread
from kafka_generator.mutants.mutant import CONTENT, family
from kafka_generator.mutants.patch import Patch

mutant = family(CONTENT, "framings")

_ID_END = 5
"""Where the id ends."""


@mutant("framings/id-turned")
def id_turned(patch: Patch) -> None:
    """Reads the id with its lowest byte first."""
    misread(patch, "confluent", lambda read, data, headers: read(data[:1] + data[4:0:-1] + data[5:], headers))


@mutant("framings/any-magic")
def any_magic(patch: Patch) -> None:
    """Does not look at the magic byte."""
    misread(patch, "confluent", lambda read, data, headers: read(b"\0" + data[1:], headers))


@mutant("framings/short-id", source=["confluentinc/confluent-kafka-go#1598"])
def short_id(patch: Patch) -> None:
    """Takes what lies behind the value in memory for what is missing of an id."""
    misread(patch, "confluent", lambda read, data, headers: read(data.ljust(_ID_END, b"\1"), headers))


@mutant("framings/six-bytes-wanted")
def six_bytes_wanted(patch: Patch) -> None:
    """Refuses an id without a payload."""
    misread(patch, "confluent", lambda read, data, headers: read(data if len(data) > _ID_END else b"", headers))


@mutant("framings/first-header")
def first_header(patch: Patch) -> None:
    """Takes the first header that names a schema."""
    misread(patch, "*-header*", lambda read, data, headers: read(data, headers[::-1]))


@mutant("framings/header-of-key")
def header_of_key(patch: Patch) -> None:
    """Takes the header that names the schema of the key."""

    def turned(headers: Sequence[serdes.Header]) -> list[serdes.Header]:
        return [("__value_schema_id" if name.startswith("__key") else name, value) for name, value in headers[::-1]]

    misread(patch, "*-header*", lambda read, data, headers: read(data, turned(headers)))


@mutant("framings/prefix-behind-header")
def prefix_behind_header(patch: Patch) -> None:
    """Drops what looks like a prefix of a value whose schema a header names."""
    misread(
        patch, "*-header*", lambda read, data, headers: read(data[_ID_END:] if data[:1] == b"\0" else data, headers)
    )


@mutant("framings/indexes-in-the-payload", source=["kafkajs/confluent-schema-registry#162"])
def indexes_in_the_payload(patch: Patch) -> None:
    """Takes every message for the first of its file."""
    misread(patch, "confluent-protobuf", lambda read, data, headers: read(data[:5] + b"\0" + data[5:], headers))


@mutant("framings/no-short-form")
def no_short_form(patch: Patch) -> None:
    """Takes a count of 0 for no index at all."""
    misread(
        patch, "confluent-protobuf", lambda read, data, headers: _without_short_form(read(data, headers), data[5:6])
    )


def _without_short_form(answer: dict[str, object], first: bytes) -> dict[str, object]:
    return answer | {"indexes": []} if first == b"\0" else answer


@mutant("framings/no-zigzag", source=["axonops/axonops-schema-registry#357"])
def no_zigzag(patch: Patch) -> None:
    """Reads indexes without zigzag."""
    misread(patch, "*protobuf", lambda read, data, headers: _doubled(read(data, headers)))


def _doubled(answer: dict[str, object]) -> dict[str, object]:
    indexes = answer.get("indexes")
    return answer | {"indexes": [index * 2 for index in indexes]} if isinstance(indexes, list) else answer


@mutant("framings/indexes-turned")
def indexes_turned(patch: Patch) -> None:
    """Gives the index of the innermost message first."""

    def turned(answer: dict[str, object]) -> dict[str, object]:
        indexes = answer.get("indexes")
        return answer | {"indexes": indexes[::-1]} if isinstance(indexes, list) else answer

    misread(patch, "*protobuf", lambda read, data, headers: turned(read(data, headers)))


@mutant("framings/missing-indexes-are-first")
def missing_indexes_are_first(patch: Patch) -> None:
    """Takes a value that ends behind the id for the first message."""
    misread(
        patch, "*protobuf", lambda read, data, headers: read(data + b"\0" if len(data) in (5, 17) else data, headers)
    )


@mutant("framings/glue-not-inflated")
def glue_not_inflated(patch: Patch) -> None:
    """Gives what Glue compressed as it is."""
    misread(patch, "glue", lambda read, data, headers: read(re.sub(rb"^\x03\x05", b"\3\0", data), headers))


@mutant("framings/glue-any-version")
def glue_any_version(patch: Patch) -> None:
    """Does not look at the version of Glue's header."""
    misread(patch, "glue", lambda read, data, headers: read(b"\3" + data[1:], headers))


@mutant("framings/glue-any-compression")
def glue_any_compression(patch: Patch) -> None:
    """Takes a compression that it does not know for none."""
    misread(patch, "glue", lambda read, data, headers: read(re.sub(rb"^\x03[^\x00\x05]", b"\3\0", data), headers))


@mutant("framings/glue-18-bytes-refused")
def glue_header_alone(patch: Patch) -> None:
    """Refuses a header of Glue with nothing behind it."""
    misread(patch, "glue", lambda read, data, headers: read(data if len(data) != 18 else b"", headers))


@mutant("framings/event-id-invented")
def event_id_invented(patch: Patch) -> None:
    """Gives an event without an id one of its own."""
    misread(patch, "cloudevents", lambda read, data, headers: read(data, [("ce_id", b"1"), *headers]))


@mutant("framings/event-of-any-version")
def event_of_any_version(patch: Patch) -> None:
    """Does not look at the version of an event."""
    misread(patch, "cloudevents", lambda read, data, headers: read(data, [*headers, ("ce_specversion", b"1.0")]))


@mutant("framings/azure-first-part")
def azure_first_part(patch: Patch) -> None:
    """Takes what stands up to a second plus sign for the id."""

    def cut(value: bytes | None) -> bytes | None:
        return value and b"+".join(value.split(b"+")[:2])

    misread(patch, "azure", lambda read, data, headers: read(data, [(name, cut(value)) for name, value in headers]))


@mutant("framings/long-id-of-four-bytes", source=["Apicurio/apicurio-registry#7067"])
def long_id_of_four_bytes(patch: Patch) -> None:
    """Refuses an id of eight bytes that no int32 holds."""
    misread(patch, "apicurio-long", lambda read, data, headers: read(data if data[1:5] == bytes(4) else b"", headers))


@mutant("framings/errors-are-null")
def errors_are_null(patch: Patch) -> None:
    """Gives null for what it cannot read."""

    def read_or_null(read: object, data: bytes, headers: object) -> dict[str, object]:
        assert callable(read)  # noqa: S101 - `Read`
        try:
            answer: dict[str, object] = read(data, headers)
        except FormatError:
            return {"value": None, "payload": None}
        return answer

    misread(patch, "glue", read_or_null)
