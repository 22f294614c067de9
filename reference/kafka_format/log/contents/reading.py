"""Values of Kafka's own topics, read as a release reads them.

A generated reader takes any version: it reads the fields of the newest one that it knows, and only
structures inside the record refuse a version that is newer. Behind a record of metadata no byte may
follow (server-common AbstractApiMessageSerde); behind one of a coordinator anything may
(CoordinatorRecordSerde).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kafka_format.codec.compiler import version
from kafka_format.errors import FormatError
from kafka_format.log.contents.kafka_error import Refused
from kafka_format.log.contents.releases import Release, layout, newest_version
from kafka_format.protocol.records import KEYED, SchemaRecord
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.versioned import VersionedLayout

LOOSE: Final = frozenset({
    "boolean-of-any-byte", "marker-by-sign", "tags-in-any-order", "negative-tag-count-is-none", "compact-length-wraps",
    "tag-size-unread", "overlong-varint", "varint-excess-bits", "invalid-utf8-is-replaced",
})  # fmt: skip
"""The leniencies of Kafka's readers."""

_FRAME: Final = 1
_SHORT: Final = 32767
_PARSE: Final = "MetadataParseException"


def read_framed(enumeration: str, value: bytes | None, known_by: Release) -> SchemaRecord:
    """Read the value of a record of `__cluster_metadata` or `__remote_log_metadata`.

    Args:
        enumeration: `metadata_record` or `remote_log_record`.
        value: the value; None where the record has none.
        known_by: the release that reads.

    Raises:
        Refused: the release cannot read it, and raises that error.
    """
    if value is None:
        raise Refused("IllegalArgumentException", "Missing value in the record when a value was expected")
    if not value:
        raise Refused("IllegalArgumentException", "Got an unexpected empty value in the record")
    frame, at = _unsigned(value, 0, "frame version")
    _check_frame(frame)
    number, at = _unsigned(value, at, "type")
    record_version, start = _unsigned(value, at, "version")
    return _framed_body(enumeration, value, start, number, record_version, known_by)


def _unsigned(value: bytes, at: int, name: str) -> tuple[int, int]:
    number, shift = 0, 0
    for end in range(at, min(at + 5, len(value))):
        number |= (value[end] & 0x7F) << shift
        shift += 7
        if value[end] < 0x80:
            if number > _SHORT:
                raise Refused(_PARSE, f"Value for {name} was too large.")
            return number, end + 1
    raise Refused(_PARSE, f"Error while reading {name}")


def _check_frame(number: int) -> None:
    if number == 0:
        more = "Note that upgrades from the preview release of KRaft in 2.8 to newer versions are not supported."
        raise Refused(_PARSE, f"Could not deserialize metadata record with frame version 0. {more}")
    if number != _FRAME:
        known = f"(only frame version {_FRAME} is supported)"
        raise Refused(_PARSE, f"Could not deserialize metadata record due to unknown frame version {number}{known}")


def _framed_body(
    enumeration: str, value: bytes, start: int, number: int, record_version: int, known_by: Release
) -> SchemaRecord:
    known = layout(enumeration, number, known_by)
    if known is None:
        unknown = f"org.apache.kafka.common.errors.UnsupportedVersionException: Unknown metadata id {number}"
        raise Refused(_PARSE, unknown)
    try:
        record, end = _body(known, value, start, record_version, known_by)
    except (FormatError, Refused) as error:
        raise Refused(_PARSE, f"Failed to deserialize record with type {number}") from error
    if end != len(value):
        raise Refused(_PARSE, f"Found {len(value) - end} byte(s) of garbage after {number}")
    return record


def _body(known: VersionedLayout, data: bytes, start: int, number: int, known_by: Release) -> tuple[SchemaRecord, int]:
    newest = newest_version(known, known_by) or 0
    read_as = min(number, newest)
    content, end = version(known.name, read_as).read(data, start, flags=LOOSE)
    if number > newest:
        inner = next(_inside(content), None)
        if inner is not None:
            raise Refused("UnsupportedVersionException", f"Can't read version {number} of {type(inner).__name__}")
    return SchemaRecord(known.name, number, content), end


def _inside(value: Any) -> Iterator[Any]:
    """Yield the structures that are inside a value."""
    for member in value:
        for each in member if isinstance(member, list) else [member]:
            if isinstance(each, tuple) and hasattr(each, "_fields"):
                yield each


class UnknownKey(Refused):
    """A key of a kind that the release does not know: it logs a warning, and goes on."""


class UnknownVersion(Refused):
    """A value in a version that the release does not know."""


def read_key(topic: str, key: bytes | None, known_by: Release) -> SchemaRecord:
    """Read the key of a record of a coordinator's topic.

    Raises:
        UnknownKey: its kind is not known, which costs nothing.
        Refused: it cannot be read.
    """
    if key is None:
        raise Refused("RuntimeException", "Cannot read record as a key is missing")
    if len(key) < 2:
        raise Refused("RuntimeException", "Could not read version from key's buffer due to: null.")
    number = int.from_bytes(key[:2], "big", signed=True)
    known = layout(KEYED[topic], number, known_by, "_key")
    if known is None:
        raise UnknownKey("UnknownRecordTypeException", f"Found an unknown record type {number}")
    try:
        content, _ = version(known.name, 0).read(key, 2, flags=LOOSE)
    except FormatError as error:
        raise Refused(
            "RuntimeException", f"Could not read record with version {number} from key's buffer due to: null."
        ) from error
    return SchemaRecord(known.name, number, content)


def read_value(key: SchemaRecord, value: bytes, known_by: Release) -> SchemaRecord:
    """Read the value of a record of a coordinator's topic; a tombstone has none.

    Raises:
        UnknownVersion: its version is not known.
        Refused: it cannot be read.
    """
    if len(value) < 2:
        raise Refused("RuntimeException", "Could not read version from value's buffer due to: null.")
    number = int.from_bytes(value[:2], "big", signed=True)
    known = layout_of_value(key)
    newest = newest_version(known, known_by)
    if newest is None or not min(known.versions) <= number <= newest:
        raise UnknownVersion(
            "RuntimeException", f"Could not read record with version {number} from value's buffer due to: null."
        )
    try:
        record, _ = _body(known, value, 2, number, known_by)
    except FormatError as error:
        raise Refused(
            "RuntimeException", f"Could not read record with version {number} from value's buffer due to: null."
        ) from error
    return record


def layout_of_value(key: SchemaRecord) -> VersionedLayout:
    """Return the layout of the values that stand behind a key."""
    return specification().versioned[f"{key.layout.removesuffix('_key')}_value"]
