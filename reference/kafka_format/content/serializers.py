"""What Kafka's own serializers write, each value by itself."""

from __future__ import annotations

import math
import re
import struct
from typing import Any, Final
from uuid import UUID

from kafka_format.codec.structures import structure
from kafka_format.content.answers import Answer, Headers, Reader, wrong
from kafka_format.primitives.counts import byte_count

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_GROUPS: Final = re.compile("-".join([r"([0-9a-fA-F]+)"] * 5))
_DIGITS: Final = (8, 4, 4, 4, 12)
_UUID_SIZE: Final = 36


def number(code: str) -> Reader:
    """Return a reader of a number; takes its letter in the struct module."""
    size = struct.calcsize(f">{code}")

    def read(data: bytes, *_: object) -> Answer:
        if len(data) != size:
            raise wrong(f"has {byte_count(len(data))}, not {size}", "content.size")
        (value,) = struct.unpack(f">{code}", data)
        return {"value": _shown(value) if code in "fd" else str(value) if code == "q" else value}

    return read


def _shown(number: float) -> float | str:
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def boolean(data: bytes, *_: object) -> Answer:
    """Read what BooleanSerializer writes."""
    if data not in (b"\0", b"\1"):
        raise wrong(f"is {data[:8].hex() or 'empty'}", "content.boolean")
    return {"value": data == b"\1"}


def uuid(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read what UUIDSerializer writes, a text."""
    text = data.decode("utf-8", "replace")
    if _UUID.fullmatch(text):
        return {"value": str(UUID(text))}
    if "uuid-of-any-digits" in flags and len(text) <= _UUID_SIZE and (groups := _GROUPS.fullmatch(text)):
        digits = (group[-size:].zfill(size) for group, size in zip(groups.groups(), _DIGITS, strict=True))
        return {"value": str(UUID("".join(digits)))}
    raise wrong(f"is {text[:40]!r}", "content.uuid")


def string(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read a text."""
    try:
        return {"value": data.decode("utf-8", "replace" if "invalid-utf8-is-replaced" in flags else "strict")}
    except UnicodeDecodeError as error:
        raise wrong(f"is not UTF-8: {error.reason}", "string.utf8", error.start) from None


def void(data: bytes, *_: object) -> Answer:
    """Refuse any bytes, as VoidDeserializer does."""
    raise wrong(f"has {byte_count(len(data))}", "content.void")


def fixed_list(item: Reader, size: int) -> Reader:
    """Return a reader of lists of values of one size."""

    def read(data: bytes, headers: Headers, flags: frozenset[str]) -> Answer:
        if data[:1] == b"\1" and "list-of-either-strategy" in flags:
            return list_of(item)(data, headers, flags)
        _check_strategy(data, 0)
        wire = structure("list_of_fixed").decode(data, flags=flags)
        nulls, before = {index for index in wire.nulls if 0 <= index < wire.size}, len(data) - len(wire.values)
        if len(nulls) < len(wire.nulls) and "list-null-outside" not in flags:
            raise wrong(f"has {wire.nulls[:8]} of {wire.size}", "content.list.null-index", 5, "nulls")
        whole = wire.size - len(nulls)
        if whole * size > len(wire.values):
            raise wrong(
                f"values of {byte_count(size)}, {whole} of them, are not in {len(wire.values)}",
                "content.list.item",
                before,
            )
        _check_tail(wire.values[whole * size :], before + whole * size, flags)
        values = (_item(item, wire.values, at, size) for at in range(0, whole * size, size))
        return {"value": [None if index in nulls else next(values) for index in range(wire.size)]}

    return read


def _item(item: Reader, values: bytes, at: int, size: int) -> Any:  # noqa: ANN401 - any JSON
    return item(values[at : at + size], {}, frozenset())["value"]


def list_of(item: Reader) -> Reader:
    """Return a reader of lists of values with their sizes."""

    def read(data: bytes, headers: Headers, flags: frozenset[str]) -> Answer:
        wire = structure("list_of_others").decode(data, flags=flags)
        _check_tail(wire.tail, len(data) - len(wire.tail), flags)
        return {"value": [None if each is None else item(each, headers, flags)["value"] for each in wire.items]}

    return read


def _check_strategy(data: bytes, strategy: int) -> None:
    if data[:1] in (b"\0", b"\1") and data[0] != strategy:
        raise wrong(f"is {data[0]}", "content.list.fits", 0, "strategy")


def _check_tail(tail: bytes, offset: int, flags: frozenset[str]) -> None:
    if tail and "list-tail-unread" not in flags:
        raise wrong(f"{byte_count(len(tail))} more", "content.list.tail", offset)
