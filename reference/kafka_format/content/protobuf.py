"""Messages of Protobuf, read by tables of their fields, with the place of each field.

What a reader of Protobuf gives is what Google's gives (Java's CodedInputStream): fields that the
table does not know, or that have another wire type, are left out; of a field that is there twice
the last counts, but messages are merged; a number without presence that is 0 is not there.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from itertools import count
from math import isfinite, isnan
from typing import Any, Final, NamedTuple

from kafka_format.content.answers import wrong
from kafka_format.errors import FieldPath, FormatError, Stage
from kafka_format.primitives.counts import byte_count
from kafka_format.primitives.varints import VARINT

DEEPEST: Final = 100
"""Messages inside one another that Google's readers take (CodedInputStream, recursion limit)."""

MOST_FIELDS: Final = 250_000
"""Fields of a message that are read: some 100 MB of memory."""

_VARINT, _FIXED64, _BYTES, _GROUP, _END, _FIXED32 = range(6)
_SIZES: Final = {_FIXED64: 8, _FIXED32: 4}
_LONGEST: Final = 10
"""Bytes of the longest varint."""

_LOW, _ALL = (1 << 32) - 1, (1 << 64) - 1
_WIRE: Final = {
    **dict.fromkeys(("bool", "enum", "int64", "sint32", "uint32", "uint64"), _VARINT),
    **dict.fromkeys(("double", "fixed64", "sfixed64"), _FIXED64),
}
"""Wire types of numbers; all else has a size in front."""

_FORMATS: Final = {"double": "<d", "fixed64": "<Q", "sfixed64": "<q"}


class Field(NamedTuple):
    """A field of a message.

    Attributes:
        name: its name.
        kind: a scalar type of Protobuf, or the name of a message.
        is_repeated: whether it may be there more than once.
        oneof: the fields of which at most one is there; empty for none.
        is_optional: whether a number that is 0 is told from none.
    """

    name: str
    kind: str
    is_repeated: bool = False
    oneof: str = ""
    is_optional: bool = False


Messages = Mapping[str, Mapping[int, Field]]
"""The fields of messages, by their numbers."""


class Place(NamedTuple):
    """Where a field is: its key, its size, and what is in it; of a message only what is in front.

    Attributes:
        path: the way to it.
        start: first byte.
        end: byte after the last.
        value: what it says; None of a message.
        note: what is to be said beside the value.
    """

    path: FieldPath
    start: int
    end: int
    value: Any
    note: str = ""


class _Within(NamedTuple):
    """The message that a field is in: its fields, what was read of them, and where it is."""

    fields: Mapping[int, Field]
    value: dict[str, Any]
    end: int
    path: FieldPath
    depth: int


