"""A slice of a segment, read in pieces: where its v2 batches begin, and if checksums are right.

A piece is a few megabytes, so that what is read is still in the processor's cache when its checksum
is computed, and memory does not grow with the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from kafka_format.codec.prefix import prefix
from kafka_format.codec.readings import READINGS, load_machine
from kafka_format.columnar.arrays import Ints
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.records.entries import OVERHEAD

PIECE: Final = 2 << 20

_BATCH: Final = prefix("record_batch")
_MAGIC: Final = 2
_HEAD: Final = _BATCH.reader("batch_length", "crc")
_MAGIC_AT: Final = _BATCH.places["magic"]
_COVERED: Final = _BATCH.places["attributes"]
_SMALLEST: Final = _BATCH.size - OVERHEAD
_PLACES: Final = tuple(_BATCH.places[name] for name in ("batch_length", "magic", "crc", "attributes"))
_LARGE: Final = 2048
"""Bytes of a batch from which on a call of the library is as quick."""


class Piece(NamedTuple):
    """Whole batches, one after the other.

    Attributes:
        data: bytes that begin with them; they are overwritten when the next piece is read.
        position: where the first one begins in the file.
        starts: where each begins in `data`.
        size: bytes of all of them.
        doubt: what keeps the next batch from being read; empty for nothing.
    """

    data: bytearray
    position: int
    starts: Ints
    size: int
    doubt: str = ""


class _Walk(NamedTuple):
    starts: Ints
    end: int
    doubt: str


def pieces(path: Path, start: int, end: int, size: int = PIECE, *, check_crc: bool = True) -> Iterator[Piece]:
    """Yield the batches of a slice in pieces of about `size` bytes; the last one may have a doubt.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb", buffering=0) as file:
        file.seek(start)
        data, filled, position, are_small = bytearray(size), 0, start, True
        while position < end:
            filled += _fill(file, data, filled, end - position)
            walk = _walk(data, filled, check_crc=check_crc, are_small=are_small)
            are_small = walk.starts.size * _LARGE > walk.end
            doubt = walk.doubt or ("" if walk.end else _cut(data, filled, position, end))
            if walk.end or doubt:
                yield Piece(data, position, walk.starts, walk.end, doubt)
            if doubt:
                return
            rest = bytes(data[walk.end : filled])
            if not walk.end:
                data = bytearray(OVERHEAD + _HEAD.unpack_from(rest)[0])
            data[: len(rest)] = rest
            position, filled = position + walk.end, len(rest)


def _fill(file: FileIO, data: bytearray, filled: int, most: int) -> int:
    """Read on after what is there, to the end of piece or slice; return how many bytes."""
    needed, before = min(len(data), most), filled
    with memoryview(data) as view:
        while filled < needed and (count := file.readinto(view[filled:needed])):
            filled += count
    return filled - before


def _walk(data: bytearray, filled: int, *, check_crc: bool, are_small: bool) -> _Walk:
    """Go from batch to batch as far as they are whole and right.

    Small ones are found by the layout machine, if that is the engine.
    """
    if not are_small or READINGS.machine is None:
        return _step(data, 0, filled, check_crc=check_crc)
    quick = _walk_by_machine(data, filled, check_crc=check_crc)
    slow = _step(data, quick.end, filled, check_crc=check_crc)  # says what is wrong, or finds no more
    return _Walk(np.concatenate((quick.starts, slow.starts)), slow.end, slow.doubt)


def _walk_by_machine(data: bytearray, filled: int, *, check_crc: bool) -> _Walk:
    """Go as far by the machine, which says nothing about what stops it."""
    places = np.empty(filled // _BATCH.size + 1, np.int64)
    size_at, magic_at, crc_at, covered = _PLACES
    layout = (size_at, magic_at, crc_at, covered, OVERHEAD, _SMALLEST, int(check_crc))
    count, end = load_machine().find_batches(data, filled, layout, _MAGIC, places)
    return _Walk(places[:count], end, "")


def _step(data: bytearray, position: int, filled: int, *, check_crc: bool) -> _Walk:
    """Go from batch to batch in Python.

    This is most of the work where batches are small, so magic bytes are looked at afterwards, all
    at once.
    """
    read, checksum = _HEAD.unpack_from, CHECKSUMS["crc32c"]
    starts, last, doubt = list[int](), filled - _BATCH.size, ""
    with memoryview(data) as view:
        while position <= last:
            size, expected = read(data, position)
            stop = position + OVERHEAD + size
            if size < _SMALLEST:
                doubt = "entry"
                break
            if stop > filled:
                break
            if check_crc and checksum(view[position + _COVERED : stop]) != expected:
                doubt = "crc"
                break
            starts.append(position)
            position = stop
    places = np.array(starts, np.int64)
    (others,) = (np.frombuffer(data, np.uint8)[places + _MAGIC_AT] != _MAGIC).nonzero()
    if others.size:
        first = int(others[0])
        return _Walk(places[:first], int(places[first]), "entry")
    return _Walk(places, position, doubt)


def _cut(data: bytearray, filled: int, position: int, end: int) -> str:
    """Return why the rest is no whole batch: it goes beyond the slice, or is too small."""
    if filled < _BATCH.size or position + OVERHEAD + _HEAD.unpack_from(data)[0] > end:
        return "tail"
    return ""
