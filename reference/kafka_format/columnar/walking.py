"""Where records are: each says how long it is, and so where the next one begins.

Within a batch there is no way but from record to record. So all batches walk side by side: first record 0 of all of
them, then record 1 of those that have one, and so on. Where only a few batches are left, each of them walks alone,
which is faster than to call numpy for a handful of numbers.
"""

from __future__ import annotations

from itertools import count
from typing import Final

import numpy as np

from kafka_format import machine_code
from kafka_format.columnar.arrays import Groups, Ints
from kafka_format.columnar.varints import FAR, Source
from kafka_format.primitives.numbers import VarintKind, quick_varint

_FEW: Final = 100
"""Fewer batches than this walk alone."""

_TOGETHER: Final = 1 << 14
"""As many walk side by side: what is known of them then stays in the cache of the processor."""


class Walk:
    """The way through the structures of many groups, each of which begins with its length."""

    def __init__(self, source: Source, kind: VarintKind, groups: Groups, starts: Ints, ends: Ints) -> None:
        """Prepare.

        Args:
            source: the buffer.
            kind: the kind of the lengths.
            groups: how many structures there are in each group.
            starts: to be filled with the byte behind the length of each structure, of all groups in order.
            ends: to be filled with the byte behind each structure.
        """
        self._source = source
        self._kind = kind
        self._groups = groups
        self._starts = starts
        self._ends = ends

    def go(self, at: Ints) -> Ints:
        """Walk through all groups from where they begin, and return where they end; `FAR` and more if not known."""
        reached = np.empty(at.size, np.int64)
        if kernel := machine_code.kernel():
            octets, found = self._source.octets, (self._starts, self._ends, reached)
            kernel.walk((octets.ctypes.data, octets.size), (at, self._groups.counts), self._kind.bits, FAR, found)
            return reached
        order = np.argsort(-self._groups.counts, kind="stable")
        for first in range(0, at.size, _TOGETHER):
            lanes = order[first : first + _TOGETHER]
            reached[lanes] = self._together(at[lanes], self._groups.counts[lanes], self._groups.firsts[lanes])
        return reached

    def _together(self, at: Ints, counts: Ints, rows: Ints) -> Ints:
        """Walk through groups that are sorted: those of most structures come first."""
        falling = -counts
        for step in count():
            lanes = int(np.searchsorted(falling, -step))
            if lanes < _FEW:
                break
            row = rows[:lanes] + step
            lengths, starts = self._source.varints_at(at[:lanes], self._kind)
            ends = starts + lengths
            if np.minimum.reduce(lengths) < 0:
                ends[lengths < 0] = FAR
            self._starts[row] = starts
            self._ends[row] = ends
            at[:lanes] = ends
        for lane in range(lanes):
            at[lane] = self._alone(int(at[lane]), int(rows[lane]) + step, int(rows[lane] + counts[lane]))
        return at

    def _alone(self, at: int, row: int, stop: int) -> int:
        """Walk through the rest of one group."""
        data, starts, ends = self._source.data, [], []
        try:
            for _ in range(row, stop):
                length, start = quick_varint(data, at, self._kind)
                at = start + length if length >= 0 else FAR
                starts.append(start)
                ends.append(at)
        except IndexError:  # it is no varint, or it lies behind the end
            at = FAR
        missing = stop - row - len(starts)
        self._starts[row:stop] = starts + [FAR] * missing
        self._ends[row:stop] = ends + [FAR] * missing
        return at
