"""Records of Kafka's own topics. What stands in front of keys and values says what they are."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from kafka_format.codec import checks
from kafka_format.codec.compiler import Structure, version
from kafka_format.codec.structures import structure
from kafka_format.errors import FormatError, Stage
from kafka_format.spec.flags import NO_FLAGS
from kafka_format.spec.layout import specification

KEYED: Final = {
    "__consumer_offsets": "group_record",
    "__transaction_state": "transaction_record",
    "__share_group_state": "share_record",
}
"""Topics whose keys say what a record is, and the enumerations of their records."""

FRAMED: Final = {
    "__cluster_metadata": ("metadata_record", "metadata_record_frame"),
    "__remote_log_metadata": ("remote_log_record", "metadata_record_frame"),
}
"""Topics whose values say what a record is, the enumerations of their records, and what stands in
front of them."""

EXACT: Final = ("metadata_record_frame",)
"""Layouts of values behind which Kafka allows no bytes (AbstractApiMessageSerde)."""


class SchemaRecord(NamedTuple):
    """A key or a value with a schema.

    Attributes:
        layout: name of its layout.
        version: version of the layout.
        value: what it says.
    """

    layout: str
    version: int
    value: Any


class Front(NamedTuple):
    """The front of a key or a value, which says what that is.

    Attributes:
        front: name of the layout of what stands in front.
        start: where the key or value begins.
        layout: name of its layout.
        version: version of the layout.
    """

    front: str
    start: int
    layout: str
    version: int


def topics() -> tuple[str, ...]:
    """Return Kafka's own topics whose records have schemas."""
    return (*KEYED, *FRAMED)


def key_front(topic: str, data: bytes, *, flags: frozenset[str] = NO_FLAGS) -> Front:
    """Read what stands in front of a key; errors as of `decode_key`."""
    if topic not in KEYED:
        raise ValueError(f"keys of {topic} have no schema; those of {', '.join(KEYED)} have")
    front, start = structure("record_number").read(data, 0, len(data), flags=flags)
    return _check_version(Front("record_number", start, f"{_name(KEYED[topic], front.number, 0, 'number')}_key", 0))


def value_front(topic: str, data: bytes, key_layout: str = "", *, flags: frozenset[str] = NO_FLAGS) -> Front:
    """Read what stands in front of a value, given its key's layout.

    Errors are those of `decode_value`.
    """
    if topic in FRAMED:
        enumeration, frame = FRAMED[topic]
        front, start = structure(frame).read(data, 0, len(data), flags=flags)
        return _check_version(Front(frame, start, _name(enumeration, front.number, 0, "number"), front.version))
    if topic not in KEYED:
        raise ValueError(f"values of {topic} have no schema; those of {', '.join(topics())} have")
    if not key_layout:
        raise ValueError(f"the schema of a value of {topic} follows from its key; decode the key first")
    front, start = structure("schema_version").read(data, 0, len(data), flags=flags)
    return _check_version(Front("schema_version", start, f"{key_layout.removesuffix('_key')}_value", front.version))


def decode_key(topic: str, data: bytes, *, flags: frozenset[str] = NO_FLAGS) -> SchemaRecord:
    """Read the key of a record of __consumer_offsets, __transaction_state or __share_group_state.

    Raises:
        FormatError: the bytes break a rule, or no such record is known.
        ValueError: records of the topic have no keys with a schema.
    """
    data = bytes(data)
    return _whole(key_front(topic, data, flags=flags), data, flags)


def decode_value(
    topic: str, data: bytes, key: SchemaRecord | None = None, *, flags: frozenset[str] = NO_FLAGS
) -> SchemaRecord:
    """Read the value of a record of one of Kafka's own topics.

    Args:
        topic: the topic.
        data: the value; a tombstone has none.
        key: the key, for topics whose keys say what a record is.
        flags: names of the leniencies that are allowed.

    Raises:
        FormatError: the bytes break a rule, or no such record or version is known.
        ValueError: records of the topic have no values with a schema, or the key is missing.
    """
    data = bytes(data)
    return _whole(value_front(topic, data, key.layout if key is not None else "", flags=flags), data, flags)


def layout_front(name: str, data: bytes, *, flags: frozenset[str] = NO_FLAGS) -> Front:
    """Read what stands in front of a layout; errors as of `decode_layout`."""
    layout = specification().versioned[name]
    front, start = structure(layout.behind).read(data, 0, len(data), flags=flags)
    number = getattr(front, "number", layout.number)
    if number != layout.number:
        raise _unknown(f"is {number}, and that of {name} is {layout.number}", 0, "number")
    return _check_version(Front(layout.behind, start, name, getattr(front, "version", 0)))


def decode_layout(name: str, data: bytes, *, flags: frozenset[str] = NO_FLAGS) -> SchemaRecord:
    """Read a key, a value or other content that tells its own version, with what stands in front.

    Args:
        name: name of the layout, for example `group_metadata_value`.
        data: the bytes, for example all of a record's value.
        flags: names of the leniencies that are allowed.

    Raises:
        FormatError: the bytes break a rule, are another record, or there is no such version.
    """
    data = bytes(data)
    return _whole(layout_front(name, data, flags=flags), data, flags)


def _name(enumeration: str, number: int, offset: int, field: str) -> str:
    names = specification().enums[enumeration].values
    if number not in names:
        raise _unknown(f"is {number}, which is not the number of a known schema record", offset, field)
    return names[number]


def _unknown(detail: str, offset: int, field: str) -> FormatError:
    return FormatError(detail, rule="protocol.record.known", stage=Stage.FRAMING, offset=offset, path=(field,))


def _check_version(front: Front) -> Front:
    """Return what is in front, if there is such a version."""
    layout = specification().versioned.get(front.layout)
    if layout is None or front.version not in layout.versions:
        versions = layout.versions if layout is not None else "none"
        raise _unknown(f"{front.layout} has no version {front.version}, it has {versions}", 0, "version")
    return front


def _whole(front: Front, data: bytes, flags: frozenset[str]) -> SchemaRecord:
    compiled: Structure[Any] = version(front.layout, front.version)
    value, end = compiled.read(data, front.start, flags=flags)
    may_end = specification().flags.get("protocol.body.exact") in flags and front.front not in EXACT
    if end != len(data) and not may_end:
        raise checks.body_trailing(end, len(data) - end)
    return SchemaRecord(front.layout, front.version, value)
