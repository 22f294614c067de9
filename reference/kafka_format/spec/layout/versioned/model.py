"""A versioned layout once it is loaded: one structure of the protocol in all its versions.

It says what Kafka's message schemas can say: in which versions a field is there, nullable, and
tagged. `resolver` makes an ordinary layout of it for one version.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from kafka_format.spec.layout.model import Enumeration, HeldBy, Surplus
from kafka_format.spec.layout.versioned.versions import Versions

Kind = Literal["request", "response", "header", "record_key", "record_value", "data", "file"]

KINDS: Final[Mapping[str, str]] = {
    "request": "what a client asks, after a request header",
    "response": "what a broker answers, after a response header",
    "header": "what stands in front of a request or response",
    "record_key": "key of a record of one of Kafka's own topics",
    "record_value": "value of a record of one of Kafka's own topics",
    "data": "content of a field of bytes",
    "file": "content of a file in a log directory",
}
"""Kinds of versioned layouts."""

UNKNOWN: Final = "unknown_tagged_fields"
"""The member of every flexible structure that keeps the tagged fields which the layout does not
know."""

Default = int | float | str | bytes | bool | tuple[()] | None


@dataclass(frozen=True, slots=True)
class VersionedField:
    """One field, in all versions that have it.

    Attributes:
        name: our name, which no version changes.
        kafka: the name in Kafka's JSON.
        type: word of a scalar, or name of a structure.
        structure: the members, if it is a structure or an array of them.
        is_array: True for an array of `type`.
        map_key: not None where Kafka's classes look the structures of an array up by this field,
            together with the other map keys: the release since which they do, empty if they always
            did. The bytes are those of any array.
        count: the integer that counts an array in versions that are not flexible.
        versions: the versions that have it.
        nullable: the versions in which it may be null.
        tag: its tag; None for a field in line.
        flexible: the versions in which its length is compact, where that does not follow the
            layout.
        default: what an encoder writes where no value is given; a structure has the defaults of its
            fields, unless this is None and `default_is_null`.
        default_is_null: True where null is the default.
        since: release that added it to versions that there were; empty where it is as old as they
            are.
        formerly: other names, each with the last release that used it.
        holds: what its bytes are, if that is known: `records`, `request`, `response`, or a layout
            that tells its own version. An application may have put anything else there.
        held_by: what they are where a text beside them says so.
    """

    name: str
    kafka: str
    type: str
    structure: VersionedStructure | None
    is_array: bool
    count: str
    versions: Versions
    nullable: Versions
    tag: int | None
    flexible: Versions | None
    default: Default
    default_is_null: bool
    since: str
    formerly: Mapping[str, str]
    names: Enumeration | None
    holds: str
    held_by: HeldBy | None
    map_key: str | None
    doc: str
    line: int


@dataclass(frozen=True, slots=True)
class VersionedStructure:
    """Fields that stand together, in wire order over all versions.

    Attributes:
        has_tag_section: every structure of a flexible version ends with one (KIP-482); that of a
            wrong decoder may not.
    """

    name: str
    fields: tuple[VersionedField, ...]
    has_tag_section: bool = True

    def fields_of(self, version: int) -> Iterator[VersionedField]:
        """Yield the fields of one version."""
        return (field for field in self.fields if version in field.versions)


@dataclass(frozen=True, slots=True)
class VersionedLayout:
    """One structure of the protocol in all its versions.

    Attributes:
        kafka: name of Kafka's schema.
        api: number of the API, for requests and responses.
        number: number of the record's kind, for keys and values of records.
        topic: topic whose records these are.
        behind: layout of what stands in front, for content that tells its own version.
        versions: all versions.
        flexible: those with compact lengths and tagged fields.
        since: first release that served each version.
        until: last release that had a version, for those that are gone.
        unstable: releases in which a version was not to be used.
        formerly: other names of Kafka's schema, each with the last release that used it.
        variant_of: layout that some releases contradict; this one is what they have.
        surplus: bytes that widely used clients write after the last field, by versions.
    """

    name: str
    title: str
    doc: str
    file: str
    kafka: str
    kind: Kind
    api: int | None
    number: int | None
    topic: str
    behind: str
    source: str
    versions: Versions
    flexible: Versions
    since: Mapping[int, str]
    until: Mapping[int, str]
    unstable: Mapping[int, str]
    formerly: Mapping[str, str]
    variant_of: str
    surplus: tuple[tuple[Versions, Surplus], ...]
    body: VersionedStructure
