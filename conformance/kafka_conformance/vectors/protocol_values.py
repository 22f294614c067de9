"""Values of requests, responses and schema records as vectors and adapters have them in JSON.

Names are Kafka's. An int64 is decimal text, because JavaScript loses bits of larger numbers; bytes,
records and UUIDs are hex. All fields are there, tagged ones that have their defaults too; tagged
fields that no layout knows stand under `_unknownTaggedFields`, where there are any.
"""

from collections.abc import Mapping
from typing import Any, Final

from kafka_format.codec.versions import CompiledVersion
from kafka_format.codec.versions.text import members
from kafka_format.spec.layout.model import Counted, Fixed, Form, Integer, Layout, Nested, Optional, TagSection, Type

UNKNOWN: Final = "_unknownTaggedFields"
_INT64: Final = 8


def to_json(layout: Layout, value: Any) -> dict[str, Any]:  # noqa: ANN401 - a NamedTuple that the layout made
    """Return a value as JSON.

    Args:
        layout: one version of a versioned layout.
        value: a named tuple of it, or a mapping of its fields by the layout's names.
    """
    given = value._asdict() if hasattr(value, "_asdict") else value
    document: dict[str, Any] = {}
    for field in members(layout):
        own = given[field.name]
        if not isinstance(field.type, TagSection):
            document[field.kafka] = plain(field.type, own)
        elif own:
            document[UNKNOWN] = [{"tag": tag, "content": content.hex()} for tag, content in own]
    return document


def plain(kind: Type, value: Any) -> Any:  # noqa: ANN401 - the value of any field
    """Return the value of one field as JSON."""
    if value is None:
        return None
    match kind:
        case Nested(layout=layout) | Optional(layout=layout):
            return to_json(layout, value)
        case Counted(item=item):
            return [plain(item, element) for element in value]
        case Fixed() | Form(content="bytes"):
            return value.hex()
        case Integer(size=size) if size == _INT64:
            return str(value)
        case _:
            return value


def from_json(compiled: CompiledVersion[Any], document: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a NamedTuple of the layout
    """Return the value that JSON has, as a named tuple of a version.

    Raises:
        KeyError: a field is missing.
        ValueError: a text is not a number, or no hex.
    """
    return _structure(compiled, compiled.layout, document)


def _structure(compiled: CompiledVersion[Any], layout: Layout, document: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a value of the layout
    fields: dict[str, Any] = {}
    for field in members(layout):
        if isinstance(field.type, TagSection):
            unknown = document.get(UNKNOWN, ())
            fields[field.name] = tuple((tag["tag"], bytes.fromhex(tag["content"])) for tag in unknown)
        else:
            fields[field.name] = _read(compiled, field.type, document[field.kafka])
    return compiled.types[layout.type_name](**fields)


def _read(compiled: CompiledVersion[Any], kind: Type, value: Any) -> Any:  # noqa: ANN401 - the value of any field
    if value is None:
        return None
    match kind:
        case Nested(layout=layout) | Optional(layout=layout):
            return _structure(compiled, layout, value)
        case Counted(item=item):
            return [_read(compiled, item, element) for element in value]
        case Fixed() | Form(content="bytes"):
            return bytes.fromhex(value)
        case Integer(size=size) if size == _INT64:
            return int(value)
        case _:
            return value
