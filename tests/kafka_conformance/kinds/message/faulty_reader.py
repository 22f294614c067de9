"""A reader of messages that is written anew, as people write one: with a cursor, and faults."""

from __future__ import annotations

import struct
from typing import Any

from kafka_format.codec.members import default_of
from kafka_format.spec.layout.model import (
    Boolean,
    Counted,
    Fixed,
    Float,
    Form,
    Integer,
    Layout,
    Nested,
    Optional,
    TagSection,
)

from tests.kafka_conformance.kinds.message.faults import BrokenError, Faults


class Cursor:
    def __init__(self, data: bytes, faults: Faults) -> None:
        self.data, self.at, self.faults = data, 0, faults

    def take(self, size: int) -> bytes:
        if size < 0 or self.at + size > len(self.data):
            raise BrokenError
        self.at += size
        return self.data[self.at - size : self.at]

    def varint(self) -> int:
        number = shift = count = 0
        while True:
            byte = self.take(1)[0]
            count += 1
            if self.faults.has("read varint byte"):
                return byte
            number |= (byte & 127) << shift
            shift += 7
            if self.faults.has("read varint stops at two") and count == 2:
                break
            if self.faults.has("read varint two bytes") and count > 2:
                raise BrokenError
            if byte < 128 or count == 5:
                break
        if self.faults.has("read varint 16 bits"):
            number &= 0xFFFF
        return number >> 1 ^ -(number & 1) if self.faults.has("read varint zigzag") else number


def structure(layout: Layout, cursor: Cursor) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in layout.fields:
        cursor.faults.names.append(field.name)
        if isinstance(field.type, TagSection):
            _tags(field, values, cursor)
        else:
            values[field.name] = _value(field.type, cursor)
        cursor.faults.names.pop()
    return values


def _length(kind: Any, cursor: Cursor, fault: str) -> int:
    if isinstance(kind, Integer):
        return int.from_bytes(cursor.take(kind.size), "big", signed=True)
    return cursor.varint() - (0 if cursor.faults.has(fault) else 1)


