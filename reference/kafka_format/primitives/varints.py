"""The varints that layouts are made of, least significant group first (clients ByteUtils).

Those of message format v2 are zig-zag signed (KIP-98), those of flexible versions are unsigned
(KIP-482), and a length or count there is one more than the number, so that 0 is free for null. The
writers are minimal. The readers come in two kinds: `read_varint` tells precisely what is wrong,
`quick_varint` is for hot loops: it takes only canonical input and raises IndexError for everything
else, so that a caller can hand over to the former.
"""

from __future__ import annotations

import operator
import struct
from typing import Final, NamedTuple

_MORE: Final = 0x80
_GROUP: Final = 0x7F

ZIGZAG: Final = tuple((n >> 1) ^ -(n & 1) for n in range(128)) * 2
"""The meaning of the first byte of a zig-zag varint: all of the value if it is the only one. The
value is this, XOR what the later bytes mean.
"""

SECOND: Final = tuple(n << 6 if n < _MORE else ~((n & _GROUP) << 6) for n in range(256))
"""The meaning of the second byte; less than 0, and inverted, if a third one follows; 0 if it is
needless."""

THIRD: Final = tuple(~(n << 13) if 0 < n < _MORE else 0 for n in range(256))
"""The meaning of the third byte if it is the last, inverted like the second; 0 if it is needless or
not the last."""


class VarintKind(NamedTuple):
    """One kind of varint.

    Attributes:
        name: the word that layouts use.
        bits: how many bits it carries.
        max_bytes: how many bytes it may take.
        zigzag: True if its numbers are signed, with the sign in the lowest bit; False if they are
            unsigned.
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
    """A varint as read: its value, the byte after it, and which rules it breaks.

    Attributes:
        value: the number; bits that do not fit the width are already dropped, as Kafka drops them.
        end: position after the last byte.
        overlong: the last group is zero, so fewer bytes would do.
        excess: the last group has bits that the width cannot hold.
    """

    value: int
    end: int
    overlong: bool
    excess: bool


def read_varint(data: bytes, position: int, end: int, kind: VarintKind) -> RawVarint | None:
    """Read one varint before `end`; None if it is cut off, an `end` of -1 if it is too long."""
    number = 0
    for index in range(kind.max_bytes):
        at = position + index
        if at >= end:
            return None
        group = data[at]
        number |= (group & _GROUP) << (7 * index)
        if group < _MORE:
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
    if number < _MORE:
        return (ZIGZAG[number] if kind.zigzag else number - kind.plus), position + 1
    number &= _GROUP
    for index in range(1, kind.max_bytes):
        group = data[position + index]
        number |= (group & _GROUP) << (7 * index)
        if group < _MORE:
            if group == 0 or number >> kind.bits:
                raise IndexError
            return ((number >> 1) ^ -(number & 1) if kind.zigzag else number - kind.plus), position + index + 1
    raise IndexError


_FIRST: Final = bytes(range(_MORE, 2 * _MORE))
"""The first bytes of varints that go on, by their lowest seven bits."""


def _pairs(seconds: range) -> tuple[bytes, ...]:
    """Return all pairs of a first byte that goes on and one of these second bytes.

    They are put together as one run of bytes, to be quick.
    """
    pairs = bytearray(2 * _MORE * len(seconds))
    pairs[0::2] = _FIRST * len(seconds)
    pairs[1::2] = b"".join(bytes((second,)) * _MORE for second in seconds)
    return tuple(pair for (pair,) in struct.iter_unpack("2s", pairs))


NUMBERS: Final = (*(bytes((n,)) for n in range(_MORE)), *_pairs(range(1, _MORE)))
"""The varints of one and two bytes, by the unsigned number on the wire."""

CONTINUED: Final = _pairs(range(_MORE, 2 * _MORE))
"""The first two bytes of longer varints, by the lowest 14 bits of that number."""

EVEN_CONTINUED: Final = CONTINUED[::2]
"""The same for zig-zag values that are not negative, by the lowest 13 bits of the value."""

COUNTED: Final = list(NUMBERS[::2])
"""The zig-zag varints of 0, 1, 2 and so on, as far as somebody counted: `number_varint` adds the
next ones."""

_BLOCK: Final = len(EVEN_CONTINUED)
_COUNTED_MOST: Final = 16 * _BLOCK
"""The most entries of COUNTED, some 8 MB; varints beyond it are put together each time."""


def short_varints(kind: VarintKind) -> tuple[bytes, ...]:
    """Return the varints of one and two bytes by value.

    Negative values index from the end, as Python counts.
    """
    if kind.zigzag:
        return NUMBERS[::2] + NUMBERS[::-2]
    return NUMBERS[kind.plus :] + NUMBERS[: kind.plus]


def _varint_bytes(number: int) -> bytes:
    if number < len(NUMBERS):
        return NUMBERS[number]
    return CONTINUED[number & 0x3FFF] + _varint_bytes(number >> 14)


def number_varint(value: int, kind: VarintKind) -> bytes:
    """Return the minimal varint of a zig-zag number, for values beyond COUNTED.

    Numbers that count up, as deltas do, reach its end one after another; then the next ones are
    added to it.

    Raises:
        OverflowError, TypeError: as `write_varint`.
    """
    if not _BLOCK <= value < len(NUMBERS) * _BLOCK:
        return write_varint(value, kind)
    size = len(COUNTED)
    if size <= value < size + _BLOCK and size < _COUNTED_MOST:
        last = NUMBERS[size // _BLOCK]
        COUNTED[size:] = [
            first + last for first in EVEN_CONTINUED
        ]  # from `size` on, even if another thread does the same
    return EVEN_CONTINUED[value % _BLOCK] + NUMBERS[value // _BLOCK]


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
    return _varint_bytes(kind.number(value))
