"""What is sound of a segment, what is lost, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from mmap import mmap
from typing import Final, NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.log.batches import Batch
from kafka_format.log.mapped_file import Data, mapped_copy
from kafka_format.log.segment import Segment

_BATCH: Final = prefix("record_batch")
_SIZES: Final = {"base_offset": 8, "batch_length": 4, "magic": 1}
"""Bytes of the fields that may be set right."""


class BatchRun(NamedTuple):
    """Sound batches, one after the other: from which byte to which, and their offsets."""

    start: int
    end: int
    first_offset: int
    last_offset: int


class Mended(NamedTuple):
    """A field in front of a batch, outside its checksum, that is set right.

    Attributes:
        position: where the batch begins.
        field: the name of the field, and in `value` what it says.
        right: what stands in its place.
    """

    position: int
    field: str
    value: int
    right: int


class LostBytes(NamedTuple):
    """A range of bytes that is lost.

    Attributes:
        start: the first of them, and in `end` the one after the last.
        reason: what is wrong there.
        after: the last sound offset before; `before` is the next sound one, None if none follows in
            the segment.
    """

    start: int
    end: int
    reason: str
    after: int
    before: int | None


class LeftOut(NamedTuple):
    """Sound batches that are not kept, since others have their offsets.

    Attributes:
        start: the first byte of them, and in `end` the one after the last.
        first_offset: their first offset, and in `last_offset` their last.
        kept: the segment that has the batch which is kept in place of the first, and in `kept_at`
            where.
        are_same: whether what is kept is the same, byte by byte.
        batches: how many they are, and in `records` how many records these have.
    """

    start: int
    end: int
    first_offset: int
    last_offset: int
    kept: Segment
    kept_at: int
    are_same: bool
    batches: int
    records: int


@dataclass(slots=True)
class SegmentRescue:
    """The sound batches of a segment.

    Attributes:
        segment: the segment.
        runs: its sound batches that are kept; those of all segments do not overlap.
        losses: bytes that are no sound batches.
        left_out: sound batches that are not kept.
        batches: how many batches are kept, and in `records` how many records these have.
        epochs: the leader epochs of batches in v2 that have another one than the batch before.
        doubtful: base offsets that do not fit where the batch is, while another would.
        mended: fields in front of batches that were set right.
        has_holes: whether batches, or records in them, are gone where nothing is broken, as the
            cleaner leaves it.
        data: the content of the segment, with these fields.
    """

    segment: Segment
    runs: list[BatchRun] = field(default_factory=list)
    losses: list[LostBytes] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    batches: int = 0
    records: int = 0
    epochs: list[int] = field(default_factory=list)
    doubtful: list[Mended] = field(default_factory=list)
    mended: list[Mended] = field(default_factory=list)
    has_holes: bool = False
    data: Data = b""

    def __post_init__(self) -> None:
        """Begin with the content as it is, but for what is set right."""
        self.data = self.segment.data
        for each in self.mended:
            self._write(each)

    def mend(self, each: Mended) -> None:
        """Set a field right, in memory alone."""
        self.mended.append(each)
        self._write(each)

    def _write(self, each: Mended) -> None:
        if self.data is self.segment.data:
            self.data = mapped_copy(self.segment.path)
        start, size = each.position + _BATCH.places[each.field], _SIZES[each.field]
        if isinstance(self.data, mmap):
            self.data[start : start + size] = each.right.to_bytes(size, "big")

    @property
    def size(self) -> int:
        """Bytes of the batches that are kept."""
        return sum(run.end - run.start for run in self.runs)


def are_in_order(rescues: Sequence[SegmentRescue]) -> bool:
    """Tell whether the offsets of sound batches rise throughout a log."""
    last = -1
    for run in (run for each in rescues for run in each.runs):
        if run.first_offset <= last:
            return False
        last = run.last_offset
    return True


def are_moved(rescues: Sequence[SegmentRescue]) -> bool:
    """Tell whether batches that are kept stand in another order than that of their offsets."""
    starts = [[run.start for run in each.runs] for each in rescues]
    return not are_in_order(rescues) or any(each != sorted(each) for each in starts)


def run_of(batch: Batch) -> BatchRun:
    """Return a batch as a run of one."""
    return BatchRun(batch.position, batch.end, batch.base_offset, batch.last_offset)


def records_of(batch: Batch) -> int:
    """Return how many records a batch says that it has; a message of v0 or v1 counts as one."""
    return 1 if batch.count is None else batch.count
