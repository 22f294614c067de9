"""Findings on a slice: that its batches keep the rules, what other slices ask, or a doubt."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kafka_format.log.segment import Segment
from kafka_format.log.verification.segments import Epoch
from kafka_format.log_columns.headers import HeaderBlock, Headers, blocks, headers
from kafka_format.log_columns.index_checks import IndexColumns
from kafka_format.log_columns.pieces import PIECE, pieces
from kafka_format.log_columns.producer_batches import Followed, Follower
from kafka_format.log_columns.slices import LogSlice
from kafka_format.primitives.integers import INT32_MAX

NONE = -1


@dataclass(frozen=True, slots=True)
class SliceScan:
    """The results of scanning a slice.

    Attributes:
        end: the byte after its last batch.
        doubt: what may be wrong; empty for nothing. Where there is a doubt, the rest is not to be
            relied on.
        batches: how many; `records` as their headers count them.
        lowest: the smallest first offset; `highest` is the largest last offset; -1 without a batch.
        largest_timestamp: of all batches; -1 for none.
        epochs: leader epochs that are above all before them in the slice.
        lowest_epoch: the smallest one; -1 without.
        offset_entries: entries of the offset index that were looked at; `time_entries` likewise.
        lowest_entry: the smallest offset of those of the offset index; -1 for none.
        followed: the batches to follow producers by.
        first_missing: the smallest offset between its first and its last batch that no record has;
            -1 for none.
    """

    end: int
    doubt: str = ""
    batches: int = 0
    records: int = 0
    lowest: int = NONE
    highest: int = NONE
    largest_timestamp: int = NONE
    epochs: tuple[Epoch, ...] = ()
    lowest_epoch: int = NONE
    offset_entries: int = 0
    time_entries: int = 0
    lowest_entry: int = NONE
    followed: Followed = field(default_factory=Followed)
    first_missing: int = NONE


def scan(part: LogSlice, piece_size: int = PIECE) -> SliceScan:
    """Scan a slice up to its end, or to the first doubt.

    Raises:
        OSError: a file cannot be read.
    """
    with Segment(part.path) as segment:
        scanner = _Scanner(part, segment)
        for block in blocks(pieces(part.path, part.start, part.end, piece_size)):
            scanner.add(block)
            if scanner.doubt:
                break
        return scanner.result()


class _Scanner:
    """Takes the blocks of a slice, one after another."""

    def __init__(self, part: LogSlice, segment: Segment) -> None:
        self._base = segment.base_offset
        self._indexes = IndexColumns(segment, is_last=part.is_last)
        self._follower = Follower(part.snapshots)
        self._epochs: list[Epoch] = []
        self._lowest_entry = self._indexes.lowest_offset(part.start, part.end)
        self._end = part.start
        self._batches = self._records = self._offset_entries = self._time_entries = 0
        self._lowest = self._highest = self._largest = self._lowest_epoch = self._first_missing = NONE
        self.doubt = "" if self._indexes.sound else "index"

    def add(self, block: HeaderBlock) -> None:
        """Take a block, unless there is a doubt already."""
        self.doubt = self.doubt or block.doubt
        self._end = block.end
        if self.doubt or not block.heads.size:
            return
        fields = headers(block, self._highest, self._epochs[-1].epoch if self._epochs else NONE)
        if not _in_order(fields, self._base):
            self.doubt = "order"
            return
        self._check_indexes(fields)
        self._note_missing(fields, block.heads)
        self._count(fields, block.heads)
        self._follower.add(block)

    def _check_indexes(self, fields: Headers) -> None:
        behind = self._highest + 1 if self._batches else int(fields.base_offset[0])
        by_offset = self._indexes.offset_entries(fields, self._end)
        by_time = self._indexes.time_entries(fields, behind)
        if min(by_offset, by_time) < 0:
            self.doubt = "index"
        self._offset_entries += by_offset
        self._time_entries += by_time

    def _note_missing(self, fields: Headers, heads: npt.NDArray[np.void]) -> None:
        """Note the first offset that is missing, as `verification.segments.outline` does."""
        if self._first_missing != NONE:
            return
        starts = fields.highest_before + 1
        if not self._batches:
            starts[0] = fields.base_offset[0]
        behind = fields.base_offset > starts
        (places,) = (behind | (heads["record_count"] <= heads["last_offset_delta"])).nonzero()
        if places.size:
            first = int(places[0])
            self._first_missing = int(starts[first] if behind[first] else fields.base_offset[first])

    def _count(self, fields: Headers, heads: npt.NDArray[np.void]) -> None:
        self._lowest = self._lowest if self._batches else int(fields.base_offset[0])
        self._batches += heads.size
        self._records += int(heads["record_count"].sum(dtype=np.int64))
        self._highest = int(fields.last_offset[-1])
        self._largest = max(self._largest, int(fields.max_timestamp.max()))
        known = fields.leader_epoch[fields.leader_epoch >= 0]
        if known.size:
            first = int(known[0])
            self._lowest_epoch = first if self._lowest_epoch == NONE else self._lowest_epoch
        for at in (fields.leader_epoch > fields.epoch_before).nonzero()[0].tolist():
            self._epochs.append(Epoch(int(fields.leader_epoch[at]), int(fields.base_offset[at])))

    def result(self) -> SliceScan:
        """Return what is found of all blocks."""
        if self.doubt:
            return SliceScan(self._end, self.doubt, self._batches, self._records)
        return SliceScan(
            self._end,
            "",
            self._batches,
            self._records,
            self._lowest,
            self._highest,
            self._largest,
            tuple(self._epochs),
            self._lowest_epoch,
            self._offset_entries,
            self._time_entries,
            self._lowest_entry,
            self._follower.result(),
            self._first_missing,
        )


def _in_order(fields: Headers, base_offset: int) -> bool:
    """Tell whether batches keep the rules of `verification.segments`: in range, and rising."""
    return bool(
        (fields.base_offset >= base_offset).all()
        and (fields.last_offset >= fields.base_offset).all()
        and (fields.last_offset - base_offset <= INT32_MAX).all()
        and (fields.base_offset > fields.highest_before).all()
        and ((fields.leader_epoch < 0) | (fields.leader_epoch >= fields.epoch_before)).all()
    )
