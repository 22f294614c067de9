"""A writer of messages that is written anew, as people write one, with faults."""

from __future__ import annotations

import struct
from typing import Any

from kafka_format.codec.members import is_default
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

from tests.kafka_conformance.kinds.message.faults import Faults


def varint(number: int, faults: Faults) -> bytes:
    number %= 1 << 32
    if faults.has("write varint zigzag"):
        number <<= 1
    if faults.has("write varint byte"):
        return bytes((number & 255,))
    groups = []
    while number > (128 if faults.has("write varint 128 in one byte") else 127):
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
