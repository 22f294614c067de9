"""Finding an offset, step by step as Kafka does it, with every step in the result.

Segment by the name of its file, entry of the offset index, position, scan over batches; and the
next segment where this one has nothing more (storage UnifiedLog.read, LocalLog.read,
LogSegment.translateOffset; clients FileRecords).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from kafka_format.log.batches import Batch
from kafka_format.log.indexes import NEWEST, IndexLookup, OffsetEntry, scan_start
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.primitives.integers import int64
from kafka_format.spec.layout.release_table import numbers

BY_BASE_OFFSET_SINCE: Final = (4, 1)
"""Since this release the scan compares base offsets first (KAFKA-18989)."""


class LookupOutcome(StrEnum):
    """The outcome of a lookup. The value says it in words."""

    FOUND = "found"
    AT_END = "nothing yet: the offset is the end of the log"
    BELOW_START = "out of range: the offset is below the start of the log"
    BEYOND_END = "out of range: the offset is beyond the end of the log"
    NO_SEGMENT = "out of range: no segment begins at or below the offset"

    @property
    def is_out_of_range(self) -> bool:
        """True if a broker answers OFFSET_OUT_OF_RANGE."""
        return self in {LookupOutcome.BELOW_START, LookupOutcome.BEYOND_END, LookupOutcome.NO_SEGMENT}


class SegmentScan(NamedTuple):
    """The scan of one segment.

    Attributes:
        segment: the segment.
        lookup: the entry of its offset index from which the scan began, and the way to it.
        passed: the batches that were passed over.
        batch: the batch that was found; None if the segment has none.
    """

    segment: Segment
    lookup: IndexLookup[OffsetEntry]
    passed: tuple[Batch, ...]
    batch: Batch | None


class OffsetLookup(NamedTuple):
    """The result of a lookup by offset, with all its steps.

    Attributes:
        target: the offset that was looked for.
        outcome: what became of it.
        start_offset: where the log starts, and in `end_offset` where it ends.
        scans: the segments that were looked into, in order; the last one has the batch.
    """

    target: int
    outcome: LookupOutcome
    start_offset: int
    end_offset: int
    scans: tuple[SegmentScan, ...] = ()

    @property
    def batch(self) -> Batch | None:
        """The batch that a broker answers with.

        Compaction may have taken the offset out of it, or all its records.
        """
        return self.scans[-1].batch if self.scans else None

    @property
    def next_offset(self) -> int | None:
        """The offset to ask for next; None if a broker answers that the target is out of range.

        At the end of the log, and where the rest of it has no batch any more, it is the same again.
        """
        if self.batch is not None:
            return int64(self.batch.next_offset)
        return None if self.outcome.is_out_of_range else self.target


def scan_segment(segment: Segment, target: int, release: str = NEWEST) -> SegmentScan:
    """Find the batch of a segment that has an offset, or else the next batch of the segment.

    Raises:
        FormatError: the scan came upon something that is no batch. A broker answers a corrupt
            record then.
    """
    lookup = segment.offset_index.lookup(target, release)
    seen: list[Batch] = []
    match: Batch | None = None
    by_base = numbers(release) >= BY_BASE_OFFSET_SINCE
    for batch in segment.batches(scan_start(lookup.entry)):
        match = _by_base(batch, seen, target) if by_base else batch if batch.last_offset >= target else None
        if match is not None:
            break
        seen.append(batch)
    if match is None and by_base and seen and seen[-1].last_offset >= target:
        match = seen[-1]
    passed = tuple(batch for batch in seen if batch is not match)
    return SegmentScan(segment, lookup, passed, match)


def _by_base(batch: Batch, seen: list[Batch], target: int) -> Batch | None:
    """Return the batch to answer with, once a batch begins at or above the target.

    It is the one before, if that reaches the target.
    """
    if batch.base_offset < target:
        return None
    if batch.base_offset > target and seen and seen[-1].last_offset >= target:
        return seen[-1]
    return batch


def find_offset(log: PartitionLog, target: int, release: str = NEWEST) -> OffsetLookup:
    """Find an offset in a log up to its end, as a follower or a tool reads it.

    Args:
        log: the log.
        target: the offset.
        release: release of Kafka whose way it goes, for example `3.9`.

    Raises:
        FormatError: the scan came upon something that is no batch. A broker answers a corrupt
            record then.
    """
    start, end = log.start_offset, log.end_offset
    segment = log.floor(target)
    if target < start:
        return OffsetLookup(target, LookupOutcome.BELOW_START, start, end)
    if target > end:
        return OffsetLookup(target, LookupOutcome.BEYOND_END, start, end)
    if segment is None:
        return OffsetLookup(target, LookupOutcome.NO_SEGMENT, start, end)
    if target == end:
        return OffsetLookup(target, LookupOutcome.AT_END, start, end)
    scans: list[SegmentScan] = []
    while segment is not None:
        scans.append(scan_segment(segment, target, release))
        if scans[-1].batch is not None:
            return OffsetLookup(target, LookupOutcome.FOUND, start, end, tuple(scans))
        segment = log.after(segment)
    return OffsetLookup(target, LookupOutcome.AT_END, start, end, tuple(scans))
