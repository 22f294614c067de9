"""Where the entries of many inputs are, and which of them are record batches that numpy can read.

Every input is cut into pieces by the sizes that stand in it. What is behind the last whole entry is a piece too, so
that the pieces of an input are all of its bytes, and each is read by somebody: the sound record batches side by side,
everything else by the scalar decoder.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from kafka_format import machine_code
from kafka_format.columnar.arrays import Flags, Groups, Ints
from kafka_format.columnar.octets import octets, window
from kafka_format.columnar.plans import ArrayStep, ChecksumAt, Plan, RowStep, plan
from kafka_format.errors import LayoutError
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.records.entries import OVERHEAD, SMALLEST_SIZE
from kafka_format.spec.layout.model import BytesAfter, Field

_SMALLEST: Final = OVERHEAD + SMALLEST_SIZE
_SIZE_AT: Final = OVERHEAD - 4


class Frames(NamedTuple):
    """Pieces of inputs, each input's one after the other.

    Attributes:
        starts: first byte of each piece.
        ends: byte behind each.
        groups: how many each input has.
        wrong: pieces that have not the checksum of a record batch; none if they do not count.
    """

    starts: Ints
    ends: Ints
    groups: Groups
    wrong: Ints


def split(data: bytes, starts: Ints, ends: Ints, *, check_crc: bool) -> Frames:
    """Cut inputs into entries, and a last piece if bytes are left.

    Checksums are compared on the way: going from entry to entry waits for memory, unless the bytes between are read.
    """
    kernel = machine_code.kernel()
    if not kernel:
        machine_code.handled(len(data))
    cut = _cut_by_kernel if kernel and kernel.split else _cut
    found, counts, wrong = cut(data, starts, ends, check_crc=check_crc)
    return _frames(found, Groups(counts), ends, wrong)


def _cut(data: bytes, starts: Ints, ends: Ints, *, check_crc: bool) -> tuple[Ints, Ints, Ints]:
    """Find the first byte of each piece, how many each input has, and which have another checksum."""
    found, counts, wrong, prefix = array("q"), array("q"), array("q"), _prefix()
    checksum = CHECKSUMS[_checksum(plan("record_batch")).algorithm]
    read, covered, append, view = prefix.unpack_from, prefix.size, found.append, memoryview(data)
    for position, stop in zip(starts.tolist(), ends.tolist(), strict=True):
        before, last = len(found), stop - _SMALLEST
        while position <= last:
            size, expected = read(data, position)
            if size < SMALLEST_SIZE:
                break
            append(position)
            first = position + covered
            position += OVERHEAD + size  # noqa: PLW2901 - goes from entry to entry
            if check_crc and checksum(view[first:position]) != expected:
                wrong.append(len(found) - 1)
        if position < stop:
            append(position)
        counts.append(len(found) - before)
    return np.frombuffer(found, np.int64), np.frombuffer(counts, np.int64), np.frombuffer(wrong, np.int64)


def _cut_by_kernel(data: bytes, starts: Ints, ends: Ints, *, check_crc: bool) -> tuple[Ints, Ints, Ints]:
    """Do the same in machine code."""
    most = len(data) // _SMALLEST + starts.size
    found, counts, wrong = (np.empty(size, np.int64) for size in (most, starts.size, most))
    place, octet = _checksum(plan("record_batch")), octets(data)
    layout = (_SIZE_AT, place.at, place.first, OVERHEAD, SMALLEST_SIZE, int(check_crc))
    given = (np.ascontiguousarray(starts), np.ascontiguousarray(ends))
    split = machine_code.kernel().split
    pieces, wrongs = split(octet.ctypes.data, octet.size, given, layout, found, counts, wrong)
    return found[:pieces], counts, wrong[:wrongs]


def _frames(starts: Ints, groups: Groups, ends: Ints, wrong: Ints) -> Frames:
    stops = np.append(starts[1:], 0)
    having = groups.counts > 0
    stops[groups.ends[having] - 1] = ends[having]  # also where the last entry says that it is longer
    return Frames(starts, stops, groups, wrong)


@cache
def _prefix() -> struct.Struct:
    """Return what reads the size and the checksum of a record batch, up to where the checksum begins to count."""
    place = _checksum(plan("record_batch"))
    return struct.Struct(f">8xi{place.at - OVERHEAD}xI{place.first - place.at - 4}x")


class Batches(NamedTuple):
    """Record batches whose headers are sound.

    Attributes:
        frames: which pieces they are.
        heads: the fields of fixed size of each, as numpy's structured type.
        starts: first byte of the records of each.
        ends: byte behind them.
    """

    frames: Ints
    heads: Any
    starts: Ints
    ends: Ints

    def chosen(self, which: Flags) -> Batches:
        """Return some of them."""
        if which.all():
            return self
        return Batches(*(part[which] for part in self))


def batches(data: bytes, frames: Frames) -> Batches:
    """Find the record batches whose header and checksum are right."""
    layout = plan("record_batch")
    row = _row(layout)
    sizes = frames.ends - frames.starts
    (wide,) = (sizes >= row.dtype.itemsize).nonzero()
    heads = np.empty(0, row.dtype)
    if wide.size:
        heads = window(octets(data), row.dtype.itemsize)[frames.starts[wide]].view(row.dtype)
    sound = np.ones(wide.size, np.bool_)
    behind = sizes[wide] - row.dtype.itemsize
    for field, rest in zip(row.fields, row.rests, strict=True):
        for right in _checks(field, heads[field.name], behind + rest):
            sound &= right
    if frames.wrong.size:
        sound &= ~np.isin(wide, frames.wrong)
    return Batches(wide, heads, frames.starts[wide] + row.dtype.itemsize, frames.ends[wide]).chosen(sound)


def _row(layout: Plan) -> RowStep:
    """Return the fields of fixed size, behind which there is nothing but one array."""
    match layout.steps:
        case (RowStep() as row, ArrayStep()):
            return row
        case _:
            advice = "teach kafka_format.columnar.framing"
            raise LayoutError(f"`{layout.name}` is no row and an array", file="spec/layouts", line=0, advice=advice)


def _checks(field: Field, values: Any, behind: Ints) -> Iterator[Flags]:
    """Tell by each check of a field where it says what it may say; `behind` are the bytes behind it."""
    if field.const is not None:
        yield values == field.const
    if field.minimum is not None:
        yield values >= field.minimum
    if isinstance(field.computed, BytesAfter):
        yield values == behind
    for bits in field.bits:
        if bits.enum is not None:
            known = np.isin(np.arange(bits.mask + 1), list(bits.enum.values))
            if not known.all():
                yield known[values >> bits.low & bits.mask]


def _checksum(layout: Plan) -> ChecksumAt:
    if layout.checksum is None:
        raise LayoutError(f"`{layout.name}` has no checksum", file="spec/layouts", line=0)
    return layout.checksum
