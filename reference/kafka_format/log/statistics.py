"""Counts batches, records, codecs, producers, sizes, times and gaps of a partition, by segment."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment

MOST_HOLES = 3
"""Holes of a segment that are kept; a compacted one may have millions."""


class Hole(NamedTuple):
    """Offsets that no batch covers.

    Attributes:
        first: the first one of them.
        last: the last one.
        position: where the batch after them is in its segment.
    """

    first: int
    last: int
    position: int


@dataclass(slots=True)
class SegmentStatistics:
    """One segment in numbers; all of it from the headers of batches.

    Attributes:
        base_offset: from its name.
        size: bytes of the file.
        batches: whole batches.
        records: records as the headers count them; a message of v0 or v1 counts as one.
        first_offset: first offset of the first batch; None without batches.
        last_offset: highest offset; None without batches.
        backward: where the first batch begins that is not above all before it; None if they rise.
        first_timestamp: the smallest of the largest timestamps of batches; None without timestamps.
        last_timestamp: the largest timestamp; None without timestamps.
        control: batches with control records.
        empty: batches without records, which compaction leaves.
        missing: offsets that no batch covers, between two batches; None where offsets
            go back, for a batch that comes later may have them.
        holes: at how many places offsets are missing; `first_holes` has the first few.
        tail: bytes after the last whole batch.
        fault: what stopped the scan; None if nothing did.
        formats: batches by magic; `codecs`: by codec; `producers`: records by producer id.
    """

    base_offset: int
    size: int
    batches: int = 0
    records: int = 0
    first_offset: int | None = None
    last_offset: int | None = None
    backward: int | None = None
    first_timestamp: int | None = None
    last_timestamp: int | None = None
    control: int = 0
    empty: int = 0
    missing: int | None = 0
    holes: int = 0
    tail: int = 0
    fault: FormatError | None = None
    formats: Counter[int] = field(default_factory=Counter)
    codecs: Counter[str] = field(default_factory=Counter)
    producers: Counter[int] = field(default_factory=Counter)
    first_holes: list[Hole] = field(default_factory=list)


def of_segment(segment: Segment) -> SegmentStatistics:
    """Count what the headers of a segment's batches say."""
    segment_statistics = SegmentStatistics(segment.base_offset, segment.size)
    end = 0
    try:
        for batch in segment.batches():
            end = batch.end
            count = 1 if batch.count is None else batch.count
            segment_statistics.batches += 1
            segment_statistics.records += count
            segment_statistics.formats[batch.magic] += 1
            segment_statistics.codecs[batch.codec] += 1
            segment_statistics.control += batch.has("is_control")
            segment_statistics.empty += not count
            if batch.producer_id >= 0:
                segment_statistics.producers[batch.producer_id] += count
            _offsets(segment_statistics, batch)
            _times(segment_statistics, batch.max_timestamp)
    except FormatError as error:
        segment_statistics.fault = error
    segment_statistics.tail = segment.size - end
    return segment_statistics


def of_log(log: PartitionLog) -> list[SegmentStatistics]:
    """Count what the segments of a partition have."""
    return [of_segment(segment) for segment in log.segments]


def turns(segment_statistics: Sequence[SegmentStatistics]) -> Iterator[tuple[int, int]]:
    """Yield where the offsets of a log go back, the first place of each segment.

    Pairs of the segment's base offset and the position of the batch.
    """
    highest = -1
    for each in segment_statistics:
        if each.first_offset is None or each.last_offset is None:
            continue
        if each.first_offset <= highest:
            yield each.base_offset, 0
        elif each.backward is not None:
            yield each.base_offset, each.backward
        highest = max(highest, each.last_offset)


def last_offset(segment_statistics: Iterable[SegmentStatistics], start_offset: int) -> int:
    """Return the last offset of a log, or the one before its start if it has no batch."""
    return max(
        (each.last_offset for each in segment_statistics if each.last_offset is not None), default=start_offset - 1
    )


def total(name: str, segment_statistics: Iterable[SegmentStatistics]) -> Counter[object]:
    """Return the sum of one of the counters of segments."""
    counted: Counter[object] = Counter()
    for statistics in segment_statistics:
        counted.update(getattr(statistics, name))
    return counted


def _offsets(segment_statistics: SegmentStatistics, batch: Batch) -> None:
    """Note the offsets of a batch, and which are missing before it.

    The first offset of a compressed message of v0 or v1 is in its payload, which is read for the
    first one of a segment alone; before the others nothing counts as missing.
    """
    is_known = batch.is_v2 or batch.codec == "none"
    first, highest = batch.offset, segment_statistics.last_offset
    if highest is None:
        segment_statistics.first_offset = first if is_known else _first_in(batch)
    elif is_known and first > highest + 1:
        _note_hole(segment_statistics, Hole(highest + 1, first - 1, batch.position))
    elif first <= highest and segment_statistics.backward is None:
        segment_statistics.backward, segment_statistics.missing, segment_statistics.holes = batch.position, None, 0
        segment_statistics.first_holes.clear()
    segment_statistics.last_offset = batch.last_offset if highest is None else max(highest, batch.last_offset)


def _note_hole(segment_statistics: SegmentStatistics, hole: Hole) -> None:
    if segment_statistics.missing is None:
        return
    segment_statistics.missing += hole.last - hole.first + 1
    segment_statistics.holes += 1
    if len(segment_statistics.first_holes) < MOST_HOLES:
        segment_statistics.first_holes.append(hole)


def _first_in(batch: Batch) -> int:
    """Return the first offset of a compressed message; its last one if it cannot be read."""
    try:
        return batch.base_offset
    except FormatError:
        return batch.offset


def _times(segment_statistics: SegmentStatistics, timestamp: int) -> None:
    if timestamp < 0:
        return
    first, last = segment_statistics.first_timestamp, segment_statistics.last_timestamp
    segment_statistics.first_timestamp = timestamp if first is None else min(first, timestamp)
    segment_statistics.last_timestamp = timestamp if last is None else max(last, timestamp)
