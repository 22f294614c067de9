"""The arrays that columns are made of, and rows in groups: records by batch, headers by record."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]
Octets = npt.NDArray[np.uint8]

_Name = TypeVar("_Name")
_Scalar = TypeVar("_Scalar", bound=np.generic)

_BLOCK: Final = 4 << 20
"""Numpy asks for huge pages for arrays of this many bytes or more."""

_PAGE: Final = 2 << 20
"""Bytes of a huge page. A block begins with one, so that the system has no small ones to give
before it."""

_SMALL: Final = 1 << 20
"""Smaller blocks would leave more of a huge page empty than they fill."""


class RowGroups:
    """Rows that belong to owners, in order: `counts[0]` rows of owner 0, `counts[1]` of owner 1.

    Attributes:
        counts: rows of each owner; may be 0.
        ends: the row after the last one of each owner.
        firsts: the first row of each owner.
    """

    def __init__(self, counts: Ints) -> None:
        self.counts = counts
        self.ends = np.cumsum(counts)
        self.firsts = self.ends - counts

    @property
    def total(self) -> int:
        """All rows."""
        return int(self.ends[-1]) if self.ends.size else 0

    @cached_property
    def owners(self) -> Ints:
        """Owner of each row."""
        return np.repeat(np.arange(self.counts.size), self.counts)

    def owners_of(self, rows: Ints) -> Ints:
        """Owners of some rows."""
        return np.searchsorted(self.ends, rows, side="right")

    @cached_property
    def places(self) -> Ints:
        """Place of each row among those of its owner, from 0."""
        return np.arange(self.total) - self.each(self.firsts)

    def each(self, values: npt.NDArray[_Scalar]) -> npt.NDArray[_Scalar]:
        """Return the value of the owner of each row; the same array if each owner has one row."""
        return values if self._single else values.repeat(self.counts)

    @cached_property
    def _single(self) -> bool:
        return bool((self.counts == 1).all())

    def running(self, values: Ints) -> Ints:
        """Return sums up to and with each row, within its owner.

        It is the same array if each owner has one row.
        """
        if self._single:
            return values
        upto = bounds(values)
        return upto[1:] - self.each(upto.take(self.firsts))

    def sums(self, values: Ints) -> Ints:
        """Sum of each owner's rows; the same array if each owner has one row."""
        if self._single:
            return values
        upto = bounds(values)
        return upto.take(self.ends) - upto.take(self.firsts)

    def maxima(self, values: Ints, otherwise: Ints) -> Ints:
        """Greatest of each owner's rows; `otherwise` for owners without rows."""
        maxima = otherwise.copy()
        owning = self.counts > 0
        if self.total:
            maxima[owning] = np.maximum.reduceat(values, self.firsts[owning])
        return maxima


def bounds(sizes: Ints) -> Ints:
    """Return where each of adjacent things of these sizes begins, and where the last one ends."""
    places = np.zeros(sizes.size + 1, np.int64)
    np.cumsum(sizes, out=places[1:])
    return places


def allocate(count: int, kinds: Mapping[_Name, npt.DTypeLike]) -> dict[_Name, Any]:
    """Return arrays of `count` rows each, to be filled, that are parts of one block of memory.

    A kind such as "2i8" gives an array of two columns, each adjacent.

    Columns that are made and dropped together should live together: the system hands out a block of
    several megabytes by huge pages, but columns of a megabyte each by pages of 4 KiB, and to be
    given those takes longer than to fill them.
    """
    types = {name: np.dtype(kind) for name, kind in kinds.items()}
    size = count * sum(kind.itemsize for kind in types.values())
    block = np.empty(size if size < _SMALL else max(size + _PAGE, _BLOCK), np.uint8)
    arrays: dict[_Name, Any] = {}
    at = 0 if size < _SMALL else -block.ctypes.data % _PAGE
    for name, kind in sorted(types.items(), key=lambda item: -item[1].itemsize):
        end = at + count * kind.itemsize
        arrays[name] = block[at:end].view(kind.base).reshape(*kind.shape, count)
        at = end
    return arrays
