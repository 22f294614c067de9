"""Varints, read and written at many places at once.

Most varints of a record have one byte, nearly all others two. So two bytes of each are looked up in
a table, and only what then is left is read as words of eight bytes, whose groups are pushed
together by shifts.

A varint that breaks a rule is no error here: the position after it is `FAR`, beyond any buffer.
Positions only grow, so a reader that compares them with an end sees it, and lets the scalar decoder
say what is wrong.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kafka_format.columnar.arrays import Ints, Octets, Words
from kafka_format.columnar.buffer import Buffer
from kafka_format.primitives.varints import VarintKind

FAR: Final = 1 << 48
"""The position of what cannot be read. What is added to it later cannot overflow."""

_MORE: Final = 0x80
_GROUP_BITS: Final = 7
_GROUP: Final = (1 << _GROUP_BITS) - 1
_ALL_MORE: Final = np.uint64(0x8080808080808080)
_ALL_GROUPS: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_LONGER: Final = -(1 << 15)


def read_varints(buffer: Buffer, at: Ints, kind: VarintKind) -> tuple[Ints, Ints]:
    """Read a zigzag varint at each place: the numbers, and the positions after them."""
    first, ends = buffer.bytes_at(at), at + 1
    if np.maximum.reduce(first, initial=0) < _MORE:
        return _undo_zigzag(first, np.int8).astype(np.int64), ends
    pairs = buffer.bytes_at(ends).astype(np.uint16)
    pairs <<= 8
    pairs |= first
    short = _SHORT.take(pairs)
    ends += first >= _MORE
    numbers = short.astype(np.int64)
    if np.minimum.reduce(short) == _LONGER:
        (longer,) = (short == _LONGER).nonzero()
        numbers[longer], ends[longer] = _read_long(buffer, at[longer], kind)
    return numbers, ends


def _read_long(buffer: Buffer, at: Ints, kind: VarintKind) -> tuple[Ints, Ints]:
    """Read varints of any length but one."""
    words = buffer.words_at(at)
    stops = ~words & _ALL_MORE
    stop = stops & (~stops + np.uint64(1))  # the lowest: the bit 7 of the last byte, or 0 if there are 8 or more
    below = stop - np.uint64(1)
    last_group = stop - (stop >> np.uint64(7))
    ends = at + (np.bitwise_count(below) >> 3) + 1
    minimal = (words & last_group) != 0
    values = _pack(words & below & _ALL_GROUPS)
    (huge,) = (stop == 0).nonzero()
    if huge.size:
        values[huge], ends[huge], minimal[huge] = _read_huge(buffer, at[huge], values[huge])
    fits = values >> np.uint64(kind.bits - 1) <= 1
    (wrong,) = (~(minimal & fits)).nonzero()
    ends[wrong], values[wrong] = FAR, 0  # what is not a number must not be added to a position
    return _undo_zigzag(values, np.int64), ends


def _read_huge(buffer: Buffer, at: Ints, values: Words) -> tuple[Words, Ints, npt.NDArray[np.bool_]]:
    """Read one or two bytes after the first eight; tell if they are minimal and fit 64 bits."""
    ninth, tenth = buffer.bytes_at(at + 8), buffer.bytes_at(at + 9)
    ten = ninth >= _MORE
    values = values | (ninth & np.uint64(_GROUP)) << np.uint64(56)
    values = np.where(ten, values | tenth.astype(np.uint64) << np.uint64(63), values)
    return values, at + 9 + ten, np.where(ten, tenth == 1, ninth != 0)


def _pack(groups: Words) -> Words:
    """Push eight groups of seven bits together, in pairs, in fours, and then all."""
    pairs = groups & np.uint64(0x007F007F007F007F) | (groups & np.uint64(0x7F007F007F007F00)) >> np.uint64(1)
    fours = pairs & np.uint64(0x00003FFF00003FFF) | (pairs & np.uint64(0x3FFF00003FFF0000)) >> np.uint64(2)
    return fours & np.uint64(0x000000000FFFFFFF) | (fours & np.uint64(0x0FFFFFFF00000000)) >> np.uint64(4)


def _undo_zigzag(words: npt.NDArray[Any], kind: type[np.signedinteger[Any]]) -> npt.NDArray[Any]:
    """Return the signed numbers that zigzag varints carry: 0, 1, 2, 3 become 0, -1, 1, -2."""
    numbers: npt.NDArray[Any] = (words >> 1).view(kind) ^ -(words & 1).view(kind)
    return numbers


def _short() -> npt.NDArray[np.int16]:
    """Return the numbers at the start of all pairs of bytes; `_LONGER` if two bytes do not tell."""
    first, second = np.arange(1 << 16, dtype=np.uint16) & 0xFF, np.arange(1 << 16, dtype=np.uint16) >> 8
    more = first >= _MORE
    numbers = _undo_zigzag(np.where(more, first & _GROUP | second << 7, first), np.int16)
    return np.where(more & ((second == 0) | (second >= _MORE)), np.int16(_LONGER), numbers)


_SHORT: Final = _short()


def zigzag(numbers: Ints) -> Words:
    """Turn signed numbers into what varints carry: 0, -1, 1, -2 become 0, 1, 2, 3."""
    return ((numbers << 1) ^ (numbers >> 63)).view(np.uint64)


def varint_sizes(words: Words) -> Ints:
    """Count the bytes of each varint, 1 to 10."""
    sizes = np.ones(words.size, np.uint8)
    greatest, limit = int(words.max(initial=0)), 1 << _GROUP_BITS
    while limit <= greatest:
        sizes += words >= limit
        limit <<= _GROUP_BITS
    return sizes.astype(np.int64)


def write_varints(out: Octets, at: Ints, words: Words) -> None:
    """Write each word as a varint at its place: groups of 7 bits, least significant first."""
    while words.size:
        more = words > _GROUP
        group = words.astype(np.uint8)
        group |= more.view(np.uint8) << 7
        out[at] = group
        (here,) = more.nonzero()
        words, at = words.take(here) >> np.uint64(_GROUP_BITS), at.take(here) + 1
