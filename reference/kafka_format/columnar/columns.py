"""Records as columns: what `kafka_format.records.Record` has, one array a field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kafka_format.columnar.arrays import Flags, Ints, RowGroups
from kafka_format.columnar.slices import Lists, Slices
from kafka_format.primitives.integers import INT32_MAX, INT32_MIN, INT32_SPAN
from kafka_format.records.model import Header, Record

Bytes = npt.NDArray[np.int8]


class Shared(NamedTuple):
    """The common part of a batch's records: fields that become columns, and where counts begin."""

    timestamp_type: Bytes
    producer_id: Ints
    producer_epoch: npt.NDArray[np.int16]
    base_offset: Ints
    base_sequence: Ints
    transactional: Flags
    control: Flags
    codec: Bytes
    entry: Ints

    def then(self, other: Shared) -> Shared:
        """Return the rows of both, one after the other."""
        pairs: Iterator[tuple[Any, Any]] = zip(self, other, strict=True)
        return Shared(*(np.concatenate(pair) for pair in pairs))


@dataclass(frozen=True, eq=False)
class Columns:
    """Records, one a row, in the order in which the scalar decoder returns them.

    What the records of a batch share is kept once a batch, and becomes a column when it is first
    asked for.

    Attributes:
        data: the buffer that keys, values and headers are parts of: the input, and after it what
            was decompressed.
        offset: absolute offset.
        timestamp: milliseconds since 1970-01-01 UTC; -1 for none.
        key: where each key is in `data`; its length is -1 for null.
        value: the same for values.
        headers: `counts`, how many headers each record has, and of all of them `columns["key"]` and
            `columns["value"]`.
        batch: the row of `batches` that belongs to each record.
        batches: what the records of a batch share.
    """

    data: bytes
    offset: Ints
    timestamp: Ints
    key: Slices
    value: Slices
    headers: Lists
    batch: npt.NDArray[np.int32]
    batches: Shared

    def __len__(self) -> int:
        """Count the records."""
        return int(self.offset.size)

    @cached_property
    def timestamp_type(self) -> Bytes:
        """-1 none (v0), 0 create time, 1 log append time."""
        return self.batches.timestamp_type[self.batch]

    @cached_property
    def producer_id(self) -> Ints:
        """-1 for none."""
        return self.batches.producer_id[self.batch]

    @cached_property
    def producer_epoch(self) -> npt.NDArray[np.int16]:
        """-1 for none."""
        return self.batches.producer_epoch[self.batch]

    @cached_property
    def sequence(self) -> npt.NDArray[np.int32]:
        """Sequence of the record, as `records.model.sequence_of` counts it; -1 for none."""
        base = self.batches.base_sequence[self.batch]
        deltas = self.offset - self.batches.base_offset[self.batch]
        numbers = base + deltas
        wrapped = numbers - INT32_MAX - 1
        wrapped += np.where(wrapped < INT32_MIN, INT32_SPAN, 0)
        numbers = np.where((deltas < 0) | (numbers > INT32_MAX), wrapped, numbers)
        return np.where(base < 0, -1, numbers).astype(np.int32)

    @cached_property
    def transactional(self) -> Flags:
        """True if the batch belongs to a transaction."""
        return self.batches.transactional[self.batch]

    @cached_property
    def control(self) -> Flags:
        """True if it is a control record."""
        return self.batches.control[self.batch]

    @cached_property
    def codec(self) -> Bytes:
        """Number of the codec of the batch or wrapper."""
        return self.batches.codec[self.batch]

    @cached_property
    def entry(self) -> Ints:
        """Index of the entry in its input."""
        return self.batches.entry[self.batch]

    def records(self, start: int = 0, stop: int | None = None) -> list[Record]:
        """Return rows as the scalar decoder does, by default all."""
        return list(map(Record._make, zip(*self._values(slice(start, stop)), strict=True)))

    def _values(self, rows: slice) -> Iterator[Sequence[Any]]:
        """Return Python values of the fields of a record, in its order."""
        for name in Record._fields:
            column = getattr(self, name)
            match column:
                case Slices():
                    yield list(column.contents(self.data, rows))
                case Lists():
                    yield self._headers(rows)
                case _:
                    yield column[rows].tolist()

    @cached_property
    def _header_groups(self) -> RowGroups:
        return RowGroups(self.headers.counts.astype(np.int64))

    def _headers(self, rows: slice) -> list[tuple[Header, ...]]:
        firsts, ends = self._header_groups.firsts[rows].tolist(), self._header_groups.ends[rows].tolist()
        mine = slice(firsts[0], ends[-1]) if firsts else slice(0)
        contents = (self.headers.columns[name].contents(self.data, mine) for name in Header._fields)
        headers = list(map(Header._make, zip(*contents, strict=True)))
        return [tuple(headers[first - mine.start : end - mine.start]) for first, end in zip(firsts, ends, strict=True)]

    def take(self, rows: Ints) -> Columns:
        """Return these rows, in this order."""
        columns = (self.offset[rows], self.timestamp[rows], self.key.take(rows), self.value.take(rows))
        return Columns(self.data, *columns, self.headers.take(rows), self.batch[rows], self.batches)

    def then(self, other: Columns) -> Columns:
        """Return these rows and the others, whose buffer begins with this one's."""
        return Columns(
            other.data,
            np.concatenate([self.offset, other.offset]),
            np.concatenate([self.timestamp, other.timestamp]),
            self.key.then(other.key),
            self.value.then(other.value),
            self.headers.then(other.headers),
            np.concatenate([self.batch, other.batch + np.int32(self.batches.entry.size)]),
            self.batches.then(other.batches),
        )
