"""The scalars that every layout is made of: fixed integers and zig-zag varints.

Varints here are those of message format v2: zig-zag signed, least significant group first (KIP-98; clients
ByteUtils). The writers are minimal. The readers come in two kinds: `read_varint` tells precisely what is wrong,
`quick_varint` is for hot
loops: it takes only canonical input and raises IndexError for everything else, so that a caller can hand over to the
former.
"""

from __future__ import annotations

import operator
from typing import Final, NamedTuple

ZIGZAG: Final = tuple((n >> 1) ^ -(n & 1) for n in range(128))
"""What a varint of one byte means, by that byte."""

_SHORT_FIRST: Final = -64
_SHORT_AFTER: Final = 8192


class VarintKind(NamedTuple):
    """One width of varint: how many bytes it may take and how many bits it carries."""

    name: str
    bits: int
    max_bytes: int

    @property
    def lowest(self) -> int:
        """Smallest value."""
        return -(1 << (self.bits - 1))

    @property
    def highest(self) -> int:
        """Largest value."""
        return (1 << (self.bits - 1)) - 1


VARINT: Final = VarintKind("varint", 32, 5)
VARLONG: Final = VarintKind("varlong", 64, 10)
VARINT_KINDS: Final = {kind.name: kind for kind in (VARINT, VARLONG)}


class RawVarint(NamedTuple):
    """What stands on the wire: the value, the byte after it, and how it bends the rules.

    Attributes:
        value: the number; bits that do not fit the width are already dropped, as Kafka drops them.
        end: position behind the last byte.
        overlong: the last group is zero, so fewer bytes would do.
        excess: the last group has bits that the width cannot hold.
    """

    value: int
    end: int
    overlong: bool
    excess: bool


def read_varint(data: bytes, position: int, end: int, kind: VarintKind) -> RawVarint | None:
    """Read one varint that lies before `end`; None if it is cut off, an `end` of -1 in the result if it is too long."""
    number = 0
    for index in range(kind.max_bytes):
        at = position + index
        if at >= end:
            return None
        group = data[at]
        number |= (group & 0x7F) << (7 * index)
        if group < 0x80:
            excess = number >> kind.bits != 0
            number &= (1 << kind.bits) - 1
            return RawVarint((number >> 1) ^ -(number & 1), at + 1, index > 0 and group == 0, excess)
    return RawVarint(0, -1, overlong=False, excess=False)


def quick_varint(data: bytes, position: int, kind: VarintKind) -> tuple[int, int]:
    """Read one canonical varint: value and next position.

    Raises:
        IndexError: it is cut off, too long, overlong, or has excess bits; `read_varint` says which.
    """
    number = data[position]
    if number < 0x80:
        return ZIGZAG[number], position + 1
    number &= 0x7F
    for index in range(1, kind.max_bytes):
        group = data[position + index]
        number |= (group & 0x7F) << (7 * index)
        if group < 0x80:
            if group == 0 or number >> kind.bits:
                raise IndexError
            return (number >> 1) ^ -(number & 1), position + index + 1
    raise IndexError


def _varint_bytes(value: int) -> bytes:
    number = (value << 1) ^ (value >> 63)
    groups = bytearray()
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number)
    return bytes(groups)


SHORT_VARINTS: Final = {value: _varint_bytes(value) for value in range(_SHORT_FIRST, _SHORT_AFTER)}
"""The varints that nearly all records are made of, ready to be written."""


def write_varint(value: int, kind: VarintKind = VARINT) -> bytes:
    """Return the minimal varint of `value`.

    Raises:
        OverflowError: the value does not fit the width.
        TypeError: it is no whole number.
    """
    value = operator.index(value)
    if not kind.lowest <= value <= kind.highest:
        msg = f"{value} does not fit {kind.name}, which holds {kind.lowest} to {kind.highest}"
        raise OverflowError(msg)
    return SHORT_VARINTS.get(value) or _varint_bytes(value)
