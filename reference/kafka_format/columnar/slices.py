"""Contents as slices of a buffer, and lists of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kafka_format.columnar.arrays import Ints, RowGroups, allocate

Lengths = npt.NDArray[Any]
"""Of int32; on the way there of int64."""


class Slices(NamedTuple):
    """Contents, as slices of a buffer.

    Attributes:
        starts: first byte of each.
        lengths: bytes of each; -1 for null.
    """

    starts: Ints
    lengths: Lengths

    def take(self, rows: Ints) -> Slices:
        """Return these rows, in this order."""
        return Slices(self.starts[rows], self.lengths[rows])

    def put(self, rows: Any, slices: Slices) -> None:
        """Write some rows."""
        self.starts[rows] = slices.starts
        self.lengths[rows] = slices.lengths.astype(self.lengths.dtype)  # first: rows are slow where types differ

    def then(self, other: Slices) -> Slices:
        """Return these rows and the others."""
        return Slices(np.concatenate([self.starts, other.starts]), np.concatenate([self.lengths, other.lengths]))

    def contents(self, data: bytes, rows: slice) -> Iterator[bytes | None]:
        """Yield the contents of some rows; `data` is the buffer."""
        for start, length in zip(self.starts[rows].tolist(), self.lengths[rows].tolist(), strict=True):
            yield None if length < 0 else data[start : start + length]


class Lists(NamedTuple):
    """Lists of items that hold nothing but contents, as the headers of records.

    Attributes:
        counts: how many items each list has.
        columns: by field, the contents of the items of all lists, in order.
    """

    counts: Lengths
    columns: Mapping[str, Slices]

    def take(self, rows: Ints) -> Lists:
        """Return these rows, in this order."""
        groups, taken = (RowGroups(counts.astype(np.int64)) for counts in (self.counts, self.counts[rows]))
        items = groups.firsts[rows][taken.owners] + taken.places
        return Lists(self.counts[rows], {name: column.take(items) for name, column in self.columns.items()})

    def then(self, other: Lists) -> Lists:
        """Return these rows and the others."""
        columns = {name: column.then(other.columns[name]) for name, column in self.columns.items()}
        return Lists(np.concatenate([self.counts, other.counts]), columns)


def empty_columns(count: int, names: Iterable[str]) -> dict[str, Slices]:
    """Return columns of `count` rows, to be filled."""
    names = list(names)
    kinds = {(name, part): kind for name in names for part, kind in (("starts", np.int64), ("lengths", np.int32))}
    arrays = allocate(count, kinds)
    return {name: Slices(arrays[name, "starts"], arrays[name, "lengths"]) for name in names}


def concatenate(parts: Sequence[Mapping[str, Slices]]) -> dict[str, Slices]:
    """Return columns with the rows of all parts, one after the other; there is at least one."""
    if len(parts) == 1:
        return dict(parts[0])
    columns = {}
    for name in parts[0]:
        starts, lengths = zip(*(part[name] for part in parts), strict=True)
        columns[name] = Slices(np.concatenate(starts), np.concatenate(lengths))
    return columns
