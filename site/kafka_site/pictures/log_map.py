"""A log and a lookup's way through it: segments as rows, batches to scale, index entries above."""

from __future__ import annotations

from typing import Final, NamedTuple

from kafka_format.log import OffsetLookup, PartitionLog

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


def log_map(log: PartitionLog, lookup: OffsetLookup, label: str) -> str:
    """Return the picture of a lookup.

    Args:
        log: the log.
        lookup: the way through it.
        label: what the picture shows, for people who do not see it.
    """
    largest = max(segment.path.stat().st_size for segment in log.segments)
    scale = (_WIDTH - _MARGIN) / largest
    scans = {scan.segment.base_offset: scan for scan in lookup.scans}
    rows = []
    for number, segment in enumerate(log.segments):
        scan = scans.get(segment.base_offset)
        passed = {batch.position for batch in scan.passed} if scan else set()
        found = scan.batch.position if scan and scan.batch else None
        boxes = [
            Box(
                _MARGIN + batch.position * scale,
                batch.size * scale,
                "found" if batch.position == found else "passed" if batch.position in passed else "",
                f"{batch.base_offset}",
            )
            for batch in segment.batches()
        ]
        taken = scan.lookup.entry if scan else None
        entries = [
            Entry(_MARGIN + entry.position * scale, f"{entry.offset}", entry == taken) for entry in segment.offset_index
        ]
        rows.append(Row(number * _ROW, f"{segment.base_offset}", scan is not None, boxes, entries))
    return render("log_map.svg.j2", rows=rows, label=label, width=_WIDTH + 4, height=len(rows) * _ROW)
