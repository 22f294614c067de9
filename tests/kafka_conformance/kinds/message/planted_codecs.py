"""Codecs of messages with a fault planted on purpose; nothing here is taken from the suite's own.

The codec is written anew, as people write one: a reader and a writer with a cursor. A fault is a
word that it asks for where it might go wrong.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from kafka_format.codec.versions.defaults import default_of, is_default
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


class PlantedCodec(NamedTuple):
    """A codec with a fault.

    Attributes:
        fault: the word.
        cause: a part of the id that the first cause must have.
        form: what the codec gives.
        message: the only message that it is in, `fetch response`; empty for all.
        field: the only field that it is in, by its last name; empty for all.
    """

    fault: str
    cause: str
    form: str = "bytes"
    message: str = ""
    field: str = ""
    change: bool = True

    def __str__(self) -> str:
        return " ".join(filter(None, (self.form, self.fault, self.message, self.field)))


class BrokenError(Exception):
    """The codec refuses."""


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
            if self.faults.has("read varint two bytes") and count > 2:
                raise BrokenError
            if byte < 128 or count == 5:
                break
        if self.faults.has("read varint 16 bits"):
            number &= 0xFFFF
        return number


class Faults:
    """What is wrong here."""

    def __init__(self, plant: PlantedCodec | None, is_here: bool) -> None:
        self._fault = plant.fault if plant and is_here else ""
        self._field = plant.field if plant else ""
        self.names: list[str] = []

    def has(self, fault: str) -> bool:
        return fault == self._fault and (not self._field or self._field in self.names[-1:])


def recode(layout: Layout, data: bytes, faults: Faults, form: str) -> Any:
    """Return values, or bytes written again.

    Raises:
        BrokenError: the bytes cannot be read.
    """
    cursor = Cursor(data, faults)
    values = _structure(layout, cursor)
    if cursor.at != len(data):
        raise BrokenError
    return values if form == "json" else write(layout, values, faults)


def _structure(layout: Layout, cursor: Cursor) -> dict[str, Any]:
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
        return _structure(kind.layout, cursor)
    if isinstance(kind, Optional):
        marker = (
            int.from_bytes(cursor.take(1), "big", signed=True) if isinstance(kind.marker, Integer) else cursor.varint()
        )
        return None if marker == kind.null else _structure(kind.layout, cursor)
    if isinstance(kind, Counted):
        count = _length(kind.length, cursor, "read compact count")
        if count < 0:
            return [] if has("read null array as empty") else None
        if has("read count one less") and count:
            count -= 1
        items = [_value(kind.item, cursor) for _ in range(min(count, 10000))]
        if has("read last item lost"):
            items = items[:-1]
        if has("read items reversed"):
            items = items[::-1]
        if has("read same item") and items:
            items = items[-1:] * len(items)
        return items
    if isinstance(kind, Form):
        size = _length(kind.length, cursor, "read compact size")
        if size < 0:
            return ("" if kind.content == "text" else b"") if has("read null string as empty") else None
        content = cursor.take(size)
        if has("read empty as null") and not content and kind.null is not None:
            return None
        if kind.content != "text":
            return content
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
        return byte == 255 if has("read bool 255") else not byte if has("read bool inverted") else byte != 0
    if isinstance(kind, Float):
        raw = cursor.take(8)
        if has("read float little"):
            return struct.unpack("<d", raw)[0]
        number = struct.unpack(">d", raw)[0]
        return struct.unpack(">f", struct.pack(">f", number))[0] if has("read float single") else number
    if isinstance(kind, Fixed):
        raw = cursor.take(kind.size)
        return raw[8:] + raw[:8] if has("read uuid halves") else raw
    if isinstance(kind, Integer):
        if kind.size == 8 and has("read int64 as int32"):
            return int.from_bytes(cursor.take(4), "big", signed=True)
        if kind.size == 2 and has("read int16 as int32"):
            return int.from_bytes(cursor.take(4), "big", signed=True)
        raw = cursor.take(kind.size)
        number = int.from_bytes(raw, "big", signed=kind.lowest < 0)
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


def varint(number: int, faults: Faults) -> bytes:
    number %= 1 << 32
    if faults.has("write varint byte"):
        return bytes((number & 255,))
    groups = []
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    groups.append(number)
    if faults.has("write varint two bytes"):
        groups = groups[:2]
        groups[-1] &= 127
    if faults.has("write varint big-endian"):
        groups = [group | 128 for group in groups[:0:-1]] + [groups[0] & 127]
    return bytes(groups)


def write(layout: Layout, values: dict[str, Any], faults: Faults) -> bytes:
    parts = []
    for field in layout.fields:
        faults.names.append(field.name)
        if isinstance(field.type, TagSection):
            parts.append(_write_tags(field, values, faults))
        else:
            parts.append(_write(field.type, values[field.name], faults))
        faults.names.pop()
    return b"".join(parts)


def _write_length(kind: Any, number: int, faults: Faults, fault: str) -> bytes:
    if isinstance(kind, Integer):
        return number.to_bytes(kind.size, "big", signed=True)
    return varint(number + (0 if faults.has(fault) else 1), faults)


def _write(kind: Any, value: Any, faults: Faults) -> bytes:  # noqa: C901, PLR0911, PLR0912 - a line a type and fault
    has = faults.has
    if isinstance(kind, Nested):
        return write(kind.layout, value, faults)
    if isinstance(kind, Optional):
        if isinstance(kind.marker, Integer):
            null, there = (b"\0", b"\x01") if has("write null marker 0") else (b"\xff", b"\x01")
        else:
            null, there = b"\0", b"\x01"
        return null if value is None else there + write(kind.layout, value, faults)
    if isinstance(kind, Counted):
        if value is None:
            if has("write null array as empty"):
                value = []
            else:
                return varint(0, faults) if not isinstance(kind.length, Integer) else b"\xff" * 4
        if has("write last item lost"):
            value = value[:-1]
        count = len(value) + has("write count one more")
        if has("write array not compact") and not isinstance(kind.length, Integer):
            return count.to_bytes(4, "big") + b"".join(_write(kind.item, item, faults) for item in value)
        return _write_length(kind.length, count, faults, "write compact count") + b"".join(
            _write(kind.item, item, faults) for item in value
        )
    if isinstance(kind, Form):
        if value is None:
            if has("write null string as empty"):
                value = b""
            else:
                return varint(0, faults) if not isinstance(kind.length, Integer) else b"\xff" * kind.length.size
        content = value.encode() if isinstance(value, str) else value
        size = len(value) if has("write size in characters") else len(content)
        if has("write string not compact") and not isinstance(kind.length, Integer):
            return size.to_bytes(2 if kind.content == "text" else 4, "big") + content
        return _write_length(kind.length, size, faults, "write compact size") + content
    if isinstance(kind, Boolean):
        return bytes((255 if value and has("write bool 255") else value,))
    if isinstance(kind, Float):
        return struct.pack("<d" if has("write float little") else ">d", value)
    if isinstance(kind, Fixed):
        return value[8:] + value[:8] if has("write uuid halves") else bytes(value)
    if has("write little-endian"):
        return value.to_bytes(kind.size, "little", signed=kind.lowest < 0)
    if kind.size == 8 and has("write int64 as int32"):
        return (value % (1 << 32)).to_bytes(4, "big")
    if kind.size == 4 and has("write int32 as int64"):
        return value.to_bytes(8, "big", signed=True)
    return value.to_bytes(kind.size, "big", signed=kind.lowest < 0)


def _write_tags(field: Any, values: dict[str, Any], faults: Faults) -> bytes:
    has = faults.has
    if has("write no tags"):
        return b""
    known = [
        (each.tag, _write(each.type, values[each.name], faults))
        for each in field.type.fields
        if has("write default tags") or not is_default(each, values[each.name])
    ]
    if has("write known tags lost"):
        known = []
    unknown = list(values[field.name])
    if has("write unknown tags dropped inside") and len(faults.names) > 1:
        unknown = []
    tags = [*unknown, *known] if has("write unknown tags first") else sorted([*known, *unknown])
    if has("write tags descending"):
        tags = tags[::-1]
    parts = [varint(len(tags), faults)]
    for tag, content in tags:
        parts += [varint(tag, faults), varint(len(content) + has("write tag size"), faults), content]
    return b"".join(parts)


PLANTS = [
    PlantedCodec("write compact count", "writes/compact-count"),
    PlantedCodec("write compact count", "writes/compact-count", message="fetch response"),
    PlantedCodec("write compact count", "writes/compact-count", message="metadata response", field="brokers"),
    PlantedCodec("write compact size", "writes/compact-size"),
    PlantedCodec("write compact size", "writes/compact-size", message="create-topics request"),
    PlantedCodec("write count one more", "writes/count-too-high"),
    PlantedCodec("write array not compact", "writes/array-not-compact"),
    PlantedCodec("write array not compact", "writes/array-not-compact", message="metadata request"),
    PlantedCodec("write string not compact", "writes/string-not-compact"),
    PlantedCodec("write size in characters", "writes/size-in-characters"),
    PlantedCodec("write varint byte", "writes/varint-one-byte"),
    PlantedCodec("write varint big-endian", "writes/varint-big-endian"),
    PlantedCodec("write null array as empty", "empty-for-null-array"),
    PlantedCodec("write null string as empty", "empty-for-null-string"),
    PlantedCodec("write last item lost", "writes/last-item-lost"),
    PlantedCodec("write no tags", "writes/no-tag-sections"),
    PlantedCodec("write no tags", "tag", message="heartbeat request"),
    PlantedCodec("write default tags", "writes/default-tags-written"),
    PlantedCodec("write known tags lost", "writes/known-tags-lost"),
    PlantedCodec("write tags descending", "writes/tags-descending"),
    PlantedCodec("write tag size", "writes/tag-size"),
    PlantedCodec("write bool 255", "writes/bool-as-255"),
    PlantedCodec("write bool 255", "writes/bool-as-255", message="metadata request"),
    PlantedCodec("write float little", "writes/float-little-endian"),
    PlantedCodec("write uuid halves", "writes/id-halves"),
    PlantedCodec("write little-endian", "writes/numbers-little-endian"),
    PlantedCodec("write int64 as int32", "writes/int64-as-int32"),
    PlantedCodec("write int64 as int32", "fetch_offset", message="fetch request", field="fetch_offset"),
    PlantedCodec("write int32 as int64", "writes/int32-as-int64"),
    PlantedCodec("write null marker 0", "writes/marker-0-for-null"),
    *(
        PlantedCodec(fault, cause, form)
        for form in ("json", "bytes")
        for fault, cause in (
            ("read compact count", "reads/compact-count"),
            ("read compact size", "reads/compact-size"),
            ("read varint byte", "reads/varint-one-byte"),
            ("read varint two bytes", "reads/varint-refused-beyond-two-bytes"),
            ("read to nul", "reads/text-to-nul"),
            ("read last item lost", "last-item-lost"),
            ("read items reversed", "items-reversed"),
            ("read same item", "items-reversed"),
            ("read count one less", "reads/count-too-low"),
            ("read null array as empty", "null"),
            ("read null string as empty", "null"),
            ("read empty as null", "null-for-empty"),
            ("read latin-1", "reads/text-as-latin-1"),
            ("read ascii only", "reads/text-as-ascii"),
            ("read bool 255", "bool"),
            ("read bool inverted", "bool-"),
            ("read float little", "float-little-endian"),
            ("read float single", "single"),
            ("read uuid halves", "id-halves"),
            ("read int64 as int32", "int64-as-int32"),
            ("read int16 as int32", "int16-as-int32"),
            ("read int64 low half", "32-bits"),
            ("read no tags", "reads/no-tag-sections"),
            ("read unknown tags refused", "unknown-tags"),
        )
    ),
    PlantedCodec("read int32 unsigned", "unsigned", "json"),
    PlantedCodec("read int16 unsigned", "unsigned", "json"),
]
