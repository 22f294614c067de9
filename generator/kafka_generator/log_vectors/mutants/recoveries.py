"""Recovery: which batches stay, the indexes that are made anew, and leader epochs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kafka_format.log import recovery
from kafka_format.log.batches import Batch
from kafka_format.log.indexes import OffsetEntry, TimeEntry
from kafka_format.log.recovery import Fate, _Rebuilt
from kafka_format.log.text.checkpoints import EpochRow
from kafka_format.primitives.integers import INT32_MAX, INT64_MAX
from kafka_format.records.model import NO_TIMESTAMP

from kafka_generator.mutants.mutant import LOG, family
from kafka_generator.mutants.patch import Patch

mutant = family(LOG, "recovery")

_Add = Callable[[_Rebuilt, Batch], Fate | None]


def _other_entries(patch: Patch, entry: Callable[[OffsetEntry, Batch], OffsetEntry]) -> None:
    """Let an offset index get what `entry` makes of the right entries and their batches."""

    def wrong(right: _Add, self: _Rebuilt, batch: Batch) -> Fate | None:
        count = len(self.offsets)
        fate = right(self, batch)
        self.offsets[count:] = [entry(added, batch) for added in self.offsets[count:]]
        return fate

    patch.wrap(_Rebuilt.add, wrong)


@mutant("recovery/goes-on-behind-a-fault")
def goes_on_behind_a_fault(patch: Patch) -> None:
    """Keeps the segments after one that was cut."""
    patch.always(recovery._ends_log, returns=False)


@mutant("recovery/checksum-unread")
def checksum_unread(patch: Patch) -> None:
    """Keeps batches with a wrong checksum."""
    patch.within(recovery._recover, lambda inner: inner.skip(Batch.check))


@mutant("recovery/first-batch-indexed")
def first_batch_indexed(patch: Patch) -> None:
    """Makes an index entry for the first batch."""

    def wrong(right: _Add, self: _Rebuilt, batch: Batch) -> Fate | None:
        if not self.valid_bytes:
            self._indexed = -self._interval - 1
        return right(self, batch)

    patch.wrap(_Rebuilt.add, wrong)


@mutant("recovery/interval-reached")
def interval_reached(patch: Patch) -> None:
    """Makes index entries 100 bytes further apart than the interval says."""
    patch.wrap(
        recovery._recover,
        lambda right, segment, states, epochs, interval: right(segment, states, epochs, interval + 99),
    )


@mutant("recovery/first-offset-indexed")
def first_offset_indexed(patch: Patch) -> None:
    """Makes index entries for the first offset of a batch."""
    _other_entries(patch, lambda entry, batch: entry._replace(offset=batch.base_offset))


@mutant("recovery/position-behind")
def position_behind(patch: Patch) -> None:
    """Makes index entries that point behind the batch."""
    _other_entries(patch, lambda entry, batch: entry._replace(position=entry.position + batch.size))


@mutant("recovery/first-offset-of-time")
def first_offset_of_time(patch: Patch) -> None:
    """Makes time index entries for the first offset of a batch."""

    def wrong(right: _Add, self: _Rebuilt, batch: Batch) -> Fate | None:
        if batch.max_timestamp > self._largest.timestamp:
            self._largest = TimeEntry(batch.max_timestamp, batch.base_offset)
        return right(self, batch)

    patch.wrap(_Rebuilt.add, wrong)


@mutant("recovery/equal-times-again")
def equal_times_again(patch: Patch) -> None:
    """Makes another time index entry though the largest timestamp is the same."""

    def wrong(right: Callable[[_Rebuilt], None], self: _Rebuilt) -> None:
        if self._largest.timestamp == (self.times[-1].timestamp if self.times else NO_TIMESTAMP):
            self.times.append(self._largest)
        right(self)

    patch.wrap(_Rebuilt.add_time, wrong)


@mutant("recovery/no-closing-time")
def no_closing_time(patch: Patch) -> None:
    """Makes no time index entry at the end of a segment."""
    patch.skip(_Rebuilt.close)


@mutant("recovery/repeats-are-kept")
def repeats_are_kept(patch: Patch) -> None:
    """Keeps a segment whose offsets do not increase."""

    def wrong(right: _Add, self: _Rebuilt, batch: Batch) -> Fate | None:
        before, self.offsets = self.offsets, []
        fate = right(self, batch)
        self.offsets = [*before, *self.offsets]
        return fate

    patch.wrap(_Rebuilt.add, wrong)


@mutant("recovery/below-base-is-kept")
def below_base_is_kept(patch: Patch) -> None:
    """Keeps a batch below the base offset of its segment."""
    patch.replace(recovery._is_indexable, lambda offset, base_offset: offset - base_offset <= INT32_MAX)


@mutant("recovery/far-is-kept")
def far_is_kept(patch: Patch) -> None:
    """Keeps a batch whose offset is 2^31 above the base offset."""
    patch.replace(recovery._is_indexable, lambda offset, base_offset: 0 <= offset - base_offset <= INT32_MAX + 1)


@mutant("recovery/largest-offset-is-far")
def largest_offset_is_far(patch: Patch) -> None:
    """Splits a segment at an offset that is 2^31 - 1 above the base offset."""
    patch.replace(recovery._is_indexable, lambda offset, base_offset: 0 <= offset - base_offset < INT32_MAX)


@mutant("recovery/epochs-unassigned")
def epochs_unassigned(patch: Patch) -> None:
    """Takes no leader epochs from batches."""
    patch.wrap(
        recovery._recover,
        lambda right, segment, states, epochs, interval: right(segment, states, list(epochs), interval),
    )


@mutant("recovery/epochs-beyond-the-end")
def epochs_beyond_the_end(patch: Patch) -> None:
    """Keeps leader epochs that begin at or after the end of the log."""
    patch.wrap(recovery._cut, lambda right, epochs, start, end: right(epochs, start, INT64_MAX))


@mutant("recovery/epochs-before-the-start")
def epochs_before_the_start(patch: Patch) -> None:
    """Lets the last leader epoch before the start of the log begin where it began."""

    def wrong(
        right: Callable[[list[EpochRow], int, int], tuple[EpochRow, ...]], epochs: list[EpochRow], start: int, end: int
    ) -> tuple[EpochRow, ...]:
        return _own_rows(epochs, right(epochs, start, end))

    patch.wrap(recovery._cut, wrong)


def _own_rows(epochs: Sequence[EpochRow], kept: Sequence[EpochRow]) -> tuple[EpochRow, ...]:
    rows = {row.epoch: row for row in epochs}
    return tuple(rows[row.epoch] for row in kept)
