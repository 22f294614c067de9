"""Contents as parts of a buffer, and lists of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kafka_format.columnar.arrays import Groups, Ints, together

Lengths = npt.NDArray[Any]
"""Of int32; on the way there of int64."""


class Pieces(NamedTuple):
    """Contents, as parts of a buffer.

    Attributes:
        starts: first byte of each.
        lengths: bytes of each; -1 for null.
    """

    starts: Ints
    lengths: Lengths

    def take(self, rows: Ints) -> Pieces:
        """Return these rows, in this order."""
        return Pieces(self.starts[rows], self.lengths[rows])

    def part(self, rows: slice) -> Pieces:
        """Return a view of some rows."""
        return Pieces(self.starts[rows], self.lengths[rows])

    def put(self, rows: Any, pieces: Pieces) -> None:
        """Write some rows."""
        self.starts[rows] = pieces.starts
        self.lengths[rows] = pieces.lengths.astype(self.lengths.dtype)  # first: rows are slow where types differ

    def then(self, other: Pieces) -> Pieces:
        """Return these rows and the others."""
        return Pieces(np.concatenate([self.starts, other.starts]), np.concatenate([self.lengths, other.lengths]))

    def contents(self, data: bytes, rows: slice) -> Iterator[bytes | None]:
        """Yield the contents of some rows; `data` is the buffer."""
        for start, length in zip(self.starts[rows].tolist(), self.lengths[rows].tolist(), strict=True):
            yield None if length < 0 else data[start : start + length]


class Items(NamedTuple):
    """Lists of items that hold nothing but contents.

    Attributes:
        counts: how many items each list has.
        columns: of the items of all lists, in order.
    """

    counts: Lengths
    columns: Mapping[str, Pieces]

    def take(self, rows: Ints) -> Items:
        """Return these rows, in this order."""
        groups, taken = (Groups(some.astype(np.int64)) for some in (self.counts, self.counts[rows]))
        items = groups.firsts[rows][taken.owners] + taken.places
        return Items(self.counts[rows], {name: one.take(items) for name, one in self.columns.items()})

    def then(self, other: Items) -> Items:
        """Return these rows and the others."""
        columns = {name: one.then(other.columns[name]) for name, one in self.columns.items()}
        return Items(np.concatenate([self.counts, other.counts]), columns)


def unfilled(count: int, names: Iterable[str]) -> dict[str, Pieces]:
    """Return columns of so many rows, to be filled."""
    names = list(names)
    kinds = {(name, part): kind for name in names for part, kind in (("starts", np.int64), ("lengths", np.int32))}
    arrays = together(count, kinds)
    return {name: Pieces(arrays[name, "starts"], arrays[name, "lengths"]) for name in names}


def joined(parts: Sequence[Mapping[str, Pieces]]) -> dict[str, Pieces]:
    """Return columns that hold the rows of all parts, one behind the other; there is at least one part."""
    found = {}
    for name in parts[0]:
        starts, lengths = zip(*(part[name] for part in parts), strict=True)
        found[name] = Pieces(np.concatenate(starts), np.concatenate(lengths))
    return found
