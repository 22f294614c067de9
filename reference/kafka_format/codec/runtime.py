"""Functions and small tables that compiled text uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from struct import pack, unpack_from
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from kafka_format.primitives.varints import (
    COMPACT_LENGTH,
    COUNTED,
    NUMBERS,
    SECOND,
    THIRD,
    UVARINT,
    ZIGZAG,
    number_varint,
    quick_varint,
    write_varint,
)

LONGEST_STRING: Final = 32767
"""Bytes of the longest string, compact ones included (Kafka's generated classes refuse more)."""

COMPACT: Final = (*NUMBERS[COMPACT_LENGTH.plus :], NUMBERS[0])
"""Compact lengths of one and two bytes; -1, which is null, is the last one."""

SHORT: Final = len(COMPACT) - 1
"""Lengths below this are in the table."""


class UnknownTaggedField(NamedTuple):
    """A tagged field that a layout does not know: its tag and its bytes."""

    tag: int
    content: bytes


def compact(length: int) -> bytes:
    """Write a compact length."""
    return COMPACT[length] if length < SHORT else write_varint(length, COMPACT_LENGTH)


def write_unsigned(number: int) -> bytes:
    """Write an unsigned varint."""
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else write_varint(number, UVARINT)


def read_rest(first: int, data: bytes, position: int) -> tuple[int, int]:
    """Read on after the first byte of an unsigned varint: its number, and the position after it.

    Raises:
        IndexError: it is cut, too long or overlong.
    """
    second = data[position]
    if 0 < second < 128:
        return first + (second << 7) - 128, position + 1
    return quick_varint(data, position - 1, UVARINT)


def read_tag(data: bytes, position: int, last: int) -> tuple[int, int, int]:
    """Read the tag and size of a tagged field: the tag, and where its content begins and ends.

    Args:
        data: the bytes.
        position: where the tagged field begins.
        last: the tag before this one; tags ascend.

    Raises:
        IndexError: the tag or the size is cut, or overlong; the tag does not ascend; the content is
            cut.
    """
    tag, position = quick_varint(data, position, UVARINT)
    size, position = quick_varint(data, position, UVARINT)
    if tag <= last or size > len(data) - position:
        raise IndexError
    return tag, position, position + size


def read_tagged(data: bytes, position: int, count: int) -> tuple[tuple[UnknownTaggedField, ...], int]:
    """Read tagged fields that are all unknown: them, and the position after them.

    Raises:
        IndexError: as `read_tag`; or there are not so many.
    """
    if count > len(data) - position:
        raise IndexError
    tags: list[UnknownTaggedField] = []
    tag = -1
    for _ in range(count):
        tag, start, position = read_tag(data, position, tag)
        tags.append(UnknownTaggedField(tag, data[start:position]))
    return tuple(tags), position


def section(known: Sequence[tuple[int, bytes]], unknown: Sequence[tuple[int, bytes]]) -> bytes:
    """Write a tag section.

    Args:
        known: tag and bytes of the known fields that are not left out, by ascending tag.
        unknown: the unknown ones.

    Raises:
        ValueError: a tag appears twice.
        TypeError: the content of an unknown one is no bytes.
    """
    tags = sorted([*known, *((tag, content) for tag, content in unknown)])
    if len({tag for tag, _ in tags}) != len(tags):
        raise ValueError
    parts = [write_unsigned(len(tags))]
    for tag, content in tags:
        if type(content) is not bytes:
            raise TypeError
        parts += (write_unsigned(tag), write_unsigned(len(content)), content)
    return b"".join(parts)


def count(items: Sequence[object]) -> int:
    """Count the items of an array.

    Raises:
        TypeError: the array is given as bytes, so there is nothing to count, or as something else.
    """
    if not isinstance(items, list | tuple):
        raise TypeError
    return len(items)


NAMES: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "COMPACT": COMPACT,
        "COUNTED": COUNTED,
        "NUMBERS": NUMBERS,
        "NamedTuple": NamedTuple,
        "SECOND": SECOND,
        "SHORT": SHORT,
        "THIRD": THIRD,
        "UnknownTaggedField": UnknownTaggedField,
        "ZIGZAG": ZIGZAG,
        "compact": compact,
        "count": count,
        "new": tuple.__new__,
        "number_varint": number_varint,
        "pack": pack,
        "quick_varint": quick_varint,
        "read_rest": read_rest,
        "read_tag": read_tag,
        "read_tagged": read_tagged,
        "section": section,
        "unpack_from": unpack_from,
        "write_varint": write_varint,
    }
)
"""Names that every text uses."""
