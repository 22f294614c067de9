"""Values written piece by piece, so that a fault can be put into any of them.

This is a second encoder of the protocol, from the layouts but not from the reference's code: a
vector is written only where both agree.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from kafka_format.codec.members import is_default
from kafka_format.errors import FieldPath
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
)

Key = tuple[FieldPath, str]
"""A piece: its path, and its role."""

Entries = Callable[[list[list["Piece"]]], list[list["Piece"]]]
Twists = Mapping[Key, Any]
"""Bytes in place of those of a piece. Under the role `items`, the items to write in place of those
of an array; under `entries`, what changes the fields of a tag section.
"""

NO_TWISTS: Final[Twists] = MappingProxyType({})
_MORE: Final = 0x80


class Piece(NamedTuple):
    """Bytes that belong together.

    Attributes:
        path: the way to them, as errors name it.
        role: `value`, `length`, `content`, `count`, `marker`, `tag` or `size`.
        data: the bytes.
        kind: type of the field.
        value: the value of the field; of a tag section's piece None.
        tagged: True inside a tagged field.
        known: for `tag` and `size`, whether the layout knows the field.
    """

    path: FieldPath
    role: str
    data: bytes
    kind: Type
    value: Any = None
    tagged: bool = False
    known: bool = False


def uvarint(number: int) -> bytes:
    """Write an unsigned varint."""
    out = bytearray()
    while number >= _MORE:
        out.append(number % _MORE + _MORE)
        number //= _MORE
    return bytes((*out, number))


def join(pieces: Sequence[Piece]) -> bytes:
    """Return the bytes of pieces."""
    return b"".join(piece.data for piece in pieces)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes a value.

    Attributes:
        twists: what to write otherwise.
        all_tags: True to write tagged fields that have their defaults too.
    """

    twists: Twists = field(default_factory=lambda: NO_TWISTS)
    all_tags: bool = False

    def pieces(self, layout: Layout, value: Mapping[str, Any]) -> list[Piece]:
        """Return the pieces of a value, in order."""
        return list(self._structure(layout, value, (), tagged=False))

    def _piece(
        self, path: FieldPath, role: str, data: bytes, kind: Type, value: Any, *, tagged: bool, known: bool = False
    ) -> Piece:
        return Piece(path, role, self.twists.get((path, role), data), kind, value, tagged, known)

    def _structure(self, layout: Layout, value: Mapping[str, Any], path: FieldPath, *, tagged: bool) -> Iterator[Piece]:
        for member in layout.fields:
            if isinstance(member.type, TagSection):
                yield from self._section(member, member.type, value, path, tagged=tagged)
            else:
                yield from self._value(member.type, value[member.name], (*path, member.name), tagged=tagged)

    def _value(self, kind: Type, value: Any, path: FieldPath, *, tagged: bool) -> Iterator[Piece]:
        match kind:
            case Nested(layout=layout):
                yield from self._structure(layout, value, path, tagged=tagged)
            case Optional(marker=marker, null=null, layout=layout):
                number = _number(marker, null if value is None else 1)
                yield self._piece((*path, "marker"), "marker", number, kind, value, tagged=tagged)
                if value is not None:
                    yield from self._structure(layout, value, path, tagged=tagged)
            case Counted(length=length, item=item):
                count = _number(length, -1 if value is None else len(value))
                yield self._piece((*path, "count"), "count", count, kind, value, tagged=tagged)
                for index, element in enumerate(self.twists.get((path, "items"), value or ())):
                    yield from self._value(item, element, (*path, index), tagged=tagged)
            case Form(length=length):
                content = value.encode() if isinstance(value, str) else value or b""
                count = _number(length, -1 if value is None else len(content))
                yield self._piece((*path, "length"), "length", count, kind, value, tagged=tagged)
                yield self._piece(path, "content", content, kind, value, tagged=tagged)
            case _:
                yield self._piece(path, "value", _scalar(kind, value), kind, value, tagged=tagged)

    def _section(
        self, field: Field, kind: TagSection, value: Mapping[str, Any], path: FieldPath, *, tagged: bool
    ) -> Iterator[Piece]:
        own = (*path, field.name)
        entries: list[list[Piece]] = []
        for member in kind.fields:
            if self.all_tags or not is_default(member, value[member.name]):
                content = list(self._value(member.type, value[member.name], (*path, member.name), tagged=True))
                entries.append(self._entry((*own, len(entries)), member.tag or 0, content, field, known=True))
        for tag, raw in value.get(field.name, ()):
            at = (*own, len(entries))
            content = [self._piece((*at, "content"), "content", raw, kind, None, tagged=True)]
            entries.append(self._entry(at, tag, content, field, known=False))
        entries = self.twists.get((own, "entries"), lambda same: same)(entries)
        yield self._piece((*own, "count"), "count", uvarint(len(entries)), kind, None, tagged=tagged)
        for entry in entries:
            yield from entry

    def _entry(self, path: FieldPath, tag: int, content: list[Piece], field: Field, *, known: bool) -> list[Piece]:
        size = uvarint(sum(len(piece.data) for piece in content))
        kind = field.type
        return [
            self._piece((*path, "tag"), "tag", uvarint(tag), kind, None, tagged=True, known=known),
            self._piece((*path, "size"), "size", size, kind, None, tagged=True, known=known),
            *content,
        ]


def _number(kind: Any, number: int) -> bytes:
    if isinstance(kind, Integer):
        return number.to_bytes(kind.size, "big", signed=kind.lowest < 0)
    return uvarint(kind.kind.number(number))


def _scalar(kind: Type, value: Any) -> bytes:
    match kind:
        case Integer():
            return _number(kind, value)
        case Boolean():
            return b"\1" if value else b"\0"
        case Float():
            return struct.pack(">d", value)
        case Fixed():
            return bytes(value)
        case _:
            msg = f"{kind.name} is none of the protocol's types"
            raise TypeError(msg)
