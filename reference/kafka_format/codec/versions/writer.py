"""Writing of a version by walking its layout.

It takes mappings too, fills in what is left out, and says what is wrong.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kafka_format.codec.scalars import form_bytes, number_bytes
from kafka_format.codec.versions.defaults import default_of, is_default
from kafka_format.codec.versions.runtime import LONGEST_STRING, section
from kafka_format.codec.versions.text import members
from kafka_format.errors import EncodeError, FieldPath
from kafka_format.spec.layout.model import (
    Boolean,
    Counted,
    Field,
    Fixed,
    Float,
    Form,
    Integer,
    Layout,
    Nested,
    Optional,
    TagSection,
    Type,
    Varint,
)
from kafka_format.spec.layout.yamlfile import suggest

_NULL: Final = -1


def encode(layout: Layout, value: Any, path: FieldPath = ()) -> bytes:
    """Write one structure: a named tuple, or a mapping of its fields.

    Raises:
        EncodeError: a value has the wrong type, does not fit, or belongs to no field.
    """
    values = value._asdict() if hasattr(value, "_asdict") else value
    if not isinstance(values, Mapping):
        detail = f"{layout.title} takes a mapping of its fields, not {type(value).__name__}"
        raise EncodeError(detail, path=path)
    known = {field.name: field for field in members(layout)}
    for name in values:
        if name not in known:
            near = suggest(str(name), known)
            raise EncodeError(f"{layout.title} has no such field; {near}", path=(*path, str(name)))
    given = {name: values.get(name, default_of(field, _fields)) for name, field in known.items()}
    return b"".join(_field(field, given, path) for field in layout.fields)


def _fields(_layout: Layout, values: dict[str, Any]) -> dict[str, Any]:
    return values


def _field(field: Field, given: Mapping[str, Any], path: FieldPath) -> bytes:
    if isinstance(field.type, TagSection):
        return _tags(field, field.type, given, path)
    return _value(field.type, given[field.name], (*path, field.name))


def _value(kind: Type, value: Any, path: FieldPath) -> bytes:
    """Write one value of any type."""
    match kind:
        case Nested(layout=layout):
            return encode(layout, value, path)
        case Optional():
            return _optional(kind, value, path)
        case Counted():
            return _array(kind, value, path)
        case Form():
            return _form(kind, value, path)
        case _:
            return _scalar(kind, value, path)


def _scalar(kind: Type, value: Any, path: FieldPath) -> bytes:
    match kind:
        case Integer() | Varint():
            return number_bytes(kind, value, path)
        case Boolean():
            if not isinstance(value, bool):
                raise EncodeError(f"takes true or false, not {value!r}", path=path)
            return bytes((value,))
        case Float():
            if not isinstance(value, float | int):
                raise EncodeError(f"takes a number, not {type(value).__name__}", path=path)
            return struct.pack(">d", value)
        case Fixed(size=size):
            if not isinstance(value, bytes | bytearray) or len(value) != size:
                raise EncodeError(f"takes {size} bytes, not {value!r}", path=path)
            return bytes(value)
        case _:
            msg = f"{kind.name} is none of the protocol's types"
            raise TypeError(msg)


def _form(kind: Form, value: Any, path: FieldPath) -> bytes:
    if kind.content != "text" or value is None:
        return form_bytes(kind, value, path)
    if not isinstance(value, str):
        raise EncodeError(f"takes a text, not {type(value).__name__}", path=path)
    try:
        content = value.encode()
    except UnicodeEncodeError as error:
        raise EncodeError(f"cannot be UTF-8: {error.reason}", path=path) from None
    if len(content) > LONGEST_STRING:
        raise EncodeError(f"has {len(content)} bytes, must have {LONGEST_STRING} or fewer", path=path)
    return form_bytes(kind, content, path)


def _optional(kind: Optional, value: Any, path: FieldPath) -> bytes:
    if value is None:
        return number_bytes(kind.marker, kind.null, path)
    return number_bytes(kind.marker, 1, path) + encode(kind.layout, value, path)


def _array(kind: Counted, value: Any, path: FieldPath) -> bytes:
    if value is None:
        if not kind.nullable:
            raise EncodeError("cannot be null", path=path)
        return number_bytes(kind.length, _NULL, path)
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise EncodeError(f"takes a list of items, not {type(value).__name__}", path=path)
    items = [_value(kind.item, item, (*path, index)) for index, item in enumerate(value)]
    return number_bytes(kind.length, len(items), (*path, "count")) + b"".join(items)


def _tags(field: Field, kind: TagSection, given: Mapping[str, Any], path: FieldPath) -> bytes:
    """Write a tag section: known fields that do not have their defaults, and unknown ones."""
    known = [
        (field.tag or 0, _value(field.type, given[field.name], (*path, field.name)))
        for field in kind.fields
        if not is_default(field, given[field.name])
    ]
    own = {field.tag for field in kind.fields}
    unknown = _unknown(given[field.name], (*path, field.name))
    for tag, _ in unknown:
        if tag in own:
            raise EncodeError(f"tag {tag} belongs to a field that the layout knows", path=(*path, field.name))
    try:
        return section(known, unknown)
    except (ValueError, OverflowError):
        raise EncodeError("a tag appears twice, or does not fit", path=(*path, field.name)) from None


def _unknown(value: Any, path: FieldPath) -> list[tuple[int, bytes]]:
    try:
        pairs = [(tag, content) for tag, content in value or ()]
    except (TypeError, ValueError):
        raise EncodeError("takes pairs of a tag and its bytes", path=path) from None
    for tag, content in pairs:
        if not isinstance(tag, int) or isinstance(tag, bool) or tag < 0 or not isinstance(content, bytes):
            raise EncodeError("takes pairs of a tag and its bytes", path=path)
    return pairs
