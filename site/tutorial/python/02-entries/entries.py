"""Entries: what a log, a fetch response and the inside of a wrapper are runs of."""

import struct
from collections.abc import Iterator
from typing import NamedTuple


class Malformed(ValueError):
    """The bytes break a rule."""


class Entry(NamedTuple):
    """One message or batch, from its offset to its end."""

    magic: int
    data: bytes


OFFSET_AND_SIZE = struct.Struct(">qi")
UP_TO_MAGIC = struct.Struct(">qi4xb")
SMALLEST = struct.calcsize(">Ibbii")  # a message of v0 without a key and without a value
LARGEST = 2**31 - 1 - OFFSET_AND_SIZE.size


def entries(data: bytes) -> Iterator[Entry]:
    """Yield the whole entries; one that is cut off at the end is left out."""
    place = 0
    while len(data) - place >= OFFSET_AND_SIZE.size:
        _offset, size = OFFSET_AND_SIZE.unpack_from(data, place)
        if not SMALLEST <= size <= LARGEST:
            raise Malformed(f"an entry of {size} bytes, at byte {place}")
        if len(data) - place < UP_TO_MAGIC.size:
            return
        *_, magic = UP_TO_MAGIC.unpack_from(data, place)
        if magic not in {0, 1, 2}:
            raise Malformed(f"an entry with the magic byte {magic}, at byte {place}")
        end = place + OFFSET_AND_SIZE.size + size
        if end > len(data):
            return
        yield Entry(magic, data[place:end])
        place = end
