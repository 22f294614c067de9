"""Lookups by offset and by time, and the indexes that they begin with."""

from __future__ import annotations

from collections.abc import Callable

from kafka_format.log import index_search, indexes, offset_lookup, time_lookup
from kafka_format.log.batches import Batch
from kafka_format.log.index_search import IndexSearch
from kafka_format.log.indexes import NEWEST, OffsetEntry, OffsetIndex, TimeEntry, TimeIndex
from kafka_format.log.offset_lookup import LookupOutcome, OffsetLookup
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.log.time_lookup import TimeLookup

from kafka_generator.mutants.mutant import LOG, family
from kafka_generator.mutants.patch import Patch

mutant = family(LOG, "lookups")

_FindTime = Callable[[PartitionLog, int, str], TimeLookup]


@mutant("search/empty-is-first")
def empty_is_first(patch: Patch) -> None:
    """Finds entry 0 in an index without entries."""
    patch.wrap(
        index_search.search,
        lambda right, count, key, target, entry_size, release: (
            right(count, key, target, entry_size, release) if count else IndexSearch(0, ())
        ),
    )


@mutant("lookup/last-offset-exclusive")
def last_offset_exclusive(patch: Patch) -> None:
    """Passes over the batch whose last offset is the one that is looked for."""
    patch.wrap(
        offset_lookup._by_base,
        lambda right, batch, seen, target: right(
            batch, [before for before in seen if before.last_offset != target], target
        ),
    )


@mutant("lookup/no-batch-before")
def no_batch_before(patch: Patch) -> None:
    """Answers with the batch that begins above the offset, also if the one before has it."""
    patch.wrap(offset_lookup._by_base, lambda right, batch, seen, target: right(batch, [], target))


@mutant("lookup/negative-position")
def negative_position(patch: Patch) -> None:
    """Begins at the position of an index entry, also if that is negative."""
    patch.replace(indexes.scan_start, lambda entry: entry.position)


@mutant("lookup/end-is-out-of-range")
def end_is_out_of_range(patch: Patch) -> None:
    """Calls the end of the log out of range."""
    patch.result(
        offset_lookup.find_offset,
        lambda lookup: (
            lookup._replace(outcome=LookupOutcome.BEYOND_END)
            if lookup.outcome is LookupOutcome.AT_END and not lookup.scans
            else lookup
        ),
    )


@mutant("lookup/below-start")
def below_start(patch: Patch) -> None:
    """Finds offsets below the start of the log, as long as a segment has them."""

    def wrong(
        right: Callable[[PartitionLog, int, str], OffsetLookup], log: PartitionLog, target: int, release: str = NEWEST
    ) -> OffsetLookup:
        lookup, segment = right(log, target, release), log.floor(target)
        if lookup.outcome is not LookupOutcome.BELOW_START or segment is None:
            return lookup
        scan = offset_lookup.scan_segment(segment, target, release)
        return lookup._replace(outcome=LookupOutcome.FOUND, scans=(scan,))

    patch.wrap(offset_lookup.find_offset, wrong)


@mutant("lookup/one-segment")
def one_segment(patch: Patch) -> None:
    """Looks for an offset in one segment, and not in the next where compaction took it out."""
    patch.within(offset_lookup.find_offset, lambda inner: inner.always(PartitionLog.after, returns=None))


@mutant("lookup/floor-exclusive")
def floor_exclusive(patch: Patch) -> None:
    """Takes the segment before for an offset that is a segment's base offset."""
    patch.wrap(PartitionLog.floor, lambda right, self, offset: right(self, offset - 1))


@mutant("lookup/end-from-the-first-entry")
def end_from_the_first_entry(patch: Patch) -> None:
    """Looks for the end of the log from the first byte of the last segment on."""

    def wrong(self: Segment) -> int:
        offsets = [batch.next_offset for batch in self.batches()]
        return offsets[-1] if offsets else self.base_offset

    patch.replace(Segment.next_offset, wrong)


@mutant("times/largest-exclusive")
def largest_exclusive(patch: Patch) -> None:
    """Passes over a segment whose largest timestamp is the time that is looked for."""

    def wrong(right: _FindTime, log: PartitionLog, target: int, release: str = NEWEST) -> TimeLookup:
        lookup = right(log, target + 1, release)
        if lookup.scan is None:
            return lookup
        return lookup._replace(scan=time_lookup.scan_segment(lookup.scan.segment, target, log.start_offset, release))

    patch.wrap(time_lookup.find_time, wrong)


@mutant("times/goes-on")
def goes_on(patch: Patch) -> None:
    """Looks into the next segment where one promises a record of the time, and has none."""

    def wrong(right: _FindTime, log: PartitionLog, target: int, release: str = NEWEST) -> TimeLookup:
        lookup = right(log, target, release)
        for segment in log.segments[len(lookup.passed) + 1 :]:
            if lookup.record is None and segment.largest_timestamp >= target:
                scan = time_lookup.scan_segment(segment, target, log.start_offset, release)
                lookup = lookup._replace(scan=scan)
        return lookup

    patch.wrap(time_lookup.find_time, wrong)


@mutant("times/record-exclusive")
def record_exclusive(patch: Patch) -> None:
    """Passes over a record whose timestamp is the time that is looked for."""
    patch.wrap(time_lookup._first, lambda right, batch, target, start_offset: right(batch, target + 1, start_offset))


@mutant("times/start-ignored")
def start_ignored(patch: Patch) -> None:
    """Finds records below the start of the log by their time."""
    patch.wrap(time_lookup._first, lambda right, batch, target, start_offset: right(batch, target, 0))


@mutant("times/no-epoch")
def no_epoch(patch: Patch) -> None:
    """Gives no leader epoch with a record that was found by its time."""
    patch.result(time_lookup._first, lambda moment: moment and moment._replace(leader_epoch=-1))


@mutant("times/checksum-matters")
def checksum_matters(patch: Patch) -> None:
    """Checks the checksum of a batch in which it looks for a time."""
    patch.within(time_lookup._first, lambda inner: inner.replace(Batch.unchecked_records, Batch.records))


@mutant("index/relative-is-absolute")
def relative_is_absolute(patch: Patch) -> None:
    """Takes the relative offset of an offset index for the offset."""
    patch.replace(OffsetIndex._entry, lambda self, slot: OffsetEntry(*self._numbers(slot)))


@mutant("timeindex/relative-is-absolute")
def relative_is_absolute_in_time(patch: Patch) -> None:
    """Takes the relative offset of a time index for the offset."""
    patch.replace(TimeIndex._entry, lambda self, slot: TimeEntry(*self._numbers(slot)))
