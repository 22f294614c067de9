"""Records of Kafka's own topics: what stands in front of their keys and values says what they are."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from kafka_format.codec.structures import structure
from kafka_format.codec.versions import CompiledVersion, checks, version
from kafka_format.errors import FormatError, Stage
from kafka_format.spec.layout import specification

_KEYED: Final = {
    "__consumer_offsets": "group_record",
    "__transaction_state": "transaction_record",
    "__share_group_state": "share_record",
}
"""Topics whose keys say what a record is, and the enumerations of their records."""

_FRAMED: Final = {
    "__cluster_metadata": ("metadata_record", "metadata_record_frame"),
    "__remote_log_metadata": ("remote_log_record", "remote_log_record_frame"),
}
"""Topics whose values say what a record is, the enumerations of their records, and what stands in front."""

NO_FLAGS: Final[frozenset[str]] = frozenset()


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


def decode_key(topic: str, data: bytes, *, flags: frozenset[str] = NO_FLAGS) -> SchemaRecord:
    """Read the key of a record of __consumer_offsets, __transaction_state or __share_group_state.

    Raises:
        FormatError: the bytes break a rule, or no such record is known.
        ValueError: records of the topic have no keys with a schema.
    """
    if topic not in _KEYED:
        raise ValueError(f"keys of {topic} have no schema; those of {', '.join(_KEYED)} have")
    data = bytes(data)
    front, start = structure("record_number").read(data, 0, len(data), flags=flags)
    name = _name(_KEYED[topic], front.number, 0, "number")
    return _whole(f"{name}_key", 0, data, start, flags)


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
    if topic in _FRAMED:
        enumeration, frame = _FRAMED[topic]
        front, start = structure(frame).read(data, 0, len(data), flags=flags)
        return _whole(_name(enumeration, front.number, 0, "number"), front.version, data, start, flags)
    if topic not in _KEYED:
        raise ValueError(f"values of {topic} have no schema; those of {', '.join([*_KEYED, *_FRAMED])} have")
    if key is None:
        raise ValueError(f"what a value of {topic} is, its key says; decode that first")
    front, start = structure("schema_version").read(data, 0, len(data), flags=flags)
    return _whole(f"{key.layout.removesuffix('_key')}_value", front.version, data, start, flags)


def _name(enumeration: str, number: int, offset: int, field: str) -> str:
    names = specification().enums[enumeration].values
    if number not in names:
        raise _unknown(f"is {number}, which no record has that is known", offset, field)
    return names[number]


def _unknown(detail: str, offset: int, field: str) -> FormatError:
    return FormatError(detail, rule="protocol.record.known", stage=Stage.FRAMING, offset=offset, path=(field,))


def _whole(name: str, number: int, data: bytes, start: int, flags: frozenset[str]) -> SchemaRecord:
    layout = specification().versioned.get(name)
    if layout is None or number not in layout.versions:
        versions = layout.versions if layout is not None else "none"
        raise _unknown(f"{name} has no version {number}, it has {versions}", 0, "version")
    compiled: CompiledVersion[Any] = version(name, number)
    value, end = compiled.read(data, start, flags=flags)
    if end != len(data) and specification().flags.get("protocol.body.exact") not in flags:
        raise checks.trailing(end, len(data) - end)
    return SchemaRecord(name, number, value)
