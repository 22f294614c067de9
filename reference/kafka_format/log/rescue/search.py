"""The search for sound batches through one segment, after a fault too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from crc32c import crc32c

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch, batches
from kafka_format.log.rescue.found import LostBytes, Mended, SegmentRescue, records_of, run_of
from kafka_format.log.segment import Segment
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.records.entries import FORMATS, OVERHEAD

_SEARCH: Final = 16
"""A search reads at most so many times the bytes of its segment, whatever sizes the bytes in it
claim."""

_BATCH: Final = prefix("record_batch")
_HEADER: Final = _BATCH.size
_HEAD: Final = _BATCH.reader("base_offset", "batch_length", "partition_leader_epoch", "magic", "crc")
_SUMMED: Final = _BATCH.places["attributes"]
_V2: Final = 2
_TOP: Final = 4
"""Leading bytes of an offset that are the same, or one more, for all offsets of a segment."""


class Search:
    """The search through one segment."""

    def __init__(
        self, segment: Segment, highest: int, following: int | None = None, mended: Iterable[Mended] = ()
    ) -> None:
        """Take the segment, and what is known of others.

        Args:
            segment: the segment.
            highest: the highest offset that any segment of its log can have.
            following: the base offset of the next segment; None if there is none.
            mended: base offsets that are to be set right; other fields are set right here.
        """
        self._found = SegmentRescue(segment, mended=list(mended))
        self._segment = segment
        self._highest, self._following = highest, following
        self._last, self._after_last = -1, 0
        self._mended_at = -1
        self._left = _SEARCH * segment.size
        self._fault: tuple[int, str] | None = None

    def done(self) -> SegmentRescue:
        """Search, and return what was found."""
        position = 0
        while position < self._segment.size:
            batch, reason = self._batch(position)
            if batch is not None and self._has_odd_offset(batch):
                self._found.doubtful.append(Mended(position, "base_offset", batch.offset, self._first))
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
            position = self._mend(position)
        self._give_up(self._segment.size, None)
        return self._found

    def _batch(self, position: int) -> tuple[Batch | None, str]:
        """Return the batch at a position, and why it cannot be kept; no batch if there is none."""
        try:
            batch = next(batches(self._found.data, position), None)
        except FormatError as error:
            return None, str(error)
        if batch is None:
            return None, "too few bytes are left for a batch"
        return batch, self._why_not(batch)

    def _mend(self, end: int) -> int:
        """Set size and magic right if the checksum fits the bytes from the fault to a position.

        Return where to go on: at the batch then, else at that position. Size and magic are outside
        the checksum.
        """
        start = self._fault[0] if self._fault is not None else end
        if end - start < _HEADER or start <= self._mended_at:
            return end
        _, length, _, magic, crc = _HEAD.unpack_from(self._found.data, start)
        known = (("batch_length", length, end - start - OVERHEAD), ("magic", magic, _V2))
        wrong = [Mended(start, *each) for each in known if each[1] != each[2]]
        with memoryview(self._found.data) as view:
            if not wrong or crc32c(view[start + _SUMMED : end]) != crc:
                return end
        for each in wrong:
            self._found.mend(each)
        self._fault, self._mended_at = None, start
        return start

    @property
    def _first(self) -> int:
        """The offset that a batch here begins at, unless some are missing."""
        return self._last + 1 if self._last >= 0 else self._segment.base_offset

    def _has_odd_offset(self, batch: Batch) -> bool:
        """Tell whether a batch whose checksum is right is out of line, and has one place alone.

        That is where just as many offsets are missing as it has, and nothing is broken around it.
        """
        if not batch.is_v2 or batch.size < _HEADER or self._fault is not None or batch.offset == self._first:
            return False
        try:
            following = self._following if batch.end == self._segment.size else self._offset(batch.end)
            if following is None or following - self._first != batch.header.last_offset_delta + 1:
                return False
            batch.check()
        except FormatError:
            return False
        return True

    def _offset(self, position: int) -> int | None:
        """Return the base offset of the sound batch at a position; None if there is none."""
        batch, reason = self._batch(position)
        return None if batch is None or reason else batch.base_offset

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
        for match in _beginning(base).finditer(self._found.data, start, end):
            try:
                batch = next(batches(self._found.data, match.start(), end), None)
            except FormatError:
                continue
            if batch is None or batch.offset > base + INT32_MAX:
                continue
            if batch.offset > self._last or _is_of_broker(batch):
                yield batch

    def _keep(self, batch: Batch) -> None:
        is_behind_loss = self._fault is not None
        self._give_up(batch.position, batch.base_offset)
        is_gap = batch.base_offset > self._first and not is_behind_loss and batch.position > 0
        if batch.is_v2 and (is_gap or batch.header.record_count <= batch.header.last_offset_delta):
            self._found.has_holes = True
        runs = self._found.runs
        if runs and runs[-1].end == batch.position and batch.base_offset > self._last:
            runs[-1] = runs[-1]._replace(end=batch.end, last_offset=batch.last_offset)
        else:
            runs.append(run_of(batch))
        self._found.batches += 1
        self._found.records += records_of(batch)
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
