"""Records of Kafka's own topics by the protocol's layouts: offsets, groups, metadata."""

from pathlib import Path
from typing import Any

from kafka_format.codec.compiler import version
from kafka_format.errors import FormatError
from kafka_format.log.names import parse_partition
from kafka_format.protocol.json_form import to_json
from kafka_format.protocol.records import SchemaRecord, decode_key, decode_value, topics
from kafka_format.records import Record


def topic_of(file: Path) -> str:
    """Return the topic of Kafka's own that a file belongs to, by its folder; empty for others."""
    topic = folder_topic(file)
    return topic if topic in topics() else ""


def folder_topic(file: Path) -> str:
    """Return the topic that a file belongs to, by its folder; empty if that tells none."""
    try:
        return parse_partition(file.resolve().parent.name).topic
    except FormatError:
        return ""


def document(topic: str, record: Record) -> dict[str, Any]:
    """Return a record's `key` and `value` with layout, version and data, or its `error`."""
    try:
        key = decode_key(topic, record.key) if record.key is not None else None
        value = decode_value(topic, record.value, key) if record.value is not None else None
    except (FormatError, ValueError) as error:
        return {"error": str(error)}
    return {"key": _json(key), "value": _json(value)}


def _json(schema_record: SchemaRecord | None) -> dict[str, Any] | None:
    if schema_record is None:
        return None
    data = to_json(version(schema_record.layout, schema_record.version), schema_record.value)
    return {"layout": schema_record.layout, "version": schema_record.version, "data": data}
