"""The record batches among entries whose header is sound, and what their headers say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from kafka_format.codec.prefix import prefix
from kafka_format.columnar import records_by_machine
from kafka_format.columnar.arrays import Flags, Ints
from kafka_format.columnar.byte_moves import octets, window
from kafka_format.columnar.entries import Entries
from kafka_format.columnar.plans import ArrayStep, Plan, RowStep, plan
from kafka_format.errors import LayoutError
from kafka_format.spec.layout.model import BytesAfter, Field


class SoundBatches(NamedTuple):
    """Record batches whose headers are sound.

    Attributes:
        entries: index of each among the entries.
        heads: the fields of fixed size of each: by name, a column.
        starts: first byte of the records of each.
        ends: byte after them.
    """

    entries: Ints
    heads: Any
    starts: Ints
    ends: Ints

    def only(self, which: Flags) -> SoundBatches:
        """Return those for which the flag is true."""
        if which.all():
            return self
        return SoundBatches(*(column[which] for column in self))


def sound_batches(data: bytes, entries: Entries) -> SoundBatches:
    """Return the record batches whose header and checksum are right."""
    machine = records_by_machine.program()
    if machine is None:
        return _by_numpy(data, entries)
    heads, sound = records_by_machine.read_heads(machine, data, entries.starts, entries.ends)
    sound[entries.wrong_crc] = False
    every, size = np.arange(sound.size), prefix("record_batch").size
    return SoundBatches(every, heads, entries.starts + size, entries.ends).only(sound)


def _by_numpy(data: bytes, entries: Entries) -> SoundBatches:
    layout = plan("record_batch")
    row = _row(layout)
    sizes = entries.ends - entries.starts
    (wide,) = (sizes >= row.dtype.itemsize).nonzero()
    heads = np.empty(0, row.dtype)
    if wide.size:
        heads = window(octets(data), row.dtype.itemsize)[entries.starts[wide]].view(row.dtype)
    sound = np.ones(wide.size, np.bool_)
    behind = sizes[wide] - row.dtype.itemsize
    for field, rest in zip(row.fields, row.rests, strict=True):
        for right in _checks(field, heads[field.name], behind + rest):
            sound &= right
    if entries.wrong_crc.size:
        sound &= ~np.isin(wide, entries.wrong_crc)
    return SoundBatches(wide, heads, entries.starts[wide] + row.dtype.itemsize, entries.ends[wide]).only(sound)


def _row(layout: Plan) -> RowStep:
    """Return the fields of fixed size, after which there is nothing but one array."""
    match layout.steps:
        case (RowStep() as row, ArrayStep()):
            return row
        case _:
            advice = "teach kafka_format.columnar.batch_headers"
            raise LayoutError(f"`{layout.name}` is no row and an array", file="spec/layouts", line=0, advice=advice)


def _checks(field: Field, values: Any, behind: Ints) -> Iterator[Flags]:
    """Yield for each check of a field where its value passes; `behind` counts bytes after it."""
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
