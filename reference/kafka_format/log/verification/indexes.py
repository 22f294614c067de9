"""The indexes of a segment, by themselves and held against its batches.

Which offset an entry has, the releases decide differently. What holds for all of them is what
lookups need: an entry points at a batch, and all batches before it are below its offset.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path

from kafka_format.log.indexes import OffsetIndex, TimeIndex
from kafka_format.log.names import FileKind
from kafka_format.log.verification.breach import Breach
from kafka_format.log.verification.segments import Scan, Seen
from kafka_format.primitives.counts import byte_count


def verify(scan: Scan, *, is_last: bool) -> Iterator[Breach]:
    """Yield what is wrong with the offset and the time index of a segment.

    Beside an offset index a broker takes a time index that is missing for an empty one. Up to
    0.10.0 there were none, and later releases leave them empty for the segments from then.
    """
    segment = scan.segment
    offsets, times = segment.file(FileKind.OFFSET_INDEX), segment.file(FileKind.TIME_INDEX)
    if offsets.is_file():
        yield from _by_itself(segment.offset_index, offsets, "offset-index", is_last=is_last)
        yield from _offsets(segment.offset_index, offsets, scan)
    if times.is_file() or offsets.is_file():
        yield from _by_itself(segment.time_index, times, "time-index", is_last=is_last)
        yield from _times(segment.time_index, times, scan, is_last=is_last)


def _by_itself(index: OffsetIndex | TimeIndex, path: Path, name: str, *, is_last: bool) -> Iterator[Breach]:
    size = index.entry_size
    if index.trailing:
        yield Breach(
            f"log.{name}.size",
            path,
            f"{byte_count(index.trailing)} after the last whole entry",
            index.size - index.trailing,
        )
    if index.zeros and not is_last:
        detail = f"the segment is closed, and has entries of zeros at its end: {index.zeros}"
        yield Breach(f"log.{name}.trimmed", path, detail, len(index) * size)
    offset_at = 0 if isinstance(index, OffsetIndex) else 1
    for slot, entry in enumerate(index):
        if entry[offset_at] < index.base_offset:
            detail = f"entry {slot} has offset {entry[offset_at]}, below the base offset {index.base_offset}"
            yield Breach(f"log.{name}.offset", path, detail, slot * size)
    for slot, (before, entry) in enumerate(pairwise(index), 1):
        rises = entry[0] > before[0] and (entry[1] > before[1] if offset_at == 0 else entry[1] >= before[1])
        if not rises:
            yield Breach(
                f"log.{name}.rising", path, f"entry {slot} is {tuple(entry)}, after {tuple(before)}", slot * size
            )


def _offsets(index: OffsetIndex, path: Path, scan: Scan) -> Iterator[Breach]:
    positions = [batch.position for batch in scan.batches]
    highest_before = _highest_before(scan.batches)
    for slot, (offset, position) in enumerate(index):
        place, at = slot * index.entry_size, bisect_left(positions, position)
        if position < 0:
            yield Breach("log.offset-index.position", path, f"entry {slot} has position {position}", place, offset)
        elif at == len(positions) or positions[at] != position:
            detail = f"entry {slot} points at byte {position}, where no batch begins"
            yield Breach("log.offset-index.batch", path, detail, place, offset)
        elif highest_before[at] >= offset:
            detail = f"entry {slot} is for offset {offset} at {position}, a batch before it has {highest_before[at]}"
            yield Breach("log.offset-index.covers", path, detail, place, offset)


def _highest_before(batches: Iterable[Seen]) -> list[int]:
    """Return for each batch the largest offset of all batches before it; -1 for the first."""
    return list(accumulate((batch.last_offset if batch.is_sure else -1 for batch in batches), max, initial=-1))


def _times(index: TimeIndex, path: Path, scan: Scan, *, is_last: bool) -> Iterator[Breach]:
    sure = [batch for batch in scan.batches if batch.is_sure]
    ends = list(accumulate((batch.last_offset for batch in sure), max))
    for slot, (timestamp, offset) in enumerate(index):
        at = bisect_left(ends, offset)
        stored = sure[at].max_timestamp if at < len(ends) else None
        if stored != timestamp and not _may_name_unsure(offset, sure, at, scan):
            there = "no batch has that offset" if stored is None else f"its batch has {stored}"
            detail = f"entry {slot} has timestamp {timestamp} for offset {offset}, {there}"
            yield Breach("log.time-index.batch", path, detail, slot * index.entry_size, offset)
    largest = max((batch.max_timestamp for batch in sure), default=-1)
    is_older = not len(index) and not any(batch.is_v2 for batch in scan.batches)
    if largest >= 0 and not is_last and not is_older and index.last.timestamp < largest:
        detail = f"the last entry has {index.last.timestamp}, the segment goes up to {largest}"
        yield Breach("log.time-index.last", path, detail, max(len(index) - 1, 0) * index.entry_size)


def _may_name_unsure(offset: int, sure: Sequence[Seen], at: int, scan: Scan) -> bool:
    """Tell whether an offset may be that of a batch whose header cannot be relied on.

    Args:
        offset: the offset that an entry names.
        sure: the batches that can be relied on.
        at: the number of the first of them that ends at the offset or above it.
        scan: all batches.
    """
    if len(sure) == len(scan.batches):
        return False
    start = sure[at - 1].position if at else -1
    end = sure[at].position if at < len(sure) else scan.segment.size
    is_within = at == len(sure) or offset < sure[at].base_offset
    return is_within and any(start < batch.position < end for batch in scan.batches if not batch.is_sure)
