"""The offset and the time index of a segment, held against its batches piece by piece.

The rules are those of `kafka_format.log.verification.indexes`. An entry is looked at where the
batch is that it is about; an index is sound if all its entries were looked at in one of the slices.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kafka_format.columnar.arrays import Ints
from kafka_format.log.indexes import OffsetIndex, TimeIndex
from kafka_format.log.names import FileKind
from kafka_format.log.segment import Segment
from kafka_format.log_columns.headers import Headers, row_type


class IndexColumns:
    """The indexes of a segment, in columns.

    Attributes:
        offsets: offsets of the offset index's entries; `positions` are theirs in the segment.
        times: timestamps of the time index's entries; `time_offsets` are their offsets.
        sound: whether they keep all rules that are not about batches.
    """

    def __init__(self, segment: Segment, *, is_last: bool) -> None:
        """Read the indexes that are there."""
        by_offset, by_time = segment.offset_index, segment.time_index
        offsets, times = _rows(segment, FileKind.OFFSET_INDEX, by_offset), _rows(segment, FileKind.TIME_INDEX, by_time)
        self.offsets = segment.base_offset + offsets["relative_offset"].astype(np.int64)
        self.positions = offsets["position"].astype(np.int64)
        self.times = times["timestamp"].astype(np.int64)
        self.time_offsets = segment.base_offset + times["relative_offset"].astype(np.int64)
        self.sound = (
            _is_whole(by_offset, is_last=is_last)
            and _is_whole(by_time, is_last=is_last)
            and _rises(self.offsets, segment.base_offset, strictly=True)
            and _rises(self.positions, 0, strictly=True)
            and _rises(self.times, np.iinfo(np.int64).min, strictly=True)
            and _rises(self.time_offsets, segment.base_offset, strictly=False)
        )

    def lowest_offset(self, start: int, end: int) -> int:
        """Return the offset of the first entry whose position is within some bytes; -1 for none."""
        first, stop = np.searchsorted(self.positions, (start, end))
        return int(self.offsets[first]) if first < stop else -1

    def offset_entries(self, headers: Headers, end: int) -> int:
        """Return how many offset index entries point at these batches; -1 if one is wrong.

        Args:
            headers: the batches.
            end: the byte after them.
        """
        first, stop = np.searchsorted(self.positions, (headers.position[0], end))
        positions, offsets = self.positions[first:stop], self.offsets[first:stop]
        at = np.searchsorted(headers.position, positions)
        right = (headers.position[np.minimum(at, headers.position.size - 1)] == positions).all()
        return positions.size if right and (headers.highest_before[at] < offsets).all() else -1

    def time_entries(self, headers: Headers, lowest: int) -> int:
        """Return how many time index entries are about these batches; -1 if one is wrong.

        Args:
            headers: the batches.
            lowest: the offset after the batches before, or the first one.
        """
        first = np.searchsorted(self.time_offsets, lowest)
        stop = np.searchsorted(self.time_offsets, headers.last_offset[-1], side="right")
        at = np.searchsorted(headers.last_offset, self.time_offsets[first:stop])
        return int(stop - first) if (headers.max_timestamp[at] == self.times[first:stop]).all() else -1


def _rows(segment: Segment, kind: FileKind, index: OffsetIndex | TimeIndex) -> npt.NDArray[np.void]:
    row, path = row_type(index.layout), segment.file(kind)
    return np.fromfile(path, row, len(index)) if path.is_file() else np.empty(0, row)


def _is_whole(index: OffsetIndex | TimeIndex, *, is_last: bool) -> bool:
    return not index.trailing and (is_last or not index.zeros)


def _rises(column: Ints, least: int, *, strictly: bool) -> bool:
    steps = column[1:] > column[:-1] if strictly else column[1:] >= column[:-1]
    return bool(steps.all() and (not column.size or column[0] >= least))
