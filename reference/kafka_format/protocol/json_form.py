"""Values as JSON with Kafka's own names: as Kafka's JsonConverter classes write them, or exactly.

`KAFKA`: bytes and records are base64, a UUID is URL-safe base64 without padding. A tagged field
that has its default is left out.

`EXACT`, for vectors and adapters: bytes, records and UUIDs are hex, an int64 is decimal text,
because JavaScript loses bits of larger numbers, and all fields are there.

Tagged fields that the layout does not know, which Kafka does not show, stand under
`_unknownTaggedFields`, where there are any.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from kafka_format.codec.compiler import Structure
from kafka_format.codec.members import is_default, members
from kafka_format.codec.runtime import UnknownTaggedField
from kafka_format.errors import EncodeError, FieldPath
from kafka_format.spec.layout.model import (
    Counted,
    Field,
    Fixed,
    Form,
    Integer,
    Layout,
    Nested,
    Optional,
    TagSection,
    Type,
)
from kafka_format.spec.layout.yamlfile import suggest

UNKNOWN: Final = "_unknownTaggedFields"
_INT64: Final = 8


class JsonForm(NamedTuple):
    """A way to write values that JSON has no type for.

    Attributes:
        of_bytes: writes bytes and records.
        of_uuid: writes a UUID.
        to_bytes: reads both; raises a ValueError if a text is none.
        int64_as_text: True if an int64 is decimal text.
        has_all: True if tagged fields that have their defaults are there, too.
    """

    of_bytes: Callable[[bytes], str]
    of_uuid: Callable[[bytes], str]
    to_bytes: Callable[[str], bytes]
    int64_as_text: bool
    has_all: bool

    def write(self, layout: Layout, value: Any) -> dict[str, Any]:
        """Return a value as JSON: dictionaries, lists, texts, numbers, true, false, null.

        Args:
            layout: one version of a versioned layout.
            value: a named tuple of it, or a mapping of its fields by the layout's names.
        """
        given = value._asdict() if hasattr(value, "_asdict") else value
        document: dict[str, Any] = {}
        for field in members(layout):
            own = given[field.name]
            if isinstance(field.type, TagSection):
                if own:
                    document[UNKNOWN] = [{"tag": tag, "content": self.of_bytes(content)} for tag, content in own]
            elif self.has_all or field.tag is None or not is_default(field, own):
                document[field.kafka] = self.write_field(field.type, own)
        return document

    def write_field(self, kind: Type, value: Any) -> Any:
        """Return the value of one field as JSON."""
        if value is None:
            return None
        match kind:
            case Nested(layout=layout) | Optional(layout=layout):
                return self.write(layout, value)
            case Counted(item=item):
                return [self.write_field(item, element) for element in value]
            case Fixed() | Form(content="bytes"):
                return self.of_uuid(value) if isinstance(kind, Fixed) else self.of_bytes(value)
            case Integer(size=size) if size == _INT64 and self.int64_as_text:
                return str(value)
            case _:
                return value

    def read(self, compiled: Structure[Any], given: Mapping[str, Any]) -> Any:
        """Return the value of a version that JSON has; what is left out has its default.

        A field may have a name that an earlier release gave it.

        Raises:
            EncodeError: JSON has a name that no field has, a field twice, or a text that is no
                number or no bytes.
        """
        return compiled.type(**_members(self, compiled, compiled.layout, given, ()))


def _from_base64(text: str) -> bytes:
    """Read base64, URL-safe or not, with padding or without."""
    digits = text.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(digits + "=" * (-len(digits) % 4), validate=True)


KAFKA: Final = JsonForm(
    of_bytes=lambda content: base64.b64encode(content).decode(),
    of_uuid=lambda content: base64.urlsafe_b64encode(content).decode().rstrip("="),
    to_bytes=_from_base64,
    int64_as_text=False,
    has_all=False,
)
EXACT: Final = JsonForm(bytes.hex, bytes.hex, bytes.fromhex, int64_as_text=True, has_all=True)


def to_json(compiled: Structure[Any], value: Any) -> dict[str, Any]:
    """Return a version's value as JSON, as Kafka writes it."""
    return KAFKA.write(compiled.layout, value)


def from_json(compiled: Structure[Any], given: Mapping[str, Any]) -> Any:
    """Return the value of a version that Kafka's JSON has; see `JsonForm.read`.

    Raises:
        EncodeError: JSON has a name that no field has, a field twice, or base64 that is none.
    """
    return KAFKA.read(compiled, given)


def _members(form: JsonForm, compiled: Structure[Any], layout: Layout, given: Any, path: FieldPath) -> dict[str, Any]:
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
        values[field.name] = _read(form, compiled, field.type, value, (*path, name))
    # The default of an array is an empty tuple, since classes share it; a decoder gives a list.
    empty: dict[str, Any] = {
        field.name: [] for field in fields.values() if isinstance(field.type, Counted) and field.default == ()
    }
    # Records have no default that Kafka's schemas say; where null is not allowed, there are none.
    nothing = {field.name: b"" for field in fields.values() if _needs_content(field)}
    return empty | nothing | values


def _needs_content(field: Field) -> bool:
    kind = field.type
    return isinstance(kind, Form) and kind.null is None and kind.content == "bytes" and field.default is None


def _read(form: JsonForm, compiled: Structure[Any], kind: Type, value: Any, path: FieldPath) -> Any:
    match kind:
        case _ if value is None:
            return None
        case TagSection():
            return _unknown(form, value, path)
        case Nested(layout=layout) | Optional(layout=layout):
            return compiled.types[layout.type_name](**_members(form, compiled, layout, value, path))
        case Counted(item=item) if isinstance(value, list):
            return [_read(form, compiled, item, element, (*path, index)) for index, element in enumerate(value)]
        case _:
            return _scalar(form, kind, value, path)


def _scalar(form: JsonForm, kind: Type, value: Any, path: FieldPath) -> Any:
    match kind:
        case Fixed() | Form(content="bytes"):
            return _bytes(form, value, path)
        case Integer(size=size) if size == _INT64 and form.int64_as_text:
            return _number(value, path)
        case _:
            return value


def _unknown(form: JsonForm, value: Any, path: FieldPath) -> tuple[UnknownTaggedField, ...]:
    try:
        return tuple(UnknownTaggedField(tag["tag"], _bytes(form, tag["content"], path)) for tag in value)
    except (TypeError, KeyError):
        raise EncodeError("takes a list of objects, each with `tag` and `content`", path=path) from None


def _bytes(form: JsonForm, text: Any, path: FieldPath) -> bytes:
    try:
        return form.to_bytes(str(text))
    except ValueError:
        raise EncodeError(f"{text!r} is not {'hex' if form is EXACT else 'base64'}", path=path) from None


def _number(text: Any, path: FieldPath) -> int:
    try:
        return int(text)
    except (TypeError, ValueError):
        raise EncodeError(f"{text!r} is not a number", path=path) from None
