"""Writes structure by structure, in machine code: makes the rows that kernels.py goes through, and runs it."""

from __future__ import annotations

from typing import Final

import numpy as np

from kafka_format import machine_code
from kafka_format.columnar.arrays import Ints
from kafka_format.columnar.byte_moves import SPILL
from kafka_format.primitives.numbers import VARLONG
from kafka_format.sampler.pool import Contents
from kafka_format.sampler.writing.parts import (
    MARSHAL_TAG,
    MOST_DIGITS,
    Constant,
    Each,
    Fixed,
    Marshalled,
    MarshalledPiece,
    Part,
    Parts,
    Piece,
    Varint,
    Written,
    pieces_of,
)

_WORD: Final = 8
_LONGEST_INTEGER: Final = MARSHAL_TAG + 2 * MOST_DIGITS


def written(parts: Parts, count: int) -> Written:
    """See `writing.written`; only if there is a kernel."""
    table = _Table(parts, count)
    out = np.empty(table.room + SPILL, np.uint8)
    base = out.ctypes.data
    behind = base + table.room
    bounds = np.empty(count + 1, np.int64)
    bounds[count] = behind
    first = table.run(behind, base + table.spare, bounds) if count else behind
    bounds -= first
    data = out[first - base :]
    pieces = []
    for piece in pieces_of(parts):
        places = table.places[id(piece)]
        places -= first
        pieces.append(Contents(data, places, piece.contents.lengths))
    return Written(data, bounds, tuple(pieces))


class _Table:
    """The rows of a structure; see kernels.py.

    Attributes:
        spare: bytes in front that may be spoilt.
        room: enough bytes for all, and those.
        places: of the pieces, by their identity: addresses, once all is written.
    """

    def __init__(self, parts: Parts, count: int) -> None:
        self._kernel = machine_code.kernel()
        self.spare = self.room = self._kernel.AT_ONCE
        self.places: dict[int, Ints] = {}
        self._kept: list[object] = []
        self._rows = np.zeros((1 + _rows(parts), self._kernel.WORDS), np.int64)
        self._base = self._rows.ctypes.data
        self._used = 0
        self._add(self._kernel.EACH, 0, self._address(1), count)
        self._structure(parts, count, self._base)

    def run(self, behind: int, lowest: int, bounds: Ints) -> int:
        """Write all; return the address of the first byte.

        Args:
            behind: the address behind the last byte.
            lowest: that of the lowest one.
            bounds: takes the address of each structure.
        """
        self._rows[0, self._kernel.PLACES] = bounds.ctypes.data + _WORD * (bounds.size - 2)
        first: int = self._kernel.write(self._base, behind, lowest)
        if first < 0:
            raise IndexError("a content is not within its buffer")
        return first

    def _address(self, row: int) -> int:
        return self._base + row * self._rows.strides[0]

    def _add(self, *words: int) -> int:
        """Add a row; return its place."""
        place, self._used = self._used, self._used + 1
        self._rows[place, : len(words)] = words
        return place

    def _structure(self, parts: Parts, count: int, array: int) -> None:
        """Add the rows of a structure, the last part first, and behind them those of its items."""
        inner = [(self._part(part, count), part) for part in reversed(parts)]
        self._add(self._kernel.END, array)
        for place, part in inner:
            if isinstance(part, Each):
                self._rows[place, self._kernel.FIRST] = self._address(self._used)
                self._structure(part.parts, part.groups.total, self._address(place))

    def _part(self, part: Part, count: int) -> int:
        """Add the rows of a part, and room for it; return the place of the last one."""
        self.room += _most(part) * count
        match part:
            case Constant(data):
                return self._constant(data)
            case Piece(contents):
                places = self.places[id(part)] = np.empty(count, np.int64)
                return self._add(self._kernel.PIECE, *self._contents(contents, count, self._column(places, count)))
            case MarshalledPiece(contents):
                return self._add(self._kernel.MARSHALLED_PIECE, *self._contents(contents, count, 0))
            case Each(groups):
                return self._add(self._kernel.EACH, self._column(groups.counts, count))
            case _:
                return self._number(part, count)

    def _constant(self, data: bytes) -> int:
        place = self._used
        for end in range(len(data), 0, -_WORD):
            some = data[max(end - _WORD, 0) : end]
            place = self._add(self._kernel.CONSTANT, _word(some), len(some))
        return place

    def _number(self, part: Fixed | Varint | Marshalled, count: int) -> int:
        kernel = self._kernel
        if part.numbers is None:
            return self._add(kernel.REST, part.size) if isinstance(part, Fixed) else self._add(kernel.VARINT_REST)
        column = self._column(part.numbers, count)
        if isinstance(part, Fixed):
            order = kernel.LEAST_FIRST if part.kind.startswith("<") else kernel.GREATEST_FIRST
            return self._add(order, column, part.size)
        return self._add(kernel.VARINT if isinstance(part, Varint) else kernel.MARSHALLED, column)

    def _contents(self, contents: Contents, count: int, places: int) -> tuple[int, ...]:
        self.room += int(np.maximum(contents.lengths, 0).sum())
        self._kept.append(contents.source)
        starts, lengths = self._column(contents.starts, count), self._column(contents.lengths, count)
        first = starts - _WORD * (count - 1)
        return starts, lengths, contents.source.ctypes.data, contents.source.size, places, first

    def _column(self, numbers: Ints, count: int) -> int:
        """Return the address of the last number of a column."""
        column = np.ascontiguousarray(numbers, np.int64)
        self._kept.append(column)
        return column.ctypes.data + _WORD * (count - 1)


def _rows(parts: Parts) -> int:
    """Count the rows of a structure and of its items."""
    return 1 + sum(_rows_of(part) for part in parts)


def _rows_of(part: Part) -> int:
    match part:
        case Constant(data):
            return -(-len(data) // _WORD)
        case Each(_, parts):
            return 1 + _rows(parts)
        case _:
            return 1


def _most(part: Part) -> int:
    """Tell the most bytes of a part, without those of contents and items."""
    match part:
        case Constant() | Fixed():
            return part.size
        case Varint():
            return VARLONG.max_bytes
        case Marshalled():
            return _LONGEST_INTEGER
        case MarshalledPiece():
            return MARSHAL_TAG
        case _:
            return 0


def _word(some: bytes) -> int:
    """Turn up to 8 bytes into a signed word, least byte first."""
    return int.from_bytes(some.ljust(_WORD, b"\0"), "little", signed=True)
