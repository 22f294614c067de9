"""Where records are: each says how long it is, and so where the next one begins.

Within a batch there is no way but from record to record. So all batches walk side by side: first
record 0 of all of them, then record 1 of those that have one, and so on. Where only a few batches
are left, each of them walks alone, which is faster than to call numpy for a handful of numbers.
"""

from __future__ import annotations

from itertools import count
from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Ints, RowGroups
from kafka_format.columnar.buffer import Buffer
from kafka_format.columnar.varints import FAR, read_varints
from kafka_format.primitives.varints import VarintKind, quick_varint

_FEW: Final = 100
"""Fewer batches than this walk alone."""

_TOGETHER: Final = 1 << 14
"""As many walk side by side: what is known of them then stays in the cache of the processor."""


class Walk:
    """The way through the structures of many groups, each of which begins with its length."""

    def __init__(self, buffer: Buffer, kind: VarintKind, groups: RowGroups, starts: Ints, ends: Ints) -> None:
        """Prepare.

        Args:
            buffer: the buffer.
            kind: the kind of the lengths.
            groups: how many structures there are in each group.
            starts: takes the byte after the length of each structure, of all groups in order.
            ends: takes the byte after each structure.
        """
        self._buffer = buffer
        self._kind = kind
        self._groups = groups
        self._starts = starts
        self._ends = ends

    def go(self, at: Ints) -> Ints:
        """Walk all groups from their starts; return where they end, `FAR` or more if unknown."""
        reached = np.empty(at.size, np.int64)
        order = np.argsort(-self._groups.counts, kind="stable")
        for first in range(0, at.size, _TOGETHER):
            batches = order[first : first + _TOGETHER]
            firsts = self._groups.firsts[batches]
            reached[batches] = self._together(at[batches], self._groups.counts[batches], firsts)
        return reached

    def _together(self, at: Ints, counts: Ints, rows: Ints) -> Ints:
        """Walk through groups that are sorted: those of most structures come first."""
        falling = -counts
        for step in count():
            walking = int(np.searchsorted(falling, -step))
            if walking < _FEW:
                break
            row = rows[:walking] + step
            lengths, starts = read_varints(self._buffer, at[:walking], self._kind)
            ends = starts + lengths
            if np.minimum.reduce(lengths) < 0:
                ends[lengths < 0] = FAR
            self._starts[row] = starts
            self._ends[row] = ends
            at[:walking] = ends
        for group in range(walking):
            at[group] = self._alone(int(at[group]), int(rows[group]) + step, int(rows[group] + counts[group]))
        return at

    def _alone(self, at: int, row: int, stop: int) -> int:
        """Walk through the rest of one group."""
        data, starts, ends = self._buffer.data, [], []
        try:
            for _ in range(row, stop):
                length, start = quick_varint(data, at, self._kind)
                at = start + length if length >= 0 else FAR
                starts.append(start)
                ends.append(at)
        except IndexError:  # it is no varint, or it lies past the end
            at = FAR
        missing = stop - row - len(starts)
        self._starts[row:stop] = starts + [FAR] * missing
        self._ends[row:stop] = ends + [FAR] * missing
        return at
