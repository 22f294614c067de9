"""A codec of versions with a method for each kind of value, so that one can be wrong by itself.

It checks as little as it can: wrong codecs are made of it, and held against vectors that are right.
Values are those of `codec.compiler`: by the names of fields, unknown tagged fields as pairs.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, Final

from kafka_format.codec.members import default_of, is_default
from kafka_format.errors import FormatError
from kafka_format.primitives.varints import UVARINT, read_varint, write_varint
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

Length = Integer | Varint
_Values = dict[str, Any]

UNREADABLE: Final = (FormatError, ValueError, TypeError, LookupError, AttributeError, OverflowError, struct.error)
"""What a codec raises at bytes or values that are none for it."""

_MOST_ITEMS: Final = 1 << 16


class PlainCodec:
    """Reads and writes any version.

    Attributes:
        path: names of the fields that it is in, the outermost first.
    """

    def __init__(self) -> None:
        """Begin outside of every field."""
        self.path: list[str] = []

    # Reading: each takes the bytes and a position, and gives a value and the position behind it.

    def read(self, layout: Layout, data: bytes, at: int) -> tuple[_Values, int]:
        """Read a structure."""
        values: _Values = {}
        for field in layout.fields:
            self.path.append(field.name)
            if isinstance(field.type, TagSection):
                at = self.read_tags(field, field.type, values, data, at)
            else:
                values[field.name], at = self.read_value(field.type, data, at)
            self.path.pop()
        return values, at

    def read_value(self, kind: Type, data: bytes, at: int) -> tuple[Any, int]:  # noqa: PLR0911 - a line a type
        """Read a value of any type."""
        match kind:
            case Nested(layout=layout):
                return self.read(layout, data, at)
            case Optional():
                return self.read_optional(kind, data, at)
            case Counted():
                return self.read_array(kind, data, at)
            case Form():
                return self.read_form(kind, data, at)
            case Integer() | Varint():
                return self.read_number(kind, data, at)
            case Boolean():
                return self.read_bool(data, at)
            case Float():
                return self.read_float(data, at)
            case Fixed(size=size):
                return self.read_fixed(self.take(data, at, size)), at + size
        msg = f"{kind.name} is none of the protocol's types"
        raise TypeError(msg)

    def take(self, data: bytes, at: int, size: int) -> bytes:
        """Return bytes that must be there."""
        if size < 0 or at + size > len(data):
            msg = "the bytes end"
            raise ValueError(msg)
        return data[at : at + size]

    def read_optional(self, kind: Optional, data: bytes, at: int) -> tuple[Any, int]:
        """Read a structure or null."""
        marker, at = self.read_marker(kind.marker, data, at)
        return (None, at) if marker == kind.null or marker < 0 else self.read(kind.layout, data, at)

    def read_marker(self, kind: Length, data: bytes, at: int) -> tuple[int, int]:
        """Read whether a structure is there."""
        return self.read_length(kind, data, at)

    def read_array(self, kind: Counted, data: bytes, at: int) -> tuple[Any, int]:
        """Read an array."""
        count, at = self.read_count(kind.length, data, at)
        if count < 0:
            return self.read_null_array(kind), at
        items = []
        for _ in range(min(count, _MOST_ITEMS)):
            item, at = self.read_value(kind.item, data, at)
            items.append(item)
        return items, at

    def read_null_array(self, kind: Counted) -> Any:
        """Return what a null array is read as."""
        if not kind.nullable:
            msg = "an array is null that cannot be"
            raise ValueError(msg)

    def read_form(self, kind: Form, data: bytes, at: int) -> tuple[Any, int]:
        """Read a string or bytes."""
        size, at = self.read_size(kind, data, at)
        if size < 0:
            return self.read_null_form(kind), at
        content = self.take(data, at, size)
        return (self.read_text(content) if kind.content == "text" else self.read_bytes(content)), at + size

    def read_null_form(self, kind: Form) -> Any:
        """Return what null is read as."""
        if kind.null is None:
            msg = "a string is null that cannot be"
            raise ValueError(msg)

    def read_text(self, content: bytes) -> str:
        """Return the text of bytes."""
        return content.decode(errors="replace")

    def read_bytes(self, content: bytes) -> bytes:
        """Return what is read of bytes."""
        return content

    def read_fixed(self, content: bytes) -> bytes:
        """Return what is read of a UUID."""
        return content

    def read_size(self, kind: Form, data: bytes, at: int) -> tuple[int, int]:
        """Read the length of a string or bytes."""
        return self.read_length(kind.length, data, at)

    def read_count(self, kind: Length, data: bytes, at: int) -> tuple[int, int]:
        """Read the number of items."""
        count, at = self.read_length(kind, data, at)
        return (count - (1 << 32) if isinstance(kind, Varint) and count >= 1 << 31 else count), at

    def read_length(self, kind: Length, data: bytes, at: int) -> tuple[int, int]:
        """Read a length, a count or a marker."""
        return self.read_varint(kind, data, at) if isinstance(kind, Varint) else self.read_integer(kind, data, at)

    def read_varint(self, kind: Varint, data: bytes, at: int) -> tuple[int, int]:
        """Read a varint."""
        found = read_varint(data, at, len(data), kind.kind)
        if found is None or found.end < 0:
            msg = "a varint is cut off or too long"
            raise ValueError(msg)
        return found.value, found.end

    def read_number(self, kind: Length, data: bytes, at: int) -> tuple[int, int]:
        """Read a field that is a number."""
        return self.read_length(kind, data, at)

    def read_integer(self, kind: Integer, data: bytes, at: int) -> tuple[int, int]:
        """Read an integer."""
        return int.from_bytes(self.take(data, at, kind.size), kind.order, signed=kind.lowest < 0), at + kind.size

    def read_bool(self, data: bytes, at: int) -> tuple[bool, int]:
        """Read true or false."""
        return self.take(data, at, 1) != b"\0", at + 1

    def read_float(self, data: bytes, at: int) -> tuple[float, int]:
        """Read a floating-point number."""
        return struct.unpack(">d", self.take(data, at, 8))[0], at + 8

    def read_tags(self, field: Field, kind: TagSection, values: _Values, data: bytes, at: int) -> int:
        """Read a tag section into the values."""
        values |= {known.name: self.default(known) for known in kind.fields}
        known = {each.tag: each for each in kind.fields}
        count, at = self.read_varint(Varint(UVARINT), data, at)
        unknown: list[tuple[int, bytes]] = []
        for _ in range(count):
            tag, at = self.read_varint(Varint(UVARINT), data, at)
            size, at = self.read_varint(Varint(UVARINT), data, at)
            content = self.take(data, at, size)
            if tag in known:
                self.path.append(known[tag].name)
                values[known[tag].name], end = self.read_value(known[tag].type, data, at)
                self.path.pop()
                if end != at + size:
                    msg = "a tagged field is shorter or longer than its size"
                    raise ValueError(msg)
            else:
                self.read_unknown(unknown, tag, content)
            at += size
        values[field.name] = tuple(unknown)
        return at

    def read_unknown(self, unknown: list[tuple[int, bytes]], tag: int, content: bytes) -> None:
        """Keep a tagged field that the layout does not know."""
        unknown.append((tag, content))

    def default(self, field: Field) -> Any:
        """Return the value of a tagged field that is not there."""
        value = default_of(field, lambda _, values: values)
        return [] if value == () else value

    # Writing

    def write(self, layout: Layout, values: Mapping[str, Any]) -> bytes:
        """Write a structure."""
        parts = []
        for field in layout.fields:
            self.path.append(field.name)
            parts.append(
                self.write_tags(field, field.type, values)
                if isinstance(field.type, TagSection)
                else self.write_value(field.type, values[field.name])
            )
            self.path.pop()
        return b"".join(parts)

    def write_value(self, kind: Type, value: Any) -> bytes:  # noqa: PLR0911 - any type's value, a line a type
        """Write a value of any type."""
        match kind:
            case Nested(layout=layout):
                return self.write(layout, value)
            case Optional():
                there = self.write_marker(kind, 1)
                return self.write_marker(kind, kind.null) if value is None else there + self.write(kind.layout, value)
            case Counted():
                return self.write_array(kind, value)
            case Form():
                return self.write_form(kind, value)
            case Integer() | Varint():
                return self.write_number(kind, value)
            case Boolean():
                return self.write_bool(value)
            case Float():
                return self.write_float(value)
            case Fixed():
                return self.write_fixed(value)
        msg = f"{kind.name} is none of the protocol's types"
        raise TypeError(msg)

    def write_marker(self, kind: Optional, number: int) -> bytes:
        """Write whether a structure is there."""
        return self.write_length(kind.marker, number)

    def write_array(self, kind: Counted, value: Any) -> bytes:
        """Write an array."""
        if value is None:
            return self.write_null_array(kind)
        return self.write_count(kind.length, len(value)) + b"".join(self.write_value(kind.item, item) for item in value)

    def write_null_array(self, kind: Counted) -> bytes:
        """Write a null array."""
        return self.write_length(kind.length, -1)

    def write_form(self, kind: Form, value: Any) -> bytes:
        """Write a string or bytes."""
        if value is None:
            return self.write_null_form(kind)
        content = self.write_text(value) if isinstance(value, str) else self.write_bytes(value)
        return self.write_size(kind, len(content), value) + content

    def write_null_form(self, kind: Form) -> bytes:
        """Write a null string or null bytes."""
        return self.write_length(kind.length, -1 if kind.null is None else kind.null)

    def write_text(self, value: str) -> bytes:
        """Return the bytes of a text."""
        return value.encode()

    def write_bytes(self, value: bytes) -> bytes:
        """Return what is written of bytes."""
        return value

    def write_fixed(self, value: bytes) -> bytes:
        """Write a UUID."""
        return value

    def write_size(self, kind: Form, size: int, value: Any) -> bytes:  # noqa: ARG002 - the content, for who counts otherwise
        """Write the length of a string or bytes."""
        return self.write_length(kind.length, size)

    def write_count(self, kind: Length, count: int) -> bytes:
        """Write the number of items."""
        return self.write_length(kind, count)

    def write_length(self, kind: Length, number: int) -> bytes:
        """Write a length, a count or a marker."""
        return self.write_varint(kind, number) if isinstance(kind, Varint) else self.write_integer(kind, number)

    def write_varint(self, kind: Varint, number: int) -> bytes:
        """Write a varint."""
        return bytes(write_varint(number, kind.kind))

    def write_number(self, kind: Length, number: int) -> bytes:
        """Write a field that is a number."""
        return self.write_length(kind, number)

    def write_integer(self, kind: Integer, number: int) -> bytes:
        """Write an integer."""
        return number.to_bytes(kind.size, kind.order, signed=kind.lowest < 0)

    def write_bool(self, value: bool) -> bytes:  # noqa: FBT001 - the value that is written
        """Write true or false."""
        return bytes((value,))

    def write_float(self, value: float) -> bytes:
        """Write a floating-point number."""
        return struct.pack(">d", value)

    def write_tags(self, field: Field, kind: TagSection, values: Mapping[str, Any]) -> bytes:
        """Write a tag section."""
        known = [
            (each.tag or 0, self.write_tagged(each, values[each.name]))
            for each in kind.fields
            if self.is_written(each, values[each.name])
        ]
        return self.write_section(sorted([*known, *self.kept_unknown(values.get(field.name, ()))]))

    def write_tagged(self, field: Field, value: Any) -> bytes:
        """Write the content of a tagged field."""
        self.path.append(field.name)
        content = self.write_value(field.type, value)
        self.path.pop()
        return content

    def is_written(self, field: Field, value: Any) -> bool:
        """Tell whether a tagged field is written."""
        return not is_default(field, value)

    def kept_unknown(self, unknown: Any) -> list[tuple[int, bytes]]:
        """Return the unknown tagged fields that are written again."""
        return list(unknown)

    def write_section(self, fields: list[tuple[int, bytes]]) -> bytes:
        """Write tagged fields behind their number."""
        number = Varint(UVARINT)
        parts = [self.write_varint(number, len(fields))]
        for tag, content in fields:
            parts += [self.write_varint(number, tag), self.write_tag_size(len(content)), content]
        return b"".join(parts)

    def write_tag_size(self, size: int) -> bytes:
        """Write the size of a tagged field."""
        return self.write_varint(Varint(UVARINT), size)
