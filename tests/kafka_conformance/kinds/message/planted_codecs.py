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
            if self.faults.has("read varint stops at two") and count == 2:
                break
            if self.faults.has("read varint two bytes") and count > 2:
                raise BrokenError
            if byte < 128 or count == 5:
                break
        if self.faults.has("read varint 16 bits"):
            number &= 0xFFFF
        return number >> 1 ^ -(number & 1) if self.faults.has("read varint zigzag") else number


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


def varint(number: int, faults: Faults) -> bytes:
    number %= 1 << 32
    if faults.has("write varint zigzag"):
        number <<= 1
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
    if faults.has("write varint padded"):
        groups = [group | 128 for group in groups] + [0]
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


def _write(kind: Any, value: Any, faults: Faults) -> bytes:  # noqa: C901, PLR0911, PLR0912, PLR0915 - a line a type and fault
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
            if has("write null not compact"):
                return b"\xff" * 4
            if has("write null array as empty"):
                value = []
            else:
                return varint(0, faults) if not isinstance(kind.length, Integer) else b"\xff" * 4
        if has("write last item lost"):
            value = value[:-1]
        if has("write first item lost"):
            value = value[1:]
        if has("write only first item"):
            value = value[:1]
        if has("write items reversed"):
            value = value[::-1]
        if has("write empty array as null") and not value and kind.nullable:
            return varint(0, faults) if not isinstance(kind.length, Integer) else b"\xff" * 4
        count = max(len(value) + has("write count one more") - has("write count one less"), 0)
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
        if has("write latin-1") and isinstance(value, str):
            content = value.encode("latin-1", "replace")
        if has("write empty string as null") and not content and kind.null is not None:
            return varint(0, faults) if not isinstance(kind.length, Integer) else b"\xff" * kind.length.size
        if has("write nul behind text") and isinstance(value, str):
            content += b"\0"
        if has("write bytes padded") and not isinstance(value, str):
            content += bytes(-len(content) % 4)
        if has("write size in utf-16") and isinstance(value, str):
            return _write_length(kind.length, len(value.encode("utf-16-be")) // 2, faults, "") + content
        if has("write size one less"):
            return _write_length(kind.length, max(len(content) - 1, 0), faults, "") + content
        size = len(value) if has("write size in characters") else len(content)
        if has("write string not compact") and not isinstance(kind.length, Integer):
            return size.to_bytes(2 if kind.content == "text" else 4, "big") + content
        return _write_length(kind.length, size, faults, "write compact size") + content
    if isinstance(kind, Boolean):
        if has("write bool inverted"):
            return bytes((not value,))
        return bytes((255 if value and has("write bool 255") else value,))
    if isinstance(kind, Float):
        if has("write float single"):
            return struct.pack(">f", value)
        return struct.pack("<d" if has("write float little") else ">d", value)
    if isinstance(kind, Fixed):
        if has("write uuid zero"):
            return bytes(16)
        if has("write uuid guid"):
            return value[3::-1] + value[5:3:-1] + value[7:5:-1] + value[8:]
        return value[8:] + value[:8] if has("write uuid halves") else bytes(value)
    if has("write little-endian"):
        return value.to_bytes(kind.size, "little", signed=kind.lowest < 0)
    if kind.size == 8 and has("write int64 as int32"):
        return (value % (1 << 32)).to_bytes(4, "big")
    if kind.size == 2 and has("write int16 as int32"):
        return value.to_bytes(4, "big", signed=True)
    if kind.size == 8 and has("write int64 low half"):
        value = (value + 2**31) % 2**32 - 2**31
    if has("write unsigned lost") and value < 0:
        value = 0
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
    if has("write unknown tags dropped outside") and len(faults.names) == 1:
        unknown = []
    if has("write unknown tags dropped"):
        unknown = []
    if has("write unknown tags dropped inside") and len(faults.names) > 1:
        unknown = []
    tags = [*unknown, *known] if has("write unknown tags first") else sorted([*known, *unknown])
    if has("write tags descending"):
        tags = tags[::-1]
    if has("write tags behind"):
        tags = [*sorted(known), *unknown]
    parts = [varint(len(tags) + has("write tag count"), faults)]
    if has("write tag section empty"):
        return b"\0"
    for tag, content in tags:
        parts += [
            varint(tag + has("write tag number"), faults),
            varint(len(content) + has("write tag size"), faults),
            content,
        ]
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
            ("read same item", "item"),
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

HELD_OUT = [
    PlantedCodec("write varint two bytes", "writes/varint-two-bytes"),
    PlantedCodec("write varint padded", "writes/varint-padded"),
    PlantedCodec("write varint zigzag", "writes/varint-zigzag"),
    PlantedCodec("write first item lost", "writes/first-item-lost"),
    PlantedCodec("write only first item", "only-first-item"),
    PlantedCodec("write items reversed", "items-reversed"),
    PlantedCodec("write count one less", "writes/count-too-low"),
    PlantedCodec("write size one less", "writes/size-too-low"),
    PlantedCodec("write size in utf-16", "writes/size-in-utf-16"),
    PlantedCodec("write null not compact", "writes/null-array-not-compact"),
    PlantedCodec("write empty array as null", "null-for-empty-array"),
    PlantedCodec("write empty string as null", "null-for-empty-string"),
    PlantedCodec("write latin-1", "writes/text-as-latin-1"),
    PlantedCodec("write nul behind text", "writes/text-with-nul"),
    PlantedCodec("write bytes padded", "writes/bytes-"),
    PlantedCodec("write bool inverted", "bool-inverted"),
    PlantedCodec("write float single", "float-in-four-bytes"),
    PlantedCodec("write uuid zero", "writes/id-zero"),
    PlantedCodec("write uuid guid", "id-mixed-endian"),
    PlantedCodec("write int16 as int32", "writes/int16-as-int32"),
    PlantedCodec("write int64 low half", "int64-low-32-bits"),
    PlantedCodec("write unsigned lost", "writes/numbers-clamped"),
    PlantedCodec("write unknown tags dropped outside", "writes/outer-unknown-tags-lost"),
    PlantedCodec("write unknown tags dropped inside", "writes/inner-unknown-tags-lost"),
    PlantedCodec("write unknown tags first", "writes/unknown-tags-first"),
    PlantedCodec("write tag count", "writes/tag-count"),
    PlantedCodec("write tag number", "writes/tag-number"),
    PlantedCodec("write tag section empty", "tags-lost"),
    PlantedCodec("write size in characters", "size-in-characters", message="create-topics request", field="name"),
    PlantedCodec("write count one more", "count-too-high", message="fetch response", field="aborted_transactions"),
    PlantedCodec("write int32 as int64", "int32-as-int64", message="metadata response", field="port"),
    *(
        PlantedCodec(fault, cause, form)
        for form in ("json", "bytes")
        for fault, cause in (
            ("read varint stops at two", "beyond-two-bytes"),
            ("read varint zigzag", "varint-zigzag"),
            ("read null refused", "null-refused"),
            ("read first item lost", "item-lost"),
            ("read only first item", "only-first-item"),
            ("read items sorted", "items-sorted"),
            ("read bytes as text", "bytes-as-text"),
            ("read bytes cut", "bytes-cut"),
            ("read cut at 255", "text-cut-255"),
            ("read ascii kept", "text-ascii"),
            ("read without astral", "text-plane-0-kept"),
            ("read bool true", "bool-true"),
            ("read uuid reversed", "id-reversed"),
            ("read int32 as int16", "int32-as-int"),
            ("read int64 without sign", "int64-absolute"),
            ("read int32 not below 0", "int32-clamped"),
            ("read int16 low byte", "int16-low-8-bits"),
            ("read number little", "numbers-little-endian"),
            ("read float whole", "float-whole"),
            ("read known tags skipped", "known-tags-"),
            ("read size of tags ignored", "unknown-tags-"),
            ("read default zero", "default"),
        )
    ),
    PlantedCodec("read int64 unsigned", "unsigned", "json"),
    PlantedCodec("read null string as empty", "empty-for-null-string", "json", "metadata response", "cluster_id"),
    PlantedCodec("read null array as empty", "empty-for-null-array", "bytes", "metadata request", "topics"),
    PlantedCodec("read last item lost", "aborted_transactions", "json", "fetch response", "aborted_transactions"),
    PlantedCodec("read bool inverted", "bool-inverted", "bytes", "metadata response", "is_internal"),
    PlantedCodec("read int64 low half", "log_start_offset", "json", "fetch response", "log_start_offset"),
    PlantedCodec("read int16 low byte", "int16-low-8-bits", "json", "heartbeat response", "error_code"),
]
"""Planted before the causes were looked at.

Some have a cause that says as much as the vectors tell: who loses the first item of an array shows
the same values as who loses the last one.
"""
