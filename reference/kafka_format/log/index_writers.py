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


class Way(StrEnum):
    """How an entry is written. The value says it in words."""

    FIRST = "the first offset of the batch"
    LATER = "the last offset of a later batch"
    LAST = "the last offset of the batch"
    ONLY = "the only offset of the batch"
    RECORD = "the offset of a record within the batch"
    NOT_THERE = "no offset of a batch there"


WRITERS = {
    Way.FIRST: ("0.8", "1.1"),
    Way.LATER: ("2.0", "4.0.0"),
    Way.LAST: ("2.0", ""),
}
"""Since and until which release an entry of an offset index is written so; until nothing for
today."""


class Writing(NamedTuple):
    """How the indexes of a segment are written.

    Attributes:
        offsets: entries of the offset index by the way they are written.
        times: entries of the time index, likewise.
        dump_alarms: entries that kafka-dump-log calls a mismatch or not found though a lookup finds
            all by them.
    """

    offsets: Counter[Way]
    times: Counter[Way]
    dump_alarms: int


def writing(segment: Segment) -> Writing:
    """Tell how the entries of a segment's indexes are written; of batches only headers are read."""
    found = list(segment.whole_batches())
    by_position = {batch.position: batch for batch in found}
    lasts = {batch.last_offset: batch for batch in found}
    offsets, times = Counter[Way](), Counter[Way]()
    for offset, position in segment.offset_index:
        offsets[_offset_way(by_position.get(position), offset, lasts)] += 1
    for timestamp, offset in segment.time_index:
        times[_time_way(found, timestamp, offset)] += 1
    return Writing(offsets, times, offsets[Way.FIRST] + offsets[Way.LATER] + times[Way.RECORD])


def _offset_way(batch: Batch | None, offset: int, lasts: dict[int, Batch]) -> Way:
    if batch is None:
        return Way.NOT_THERE
    if offset == batch.last_offset:
        return Way.ONLY if batch.is_v2 and batch.offset == offset else Way.LAST
    if batch.is_v2 and offset == batch.offset:
        return Way.FIRST
    later = lasts.get(offset)
    return Way.LATER if later is not None and later.position > batch.position else Way.NOT_THERE


def _time_way(found: list[Batch], timestamp: int, offset: int) -> Way:
    for batch in found:
        if batch.last_offset >= offset:
            if batch.max_timestamp != timestamp:
                return Way.NOT_THERE
            if batch.last_offset == offset:
                return Way.ONLY if batch.is_v2 and batch.offset == offset else Way.LAST
            return Way.RECORD if not batch.is_v2 or batch.offset <= offset else Way.NOT_THERE
    return Way.NOT_THERE
