"""A codec of messages as an implementor writes one, with a hook at each place where people err.

It is held against the diagnosis, and shares nothing with the codecs that the diagnosis knows. It is
strict: what it does not expect, it refuses.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from kafka_format.codec.members import default_of, is_default
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
)

from tests.kafka_conformance.kinds.message.faults import BrokenError

Read = tuple[Any, int]
"""A value and the position behind it."""


class OwnCodec:
    """Reads and writes; what a fault needs is a method of its own.

    Attributes:
        place: names of the fields that it is in.
    """

    def __init__(self) -> None:
        self.place: list[str] = []

    # What is made of content, value by value

    def text(self, content: bytes) -> str | None:
        return content.decode()

    def octets(self, content: bytes) -> bytes | None:
        return content

    def number(self, size: int, value: int) -> Any:
        return value

    def flag(self, byte: int) -> bool:
        return byte == 1

    def real(self, raw: bytes) -> float:
        return float(struct.unpack(">d", raw)[0])

    def uuid(self, raw: bytes) -> bytes:
        return raw

    def items(self, kind: Counted, items: list[Any]) -> Any:
        return items

    def null_of(self, kind: Any) -> Any:
        return None

    def fields(self, layout: Layout, values: dict[str, Any]) -> dict[str, Any]:
        return values

    def tag_default(self, field: Field, value: Any) -> Any:
        return value

    # Reading

    def take(self, data: bytes, at: int, size: int) -> bytes:
        if size < 0 or at + size > len(data):
            raise BrokenError
        return data[at : at + size]

    def uvarint(self, data: bytes, at: int) -> tuple[int, int]:
        number = 0
        for place in range(5):
            (byte,) = self.take(data, at + place, 1)
            number |= (byte & 127) << 7 * place
            if byte < 128:
                return number, at + place + 1
        raise BrokenError

    def size_of(self, kind: Any, data: bytes, at: int) -> tuple[int, int]:
        if isinstance(kind.length, Integer):
            size = kind.length.size
            return int.from_bytes(self.take(data, at, size), "big", signed=True), at + size
        number, at = self.uvarint(data, at)
        return number - 1, at

    def count_of(self, kind: Counted, data: bytes, at: int) -> tuple[int, int]:
        return self.size_of(kind, data, at)

    def structure(self, layout: Layout, data: bytes, at: int) -> Read:
        values: dict[str, Any] = {}
        for field in layout.fields:
            self.place.append(field.name)
            if isinstance(field.type, TagSection):
                at = self.tags(field, values, data, at)
            else:
                values[field.name], at = self.value(field.type, data, at)
            self.place.pop()
        return self.fields(layout, values), at

    def value(self, kind: Any, data: bytes, at: int) -> Read:  # noqa: PLR0911 - a line a type
        match kind:
            case Nested(layout=layout):
                return self.structure(layout, data, at)
            case Optional():
                return self.optional(kind, data, at)
            case Counted():
                return self.array(kind, data, at)
            case Form():
                return self.form(kind, data, at)
            case Boolean():
                return self.boolean(data, at)
            case Float():
                return self.real(self.take(data, at, 8)), at + 8
            case Fixed(size=size):
                return self.uuid(self.take(data, at, size)), at + size
            case Integer():
                return self.integer(kind, data, at)
        raise BrokenError

    def boolean(self, data: bytes, at: int) -> Read:
        return self.flag(self.take(data, at, 1)[0]), at + 1

    def integer(self, kind: Integer, data: bytes, at: int) -> Read:
        raw = self.take(data, at, kind.size)
        return self.number(kind.size, int.from_bytes(raw, "big", signed=kind.lowest < 0)), at + kind.size

    def optional(self, kind: Optional, data: bytes, at: int) -> Read:
        if isinstance(kind.marker, Integer):
            marker, at = int.from_bytes(self.take(data, at, 1), "big", signed=True), at + 1
        else:
            marker, at = self.uvarint(data, at)
        return (self.null_of(kind), at) if marker == kind.null else self.structure(kind.layout, data, at)

    def array(self, kind: Counted, data: bytes, at: int) -> Read:
        count, at = self.count_of(kind, data, at)
        if count < 0:
            return self.null_of(kind), at
        items = []
        for _ in range(count):
            item, at = self.value(kind.item, data, at)
            items.append(item)
        return self.items(kind, items), at

    def form(self, kind: Form, data: bytes, at: int) -> Read:
        size, at = self.size_of(kind, data, at)
        if size < 0:
            return self.null_of(kind), at
        content = self.take(data, at, size)
        return (self.text(content) if kind.content == "text" else self.octets(content)), at + size

    def tags(self, field: Field, values: dict[str, Any], data: bytes, at: int) -> int:
        assert isinstance(field.type, TagSection)
        known = {each.tag: each for each in field.type.fields}
        for each in known.values():
            default = default_of(each, lambda _, inner: inner)
            values[each.name] = self.tag_default(each, [] if default == () else default)
        count, at = self.uvarint(data, at)
        unknown: list[tuple[int, bytes]] = []
        for index in range(count):
            tag, at = self.uvarint(data, at)
            size, at = self.uvarint(data, at)
            content = self.take(data, at, size)
            at += size
            if tag in field.type.elsewhere:
                raise BrokenError
            self.tag(index, known.get(tag), tag, content, values, unknown)
        values[field.name] = tuple(unknown)
        return at

    def tag(
        self, index: int, known: Field | None, tag: int, content: bytes, values: dict[str, Any], unknown: list[Any]
    ) -> None:
        """Take a tagged field, the `index`th of its section."""
        if known is None:
            unknown.append((tag, content))
            return
        self.place.append(known.name)
        values[known.name], end = self.value(known.type, content, 0)
        self.place.pop()
        if end != len(content):
            raise BrokenError

    # Writing

    def write(self, layout: Layout, values: dict[str, Any]) -> bytes:
        parts = []
        for field in layout.fields:
            self.place.append(field.name)
            parts.append(
                self.write_tags(field, values)
                if isinstance(field.type, TagSection)
                else self.put(field.type, values[field.name])
            )
            self.place.pop()
        return b"".join(parts)

    def put_uvarint(self, number: int) -> bytes:
        groups = [number & 127]
        while number := number >> 7:
            groups.append(number & 127)
        return bytes([*(group | 128 for group in groups[:-1]), groups[-1]])

    def put_size(self, kind: Any, size: int) -> bytes:
        return self.put_length(kind, size)

    def put_count(self, kind: Counted, count: int) -> bytes:
        return self.put_length(kind, count)

    def put_length(self, kind: Any, size: int) -> bytes:
        if isinstance(kind.length, Integer):
            return size.to_bytes(kind.length.size, "big", signed=True)
        return self.put_uvarint(size + 1)

    def put_null(self, kind: Any) -> bytes:
        return self.put_length(kind, -1)

    def put(self, kind: Any, value: Any) -> bytes:  # noqa: PLR0911 - a line a type
        match kind:
            case Nested(layout=layout):
                return self.write(layout, value)
            case Optional():
                return self.put_optional(kind, value)
            case Counted():
                return self.put_null(kind) if value is None else self.put_items(kind, value)
            case Form():
                return self.put_null(kind) if value is None else self.put_form(kind, value)
            case Boolean():
                return self.put_flag(value)
            case Float():
                return struct.pack(">d", value)
            case Fixed():
                return self.put_uuid(value)
            case Integer():
                return self.put_integer(kind, value)
        raise BrokenError

    def put_optional(self, kind: Optional, value: Any) -> bytes:
        is_byte = isinstance(kind.marker, Integer)
        if value is None:
            return b"\xff" if is_byte else b"\0"
        return b"\x01" + self.write(kind.layout, value)

    def put_items(self, kind: Counted, value: list[Any]) -> bytes:
        return self.put_count(kind, len(value)) + b"".join(self.put(kind.item, item) for item in value)

    def put_form(self, kind: Form, value: Any) -> bytes:
        content = self.put_text(value) if isinstance(value, str) else self.put_octets(value)
        return self.put_size(kind, len(content)) + content

    def put_text(self, value: str) -> bytes:
        return value.encode()

    def put_octets(self, value: bytes) -> bytes:
        return value

    def put_flag(self, value: bool) -> bytes:
        return bytes((value,))

    def put_uuid(self, value: bytes) -> bytes:
        return value

    def put_integer(self, kind: Integer, value: int) -> bytes:
        return value.to_bytes(kind.size, "big", signed=kind.lowest < 0)

    def is_put(self, field: Field, value: Any) -> bool:
        return not is_default(field, value)

    def put_unknown(self, unknown: Any) -> list[tuple[int, bytes]]:
        return list(unknown)

    def write_tags(self, field: Field, values: dict[str, Any]) -> bytes:
        assert isinstance(field.type, TagSection)
        known = [
            (each.tag or 0, self.put(each.type, values[each.name]))
            for each in field.type.fields
            if self.is_put(each, values[each.name])
        ]
        return self.put_section(sorted([*known, *self.put_unknown(values[field.name])]))

    def put_section(self, section: list[tuple[int, bytes]]) -> bytes:
        parts = [self.put_uvarint(len(section))]
        for tag, content in section:
            parts += [self.put_uvarint(tag), self.put_tag_size(len(content)), content]
        return b"".join(parts)

    def put_tag_size(self, size: int) -> bytes:
        return self.put_uvarint(size)


def own_codec(methods: dict[str, Callable[..., Any]], field: str = "") -> OwnCodec:
    """Return a codec with other methods; if a field is named, they are others in that alone."""
    if field:
        methods = {name: _only_in(field, name, method) for name, method in methods.items()}
    made: OwnCodec = type("Planted", (OwnCodec,), dict(methods))()
    return made


def _only_in(field: str, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    right = getattr(OwnCodec, name)

    def either(self: OwnCodec, *arguments: Any) -> Any:
        return (method if field in self.place[-1:] else right)(self, *arguments)

    return either
