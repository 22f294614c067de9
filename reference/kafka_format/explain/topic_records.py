"""A key or a value of one of Kafka's own topics by itself, explained with what is in front."""

from __future__ import annotations

from contextlib import suppress

from kafka_format.codec.interpreter import SpanReader
from kafka_format.errors import FormatError
from kafka_format.explain.lines import Explanation, lines_of
from kafka_format.explain.schema_spans import with_data
from kafka_format.protocol import records
from kafka_format.spec.layout import find, specification


def explain_key(topic: str, data: bytes, *, flags: frozenset[str] = frozenset()) -> Explanation:
    """Explain the key of a record of one of Kafka's own topics that have keys with schemas.

    Raises:
        ValueError: records of the topic have no keys with a schema.
    """
    front = fault = None
    try:
        front = records.key_front(topic, data, flags=flags)
        records.decode_key(topic, data, flags=flags)
    except FormatError as error:
        fault = error
    return _explain("record_number", front, data, fault, flags)


def explain_value(topic: str, data: bytes, key_layout: str = "", *, flags: frozenset[str] = frozenset()) -> Explanation:
    """Explain the value of a record of one of Kafka's own topics.

    Args:
        topic: the topic.
        data: the value.
        key_layout: name of the layout of its key, for topics whose keys say what a value is.
        flags: names of the leniencies that are allowed.

    Raises:
        ValueError: records of the topic have no values with a schema, or the layout of the key is
            missing.
    """
    front = fault = None
    key = records.SchemaRecord(key_layout, 0, None) if key_layout else None
    try:
        front = records.value_front(topic, data, key_layout, flags=flags)
        records.decode_value(topic, data, key, flags=flags)
    except FormatError as error:
        fault = error
    return _explain(records.FRAMED.get(topic, ("", "schema_version"))[1], front, data, fault, flags)


def explain_layout(name: str, data: bytes, *, flags: frozenset[str] = frozenset()) -> Explanation:
    """Explain bytes of a layout that tells its own version, with what stands in front of it.

    Args:
        name: name of the layout, for example `group_metadata_value`.
        data: the bytes, for example all of a record's value.
        flags: names of the leniencies that are allowed.
    """
    front = fault = None
    try:
        front = records.layout_front(name, data, flags=flags)
        records.decode_layout(name, data, flags=flags)
    except FormatError as error:
        fault = error
    return _explain(specification().versioned[name].behind, front, data, fault, flags)


def _explain(
    first: str, front: records.Front | None, data: bytes, fault: FormatError | None, flags: frozenset[str]
) -> Explanation:
    """Explain what is in front, by the layout `first`, and what is after it, as far as it goes."""
    head, body = SpanReader(data, flags=flags), SpanReader(data, flags=flags)
    with suppress(FormatError):
        head.read(find(first), 0, len(data))
        if front is not None:
            body.read(find(front.layout, front.version), front.start, len(data))
    spans = [*with_data([*head.spans, *body.spans], flags)]
    return Explanation(lines_of(spans, fault, None, data, len(data)), fault)
