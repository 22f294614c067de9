"""The records of sound record batches, read side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from kafka_format.columnar.arrays import Flags, Ints, RowGroups, allocate
from kafka_format.columnar.batch_headers import SoundBatches
from kafka_format.columnar.buffer import Buffer
from kafka_format.columnar.columns import Columns, Shared
from kafka_format.columnar.fields import CHUNK, FieldReader, contents_of, kind_of, read_items
from kafka_format.columnar.plans import ArrayStep, Plan, Step, VarintStep, plan
from kafka_format.columnar.record_walk import Walk
from kafka_format.columnar.slices import Lists, Slices, concatenate, empty_columns
from kafka_format.errors import LayoutError
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT, TIMESTAMP_TYPE_BIT, TRANSACTIONAL_BIT
from kafka_format.spec.layout.model import BytesAfter, Field

_KINDS: Final = {
    "offset": np.int64,
    "timestamp": np.int64,
    "key": np.int64,
    "value": np.int64,
    "key_length": np.int32,
    "value_length": np.int32,
    "header_count": np.int32,
    "batch": np.int32,
}
"""What is kept of each record."""

_START, _END = "offset", "timestamp"
"""Where a record begins, behind its length, and where it ends, stand in these columns until it is
read."""


def read_records(data: bytes, batches: SoundBatches, indices: Ints) -> tuple[Columns, Flags]:
    """Read the records of batches.

    Args:
        data: the buffer.
        batches: those whose records are to be read; each has room for as many as it says.
        indices: index of each batch in its input.

    Returns:
        The records of all batches, and which batches are sound; the rows of the others mean
            nothing.
    """
    reader = _BatchReader(data, batches)
    reader.walk()
    headers = concatenate([reader.no_headers(), *(reader.read(chunk) for chunk in reader.chunks())])
    table = reader.table
    key, value = Slices(table["key"], table["key_length"]), Slices(table["value"], table["value_length"])
    lists = Lists(table["header_count"], headers)
    shared = _shared(batches.heads, indices)
    return Columns(data, table["offset"], table["timestamp"], key, value, lists, table["batch"], shared), reader.sound


def _shared(heads: Any, indices: Ints) -> Shared:
    """Return what the headers of batches say of their records."""
    attributes = heads["attributes"].astype(np.int16)
    return Shared(
        timestamp_type=(attributes & TIMESTAMP_TYPE_BIT != 0).astype(np.int8),
        producer_id=heads["producer_id"].astype(np.int64),
        producer_epoch=heads["producer_epoch"].astype(np.int16),
        base_offset=heads["base_offset"].astype(np.int64),
        base_sequence=heads["base_sequence"].astype(np.int64),
        transactional=attributes & TRANSACTIONAL_BIT != 0,
        control=attributes & CONTROL_BIT != 0,
        codec=(attributes & CODEC_MASK).astype(np.int8),
        entry=indices,
    )


class _BatchReader:
    """Batches that are being read, and the table that their records fill."""

    def __init__(self, data: bytes, batches: SoundBatches) -> None:
        heads = batches.heads
        self._buffer = Buffer(data)
        self._batches = batches
        self._groups = RowGroups(heads["record_count"].astype(np.int64))
        self._appended: Flags = heads["attributes"] & TIMESTAMP_TYPE_BIT != 0
        self._offsets: Ints = heads["base_offset"].astype(np.int64)
        self._timestamps: Ints = np.where(self._appended, heads["max_timestamp"], heads["base_timestamp"])
        self._length, self._fields, self._array = _steps(plan("record"))
        self.table: dict[str, Any] = allocate(self._groups.total, _KINDS)
        self.sound: Flags = np.ones(batches.starts.size, np.bool_)

    def walk(self) -> None:
        """Find the records, and which batches end where their last record does."""
        walk = Walk(self._buffer, kind_of(self._length), self._groups, self.table[_START], self.table[_END])
        self.sound = walk.go(self._batches.starts) == self._batches.ends

    def chunks(self) -> Iterator[slice]:
        """Yield batches that have together about as many records as are read at once."""
        wanted = np.searchsorted(self._groups.firsts, np.arange(0, self._groups.total, CHUNK))
        cuts = np.unique(np.append(wanted, self._groups.counts.size)).tolist()
        return (slice(start, stop) for start, stop in pairwise(cuts))

    def read(self, batches: slice) -> dict[str, Slices]:
        """Read the fields of the records of some batches, and return their headers."""
        rows = slice(int(self._groups.firsts[batches.start]), int(self._groups.ends[batches.stop - 1]))
        part = {name: column[rows] for name, column in self.table.items()}
        ends = part[_END].copy()
        reader = FieldReader(self._buffer, part[_START], ends)
        reader.read(self._fields)
        columns, counts = reader.columns, self._groups.counts[batches]
        part["batch"][:] = np.repeat(np.arange(batches.start, batches.stop), counts)
        np.add(np.repeat(self._offsets[batches], counts), columns["offset_delta"], out=part["offset"])
        deltas = self._deltas(columns["timestamp_delta"], batches)
        np.add(np.repeat(self._timestamps[batches], counts), deltas, out=part["timestamp"])
        for name in ("key", "value"):
            part[name][:], part[f"{name}_length"][:] = columns[name]
        part["header_count"][:] = items = reader.counts_of(self._array, self._room(batches))
        headers = read_items(self._buffer, self._array, reader.at, ends, items)
        wrong = reader.at != ends
        if wrong.any():
            self.sound[part["batch"][wrong]] = False
        return headers

    def _room(self, batches: slice) -> int:
        """Count the bytes of some batches."""
        return int((self._batches.ends[batches] - self._batches.starts[batches]).sum())

    def no_headers(self) -> dict[str, Slices]:
        """Return what the headers of no record are."""
        return empty_columns(0, contents_of(self._array.plan))

    def _deltas(self, deltas: Ints, batches: slice) -> Ints:
        """Return the timestamp deltas, without those of batches stamped by the broker.

        All their records have the time of the append.
        """
        appended = self._appended[batches]
        return np.where(np.repeat(appended, self._groups.counts[batches]), 0, deltas) if appended.any() else deltas


def _steps(layout: Plan) -> tuple[Field, Sequence[Step], ArrayStep]:
    """Take a layout apart into its length, which comes first, its other fields, and a final array.

    Raises:
        LayoutError: it is no such layout.
    """
    match layout.steps:
        case (VarintStep(field=Field(computed=BytesAfter()) as length), *fields, ArrayStep() as array):
            return length, fields, array
        case _:
            advice = "teach kafka_format.columnar.batch_records"
            raise LayoutError(f"`{layout.name}` has another form", file="spec/layouts", line=0, advice=advice)