def _value(kind: Any, cursor: Cursor) -> Any:  # noqa: C901, PLR0911, PLR0912, PLR0915 - a line a type and fault
    has = cursor.faults.has
    if isinstance(kind, Nested):
        return structure(kind.layout, cursor)
    if isinstance(kind, Optional):
        marker = (
            int.from_bytes(cursor.take(1), "big", signed=True) if isinstance(kind.marker, Integer) else cursor.varint()
        )
        return None if marker == kind.null else structure(kind.layout, cursor)
    if isinstance(kind, Counted):
        count = _length(kind.length, cursor, "read compact count")
        if count < 0:
            if has("read null refused"):
                raise BrokenError
            return [] if has("read null array as empty") else None
        if has("read count one less") and count:
            count -= 1
        items = [_value(kind.item, cursor) for _ in range(min(count, 10000))]
        if has("read last item lost"):
            items = items[:-1]
        if has("read first item lost"):
            items = items[1:]
        if has("read only first item"):
            items = items[:1]
        if has("read duplicates lost"):
            items = [item for at, item in enumerate(items) if item not in items[:at]]
        if has("read items sorted"):
            items = sorted(items, key=repr)
        if has("read items reversed"):
            items = items[::-1]
        if has("read same item") and items:
            items = items[-1:] * len(items)
        return items
    if isinstance(kind, Form):
        size = _length(kind.length, cursor, "read compact size")
        if size < 0:
            if has("read null refused"):
                raise BrokenError
            return ("" if kind.content == "text" else b"") if has("read null string as empty") else None
        content = cursor.take(size)
        if has("read empty as null") and not content and kind.null is not None:
            return None
        if kind.content != "text":
            if has("read bytes as text"):
                return content.decode(errors="replace").encode()
            return content[:-1] if has("read bytes cut") else content
        if has("read stripped"):
            return content.decode().strip()
        if has("read small letters"):
            return content.decode().lower()
        if has("read ascii kept"):
            return content.decode("ascii", "ignore")
        if has("read without astral"):
            return "".join(letter for letter in content.decode(errors="replace") if ord(letter) < 65536)
        if has("read to nul"):
            content = content.split(b"\0")[0]
        if has("read latin-1"):
            return content.decode("latin-1")
        if has("read cut at 255"):
            content = content[:255]
        if has("read ascii only") and not content.isascii():
            raise BrokenError
        return content.decode(errors="replace")
    if isinstance(kind, Boolean):
        byte = cursor.take(1)[0]
        if has("read bool true"):
            return True
        return byte == 255 if has("read bool 255") else not byte if has("read bool inverted") else byte != 0
    if isinstance(kind, Float):
        raw = cursor.take(8)
        if has("read float little"):
            return struct.unpack("<d", raw)[0]
        number = struct.unpack(">d", raw)[0]
        if has("read float whole"):
            return float(int(number))
        return struct.unpack(">f", struct.pack(">f", number))[0] if has("read float single") else number
    if isinstance(kind, Fixed):
        raw = cursor.take(kind.size)
        if has("read uuid reversed"):
            return raw[::-1]
        return raw[8:] + raw[:8] if has("read uuid halves") else raw
    if isinstance(kind, Integer):
        if kind.size == 8 and has("read int64 as int32"):
            return int.from_bytes(cursor.take(4), "big", signed=True)
        if kind.size == 2 and has("read int16 as int32"):
            return int.from_bytes(cursor.take(4), "big", signed=True)
        if kind.size == 4 and has("read int32 as int16"):
            return int.from_bytes(cursor.take(2), "big", signed=True)
        raw = cursor.take(kind.size)
        number = int.from_bytes(raw, "big", signed=kind.lowest < 0)
        if kind.size == 8 and has("read int64 unsigned"):
            number = int.from_bytes(raw, "big")
        if kind.size == 8 and has("read int64 without sign"):
            number = number if number == kind.lowest else abs(number)
        if kind.size == 4 and has("read int32 not below 0"):
            number = max(number, 0)
        if kind.size == 2 and has("read int16 low byte"):
            number = raw[1]
        if has("read number little"):
            number = int.from_bytes(raw, "little", signed=kind.lowest < 0)
        if kind.size == 4 and has("read int32 unsigned"):
            number = int.from_bytes(raw, "big")
        if kind.size == 2 and has("read int16 unsigned"):
            number = int.from_bytes(raw, "big")
        if kind.size == 8 and has("read int64 low half"):
            number = int.from_bytes(raw[4:], "big", signed=True)
        if kind.size == 8 and has("read int64 as double"):
            number = min(int(float(number)), kind.highest)
        return number
    raise BrokenError


def _tags(field: Any, values: dict[str, Any], cursor: Cursor) -> None:
    has = cursor.faults.has
    kind = field.type
    for known in kind.fields:
        default = default_of(known, lambda _, inner: inner)
        if has("read default zero") and isinstance(default, int):
            default = type(default)()
        values[known.name] = [] if default == () else default
    if has("read no tags"):
        values[field.name] = ()
        return
    unknown = []
    for _ in range(cursor.varint()):
        tag, size = cursor.varint(), cursor.varint()
        known = next((each for each in kind.fields if each.tag == tag), None)
        if has("read known tags skipped") and known is not None:
            cursor.take(size)
            continue
        if has("read size of tags ignored") and known is None:
            continue
        if has("read tags cut at one") and unknown:
            cursor.take(size)
            continue
        if known is not None:
            content = Cursor(cursor.take(size), cursor.faults)
            cursor.faults.names.append(known.name)
            values[known.name] = _value(known.type, content)
            cursor.faults.names.pop()
        elif has("read unknown tags refused"):
            raise BrokenError
        else:
            unknown.append((tag, cursor.take(size)))
    values[field.name] = tuple(unknown)
