"""The sound batches of a broken log, also those after a fault, where Kafka's own recovery stops.

A batch is sound if its size, its magic and its checksum are. After a fault the search goes on
where the broken batch says that it ends, else byte by byte with what a batch begins with: an offset
that can follow, a size that fits, a magic that is known, and a checksum. Offsets are kept, so that
what is lost is a gap.

Sound batches may stand in another order than that of their offsets, and more than once. They are
put in order; of those with the same offsets one is kept, that of the newest leader epoch.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch, batches
from kafka_format.log.leftovers import LeftoverAction, in_partition
from kafka_format.log.names import FileKind, parse_file
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.records.entries import FORMATS

_SEARCH: Final = 16
"""A search reads at most so many times the bytes of its segment, whatever sizes the bytes in it
claim."""

_HEADER: Final = prefix("record_batch").size
_FAR: Final = 1 << 33
"""A batch so far above all segments has a wrong offset, which no checksum covers."""

_TOP: Final = 4
"""Leading bytes of an offset that are the same, or one more, for all offsets of a segment."""


class BatchRun(NamedTuple):
    """Sound batches, one after the other: from which byte to which, and their offsets."""

    start: int
    end: int
    first_offset: int
    last_offset: int


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
    """

    segment: Segment
    runs: list[BatchRun] = field(default_factory=list)
    losses: list[LostBytes] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    batches: int = 0
    records: int = 0
    epochs: list[int] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Bytes of the batches that are kept."""
        return sum(run.end - run.start for run in self.runs)


def find_sound(log: PartitionLog) -> list[SegmentRescue]:
    """Find the sound batches of a log, segment by segment.

    A segment that was cleaned and only had to be renamed (`.swap`) is taken where one that it was
    made of is broken or gone; else those have all that is in it.

    Raises:
        OSError: a file cannot be read.
    """
    highest = max((segment.base_offset for segment in log.segments), default=0) + _FAR
    rescues = [_Search(segment, highest).done() for segment in log.segments]
    for leftover in in_partition(log.folder):
        name = parse_file(leftover.path.name)
        if leftover.action is LeftoverAction.SWAPPED and name is not None and name.kind is FileKind.SEGMENT:
            swapped = _Search(Segment(leftover.path), highest).done()
            if _is_needed(swapped, rescues):
                rescues.append(swapped)
    if not are_in_order(rescues):
        _Order(rescues).arrange()
    return rescues


def _is_needed(swapped: SegmentRescue, rescues: Sequence[SegmentRescue]) -> bool:
    base = swapped.segment.base_offset
    last = max((run.last_offset for run in swapped.runs), default=-1)
    replaced = [each for each in rescues if base <= each.segment.base_offset <= last]
    is_there = any(each.segment.base_offset == base and not each.segment.is_made for each in replaced)
    return bool(swapped.runs) and (not is_there or any(each.losses for each in replaced))


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


class _Order:
    """Puts the batches of runs, in each of which offsets rise, in the order of all offsets."""

    def __init__(self, rescues: Sequence[SegmentRescue]) -> None:
        self._rescues = rescues
        self._kept: tuple[int, Batch] | None = None

    def arrange(self) -> None:
        """Leave out what is there already, and let each run be whole in the order of all."""
        streams = [self._batches(number, run) for number, each in enumerate(self._rescues) for run in each.runs]
        for each in self._rescues:
            each.runs = []
        for number, batch in heapq.merge(*streams, key=_by_offset):
            if self._kept is not None and batch.base_offset <= self._kept[1].last_offset:
                self._leave_out(number, batch, *self._kept)
            else:
                self._keep(number, batch)

    def _batches(self, number: int, run: BatchRun) -> Iterator[tuple[int, Batch]]:
        for batch in batches(self._rescues[number].segment.data, run.start, run.end):
            yield number, batch

    def _keep(self, number: int, batch: Batch) -> None:
        runs = self._rescues[number].runs
        is_next = self._kept is not None and self._kept[0] == number and runs[-1].end == batch.position
        if is_next:
            runs[-1] = runs[-1]._replace(end=batch.end, last_offset=batch.last_offset)
        else:
            runs.append(_run(batch))
        self._kept = number, batch

    def _leave_out(self, number: int, batch: Batch, of: int, kept: Batch) -> None:
        """Note a batch that is not kept, together with those before it that are like it."""
        mine, count = self._rescues[number], _records(batch)
        mine.batches -= 1
        mine.records -= count
        same = batch.data == kept.data
        segment = self._rescues[of].segment
        new = LeftOut(*_run(batch), segment, kept.position, same, 1, count)
        before = mine.left_out[-1] if mine.left_out else None
        if before and (before.end, before.kept, before.are_same) == (batch.position, segment, same):
            mine.left_out[-1] = before._replace(
                end=new.end,
                last_offset=new.last_offset,
                batches=before.batches + 1,
                records=before.records + count,
            )
        else:
            mine.left_out.append(new)


def _by_offset(numbered: tuple[int, Batch]) -> tuple[int, int, int]:
    number, batch = numbered
    return batch.base_offset, -batch.leader_epoch, number


def _run(batch: Batch) -> BatchRun:
    return BatchRun(batch.position, batch.end, batch.base_offset, batch.last_offset)


def _records(batch: Batch) -> int:
    return 1 if batch.count is None else batch.count


class _Search:
    """The search through one segment."""

    def __init__(self, segment: Segment, highest: int) -> None:
        """Take the segment, and the highest offset that any segment of its log can have."""
        self._found = SegmentRescue(segment)
        self._segment = segment
        self._highest = highest
        self._last, self._after_last = -1, 0
        self._left = _SEARCH * segment.size
        self._fault: tuple[int, str] | None = None

    def done(self) -> SegmentRescue:
        position = 0
        while position < self._segment.size:
            batch, reason = self._batch(position)
            if batch is not None and not reason:
                self._keep(batch)
                position = batch.end
                continue
            start = position + 1 if self._fault else self._after_last
            self._fault = self._fault or (position, reason)
            if batch is not None and self._follows(batch.end):
                position = self._next(start, position, batch.end)
            else:
                position = self._next(start, position)
        self._give_up(self._segment.size, None)
        return self._found

    def _batch(self, position: int) -> tuple[Batch | None, str]:
        """Return the batch at a position, and why it cannot be kept; no batch if there is none."""
        try:
            batch = next(self._segment.batches(position), None)
        except FormatError as error:
            return None, str(error)
        if batch is None:
            return None, "too few bytes are left for a batch"
        return batch, self._why_not(batch)

    def _why_not(self, batch: Batch) -> str:
        try:
            if batch.magic not in FORMATS:
                return f"the magic is {batch.magic}"
            batch.check()
            if batch.base_offset < 0 or batch.last_offset < batch.base_offset:
                return f"its offsets are {batch.base_offset} to {batch.last_offset}"
            if batch.last_offset > self._highest:
                return f"it goes up to offset {batch.last_offset}, which no segment here can have"
        except FormatError as error:
            return str(error)
        return ""

    def _follows(self, position: int) -> bool:
        """Tell whether a position is the end of the segment, or a sound batch begins there."""
        batch, reason = (None, "") if position == self._segment.size else self._batch(position)
        return position == self._segment.size or (batch is not None and not reason)

    def _next(self, start: int, fault: int, end: int | None = None) -> int:
        """Return where the next sound batch begins; the end of the segment if none is found.

        It ends behind the fault, but may begin before it: where bytes are gone, the last bytes of a
        batch can be the first of the next. With an end, the next batch begins there, unless one
        that a broker wrote stands before: the size that leads there may be wrong, too.
        """
        limit = self._segment.size if end is None else end
        for batch in self._candidates(start, limit):
            is_unlikely = (end is not None or batch.position < fault) and not _is_of_broker(batch)
            if batch.end <= fault or is_unlikely:
                continue
            self._left -= batch.size
            if self._left < 0:
                break
            if not self._why_not(batch):
                return batch.position
        return limit

    def _candidates(self, start: int, end: int) -> Iterator[Batch]:
        """Yield what looks like a batch by its first 17 bytes, whose offset can follow.

        A value may hold a batch too, whose offset mostly is 0. A batch that a broker wrote is taken
        with an offset that is not above those before, too: it changed its place.
        """
        base = self._segment.base_offset
        for match in _beginning(base).finditer(self._segment.data, start, end):
            try:
                batch = next(batches(self._segment.data, match.start(), end), None)
            except FormatError:
                continue
            if batch is None or batch.offset > base + INT32_MAX:
                continue
            if batch.offset > self._last or _is_of_broker(batch):
                yield batch

    def _keep(self, batch: Batch) -> None:
        self._give_up(batch.position, batch.base_offset)
        runs = self._found.runs
        if runs and runs[-1].end == batch.position and batch.base_offset > self._last:
            runs[-1] = runs[-1]._replace(end=batch.end, last_offset=batch.last_offset)
        else:
            runs.append(_run(batch))
        self._found.batches += 1
        self._found.records += _records(batch)
        if batch.is_v2 and self._found.epochs[-1:] != [batch.leader_epoch]:
            self._found.epochs.append(batch.leader_epoch)
        self._last, self._after_last = batch.last_offset, batch.position + 1

    def _give_up(self, end: int, before: int | None) -> None:
        if self._fault is not None:
            start, reason = self._fault
            if start < end:
                self._found.losses.append(LostBytes(start, end, reason, self._last, before))
            self._fault = None


def _is_of_broker(batch: Batch) -> bool:
    """Tell whether a batch has a leader epoch, which producers do not know, nor v0 and v1."""
    return batch.is_v2 and batch.size >= _HEADER and batch.leader_epoch >= 0


def _beginning(base: int) -> re.Pattern[bytes]:
    """Return how a batch of a segment begins: an offset not far above the base, a size, a magic."""
    tops = {(base >> 32).to_bytes(_TOP, "big"), ((base + INT32_MAX) >> 32).to_bytes(_TOP, "big")}
    top = b"|".join(map(re.escape, sorted(tops)))
    return re.compile(rb"(?s)(?=(?:" + top + rb").{4}(?!\0\0\0[\0-\x0d])[\0-\x7f].{7}[\0-\2])")
