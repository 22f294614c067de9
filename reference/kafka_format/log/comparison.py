"""Comparison of a partition's replicas: where they differ, and where Kafka would truncate one.

What both have must be the same batches, byte for byte. Compaction is done by each broker alone, so
in a compacted log one may lack records that the other has; those that both have must be the same
then. A follower asks its leader where the newest epoch that it knows ends, and cuts its log there
(KIP-101, KIP-279; server AbstractFetcherThread getOffsetTruncationState). It compares epochs and
offsets, and never the bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from functools import cache
from itertools import chain
from typing import Final, NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch
from kafka_format.log.partition import PartitionLog
from kafka_format.log.text import checkpoints
from kafka_format.log.text.checkpoints import EpochRow
from kafka_format.records import Record

UNKNOWN: Final = -1
_BATCH: Final = prefix("record_batch")
_EPOCH_BYTES: Final = 4


class DifferenceKind(StrEnum):
    """Ways in which two replicas differ. The value says it in words."""

    EPOCH = "the same batch with another leader epoch"
    CONTENT = "another batch"
    MISSING = "no batch in one of them"
    COMPACTED = "compacted differently: the records of both are the same"


class ReplicaDifference(NamedTuple):
    """A difference.

    Attributes:
        kind: of which kind.
        offset: the first offset that it is about.
        left: the batch of the first replica; None for none. `right` is that of the second one.
    """

    kind: DifferenceKind
    offset: int
    left: Batch | None
    right: Batch | None


class Replica(NamedTuple):
    """Facts of a replica by which Kafka trusts it: leader epochs, start and end of its log."""

    epochs: tuple[EpochRow, ...]
    start_offset: int
    end_offset: int

    @property
    def last_epoch(self) -> int:
        """The newest leader epoch; -1 for none."""
        return self.epochs[-1].epoch if self.epochs else UNKNOWN

    def end_of(self, epoch: int) -> tuple[int, int]:
        """Return the newest epoch up to one, and its end (LeaderEpochFileCache.endOffsetFor)."""
        if not self.epochs or epoch > self.last_epoch:
            return UNKNOWN, UNKNOWN
        if epoch == self.last_epoch:
            return epoch, self.end_offset
        later = next(row.start_offset for row in self.epochs if row.epoch > epoch)
        below = [row.epoch for row in self.epochs if row.epoch <= epoch]
        return (below[-1] if below else epoch), later


def replica(log: PartitionLog) -> Replica:
    """Return the leader epochs, start and end of a replica's log.

    Epochs that its checkpoint lacks come from its batches.

    Raises:
        FormatError: the checkpoint of leader epochs cannot be read.
    """
    rows = list(log.leader_epochs())
    end = log.start_offset
    for segment in log.segments:
        for batch in segment.whole_batches():
            end = max(end, batch.next_offset)
            if batch.leader_epoch > (rows[-1].epoch if rows else UNKNOWN):
                rows.append(EpochRow(batch.leader_epoch, batch.base_offset))
    return Replica(tuple(rows), log.start_offset, end)


def most_trusted(replicas: list[Replica]) -> int:
    """Return the number of the replica with the newest epoch and, of these, the longest log."""
    return max(range(len(replicas)), key=lambda number: (replicas[number].last_epoch, replicas[number].end_offset))


def truncation(follower: Replica, leader: Replica) -> int:
    """Return the offset at which a follower cuts its log before it fetches from a leader."""
    own = follower
    while own.epochs:
        epoch, leader_end = leader.end_of(own.last_epoch)
        own_epoch, own_end = own.end_of(epoch)
        if UNKNOWN in {leader_end, own_end}:
            return min(own.end_offset, leader.end_offset if leader_end == UNKNOWN else leader_end)
        end = min(own.end_offset, own_end)
        if own_epoch == epoch:
            return min(end, leader_end)
        own = Replica(tuple(row for row in own.epochs if row.start_offset < end), own.start_offset, end)
    return min(own.end_offset, leader.end_offset)


def differences(left: PartitionLog, right: PartitionLog) -> Iterator[ReplicaDifference]:
    """Yield the differences of two replicas, from the higher start to the lower end.

    A batch that one of them lacks was compacted away if that one's cleaner has been there.
    """
    cleaned = cache(_end_of_cleaning)
    start = max(left.start_offset, right.start_offset)
    ours, theirs = _batches(left, start), _batches(right, start)
    mine, other = next(ours, None), next(theirs, None)
    while mine is not None and other is not None:
        if mine.last_offset == other.last_offset:
            if (replica_difference := _compare(mine, other)) is not None:
                yield replica_difference
            mine, other = next(ours, None), next(theirs, None)
        elif mine.last_offset < other.offset:
            yield ReplicaDifference(_why_missing(mine, cleaned(right)), mine.offset, mine, None)
            mine = next(ours, None)
        elif other.last_offset < mine.offset:
            yield ReplicaDifference(_why_missing(other, cleaned(left)), other.offset, None, other)
            other = next(theirs, None)
        else:
            yield ReplicaDifference(DifferenceKind.CONTENT, min(mine.offset, other.offset), mine, other)
            end = max(mine.last_offset, other.last_offset)
            mine, other = _behind(end, ours), _behind(end, theirs)


def _why_missing(batch: Batch, cleaned: int) -> DifferenceKind:
    """Tell why a log lacks a batch whose cleaner has been up to an offset."""
    return DifferenceKind.COMPACTED if batch.last_offset < cleaned else DifferenceKind.MISSING


def _end_of_cleaning(log: PartitionLog) -> int:
    """Return the offset below which the cleaner of a broker has been.

    That of its checkpoint; in a folder that was copied without it, the one after the last batch
    that has fewer records than offsets.
    """
    end = UNKNOWN
    with suppress(FormatError):
        mark = log.checkpoint(checkpoints.CLEANER_FILE)
        if mark is not None:
            return mark
    for segment in log.segments:
        for batch in segment.whole_batches():
            if batch.is_v2 and (batch.count or 0) <= batch.last_offset - batch.offset:
                end = batch.next_offset
    return end


def _behind(end: int, batches: Iterator[Batch]) -> Batch | None:
    """Return the first batch that begins above an offset.

    Overlapping batches are one difference, which was yielded.
    """
    return next((batch for batch in batches if batch.offset > end), None)


def _batches(log: PartitionLog, start: int) -> Iterator[Batch]:
    every = chain.from_iterable(segment.whole_batches() for segment in log.segments)
    return (batch for batch in every if batch.last_offset >= start)


def _compare(left: Batch, right: Batch) -> ReplicaDifference | None:
    """Compare batches that end at the same offset.

    The leader epoch is compared by itself: the checksum covers all but that.
    """
    if left.data == right.data:
        return None
    kind = DifferenceKind.CONTENT
    if left.is_v2 and right.is_v2 and _without_epoch(left) == _without_epoch(right):
        kind = DifferenceKind.EPOCH
    elif _agree(left, right):
        kind = DifferenceKind.COMPACTED
    return ReplicaDifference(kind, min(left.offset, right.offset), left, right)


def _without_epoch(batch: Batch) -> bytes:
    at = _BATCH.places["partition_leader_epoch"]
    return batch.data[:at] + batch.data[at + _EPOCH_BYTES :]


def _agree(left: Batch, right: Batch) -> bool:
    """Tell whether what both have is the same and one has more, which is what compaction leaves."""
    try:
        ours, theirs = _by_offset(left), _by_offset(right)
    except FormatError:
        return False
    both = ours.keys() & theirs.keys()
    return len(ours) != len(theirs) and all(ours[offset] == theirs[offset] for offset in both)


def _by_offset(batch: Batch) -> dict[int, Record]:
    return {record.offset: record._replace(codec=0) for record in batch.records()}
