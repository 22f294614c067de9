"""Works out what a broker does to a log at a start after a crash, without touching a file.

Every segment from the recovery point on is read from its first byte: batch by batch, size and
checksum; its indexes are built anew. The first segment that loses bytes is cut, and all later ones
are removed (storage LogLoader.recoverLog, LogSegment.recover). What is in the records is not looked
at, control records apart.

Before that, segments without an offset index, or with an unsound transaction index, are read and
cut likewise, wherever they are and after a clean stop too, and no later segment is removed for it
(LogLoader.loadSegmentFiles).
"""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum
from typing import Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch
from kafka_format.log.indexes import OffsetEntry, TimeEntry
from kafka_format.log.partition import PartitionLog
from kafka_format.log.preallocation import is_room
from kafka_format.log.producer_states import ProducerStates, first_states
from kafka_format.log.segment import Segment
from kafka_format.log.text.checkpoints import EpochRow
from kafka_format.log.transaction_index import AbortedTransaction
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.records.model import NO_TIMESTAMP

INDEX_INTERVAL: Final = 4096
"""The usual index.interval.bytes: an index gets an entry for more than so many bytes."""


class Fate(StrEnum):
    """Things that recovery does with a segment. The value says it in words."""

    KEPT = "kept as it is"
    CUT = "cut after its last sound batch"
    EMPTIED = "emptied, because its offsets do not increase"
    SPLIT = "split, because offsets are too far from its base offset"
    FAILS = "not loaded: offsets do not fit the base offset, and the broker does not start"
    UNINDEXED = "not loaded: its indexes are made anew, its offsets do not increase, and the broker does not start"
    REMOVED = "removed, because an earlier segment was cut"


class SegmentRecovery(NamedTuple):
    """The recovery of one segment.

    Attributes:
        segment: the segment.
        fate: what becomes of it.
        valid_bytes: bytes that stay.
        next_offset: the offset after what stays.
        fault: what the first broken batch is like; None if no batch is broken.
        offset_entries: entries of its new offset index; `time_entries` and `aborted` are those of
            the other indexes.
        room: bytes at the end that a broker allocated, and has not written to.
        goes_back: the first batch whose offset is not above that of the one before, though the
            segment is not emptied for it: with another index.interval.bytes it would be. None if
            offsets increase.
    """

    segment: Segment
    fate: Fate
    valid_bytes: int
    next_offset: int
    fault: FormatError | None = None
    offset_entries: tuple[OffsetEntry, ...] = ()
    time_entries: tuple[TimeEntry, ...] = ()
    aborted: tuple[AbortedTransaction, ...] = ()

    room: int = 0
    goes_back: int | None = None

    @property
    def lost_bytes(self) -> int:
        """The number of bytes that recovery removes, without the room at the end."""
        return self.segment.size - self.valid_bytes - self.room


STOPPERS: Final = (Fate.FAILS, Fate.UNINDEXED)
"""The ends of a recovery with which a broker does not start."""


class Recovery(NamedTuple):
    """The recovery of a log.

    Attributes:
        segments: what becomes of each segment that is looked at, in order.
        start_offset: where the log starts then, and in `end_offset` where it ends.
        emptied: whether the whole log is removed, since it ends below its start.
        epochs: the rows of the leader epoch checkpoint then.
        snapshots: producer snapshots that are written, by offset.
        producers: the producers at the end.
    """

    segments: tuple[SegmentRecovery, ...]
    start_offset: int
    end_offset: int
    emptied: bool
    epochs: tuple[EpochRow, ...]
    snapshots: dict[int, bytes]
    producers: ProducerStates

    @property
    def cuts_end(self) -> bool:
        """Whether the end of the log is lost; what is lost before it is never fetched again."""
        return any(each.lost_bytes and each.next_offset >= self.end_offset for each in self.segments)

    @property
    def lost_bytes(self) -> int:
        """The number of bytes of segments that recovery removes."""
        return sum(segment.lost_bytes for segment in self.segments)


class _Rebuilt:
    """Indexes of a segment as they are built anew, batch by batch."""

    def __init__(self, segment: Segment, interval: int) -> None:
        self.offsets: list[OffsetEntry] = []
        self.times: list[TimeEntry] = []
        self.valid_bytes = 0
        self.next_offset = segment.base_offset
        self.goes_back: int | None = None
        self._base = segment.base_offset
        self._interval = interval
        self._indexed = 0
        self._is_behind_first = False  # the first batch has no entry, so nothing is held against it
        self._largest = TimeEntry(NO_TIMESTAMP, segment.base_offset)

    def add(self, batch: Batch) -> Fate | None:
        """Take a batch; what becomes of the segment if it cannot be taken."""
        if not _is_indexable(batch.last_offset, self._base):
            return Fate.SPLIT if batch.last_offset > self._base else Fate.FAILS
        if self._is_behind_first and batch.next_offset <= self.next_offset and self.goes_back is None:
            self.goes_back = batch.last_offset
        self._is_behind_first = self.valid_bytes > 0
        if batch.max_timestamp > self._largest.timestamp:
            self._largest = TimeEntry(batch.max_timestamp, batch.last_offset)
        if self.valid_bytes - self._indexed > self._interval:
            if self.offsets and batch.last_offset <= self.offsets[-1].offset:
                return Fate.EMPTIED
            self.offsets.append(OffsetEntry(batch.last_offset, self.valid_bytes))
            self.add_time()
            self._indexed = self.valid_bytes
        self.valid_bytes += batch.size
        self.next_offset = batch.next_offset
        return None

    def close(self) -> None:
        """Add the largest timestamp at the end of the segment."""
        self.add_time()

    def add_time(self) -> None:
        """Add the largest timestamp so far, unless the index has it (TimeIndex.maybeAppend)."""
        if self._largest.timestamp > (self.times[-1].timestamp if self.times else NO_TIMESTAMP):
            self.times.append(self._largest)


