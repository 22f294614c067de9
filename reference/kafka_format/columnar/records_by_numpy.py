"""The records of batches, read side by side: by numpy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from kafka_format.columnar.arrays import Flags
from kafka_format.columnar.batch_headers import SoundBatches
from kafka_format.columnar.buffer import Buffer
from kafka_format.columnar.fields import CHUNK, FieldReader, contents_of, kind_of, read_items
from kafka_format.columnar.record_table import RecordTable
from kafka_format.columnar.record_walk import Walk
from kafka_format.columnar.slices import Slices, concatenate, empty_columns


def read(buffer: Buffer, batches: SoundBatches, table: RecordTable) -> tuple[dict[str, Slices], Flags]:
    """Fill the table of records; return the contents of headers, and which batches are sound."""
    reader = _Reader(buffer, batches, table)
    no_headers = empty_columns(0, contents_of(table.form.headers.plan))
    return concatenate([no_headers, *(reader.read(chunk) for chunk in reader.chunks())]), reader.sound


class _Reader:
    """Batches that are being read.

    Where a record begins, after its length, and where it ends, stand in the columns of numbers
    until it is read.
    """

    def __init__(self, buffer: Buffer, batches: SoundBatches, table: RecordTable) -> None:
        """Find the records, and which batches end where their last record does."""
        self._buffer = buffer
        self._batches = batches
        self._table = table
        self._starts, self._ends, *_ = table.numbers
        walk = Walk(buffer, kind_of(table.form.length), table.groups, self._starts, self._ends)
        self.sound: Flags = walk.go(batches.starts) == batches.ends

    def chunks(self) -> Iterator[slice]:
        """Yield batches that have together about as many records as are read at once."""
        groups = self._table.groups
        wanted = np.searchsorted(groups.firsts, np.arange(0, groups.total, CHUNK))
        cuts = np.unique(np.append(wanted, groups.counts.size)).tolist()
        return (slice(start, stop) for start, stop in pairwise(cuts))

    def read(self, batches: slice) -> dict[str, Slices]:
        """Read the fields of the records of some batches, and return their headers."""
        table, form, counts = self._table, self._table.form, self._table.groups.counts[batches]
        rows = slice(int(table.groups.firsts[batches.start]), int(table.groups.ends[batches.stop - 1]))
        ends = self._ends[rows].copy()
        reader = FieldReader(self._buffer, self._starts[rows], ends)
        reader.read(form.steps)
        table.batch[rows] = np.repeat(np.arange(batches.start, batches.stop), counts)
        for column, bases, field in zip(table.numbers, table.bases, form.numbers, strict=True):
            np.add(np.repeat(bases[batches], counts), reader.columns[field.name], out=column[rows])
        for starts, lengths, field in zip(table.starts, table.lengths, form.contents, strict=True):
            starts[rows], lengths[rows] = reader.columns[field.name]
        table.header_counts[rows] = items = reader.counts_of(form.headers, self._room(batches))
        headers = read_items(self._buffer, form.headers, reader.at, ends, items)
        wrong = reader.at != ends
        if wrong.any():
            self.sound[table.batch[rows][wrong]] = False
        return headers

    def _room(self, batches: slice) -> int:
        """Count the bytes of some batches."""
        return int((self._batches.ends[batches] - self._batches.starts[batches]).sum())
