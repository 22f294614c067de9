"""Sound record batches, read side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from kafka_format.columnar.arrays import Flags, Groups, Ints, together
from kafka_format.columnar.columns import Columns
from kafka_format.columnar.framing import Batches
from kafka_format.columnar.pieces import Items, Pieces, joined, unfilled
from kafka_format.columnar.plans import ArrayStep, Plan, Step, VarintStep, plan
from kafka_format.columnar.sources import shared_by
from kafka_format.columnar.structures import CHUNK, Rows, contents_of, kind_of, read_items
from kafka_format.columnar.varints import Source
from kafka_format.columnar.walking import Walk
from kafka_format.errors import LayoutError
from kafka_format.records.model import TIMESTAMP_TYPE_BIT
from kafka_format.spec.layout.model import BytesAfter, Field

_KINDS: Final = {
    "at": np.int64,
    "ends": np.int64,
    "offset": np.int64,
    "timestamp": np.int64,
    "key": np.int64,
    "value": np.int64,
    "key_length": np.int32,
    "value_length": np.int32,
    "header_count": np.int32,
    "batch": np.int32,
}
"""What is kept of each record; `at` is the next byte that is to be read, `ends` the one behind the record."""


def read(data: bytes, batches: Batches, entries: Ints) -> tuple[Columns, Flags]:
    """Read the records of batches, and tell which batches are sound; the rows of the others mean nothing.

    Args:
        data: the buffer.
        batches: those whose records are to be read; each has room for as many as it says.
        entries: index of each batch in its input.
    """
    lanes = _Lanes(data, batches)
    sound = lanes.walk()
    headers = joined([lanes.no_headers(), *(lanes.read(chunk) for chunk in lanes.chunks())])
    table = lanes.table
    wrong = table["at"] != table["ends"]
    if wrong.any():
        sound[table["batch"][wrong]] = False
    key, value = Pieces(table["key"], table["key_length"]), Pieces(table["value"], table["value_length"])
    shared = shared_by(batches.heads, entries)
    items = Items(table["header_count"], headers)
    columns = Columns(data, table["offset"], table["timestamp"], key, value, items, table["batch"], shared)
    return columns, sound


class _Lanes:
    """Batches that are being read, and the table that their records fill."""

    def __init__(self, data: bytes, batches: Batches) -> None:
        heads = batches.heads
        self._source = Source(data)
        self._batches = batches
        self._groups = Groups(heads["record_count"].astype(np.int64))
        self._appended: Flags = heads["attributes"] & TIMESTAMP_TYPE_BIT != 0
        self._offsets: Ints = heads["base_offset"].astype(np.int64)
        self._timestamps: Ints = np.where(self._appended, heads["max_timestamp"], heads["base_timestamp"])
        self._length, self._fields, self._array = _steps(plan("record"))
        self.table: dict[str, Any] = together(self._groups.total, _KINDS)

    def walk(self) -> Flags:
        """Find the records, and tell which batches end where their last record does."""
        walk = Walk(self._source, kind_of(self._length), self._groups, self.table["at"], self.table["ends"])
        found: Flags = walk.go(self._batches.starts) == self._batches.ends
        return found

    def chunks(self) -> Iterator[slice]:
        """Yield batches that have together about as many records as are read at once."""
        wanted = np.searchsorted(self._groups.firsts, np.arange(0, self._groups.total, CHUNK))
        cuts = np.unique(np.append(wanted, self._groups.counts.size)).tolist()
        return (slice(start, stop) for start, stop in pairwise(cuts))

    def read(self, lanes: slice) -> dict[str, Pieces]:
        """Read the fields of the records of some batches, and return their headers."""
        rows = slice(int(self._groups.firsts[lanes.start]), int(self._groups.ends[lanes.stop - 1]))
        part = {name: column[rows] for name, column in self.table.items()}
        found = Rows(self._source, part["at"], part["ends"])
        found.read(self._fields)
        columns, counts = found.columns, self._groups.counts[lanes]
        part["batch"][:] = np.repeat(np.arange(lanes.start, lanes.stop), counts)
        np.add(np.repeat(self._offsets[lanes], counts), columns["offset_delta"], out=part["offset"])
        deltas = self._deltas(columns["timestamp_delta"], lanes)
        np.add(np.repeat(self._timestamps[lanes], counts), deltas, out=part["timestamp"])
        for name in ("key", "value"):
            part[name][:], part[f"{name}_length"][:] = columns[name]
        part["header_count"][:] = items = found.counts_of(self._array, self._room(lanes))
        headers = read_items(self._source, self._array, found.at, part["ends"], items)
        part["at"][:] = found.at
        return headers

    def _room(self, lanes: slice) -> int:
        """Count the bytes of some batches."""
        return int((self._batches.ends[lanes] - self._batches.starts[lanes]).sum())

    def no_headers(self) -> dict[str, Pieces]:
        """Return what the headers of no record are."""
        return unfilled(0, contents_of(self._array.plan))

    def _deltas(self, deltas: Ints, lanes: slice) -> Ints:
        """Leave out timestamp deltas where all records have the time when the broker appended them."""
        appended = self._appended[lanes]
        return np.where(np.repeat(appended, self._groups.counts[lanes]), 0, deltas) if appended.any() else deltas


def _steps(layout: Plan) -> tuple[Field, Sequence[Step], ArrayStep]:
    """Take a layout apart: its length, which comes first, its other fields, and an array, which comes last.

    Raises:
        LayoutError: it is no such layout.
    """
    match layout.steps:
        case (VarintStep(field=Field(computed=BytesAfter()) as length), *fields, ArrayStep() as array):
            return length, fields, array
        case _:
            advice = "teach kafka_format.columnar.lanes"
            raise LayoutError(f"`{layout.name}` has another form", file="spec/layouts", line=0, advice=advice)
