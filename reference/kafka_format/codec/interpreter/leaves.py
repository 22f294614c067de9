"""Reads what is no structure: numbers, booleans, content with a length, the rest of the bytes."""

from __future__ import annotations

import re
import struct
from typing import Any, Final

from kafka_format.codec import checks
from kafka_format.codec.members import Make
from kafka_format.codec.readings import DEFAULT_LIMIT
from kafka_format.codec.runtime import LONGEST_STRING
from kafka_format.errors import FieldPath
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.primitives.varints import read_varint
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import Boolean, Field, Fixed, Float, Form, Integer, Layout, Rest, Type, Varint

NULL_COUNT: Final = -1
"""The count of an array that is null, and the length of a form that is."""


SURROGATE: Final = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]?")
"""Half of a pair of UTF-16, which UTF-8 does not have: Java replaces its three bytes, or two if it
is cut, by one character."""

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}".encode()


def _fields(_layout: Layout, values: dict[str, Any]) -> dict[str, Any]:
    return values


class LeafReader:
    """Reads single values of bytes.

    Attributes:
        data: the bytes.
        payload_size: bytes that payloads were decompressed to.
    """

    def __init__(
        self,
        data: bytes,
        *,
        flags: frozenset[str] = frozenset(),
        limit: int = DEFAULT_LIMIT,
        payload: bool = False,
        make: Make = _fields,
    ) -> None:
        """Take the bytes and how they are to be read.

        Args:
            data: the bytes.
            flags: leniencies that are allowed.
            limit: bytes that a payload may decompress to.
            payload: True if the bytes are a decompressed payload themselves.
            make: makes what is returned of a structure; without it, that is a dictionary of its
                fields.
        """
        self.data = data
        self.payload_size = 0
        self._flags = flags
        self._limit = limit
        self._payload = payload
        self._make = make
        self._relaxed = specification().flags

    def _note(self, path: FieldPath, start: int, end: int, value: Any, field: Field) -> None:
        """Called for every field that was read; `SpanReader` keeps a span of it."""

    def allows(self, rule: str) -> bool:
        """Tell whether a flag that is allowed relaxes the rule."""
        return self._relaxed.get(rule) in self._flags

    def _number(self, field: Field, kind: Type, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        """Read what is neither a structure nor content with a length, and note it."""
        value, after = self._leaf(field, kind, position, end, path)
        self._note(path, position, after, value, field)
        return value, after

    def _leaf(self, field: Field, kind: Type, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        """Read what is no structure: a number, a boolean, a form, or the rest."""
        match kind:
            case Integer():
                return self._integer(field, kind, position, end, path)
            case Fixed(size=size):
                return self._sized(field, size, position, end, path)
            case Varint():
                return self._varint(field, kind, position, end, path)
            case Form():
                return self._form(field, kind, position, end, path)
            case Rest():
                return self.data[position:end], end
            case Boolean() | Float():
                return self._scalar(field, kind, position, end, path)
            case _:
                msg = f"{kind.name} is a structure or an array"
                raise TypeError(msg)

    def _sized(self, field: Field, size: int, position: int, end: int, path: FieldPath) -> tuple[bytes, int]:
        after = position + size
        if after > end:
            raise checks.truncated(field, path, position, size, end - position)
        return self.data[position:after], after

    def _integer(self, field: Field, kind: Integer, position: int, end: int, path: FieldPath) -> tuple[int, int]:
        raw, after = self._sized(field, kind.size, position, end, path)
        return int.from_bytes(raw, kind.order, signed=kind.lowest < 0), after

    def _scalar(
        self, field: Field, kind: Boolean | Float, position: int, end: int, path: FieldPath
    ) -> tuple[bool | float, int]:
        raw, after = self._sized(field, kind.size, position, end, path)
        if isinstance(kind, Float):
            (number,) = struct.unpack(">d", raw)
            return float(number), after
        if raw[0] > 1 and not self.allows("protocol.boolean"):
            raise checks.boolean(path, position, raw[0])
        return raw[0] != 0, after

    def _varint(self, field: Field, kind: Varint, position: int, end: int, path: FieldPath) -> tuple[int, int]:
        raw = read_varint(self.data, position, end, kind.kind)
        if raw is None:
            raise checks.varint_cut(field, path, position)
        if raw.end < 0:
            raise checks.too_long(field, path, position, kind.kind)
        if raw.excess and not self.allows(field.rules["excess"]):
            raise checks.excess(field, path, position, kind.kind)
        if raw.overlong and not self.allows(field.rules["overlong"]):
            raise checks.overlong(field, path, position)
        return raw.value, raw.end

    def _form(self, field: Field, kind: Form, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        length_path = (*path, "length")
        length, start = self._number(field, kind.length, position, end, length_path)
        length = self._signed(length, position, length_path)
        if kind.null is not None and length == kind.null:
            return None, start
        if length < 0:
            if kind.null is None or not self.allows(field.rules["negative"]):
                raise checks.negative(field, length_path, position, length, nullable=kind.null is not None)
            return None, start
        if length > end - start:
            raise checks.length_within(field, length_path, position, length, end - start)
        content = self.data[start : start + length]
        if length:
            self._note(path, start, start + length, content, field)
        match kind.content:
            case "text":
                return self._text(field, content, position, start, path), start + length
            case "utf8":
                return self._utf8(field, content, start, path), start + length
            case _:
                return content, start + length

    def _text(self, field: Field, content: bytes, position: int, start: int, path: FieldPath) -> str:
        if len(content) > LONGEST_STRING:
            raise checks.longest((*path, "length"), position, len(content))
        return self._utf8(field, content, start, path).decode()

    def _signed(self, number: int, position: int, path: FieldPath) -> int:
        """Return a length or count as an int32.

        A compact one may be too large for that, and Kafka then takes it for null.
        """
        if number <= INT32_MAX:
            return number
        if not self.allows("protocol.length.int32"):
            raise checks.beyond_int32(path, position, number)
        return NULL_COUNT

    def _utf8(self, field: Field, content: bytes, start: int, path: FieldPath) -> bytes:
        try:
            content.decode()
        except UnicodeDecodeError as error:
            if not self.allows(field.rules["utf8"]):
                raise checks.utf8(field, path, start + error.start) from None
            return SURROGATE.sub(REPLACEMENT, content).decode(errors="replace").encode()
        return content
