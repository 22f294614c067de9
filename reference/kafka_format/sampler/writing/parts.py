"""What a structure consists of. Columns have one row for each structure; those within `Each` one for each item."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kafka_format.columnar.arrays import Groups, Ints, Octets
from kafka_format.sampler.pool import Contents


class Constant(NamedTuple):
    """The same bytes in each structure."""

    data: bytes

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.data)


class Fixed(NamedTuple):
    """An integer of fixed size.

    Attributes:
        kind: its type: `>i4` has four bytes, the greatest first.
        numbers: None for the bytes that follow in the structure, the greatest first.
    """

    kind: str
    numbers: Ints | None

    @property
    def size(self) -> int:
        """Its bytes."""
        return np.dtype(self.kind).itemsize


class Varint(NamedTuple):
    """An integer as a zigzag varint, of 1 to 10 bytes.

    Attributes:
        numbers: None for the bytes that follow in the structure.
    """

    numbers: Ints | None


class Piece(NamedTuple):
    """Bytes, without their length; none where that is -1."""

    contents: Contents


class Marshalled(NamedTuple):
    """An integer as `marshal` of CPython writes it, in version 2 of that format: see `MARSHAL_INT`."""

    numbers: Ints


class MarshalledPiece(NamedTuple):
    """Bytes or None, as `marshal` of CPython writes them."""

    contents: Contents


class Each(NamedTuple):
    """The items of an array, one after the other, without their count."""

    groups: Groups
    parts: Parts


Part = Constant | Fixed | Varint | Piece | Marshalled | MarshalledPiece | Each
Parts = tuple[Part, ...]

MARSHAL_INT, MARSHAL_LONG, MARSHAL_BYTES, MARSHAL_NONE = b"ilsN"
"""Tags of `marshal`. The first three are followed by an int32, least byte first: the integer; how many digits follow,
negative for a negative integer; how many bytes. A digit is an int16 of 15 bits; the least comes first."""

MARSHAL_TAG = 5
"""Bytes of a tag with its number."""

DIGIT_BITS = 15
MOST_DIGITS = 5


class Written(NamedTuple):
    """Structures one after the other.

    Attributes:
        data: their bytes, in memory where `SPILL` more bytes may be read.
        bounds: where each begins, and where the last one ends.
        pieces: where the `Piece`s lie in `data`, in their order.
    """

    data: Octets
    bounds: Ints
    pieces: tuple[Contents, ...]

    @property
    def size(self) -> int:
        """All bytes."""
        return int(self.bounds[-1])


def check(parts: Parts, count: int) -> None:
    """Make sure that every column has a row for each structure.

    Raises:
        ValueError: one has not.
    """
    for part in parts:
        for column in _columns(part):
            if column.size != count:
                raise ValueError(f"{type(part).__name__}: a column has {column.size} numbers for {count} structures")
        if isinstance(part, Each):
            check(part.parts, part.groups.total)


def _columns(part: Part) -> tuple[Ints, ...]:
    match part:
        case Piece(contents) | MarshalledPiece(contents):
            return contents.starts, contents.lengths
        case Each(groups):
            return (groups.counts,)
        case Constant():
            return ()
        case _:
            return () if part.numbers is None else (part.numbers,)
