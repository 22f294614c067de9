"""Values as JSON with Kafka's own names, as Kafka's JsonConverter classes write them.

Bytes and records are base64, a UUID is URL-safe base64 without padding. A tagged field that has its
default is left out. Tagged fields that the layout does not know, which Kafka does not show, stand
under `_unknownTaggedFields`.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final

from kafka_format.codec.versions import CompiledVersion
from kafka_format.codec.versions.defaults import is_default
from kafka_format.codec.versions.runtime import UnknownTaggedField
from kafka_format.codec.versions.text import members
from kafka_format.errors import EncodeError, FieldPath
from kafka_format.spec.layout.model import Counted, Fixed, Form, Layout, Nested, Optional, TagSection, Type
from kafka_format.spec.layout.yamlfile import suggest

_UNKNOWN: Final = "_unknownTaggedFields"


def to_json(compiled: CompiledVersion[Any], value: Any) -> dict[str, Any]:
    """Return a version's value as JSON: dictionaries, lists, texts, numbers, true, false, null."""
    return _object(compiled.layout, value)


def _object(layout: Layout, value: Any) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for field, own in zip(members(layout), value, strict=True):
        if isinstance(field.type, TagSection):
            if own:
                document[_UNKNOWN] = [{"tag": tag, "content": _base64(content)} for tag, content in own]
        elif field.tag is None or not is_default(field, own):
            document[field.kafka] = _value(field.type, own)
    return document


def _value(kind: Type, value: Any) -> Any:
    if value is None:
        return None
    match kind:
        case Nested(layout=layout) | Optional(layout=layout):
            return _object(layout, value)
        case Counted(item=item):
            return [_value(item, element) for element in value]
        case Fixed():
            return base64.urlsafe_b64encode(value).decode().rstrip("=")
        case Form(content=content) if content != "text":
            return _base64(value)
        case _:
            return value


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def from_json(compiled: CompiledVersion[Any], given: Mapping[str, Any]) -> Any:
    """Return the value of a version that JSON has; what is left out has its default.

    A field may have a name that an earlier release gave it.

    Raises:
        EncodeError: JSON has a name that no field has, a field twice, or base64 that is none.
    """
    return compiled.type(**_members(compiled, compiled.layout, given, ()))


def _members(compiled: CompiledVersion[Any], layout: Layout, given: Any, path: FieldPath) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise EncodeError(f"takes an object, not {type(given).__name__}", path=path)
    fields = {field.kafka: field for field in members(layout)}
    formerly = {name: field for field in members(layout) for name in field.formerly}
    values: dict[str, Any] = {}
    for name, value in given.items():
        field = fields.get(name) or formerly.get(name)
        if field is None:
            raise EncodeError(f"{layout.title} has no such field; {suggest(str(name), fields)}", path=(*path, name))
        if field.name in values:
            raise EncodeError(f"is the former name of `{field.kafka}`, which is there too", path=(*path, name))
        values[field.name] = _read(compiled, field.type, value, (*path, name))
    # The default of an array is an empty tuple, since classes share it; a decoder gives a list.
    empty: dict[str, Any] = {
        field.name: [] for field in fields.values() if isinstance(field.type, Counted) and field.default == ()
    }
    return empty | values


def _read(compiled: CompiledVersion[Any], kind: Type, value: Any, path: FieldPath) -> Any:
    match kind:
        case _ if value is None:
            return None
        case TagSection():
            return _unknown(value, path)
        case Nested(layout=layout) | Optional(layout=layout):
            return compiled.types[layout.type_name](**_members(compiled, layout, value, path))
        case Counted(item=item) if isinstance(value, list):
            return [_read(compiled, item, element, (*path, index)) for index, element in enumerate(value)]
        case Fixed() | Form(content="bytes"):
            return _bytes(value, path)
        case _:
            return value


def _unknown(value: Any, path: FieldPath) -> tuple[UnknownTaggedField, ...]:
    try:
        return tuple(UnknownTaggedField(tag["tag"], _bytes(tag["content"], path)) for tag in value)
    except (TypeError, KeyError):
        raise EncodeError("takes a list of objects, each with `tag` and `content`", path=path) from None


def _bytes(text: Any, path: FieldPath) -> bytes:
    """Read base64, URL-safe or not, with padding or without."""
    try:
        plain = str(text).rstrip("=").replace("-", "+").replace("_", "/")
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except ValueError:
        raise EncodeError(f"{text!r} is not base64", path=path) from None
