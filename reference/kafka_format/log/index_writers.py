"""Which releases write index entries like those of a segment: the offset of an entry tells.

| offset of an entry of the offset index | written by |
|---|---|
| first offset of the batch at its position | appends of 0.8 to 1.1 |
| last offset of a later batch | 2.0 to 3.9.0, 4.0.0: appends of several batches, the cleaner |
| last offset of its own batch | 3.9.1, 4.0.1, 4.1 on; since 2.0 recovery and appends of one batch |

In the time index, the offset of a record within its batch is from a leader of 0.10.1 to 3.6
(KAFKA-16310); the last offset of the batch is from any release (storage LogSegment.append;
KAFKA-6530, KAFKA-806).
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import NamedTuple

from kafka_format.log.batches import Batch
from kafka_format.log.segment import Segment


class EntryStyle(StrEnum):
    """Ways to write an entry. The value says it in words."""

    FIRST = "the first offset of the batch"
    LATER = "the last offset of a later batch"
    LAST = "the last offset of the batch"
    ONLY = "the only offset of the batch"
    RECORD = "the offset of a record within the batch"
    NOT_THERE = "no offset of a batch there"


WRITERS = {
    EntryStyle.FIRST: ("0.8", "1.1"),
    EntryStyle.LATER: ("2.0", "4.0.0"),
    EntryStyle.LAST: ("2.0", ""),
}
"""Since and until which release an entry of an offset index is written so; until nothing for
today."""


class Writing(NamedTuple):
    """The way in which the indexes of a segment are written.

    Attributes:
        offsets: entries of the offset index by the style in which they are written.
        times: entries of the time index, likewise.
        dump_alarms: entries that kafka-dump-log calls a mismatch or not found though a lookup finds
            all by them.
    """

    offsets: Counter[EntryStyle]
    times: Counter[EntryStyle]
    dump_alarms: int


def writing(segment: Segment) -> Writing:
    """Return how the entries of a segment's indexes are written; reads only headers of batches."""
    whole_batches = list(segment.whole_batches())
    by_position = {batch.position: batch for batch in whole_batches}
    lasts = {batch.last_offset: batch for batch in whole_batches}
    offsets, times = Counter[EntryStyle](), Counter[EntryStyle]()
    for offset, position in segment.offset_index:
        offsets[_offset_style(by_position.get(position), offset, lasts)] += 1
    for timestamp, offset in segment.time_index:
        times[_time_style(whole_batches, timestamp, offset)] += 1
    return Writing(offsets, times, offsets[EntryStyle.FIRST] + offsets[EntryStyle.LATER] + times[EntryStyle.RECORD])


def _offset_style(batch: Batch | None, offset: int, lasts: dict[int, Batch]) -> EntryStyle:
    if batch is None:
        return EntryStyle.NOT_THERE
    if offset == batch.last_offset:
        return EntryStyle.ONLY if batch.is_v2 and batch.offset == offset else EntryStyle.LAST
    if batch.is_v2 and offset == batch.offset:
        return EntryStyle.FIRST
    later = lasts.get(offset)
    return EntryStyle.LATER if later is not None and later.position > batch.position else EntryStyle.NOT_THERE


def _time_style(batches: list[Batch], timestamp: int, offset: int) -> EntryStyle:
    for batch in batches:
        if batch.last_offset >= offset:
            if batch.max_timestamp != timestamp:
                return EntryStyle.NOT_THERE
            if batch.last_offset == offset:
                return EntryStyle.ONLY if batch.is_v2 and batch.offset == offset else EntryStyle.LAST
            return EntryStyle.RECORD if not batch.is_v2 or batch.offset <= offset else EntryStyle.NOT_THERE
    return EntryStyle.NOT_THERE
