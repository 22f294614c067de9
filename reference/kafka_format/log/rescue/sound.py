"""The sound batches of all segments of a log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kafka_format.log.leftovers import LeftoverAction, in_partition
from kafka_format.log.names import FileKind, parse_file
from kafka_format.log.partition import PartitionLog
from kafka_format.log.preallocation import is_room
from kafka_format.log.rescue.found import Mended, SegmentRescue, are_in_order
from kafka_format.log.rescue.offsets import surely_odd
from kafka_format.log.rescue.order import Order
from kafka_format.log.rescue.search import Search
from kafka_format.log.segment import Segment

_FAR: Final = 1 << 33
"""A batch so far above all segments has a wrong offset, which no checksum covers."""


def find_sound(log: PartitionLog) -> list[SegmentRescue]:
    """Find the sound batches of a log, segment by segment.

    A segment that was cleaned and only had to be renamed (`.swap`) is taken where one that it was
    made of is broken or gone; else those have all that is in it.

    Raises:
        OSError: a file cannot be read.
    """
    highest = max((segment.base_offset for segment in log.segments), default=0) + _FAR
    following = [*(segment.base_offset for segment in log.segments[1:]), None]
    following = following[-len(log.segments) :]
    rescues = [Search(segment, highest, base).done() for segment, base in zip(log.segments, following, strict=True)]
    odd: dict[int, list[Mended]] = {}
    for number, each in surely_odd(rescues):
        odd.setdefault(number, []).append(each)
    for number, mended in odd.items():
        rescues[number] = Search(log.segments[number], highest, following[number], mended).done()
    if rescues:
        _drop_room(rescues[-1])
    for leftover in in_partition(log.folder):
        name = parse_file(leftover.path.name)
        if leftover.action is LeftoverAction.SWAPPED and name is not None and name.kind is FileKind.SEGMENT:
            swapped = Search(Segment(leftover.path), highest).done()
            if _is_needed(swapped, rescues):
                rescues.append(swapped)
    if not are_in_order(rescues):
        Order(rescues).arrange()
    return rescues


def _drop_room(last: SegmentRescue) -> None:
    """Take room that a broker allocated at the end of a log for no loss."""
    size = last.segment.size
    if last.losses and last.losses[-1].end == size and is_room(last.segment, last.losses[-1].start):
        last.losses.pop()


def _is_needed(swapped: SegmentRescue, rescues: Sequence[SegmentRescue]) -> bool:
    base = swapped.segment.base_offset
    last = max((run.last_offset for run in swapped.runs), default=-1)
    replaced = [each for each in rescues if base <= each.segment.base_offset <= last]
    is_there = any(each.segment.base_offset == base and not each.segment.is_made for each in replaced)
    return bool(swapped.runs) and (not is_there or any(each.losses for each in replaced))
