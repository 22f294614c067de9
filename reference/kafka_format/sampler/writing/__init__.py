"""Columns in, bytes out: many structures at once, from a description of one: its parts, in order, with their columns.

    parts = (Fixed(">i4", numbers), Varint(lengths), Piece(contents))
    found = written(parts, count)

Two programs do that. by_numpy.py works part by part, for all structures at once. by_numba.py goes from structure to
structure, in machine code, and takes a third of the time; it needs numba (the `fast` extra). The bytes are the same.
"""

from kafka_format import machine_code
from kafka_format.sampler.writing import by_numba, by_numpy
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

FEW = 256
"""Structures for which compiled code is not loaded: that takes half a second."""


def written(parts: Parts, count: int) -> Written:
    """Write `count` structures.

    Raises:
        ValueError: a column has not one row for each structure.
    """
    check(parts, count)
    if machine_code.kernel() or (count > FEW and machine_code.load()):
        return by_numba.written(parts, count)
    return by_numpy.written(parts, count)
