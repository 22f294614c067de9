"""A log and a lookup's way through it: segments as rows, batches to scale, index entries above."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kafka_format.log import OffsetLookup, PartitionLog, Segment, TimeLookup
from kafka_format.log.batches import Batch

from kafka_site.templates import render

_WIDTH: Final = 560
_MARGIN: Final = 60
_ROW: Final = 74


class Box(NamedTuple):
    """One batch: `role` is `found`, `passed` or nothing."""

    x: float
    width: float
    role: str
    label: str


class Entry(NamedTuple):
    """One index entry: the position that it points to, as a place in the picture."""

    x: float
    label: str
    is_taken: bool


class Row(NamedTuple):
    """One segment."""

    y: int
    name: str
    is_taken: bool
    boxes: list[Box]
    entries: list[Entry]


class Way(NamedTuple):
    """A lookup's way through one segment.

    Attributes:
        entries: the index entries: the batch that each leads to, its label, whether it was taken.
        passed: positions of the batches that were passed over.
        answer: position of the batch that has the answer; None if another segment has.
        is_taken: True if the segment was searched at all.
    """

    entries: Sequence[tuple[Batch, str, bool]]
    passed: frozenset[int]
    answer: int | None
    is_taken: bool


def log_map(log: PartitionLog, lookup: OffsetLookup, label: str) -> str:
    """Return the picture of a lookup of an offset.

    Args:
        log: the log.
        lookup: the way through it.
        label: what the picture shows, for people who do not see it.
    """
    scans = {scan.segment.base_offset: scan for scan in lookup.scans}

    def way(segment: Segment) -> Way:
        scan = scans.get(segment.base_offset)
        by_position = {batch.position: batch for batch in segment.batches()}
        taken = scan.lookup.entry if scan else None
        entries = [(by_position[row.position], f"{row.offset}", row == taken) for row in segment.offset_index]
        passed = frozenset(batch.position for batch in scan.passed) if scan else frozenset[int]()
        return Way(entries, passed, scan.batch.position if scan and scan.batch else None, scan is not None)

    return _map(log, way, label)


def time_map(log: PartitionLog, lookup: TimeLookup, start: int, label: str) -> str:
    """Return the picture of a lookup of a time.

    Args:
        log: the log.
        lookup: the way through it.
        start: the time that labels count seconds from, in milliseconds since 1970.
        label: what the picture shows, for people who do not see it.
    """
    scan = lookup.scan

    def way(segment: Segment) -> Way:
        is_taken = scan is not None and scan.segment is segment
        entries = [
            (
                next(batch for batch in segment.batches() if batch.last_offset >= row.offset),
                f"{(row.timestamp - start) // 1000}",
                is_taken and scan is not None and row == scan.time.entry,
            )
            for row in segment.time_index
        ]
        if scan is None or not is_taken:
            return Way(entries, frozenset(), None, is_taken)
        passed = frozenset(batch.position for batch in scan.passed)
        return Way(entries, passed, scan.batch.position if scan.batch else None, is_taken)

    return _map(log, way, label)


def _map(log: PartitionLog, way_through: Callable[[Segment], Way], label: str) -> str:
    largest = max(segment.path.stat().st_size for segment in log.segments)
    scale = (_WIDTH - _MARGIN) / largest
    rows = []
    for number, segment in enumerate(log.segments):
        way = way_through(segment)
        boxes = [
            Box(
                _MARGIN + batch.position * scale,
                batch.size * scale,
                "found" if batch.position == way.answer else "passed" if batch.position in way.passed else "",
                f"{batch.base_offset}",
            )
            for batch in segment.batches()
        ]
        entries = [Entry(_MARGIN + batch.position * scale, text, taken) for batch, text, taken in way.entries]
        rows.append(Row(number * _ROW, f"{segment.base_offset}.log", way.is_taken, boxes, entries))
    return render("log_map.svg.j2", rows=rows, label=label, width=_WIDTH + 4, height=len(rows) * _ROW)
