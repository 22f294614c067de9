"""Kafka's own message schemas: the JSON files inside its jars, read into plain objects.

The keys are those of `org.apache.kafka.message.MessageSpec`, `StructSpec` and `FieldSpec` (Kafka's
generator). Texts (`about`, comments) are not read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kafka_format.spec.layout.versioned import Versions

_COMMENT: Final = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
"""A text, which may hold two slashes, or a comment."""

_DECODER: Final = json.JSONDecoder()

OPEN: Final = 32767
"""What `3+` ends with: the highest version there can be (`Versions.HIGHEST` in Kafka's
generator)."""


@dataclass(frozen=True)
class SchemaField:
    """One field.

    Attributes:
        type: as in the schema: `int32`, `[]string`, `[]FetchTopic`, `ReplicaState`.
        fields: the members of a structure; those of a common structure are put here too.
        flexible: the field's own flexible versions, None where it follows the message.
        default: as in the schema: text, or None where it says nothing.
        map_key: True where Kafka's classes look the structures of an array up by this field.
    """

    name: str
    type: str
    versions: Versions
    nullable: Versions
    tagged: Versions
    tag: int | None
    default: str | None
    flexible: Versions | None
    map_key: bool
    fields: tuple[SchemaField, ...]

    @property
    def item(self) -> str:
        """The type of the items of an array, or the type itself."""
        return self.type.removeprefix("[]")

    @property
    def is_array(self) -> bool:
        """True for an array."""
        return self.type.startswith("[]")


@dataclass(frozen=True)
class Schema:
    """One message: a request, a response, a header, or data that lies in records and files.

    Attributes:
        type: request, response, header, metadata, data, coordinator-key or coordinator-value.
        key: number of the API, or of the record's kind.
        unstable: True if the highest version is not to be used outside tests.
        common: names of the structures that are used more than once.
    """

    name: str
    type: str
    key: int | None
    versions: Versions
    flexible: Versions
    unstable: bool
    fields: tuple[SchemaField, ...]
    common: frozenset[str]


def parse(text: str) -> Schema:
    """Read one schema file.

    What stands after the first value is passed over: DescribeProducersRequest.json of 2.8 has
    brackets there.
    """
    plain = _COMMENT.sub(lambda match: match[1] or "", text)
    top, _ = _DECODER.raw_decode(plain.strip())
    common = {struct["name"]: struct for struct in top.get("commonStructs", ())}
    return Schema(
        name=top["name"],
        type=top.get("type", "data"),
        key=top.get("apiKey"),
        versions=_versions(top["validVersions"]),
        flexible=_versions(top.get("flexibleVersions", "none")),
        unstable=bool(top.get("latestVersionUnstable", False)),
        fields=_fields(top.get("fields", ()), common),
        common=frozenset(common),
    )


def _versions(text: str) -> Versions:
    return Versions.parse(text.strip(), OPEN)


def _fields(entries: Sequence[Mapping[str, Any]], common: Mapping[str, Any]) -> tuple[SchemaField, ...]:
    return tuple(_field(entry, common) for entry in entries)


def _field(entry: Mapping[str, Any], common: Mapping[str, Any]) -> SchemaField:
    tagged = _versions(entry.get("taggedVersions", "none"))
    versions = _versions(entry["versions"]) if "versions" in entry else tagged
    members = entry.get("fields", ()) or common.get(entry["type"].removeprefix("[]"), {}).get("fields", ())
    return SchemaField(
        name=entry["name"],
        type=entry["type"],
        versions=versions,
        nullable=_versions(entry.get("nullableVersions", "none")),
        tagged=tagged,
        tag=int(entry["tag"]) if "tag" in entry else None,
        default=None if entry.get("default") is None else str(entry["default"]),
        flexible=_versions(entry["flexibleVersions"]) if "flexibleVersions" in entry else None,
        map_key=bool(entry.get("mapKey", False)),
        fields=_fields(members, common),
    )
