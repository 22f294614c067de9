"""Segments cut into slices: each begins at a batch, if the offset index tells the truth.

A slice is what one process scans at a time. Whether the batches of a slice end where the next one
begins is seen when they are put together again; where they do not, the index is wrong, and the
segment is read from its first byte on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from kafka_format.log.names import FileKind
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.log_columns.headers import row_type

SLICE: Final = 256 << 20
"""The usual bytes of a slice."""


@dataclass(frozen=True, slots=True)
class LogSlice:
    """Some bytes of a segment.

    Attributes:
        path: the segment.
        start: the first byte; a batch begins there.
        end: the byte after the last one.
        size: bytes of the segment.
        is_last: whether the segment is the last one of its log.
        snapshots: offsets of the producer snapshots within the segment, or at its end.
    """

    path: Path
    start: int
    end: int
    size: int
    is_last: bool
    snapshots: tuple[int, ...] = ()


def slices(log: PartitionLog, most: int = SLICE) -> Iterator[LogSlice]:
    """Cut the segments of a log into slices of about `most` bytes; an empty segment is one slice.

    Raises:
        OSError: a file cannot be read.
    """
    snapshots = sorted(
        file.name.offset
        for file in log.files
        if file.name and file.name.kind is FileKind.PRODUCER_SNAPSHOT and not file.name.markers
    )
    for number, segment in enumerate(log.segments):
        if segment.is_made:
            continue
        size = segment.path.stat().st_size
        is_last = number == len(log.segments) - 1
        first = bisect_right(snapshots, segment.base_offset)
        stop = len(snapshots) if is_last else bisect_right(snapshots, log.segments[number + 1].base_offset)
        bounds = [0, *_cuts(segment, size, most), size]
        for start, end in pairwise(bounds):
            yield LogSlice(segment.path, start, end, size, is_last, tuple(snapshots[first:stop]))


def _cuts(segment: Segment, size: int, most: int) -> Iterator[int]:
    """Yield where to cut: at the first index entry `most` bytes or more after the last cut."""
    path = segment.file(FileKind.OFFSET_INDEX)
    if size <= most or not path.is_file():
        return
    positions = np.fromfile(path, row_type(segment.offset_index.layout))["position"].astype(np.int64)
    rising, cut = np.maximum.accumulate(positions), 0
    while (at := int(np.searchsorted(rising, cut + most))) < rising.size and rising[at] < size:
        cut = int(rising[at])
        yield cut
