"""What lines of text are made of, many lines at once: text, numbers and contents of records.

Where each line's part begins is known when it is written. Whole cells are moved then: a line costs
little more than the bytes that it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from kafka_format.columnar.arrays import Ints, Octets, RowGroups
from kafka_format.columnar.byte_moves import write_rows
from kafka_format.columnar.slices import Slices

_DIGITS: Final = 4
"""Digits that are made at once."""

_POWERS: Final = 10 ** np.arange(17, dtype=np.int64)
_COMMA: Final = 0x2C


class PlacedContents(NamedTuple):
    """Contents that are copied from the buffer: where to, and which."""

    at: Ints
    slices: Slices


class Part:
    """The same text in all lines; other parts have another one in each.

    Attributes:
        lengths: bytes of it in each line, or in all.
    """

    lengths: Ints | int

    def __init__(self, text: str) -> None:
        """Take the text."""
        content = text.encode()
        self._text = np.frombuffer(content, f"V{max(len(content), 1)}")
        self.lengths = len(content)

    def contents(self, at: Ints) -> Sequence[PlacedContents]:
        """Return what is copied; the part begins at `at` in each line."""
        del at
        return ()

    def write(self, out: Octets, at: Ints) -> None:
        """Write all else of it."""
        write_rows(out, at, self._text)


class Cells(Part):
    """A short text a line, at the left of a row of cells; the rest of the row means nothing."""

    def __init__(self, cells: Octets, lengths: Ints) -> None:
        """Take the rows, and how many bytes of each count."""
        self._cells = cells
        self._lengths = self.lengths = lengths

    def write(self, out: Octets, at: Ints) -> None:
        """Write those of one length after those of another; mostly all have the same."""
        lengths = np.flatnonzero(np.bincount(self._lengths)).tolist()
        for length in lengths:
            rows = slice(None) if len(lengths) == 1 else (self._lengths == length).nonzero()[0]
            write_rows(out, at[rows], _beginnings(self._cells, length)[rows])


def _beginnings(rows: Octets, length: int) -> npt.NDArray[np.void]:
    """View the first bytes of each row as one item."""
    return np.ndarray((rows.shape[0],), f"V{length}", rows, 0, (rows.shape[1],))


class Titled(Part):
    """A content behind a title; nothing where it is null."""

    def __init__(self, title: str, slices: Slices) -> None:
        """Take the title, and each line's content, as a slice of the buffer."""
        self._title = Part(title)
        (self._rows,) = (slices.lengths >= 0).nonzero()
        self._slices = slices.take(self._rows)
        self.lengths = np.zeros(slices.lengths.size, np.int64)
        self.lengths[self._rows] = self._slices.lengths + self._title.lengths

    def contents(self, at: Ints) -> Sequence[PlacedContents]:
        """Return the contents."""
        return (PlacedContents(at[self._rows] + self._title.lengths, self._slices),)

    def write(self, out: Octets, at: Ints) -> None:
        """Write the titles."""
        self._title.write(out, at[self._rows])


class Listed(Part):
    """Some contents a line, with commas between them."""

    def __init__(self, counts: Ints, slices: Slices) -> None:
        """Take how many each line has, and those of all lines in order."""
        self._groups, self._slices = RowGroups(counts), slices
        sizes = np.maximum(slices.lengths, 0).astype(np.int64)
        self._before = self._groups.running(sizes) - sizes + self._groups.places
        self.lengths = self._groups.sums(sizes) + np.maximum(counts - 1, 0)

    def contents(self, at: Ints) -> Sequence[PlacedContents]:
        """Return the contents."""
        return (PlacedContents(self._groups.each(at) + self._before, self._slices),)

    def write(self, out: Octets, at: Ints) -> None:
        """Write the commas."""
        (later,) = (self._groups.places > 0).nonzero()
        out[(self._groups.each(at) + self._before)[later] - 1] = _COMMA


def numbers(values: Ints) -> Cells:
    """Return decimal numbers, one a line; there is one at least."""
    low, high = int(values.min()), int(values.max())
    if low < 0 or high >= _POWERS[-1]:
        return texts(list(map(str, values.tolist())))
    widest = len(str(high))
    if len(str(low)) == widest:
        lengths = np.full(values.size, widest, np.int64)
    else:
        lengths = np.maximum(np.searchsorted(_POWERS, values, side="right"), 1)
    groups = -(-widest // _DIGITS)
    rest = values * _POWERS.take(groups * _DIGITS - lengths)
    cells = np.empty((values.size, groups), np.uint32)
    for column in reversed(range(groups)):
        before = rest // 10**_DIGITS
        cells[:, column] = _digits().take(rest - before * 10**_DIGITS)
        rest = before
    return Cells(cells.view(np.uint8), lengths)


def texts(values: Sequence[str]) -> Cells:
    """Return short texts, one a line; there is one at least."""
    encoded = [value.encode() for value in values]
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    cells = np.array(encoded, f"S{max(int(lengths.max()), 1)}")
    return Cells(cells.view(np.uint8).reshape(cells.size, -1), lengths)


@cache
def _digits() -> npt.NDArray[np.uint32]:
    """Return the digits of all numbers of so many, as items of four bytes."""
    values = np.arange(10**_DIGITS)
    columns = [values // 10**place % 10 + ord("0") for place in reversed(range(_DIGITS))]
    return np.stack(columns, axis=1).astype(np.uint8).view(np.uint32).reshape(-1)
