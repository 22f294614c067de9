"""Varints at many places at once.

Most varints of a record have one byte, nearly all others two. So two bytes of each are looked up in a table, and only
what then is left is read as words of eight bytes, whose groups are pushed together by shifts.

A varint that breaks a rule is no error here: the position behind it is `FAR`, beyond any buffer. Positions only grow,
so whoever compares them with an end sees it, and can let the scalar decoder say what is wrong.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kafka_format import machine_code
from kafka_format.columnar.arrays import Ints, Octets, Words
from kafka_format.columnar.octets import octets, window
from kafka_format.primitives.numbers import VarintKind

FAR: Final = 1 << 48
"""Where positions go that cannot be right. What is added to it later cannot overflow."""

_MORE: Final = 0x80
_GROUP: Final = 0x7F
_ALL_MORE: Final = np.uint64(0x8080808080808080)
_ALL_GROUPS: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_WORD: Final = 8
_LONGER: Final = -(1 << 15)


class Source:
    """A buffer to read from, at any list of places.

    Places beyond the end are read as if they were the last; who reads there finds out by comparing positions.

    Attributes:
        data: the bytes.
        octets: the same as an array.
    """

    def __init__(self, data: bytes) -> None:
        """Take the buffer."""
        self.data = data
        self.octets: Octets = octets(data)

    def bytes_at(self, at: Ints) -> Octets:
        """Read one byte at each place."""
        return self.octets.take(at, mode="clip")

    def words_at(self, at: Ints) -> Words:
        """Read eight bytes at each place, the first of them lowest; zeros stand behind the end.

        The buffer has at least eight bytes.
        """
        last = self.octets.size - _WORD
        inside = np.maximum.reduce(at, initial=0) <= last
        placed = at if inside else np.minimum(at, last)
        words: Words = window(self.octets, _WORD)[placed].view("<u8").astype(np.uint64, copy=False)
        if inside:
            return words
        (beyond,) = (at > last).nonzero()
        missing = np.minimum(at[beyond] - last, _WORD)
        words[beyond] >>= (8 * missing).view(np.uint64)  # by 64 gives 0
        return words

    def varints_at(self, at: Ints, kind: VarintKind) -> tuple[Ints, Ints]:
        """Read a zig-zag varint at each place: the numbers, and the positions behind them."""
        if kernel := machine_code.kernel():
            found, behind = np.empty(at.size, np.int64), np.empty(at.size, np.int64)
            places = np.ascontiguousarray(at)
            kernel.varints((self.octets.ctypes.data, self.octets.size), places, kind.bits, FAR, found, behind)
            return found, behind
        first, ends = self.bytes_at(at), at + 1
        if np.maximum.reduce(first, initial=0) < _MORE:
            return _unzigzag(first, np.int8).astype(np.int64), ends
        pairs = self.bytes_at(ends).astype(np.uint16)
        pairs <<= 8
        pairs |= first
        numbers = _SHORT.take(pairs)
        ends += first >= _MORE
        found = numbers.astype(np.int64)
        if np.minimum.reduce(numbers) == _LONGER:
            (longer,) = (numbers == _LONGER).nonzero()
            found[longer], ends[longer] = self._longest(at[longer], kind)
        return found, ends

    def _longest(self, at: Ints, kind: VarintKind) -> tuple[Ints, Ints]:
        """Read varints of any length but one."""
        words = self.words_at(at)
        stops = ~words & _ALL_MORE
        stop = stops & (~stops + np.uint64(1))  # the lowest: the bit 7 of the last byte, or 0 if there are 8 or more
        below = stop - np.uint64(1)
        last_group = stop - (stop >> np.uint64(7))
        ends = at + (np.bitwise_count(below) >> 3) + 1
        minimal = (words & last_group) != 0
        values = _packed(words & below & _ALL_GROUPS)
        (huge,) = (stop == 0).nonzero()
        if huge.size:
            values[huge], ends[huge], minimal[huge] = self._huge(at[huge], values[huge])
        fits = values >> np.uint64(kind.bits - 1) <= 1
        (wrong,) = (~(minimal & fits)).nonzero()
        ends[wrong], values[wrong] = FAR, 0  # what is no number must not be added to a position
        return _unzigzag(values, np.int64), ends

    def _huge(self, at: Ints, values: Words) -> tuple[Words, Ints, npt.NDArray[np.bool_]]:
        """Read the bytes behind the first eight, one or two, and tell whether they are minimal and fit 64 bits."""
        ninth, tenth = self.bytes_at(at + 8), self.bytes_at(at + 9)
        ten = ninth >= _MORE
        values = values | (ninth & np.uint64(_GROUP)) << np.uint64(56)
        values = np.where(ten, values | tenth.astype(np.uint64) << np.uint64(63), values)
        return values, at + 9 + ten, np.where(ten, tenth == 1, ninth != 0)


def _packed(groups: Words) -> Words:
    """Push eight groups of seven bits together, in pairs, in fours, and then all."""
    pairs = groups & np.uint64(0x007F007F007F007F) | (groups & np.uint64(0x7F007F007F007F00)) >> np.uint64(1)
    fours = pairs & np.uint64(0x00003FFF00003FFF) | (pairs & np.uint64(0x3FFF00003FFF0000)) >> np.uint64(2)
    return fours & np.uint64(0x000000000FFFFFFF) | (fours & np.uint64(0x0FFFFFFF00000000)) >> np.uint64(4)


def _unzigzag(numbers: npt.NDArray[Any], signed: type[np.signedinteger[Any]]) -> npt.NDArray[Any]:
    """Turn what varints carry into signed numbers of the same width: 0, 1, 2, 3 become 0, -1, 1, -2."""
    found: npt.NDArray[Any] = (numbers >> 1).view(signed) ^ -(numbers & 1).view(signed)
    return found


def _short() -> npt.NDArray[np.int16]:
    """Return the numbers that two bytes begin with, the first of them lowest; `_LONGER` if they do not tell."""
    first, second = np.arange(1 << 16, dtype=np.uint16) & 0xFF, np.arange(1 << 16, dtype=np.uint16) >> 8
    more = first >= _MORE
    numbers = _unzigzag(np.where(more, first & _GROUP | second << 7, first), np.int16)
    return np.where(more & ((second == 0) | (second >= _MORE)), np.int16(_LONGER), numbers)


_SHORT: Final = _short()
