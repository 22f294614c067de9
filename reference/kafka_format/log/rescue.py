"""The sound batches of a broken log, also those after a fault, where Kafka's own recovery stops.

A batch is sound if its size, its magic and its checksum are. After a fault the search goes on
where the broken batch says that it ends, else byte by byte with what a batch begins with: an offset
that can follow, a size that fits, a magic that is known, and a checksum. Offsets are kept, so that
what is lost is a gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch, batches
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.records.entries import FORMATS

_SEARCH: Final = 16
"""A search reads at most so many times the bytes of its segment, whatever sizes the bytes in it
claim."""

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


@dataclass(slots=True)
class SegmentRescue:
    """The sound batches of a segment.

    Attributes:
        segment: the segment.
        runs: its sound batches; `losses` are the bytes between them.
        batches: how many batches are sound, and in `records` how many records these have.
    """

    segment: Segment
    runs: list[BatchRun] = field(default_factory=list)
    losses: list[LostBytes] = field(default_factory=list)
    batches: int = 0
    records: int = 0

    @property
    def size(self) -> int:
        """Bytes of the sound batches."""
        return sum(run.end - run.start for run in self.runs)


def find_sound(log: PartitionLog) -> list[SegmentRescue]:
    """Find the sound batches of a log, segment by segment; their offsets rise throughout."""
    segment_rescues, last = list[SegmentRescue](), -1
    for segment in log.segments:
        segment_rescues.append(_Search(segment, last).done())
        last = max([last, *(run.last_offset for run in segment_rescues[-1].runs[-1:])])
    return segment_rescues


class _Search:
    """The search through one segment."""

    def __init__(self, segment: Segment, last: int) -> None:
        self._found = SegmentRescue(segment)
        self._segment = segment
        self._last = last
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
            self._fault = self._fault or (position, reason)
            is_repeated = batch is not None and reason.startswith(_REPEATED)
            if batch is not None and (is_repeated or self._follows(batch.end)):
                position = batch.end
            else:
                position = self._next(position + 1)
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
            if batch.base_offset <= self._last or batch.last_offset < batch.base_offset:
                return f"{_REPEATED} {self._last}, this batch has {batch.base_offset} to {batch.last_offset}"
        except FormatError as error:
            return str(error)
        return ""

    def _follows(self, position: int) -> bool:
        """Tell whether a position is the end of the segment, or a sound batch begins there."""
        batch, reason = (None, "") if position == self._segment.size else self._batch(position)
        return position == self._segment.size or (batch is not None and not reason)

    def _next(self, start: int) -> int:
        """Return where the next sound batch begins; the end of the segment if none is found."""
        for batch in self._candidates(start):
            self._left -= batch.size
            if self._left < 0:
                break
            if not self._why_not(batch):
                return batch.position
        return self._segment.size

    def _candidates(self, start: int) -> Iterator[Batch]:
        """Yield what looks like a batch by its first 17 bytes, whose offset can follow."""
        base = self._segment.base_offset
        for match in _beginning(base).finditer(self._segment.data, start):
            try:
                batch = next(batches(self._segment.data, match.start()), None)
            except FormatError:
                continue
            if batch is not None and self._last < batch.offset <= base + INT32_MAX:
                yield batch

    def _keep(self, batch: Batch) -> None:
        self._give_up(batch.position, batch.base_offset)
        runs = self._found.runs
        if runs and runs[-1].end == batch.position:
            runs[-1] = runs[-1]._replace(end=batch.end, last_offset=batch.last_offset)
        else:
            runs.append(BatchRun(batch.position, batch.end, batch.base_offset, batch.last_offset))
        self._found.batches += 1
        self._found.records += 1 if batch.count is None else batch.count
        self._last = batch.last_offset

    def _give_up(self, end: int, before: int | None) -> None:
        if self._fault is not None:
            start, reason = self._fault
            self._found.losses.append(LostBytes(start, end, reason, self._last, before))
            self._fault = None


_REPEATED: Final = "there are offsets up to"


def _beginning(base: int) -> re.Pattern[bytes]:
    """Return how a batch of a segment begins: an offset not far above the base, a size, a magic."""
    tops = {(base >> 32).to_bytes(_TOP, "big"), ((base + INT32_MAX) >> 32).to_bytes(_TOP, "big")}
    top = b"|".join(map(re.escape, sorted(tops)))
    return re.compile(rb"(?s)(?=(?:" + top + rb").{4}(?!\0\0\0[\0-\x0d])[\0-\x7f].{7}[\0-\2])")
