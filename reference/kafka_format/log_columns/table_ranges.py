"""Which part of a log a table is read from: a range of offsets, a range of times, found by indexes.

Indexes only say what need not be looked at. A time index is believed in closed segments alone, and
only what it says of the batches before an entry: the newest segment may have later records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Flags, Ints
from kafka_format.log.batches import Batch
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.log_columns.slices import SLICE, LogSlice, slices

_LEAST: Final = -(1 << 63)
_MOST: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """Ranges of offsets and timestamps; a wanted record is within both.

    Attributes:
        first_offset: the smallest offset; `end_offset` is the one after the largest.
        first_time: the smallest timestamp, in milliseconds since 1970; `end_time` is the one after
            the largest.
    """

    first_offset: int = _LEAST
    end_offset: int = _MOST
    first_time: int = _LEAST
    end_time: int = _MOST

    def narrow(self, **limits: int) -> Wanted:
        """Return these ranges, narrowed by further limits."""
        lower = {name: max(limit, getattr(self, name)) for name, limit in limits.items() if name.startswith("first")}
        upper = {name: min(limit, getattr(self, name)) for name, limit in limits.items() if name.startswith("end")}
        return replace(self, **lower, **upper)

    def may_have(self, batch: Batch) -> bool:
        """Tell whether a batch may have such records, by its header."""
        first = batch.offset if batch.is_v2 else _LEAST  # that of a wrapper is its last offset
        late_enough = batch.max_timestamp >= self.first_time
        return late_enough and batch.last_offset >= self.first_offset and first < self.end_offset

    def has(self, offsets: Ints, timestamps: Ints) -> Flags:
        """Tell which records are wanted."""
        by_offset = (offsets >= self.first_offset) & (offsets < self.end_offset)
        in_range: Flags = by_offset & (timestamps >= self.first_time) & (timestamps < self.end_time)
        return in_range


EVERYTHING: Final = Wanted()


def wanted_slices(log: PartitionLog, wanted: Wanted = EVERYTHING, most: int = SLICE) -> Iterator[LogSlice]:
    """Yield the slices of a log that may have wanted records, as far as indexes tell.

    Raises:
        OSError: a file cannot be read.
    """
    starts = {segment.path: start for segment, start in _segments(log, wanted)}
    for part in slices(log, most):
        start = starts.get(part.path, part.end)
        if part.start < part.end and start < part.end:
            yield replace(part, start=max(part.start, start))


def _segments(log: PartitionLog, wanted: Wanted) -> Iterator[tuple[Segment, int]]:
    """Yield the segments that may have wanted records, and where to begin in each."""
    for segment in log.segments:
        following = log.after(segment)
        if segment.base_offset >= wanted.end_offset:
            return
        if following is not None and following.base_offset <= wanted.first_offset:
            continue
        newest = segment.last_time_entry.timestamp
        if following is None or newest < 0:
            yield segment, _start(segment, wanted.first_offset)
        elif newest >= wanted.first_time:
            before = segment.time_index.lookup(wanted.first_time - 1).entry.offset
            yield segment, _start(segment, max(wanted.first_offset, before))


def _start(segment: Segment, offset: int) -> int:
    """Return where the scan for an offset begins."""
    position = segment.offset_index.lookup(max(offset, segment.base_offset)).entry.position
    return position if 0 <= position < segment.size else 0


def rows_of(bounds: Ints, values: list[int]) -> Ints:
    """Return for each record the value of its batch; `bounds` is where those of each begin."""
    return np.repeat(np.array(values, np.int64), np.diff(bounds))
