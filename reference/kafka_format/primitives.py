"""The varints that layouts are made of, least significant group first (clients ByteUtils).

Those of message format v2 are zig-zag signed (KIP-98), those of flexible versions are unsigned (KIP-482), and a length
or count there is one more than the number, so that 0 is free for null. The writers are minimal. The readers come in
two kinds: `read_varint` tells precisely what is wrong, `quick_varint` is for hot loops: it takes only canonical input
and raises IndexError for everything else, so that a caller can hand over to the former.
"""

from __future__ import annotations

import operator
from typing import Final, NamedTuple

ZIGZAG: Final = tuple((n >> 1) ^ -(n & 1) for n in range(128))
"""What a varint of one byte means, by that byte."""

_SHORT_FIRST: Final = -64
_SHORT_AFTER: Final = 8192


class VarintKind(NamedTuple):
    """One kind of varint.

    Attributes:
        name: the word that layouts use.
        bits: how many bits it carries.
        max_bytes: how many bytes it may take.
        zigzag: True if its numbers are signed, with the sign in the lowest bit; False if they are unsigned.
        plus: what the number on the wire has more than the value.
    """

    name: str
    bits: int
    max_bytes: int
    zigzag: bool = True
    plus: int = 0

    @property
    def lowest(self) -> int:
        """Smallest value."""
        return -(1 << (self.bits - 1)) if self.zigzag else -self.plus

    @property
    def highest(self) -> int:
        """Largest value."""
        return (1 << (self.bits - 1)) - 1 if self.zigzag else (1 << self.bits) - 1 - self.plus

    def value(self, number: int) -> int:
        """Return what the unsigned number on the wire means."""
        return (number >> 1) ^ -(number & 1) if self.zigzag else number - self.plus

    def number(self, value: int) -> int:
        """Return the unsigned number that stands for a value."""
        return (value << 1) ^ (value >> 63) if self.zigzag else value + self.plus


VARINT: Final = VarintKind("varint", 32, 5)
VARLONG: Final = VarintKind("varlong", 64, 10)
UVARINT: Final = VarintKind("uvarint", 32, 5, zigzag=False)
COMPACT_LENGTH: Final = VarintKind("compact_length", 32, 5, zigzag=False, plus=1)
VARINT_KINDS: Final = {kind.name: kind for kind in (VARINT, VARLONG, UVARINT, COMPACT_LENGTH)}


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
            return RawVarint(kind.value(number), at + 1, index > 0 and group == 0, excess)
    return RawVarint(0, -1, overlong=False, excess=False)


def quick_varint(data: bytes, position: int, kind: VarintKind) -> tuple[int, int]:
    """Read one canonical varint: value and next position.

    Raises:
        IndexError: it is cut off, too long, overlong, or has excess bits; `read_varint` says which.
    """
    number = data[position]
    if number < 0x80:
        return (ZIGZAG[number] if kind.zigzag else number - kind.plus), position + 1
    number &= 0x7F
    for index in range(1, kind.max_bytes):
        group = data[position + index]
        number |= (group & 0x7F) << (7 * index)
        if group < 0x80:
            if group == 0 or number >> kind.bits:
                raise IndexError
            return ((number >> 1) ^ -(number & 1) if kind.zigzag else number - kind.plus), position + index + 1
    raise IndexError


def _varint_bytes(number: int) -> bytes:
    groups = bytearray()
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number)
    return bytes(groups)


SHORT_VARINTS: Final = {value: _varint_bytes(VARINT.number(value)) for value in range(_SHORT_FIRST, _SHORT_AFTER)}
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
    return (SHORT_VARINTS.get(value) if kind.zigzag else None) or _varint_bytes(kind.number(value))