class MessageReader:
    """Reads one message.

    Attributes:
        places: the fields as far as they were read, in the order of the bytes.
    """

    def __init__(self, data: bytes, messages: Messages, rule: str) -> None:
        """Take the bytes, the tables, and the rule that is broken where they are wrong."""
        self.places: list[Place] = []
        self._data, self._messages, self._rule = data, messages, rule
        self._at = 0

    def read(self, name: str) -> dict[str, Any]:
        """Return the fields of a message that is all of the bytes.

        64-bit integers are decimal digits, bytes are hex, and what is no number is a text.

        Raises:
            FormatError: it breaks the rule, or has more than `MOST_FIELDS`.
        """
        value: dict[str, Any] = {}
        self._message(_Within(self._messages[name], value, len(self._data), (), 0))
        return value

    def _message(self, within: _Within) -> None:
        while self._at < within.end:
            start, (number, wire) = self._at, self._key(within)
            field = within.fields.get(number)
            if field is not None and wire in {_WIRE.get(field.kind, _BYTES), _BYTES if field.is_repeated else -1}:
                self._field(field, wire, start, within)
            else:
                self._skip(number, wire, start, within)

    def _field(self, field: Field, wire: int, start: int, within: _Within) -> None:
        before = within.value.get(field.name)
        within = within._replace(path=(*within.path, field.name, *((len(before or ()),) if field.is_repeated else ())))
        if field.kind in self._messages:
            self._inner(field, start, within)
        elif wire == _BYTES and field.kind in _WIRE:
            within.value.setdefault(field.name, []).extend(self._packed(field, start, within))
        else:
            value = self._scalar(field.kind, within)
            self._note(within.path, start, value)
            _put(field, within, _shown(field.kind, value), is_default=not value and repr(value) != "-0.0")

    def _inner(self, field: Field, start: int, within: _Within) -> None:
        if within.depth >= DEEPEST:
            raise self._wrong(f"lies in more than {DEEPEST} messages", start, within)
        stop = self._size(within)
        self._note(within.path, start, None, byte_count(stop - self._at))
        known = None if field.is_repeated else within.value.get(field.name)
        inner: dict[str, Any] = {} if known is None else known
        fields = self._messages[field.kind]
        self._message(_Within(fields, inner, stop, within.path, within.depth + 1))
        _put(field, within, inner, is_default=False)

    def _packed(self, field: Field, start: int, within: _Within) -> Iterator[Any]:
        """Yield the numbers of a run of them."""
        *path, first = within.path
        inner = within._replace(end=self._size(within))
        self._note((*path,), start, None, byte_count(inner.end - self._at))
        for index in count(int(first)):
            if self._at >= inner.end:
                return
            at, inner = self._at, inner._replace(path=(*path, index))
            value = self._scalar(field.kind, inner)
            self._note(inner.path, at, value)
            yield _shown(field.kind, value)

    def _scalar(self, kind: str, within: _Within) -> Any:  # noqa: ANN401 - a scalar
        if _WIRE.get(kind) == _VARINT:
            return _number(kind, self._varint(within))
        if kind in _FORMATS:
            return struct.unpack(_FORMATS[kind], self._take(8, within))[0]
        raw = self._take(self._size(within) - self._at, within)
        if kind != "string":
            return raw
        try:
            return raw.decode()
        except UnicodeDecodeError as error:
            raise self._wrong("is not UTF-8", self._at - len(raw) + error.start, within) from None

    def _skip(self, number: int, wire: int, start: int, within: _Within) -> None:
        """Pass a field that is not known, with all that is in it."""
        groups: list[int] = []
        while True:
            if wire == _VARINT:
                self._varint(within)
            elif wire in _SIZES:
                self._take(_SIZES[wire], within)
            elif wire == _BYTES:
                self._at = self._size(within)
            elif wire == _GROUP and within.depth + len(groups) < DEEPEST:
                groups.append(number)
            elif wire != _END or not groups or groups.pop() != number:
                raise self._wrong(f"has the wire type {wire}", start, within)
            if not groups:
                break
            number, wire = self._key(within)
        self._note(within.path, start, self._data[start : self._at], "a field that is not known")

    def _key(self, within: _Within) -> tuple[int, int]:
        """Return the number and the wire type of a field."""
        at = self._at
        key = self._varint(within) & _LOW
        if not key >> 3:
            raise self._wrong("is a field with the number 0", at, within)
        return key >> 3, key & 7

    def _size(self, within: _Within) -> int:
        """Return where what has a size in front ends."""
        at = self._at
        size = self._varint(within) & _LOW
        if size > within.end - self._at:
            raise self._wrong(f"says {byte_count(size)}, where {within.end - self._at} are left", at, within)
        return self._at + size

    def _take(self, size: int, within: _Within) -> bytes:
        if size > within.end - self._at:
            raise self._wrong("is cut off", self._at, within)
        raw = self._data[self._at : self._at + size]
        self._at += size
        return raw

    def _varint(self, within: _Within) -> int:
        number, start = 0, self._at
        for index in range(_LONGEST):
            if start + index >= within.end:
                raise self._wrong("is cut off", start, within)
            group = self._data[start + index]
            number |= (group & 0x7F) << 7 * index
            if not group & 0x80:
                self._at = start + index + 1
                return number & _ALL
        raise self._wrong(f"is a varint of more than {_LONGEST} bytes", start, within)

    def _note(self, path: FieldPath, start: int, value: Any, note: str = "") -> None:  # noqa: ANN401 - a scalar
        if len(self.places) >= MOST_FIELDS:
            detail = f"has more than {MOST_FIELDS} fields"
            raise wrong(detail, "content.telemetry.limit", start, *path, stage=Stage.RESOURCE)
        self.places.append(Place(path, start, self._at, value, note))

    def _wrong(self, detail: str, at: int, within: _Within) -> FormatError:
        return wrong(detail, self._rule, at, *within.path)


def _put(field: Field, within: _Within, value: Any, *, is_default: bool) -> None:  # noqa: ANN401 - a value
    """Keep a value; of fields of which one is there, the last."""
    if field.is_repeated:
        within.value.setdefault(field.name, []).append(value)
    elif is_default and not (field.oneof or field.is_optional):
        within.value.pop(field.name, None)
    else:
        for other in within.fields.values() if field.oneof else ():
            if other.oneof == field.oneof and other is not field:
                within.value.pop(other.name, None)
        within.value[field.name] = value


def _number(kind: str, number: int) -> int | bool:
    """Return what a varint says; of 32 bits, the others are dropped."""
    if kind == "bool":
        return number != 0
    if kind == "sint32":
        return VARINT.value(number & _LOW)
    if kind == "uint64":
        return number
    bits = 64 if kind == "int64" else 32
    number &= (1 << bits) - 1
    return number - (1 << bits) if kind != "uint32" and number >> (bits - 1) else number


def _shown(kind: str, value: Any) -> Any:  # noqa: ANN401 - a scalar
    if kind == "bytes":
        return value.hex()
    if kind == "double" and not isfinite(value):
        return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return str(value) if kind.endswith("64") else value
