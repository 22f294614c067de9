"""Lookup of the first record at or after a time, as Kafka does it, with every step in the result.

The first segment whose largest timestamp reaches the time; in it the entry of the time index, from
its offset the entry of the offset index, and from its position the first batch, and the first
record in it, that reach the time. A segment that promises such a record and has none ends the
search: the next one is not looked into (storage UnifiedLog fetchOffsetByTimestamp,
LogSegment.findOffsetByTimestamp; clients FileRecords.searchForTimestamp; KIP-79, since 0.10.1).
Checksums are not looked at. A broker reads a compressed batch no further than to the record that it
finds; here it is read as a whole, so that one whose payload is broken further on gives an error.
"""

from __future__ import annotations

from typing import NamedTuple

from kafka_format.log.batches import Batch
from kafka_format.log.indexes import NEWEST, IndexLookup, OffsetEntry, TimeEntry
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment


class Moment(NamedTuple):
    """A record that reaches the time: timestamp, offset, its batch's leader epoch or -1."""

    timestamp: int
    offset: int
    leader_epoch: int


class TimeScan(NamedTuple):
    """The scan of the segment.

    Attributes:
        segment: the segment.
        time: the entry of its time index, and the way to it.
        offset: the entry of its offset index, and the way to it.
        passed: the batches whose largest timestamp is too small, or that have no such record.
        batch: the batch of the record.
        record: the record; None if the segment has none.
    """

    segment: Segment
    time: IndexLookup[TimeEntry]
    offset: IndexLookup[OffsetEntry]
    passed: tuple[Batch, ...]
    batch: Batch | None
    record: Moment | None


class TimeLookup(NamedTuple):
    """The result of a lookup by time, with all its steps.

    Attributes:
        target: the time, in milliseconds since 1970.
        passed: the segments whose largest timestamp is too small.
        scan: what was done in the segment that reaches the time; None if none does.
    """

    target: int
    passed: tuple[Segment, ...]
    scan: TimeScan | None

    @property
    def record(self) -> Moment | None:
        """The record; None if there is none, which a broker answers with offset -1."""
        return None if self.scan is None else self.scan.record


def scan_segment(segment: Segment, target: int, start_offset: int, release: str = NEWEST) -> TimeScan:
    """Find the first record of a segment at or after a time, and not below an offset.

    Raises:
        FormatError: the scan came upon something that is no batch, or a batch whose records break a
            rule.
    """
    time = segment.time_index.lookup(target, release)
    offset = segment.offset_index.lookup(max(time.entry.offset, start_offset), release)
    passed: list[Batch] = []
    for batch in segment.batches(offset.entry.position):
        moment = _first(batch, target, start_offset) if batch.max_timestamp >= target else None
        if moment is not None:
            return TimeScan(segment, time, offset, tuple(passed), batch, moment)
        passed.append(batch)
    return TimeScan(segment, time, offset, tuple(passed), None, None)


def find_time(log: PartitionLog, target: int, release: str = NEWEST) -> TimeLookup:
    """Find the first record of a log at or after a time.

    Args:
        log: the log.
        target: milliseconds since 1970; not one of the negative codes of ListOffsets.
        release: release of Kafka whose way it goes, for example `3.9`.

    Raises:
        FormatError: the scan came upon something that is no batch, or a batch whose records break a
            rule.
    """
    passed: list[Segment] = []
    for segment in log.segments:
        if segment.largest_timestamp >= target:
            return TimeLookup(target, tuple(passed), scan_segment(segment, target, log.start_offset, release))
        passed.append(segment)
    return TimeLookup(target, tuple(passed), None)


def _first(batch: Batch, target: int, start_offset: int) -> Moment | None:
    for record in batch.unchecked_records():
        if record.timestamp >= target and record.offset >= start_offset:
            return Moment(record.timestamp, record.offset, batch.leader_epoch)
    return None