def recover(
    log: PartitionLog,
    *,
    recovery_point: int = 0,
    index_interval: int = INDEX_INTERVAL,
    is_clean: bool = False,
    unwritable: frozenset[int] = frozenset(),
) -> Recovery:
    """Return what a broker would do to a log at a start after a crash; change nothing.

    Args:
        log: the log.
        recovery_point: the offset of the recovery point checkpoint; segments that end below it are
            not looked at, unless they are unsound.
        index_interval: the setting index.interval.bytes of the topic.
        is_clean: whether the broker was stopped cleanly; only segments that are unsound are looked
            at then.
        unwritable: offsets at which no producer snapshot can be written, since a folder is there:
            4.0 and later empty the segment that ends there.

    Raises:
        FormatError: the leader epoch checkpoint cannot be read, or after a clean stop the last
            segment. A broker takes the data directory offline then.
    """
    states, recovered = first_states(log.first_snapshot), list[SegmentRecovery]()
    epochs = list(log.leader_epochs())
    snapshots: dict[int, bytes] = {}
    first = log.floor(recovery_point) or (log.segments[0] if log.segments else None)
    lost = False
    for segment in log.segments:
        is_read = not is_clean and first is not None and segment.base_offset >= first.base_offset
        if lost:
            recovered.append(SegmentRecovery(segment, Fate.REMOVED, 0, segment.base_offset))
        elif is_read or segment.is_unsound:
            recovered.append(_recover(segment, states, epochs, index_interval))
            if recovered[-1].next_offset in unwritable:
                recovered[-1] = SegmentRecovery(segment, Fate.EMPTIED, 0, segment.base_offset)
            if segment is log.segments[-1] and recovered[-1].fate is Fate.CUT:
                recovered[-1] = _without_room(recovered[-1])
            snapshots[recovered[-1].next_offset] = states.snapshot()
            lost = _ends_log(recovered[-1])
        else:
            _fold(segment, states)
    kept = [each for each in recovered if each.fate is not Fate.REMOVED]
    is_known = kept and (lost or kept[-1].segment is log.segments[-1])
    end = kept[-1].next_offset if is_known else log.end_offset
    start = log.start_offset
    emptied = end < start
    rows = () if emptied else _cut(epochs, start, end)
    return Recovery(tuple(recovered), start, start if emptied else end, emptied, rows, snapshots, states)


def _ends_log(recovery: SegmentRecovery) -> bool:
    """Tell whether all later segments are removed, because this one lost bytes."""
    return not recovery.segment.is_unsound and recovery.lost_bytes > 0


def _is_indexable(offset: int, base_offset: int) -> bool:
    """Tell whether indexes can hold an offset (LogSegment.canConvertToRelativeOffset)."""
    return 0 <= offset - base_offset <= INT32_MAX


def _recover(segment: Segment, states: ProducerStates, epochs: list[EpochRow], interval: int) -> SegmentRecovery:
    rebuilt, fault, fate = _Rebuilt(segment, interval), None, None
    before = len(states.aborted)
    try:
        for batch in segment.batches():
            batch.check()
            fate = rebuilt.add(batch)
            if fate is not None:
                break
            if batch.is_v2 and batch.leader_epoch >= 0 and (not epochs or batch.leader_epoch > epochs[-1].epoch):
                epochs.append(EpochRow(batch.leader_epoch, batch.base_offset))
            states.add(batch)
    except FormatError as error:
        fault = error
    if fate is Fate.EMPTIED and segment.is_unsound:
        fate = Fate.UNINDEXED
    if fate is Fate.EMPTIED:
        return SegmentRecovery(segment, fate, 0, segment.base_offset)
    if fate is Fate.SPLIT and not _is_split(segment):
        fate = Fate.FAILS
    if fate is not None:
        last = max((batch.next_offset for batch in segment.whole_batches()), default=rebuilt.next_offset)
        return SegmentRecovery(segment, fate, segment.size, last)
    rebuilt.close()
    cut = rebuilt.valid_bytes < segment.size
    indexes = (tuple(rebuilt.offsets), tuple(rebuilt.times), tuple(states.aborted[before:]))
    fate = Fate.CUT if cut else Fate.KEPT
    made = SegmentRecovery(segment, fate, rebuilt.valid_bytes, rebuilt.next_offset, fault, *indexes)
    return made._replace(goes_back=rebuilt.goes_back)


def _without_room(recovery: SegmentRecovery) -> SegmentRecovery:
    if not is_room(recovery.segment, recovery.valid_bytes):
        return recovery
    return recovery._replace(room=recovery.lost_bytes)


def _is_split(segment: Segment) -> bool:
    """Tell whether a segment can be split: if its last batch is too far from its base offset.

    Otherwise the process ends: "Split operation is only permitted for segments with overflow".
    """
    last = None
    for last in segment.whole_batches():  # noqa: B007 - the last one is asked for
        pass
    return last is not None and last.last_offset > segment.base_offset + INT32_MAX


def _fold(segment: Segment, states: ProducerStates) -> None:
    for batch in segment.whole_batches():
        with suppress(FormatError):  # what is in it is not read, since producer snapshots are there
            states.add(batch)


def _cut(epochs: list[EpochRow], start: int, end: int) -> tuple[EpochRow, ...]:
    """Return the leader epochs from the start of a log on.

    The last one that begins below the start now begins there (LeaderEpochFileCache).
    """
    rows = [row for row in epochs if row.start_offset < end]
    below = [row for row in rows if row.start_offset <= start]
    above = [row for row in rows if row.start_offset > start]
    return (*(EpochRow(row.epoch, start) for row in below[-1:]), *above)
