"""Columns in, bytes out: many structures at once, from a description of one: its parts, in order, with their columns.

parts = (Fixed(">i4", numbers), Varint(lengths), Piece(contents))
found = written(parts, count)
"""

from kafka_format.sampler.writing import by_numpy
from kafka_format.sampler.writing.parts import (
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
    check,
)

__all__ = [
    "Constant",
    "Each",
    "Fixed",
    "Marshalled",
    "MarshalledPiece",
    "Part",
    "Parts",
    "Piece",
    "Varint",
    "Written",
    "written",
]


def written(parts: Parts, count: int) -> Written:
    """Write `count` structures.

    Raises:
        ValueError: a column has not one row for each structure.
    """
    check(parts, count)
    return by_numpy.written(parts, count)
