"""Where the entries of many inputs begin and end.

Every input is cut by the sizes that stand in it. What is left behind the last whole entry counts as
an entry too, so that every byte of an input belongs to one, and the scalar decoder says what is
wrong with it.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from kafka_format.codec.prefix import prefix
from kafka_format.codec.readings import READINGS, load_machine
from kafka_format.columnar.arrays import Ints, RowGroups
from kafka_format.columnar.plans import ChecksumAt, plan
from kafka_format.errors import LayoutError
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.records.entries import OVERHEAD, SMALLEST_SIZE
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Integer

_SMALLEST: Final = OVERHEAD + SMALLEST_SIZE
_BATCH: Final = "record_batch"
_SIZE: Final = "batch_length"


class Entries(NamedTuple):
    """The entries of all inputs, those of an input one after the other.

    Attributes:
        starts: first byte of each.
        ends: byte after each.
        groups: how many each input has.
        wrong_crc: indices of the entries that have not the checksum of a record batch; none if that
            is not compared.
    """

    starts: Ints
    ends: Ints
    groups: RowGroups
    wrong_crc: Ints


def split(data: bytes, starts: Ints, ends: Ints, *, check_crc: bool) -> Entries:
    """Cut inputs into entries.

    Checksums are compared on the way: going from entry to entry waits for memory, unless the bytes
    between are read.

    Args:
        data: the buffer.
        starts: first byte of each input.
        ends: byte after each.
        check_crc: whether checksums are compared.
    """
    find_entries = _find if READINGS.machine is None or _checksum().algorithm != "crc32c" else _find_by_machine
    firsts, counts, wrong = find_entries(data, starts, ends, check_crc=check_crc)
    groups = RowGroups(counts)
    stops = np.append(firsts[1:], 0)
    nonempty = counts > 0
    stops[groups.ends[nonempty] - 1] = ends[nonempty]  # also where the last entry says that it is longer
    return Entries(firsts, stops, groups, wrong)


def _find(data: bytes, starts: Ints, ends: Ints, *, check_crc: bool) -> tuple[Ints, Ints, Ints]:
    """Return each entry's first byte, how many each input has, and which have a wrong checksum."""
    firsts: list[int] = []
    counts: list[int] = []
    wrong: list[int] = []
    read, covered = _size_and_checksum().unpack_from, _size_and_checksum().size
    checksum, view, overhead, smallest = CHECKSUMS[_checksum().algorithm], memoryview(data), OVERHEAD, SMALLEST_SIZE
    for position, stop in zip(starts.tolist(), ends.tolist(), strict=True):
        before, last = len(firsts), stop - _SMALLEST
        while position <= last:
            size, expected = read(data, position)
            if size < smallest:
                break
            firsts.append(position)
            first = position + covered
            position += overhead + size  # noqa: PLW2901 - goes from entry to entry
            if check_crc and checksum(view[first:position]) != expected:
                wrong.append(len(firsts) - 1)
        if position < stop:
            firsts.append(position)
        counts.append(len(firsts) - before)
    return np.array(firsts, np.int64), np.array(counts, np.int64), np.array(wrong, np.int64)


def _find_by_machine(data: bytes, starts: Ints, ends: Ints, *, check_crc: bool) -> tuple[Ints, Ints, Ints]:
    """Do the same by the layout machine."""
    most = len(data) // _SMALLEST + starts.size
    firsts, counts, wrong = (np.empty(size, np.int64) for size in (most, starts.size, most))
    inputs = (np.ascontiguousarray(starts), np.ascontiguousarray(ends))
    found = load_machine().find_entries(data, *inputs, places_of_batch(check_crc=check_crc), firsts, counts, wrong)
    return firsts[: found[0]], counts, wrong[: found[1]]


def places_of_batch(*, check_crc: bool) -> tuple[int, ...]:
    """Return what the machine must know to find a batch: entries.c says in which order."""
    at, checksum = prefix(_BATCH).places, _checksum()
    return at[_SIZE], at["magic"], checksum.at, checksum.first, OVERHEAD, SMALLEST_SIZE, int(check_crc)


@cache
def _size_and_checksum() -> struct.Struct:
    """Return a struct of a batch's size and checksum, up to the first byte that is summed."""
    place, codes = _checksum(), ">"
    for field in find(_BATCH).fields:
        if not isinstance(field.type, Integer) or struct.calcsize(codes) == place.first:
            break
        codes += field.type.code if field.name in {_SIZE, place.field} else f"{field.type.size}x"
    return struct.Struct(codes)


@cache
def _checksum() -> ChecksumAt:
    layout = plan(_BATCH)
    if layout.checksum is None:
        raise LayoutError(f"`{layout.name}` has no checksum", file="spec/layouts", line=0)
    return layout.checksum
