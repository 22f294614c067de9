"""Base offsets of sound batches that are out of line, and what stands in their place.

The offset is outside the checksum of a batch, so a flipped bit of it leaves the batch sound, but in
the place of others. It is set right where just as many offsets are missing around the batch as it
has, and where it is not the batch that changed its place: another one has its offsets, or a single
bit is wrong and no batch stands beside the offsets that it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kafka_format.log.batches import Batch, batches
from kafka_format.log.rescue.found import Mended, SegmentRescue

_MOST: Final = 100
"""Batches out of line that are looked at: for each the batches near its offsets are read."""

_OFFSET_SIZE: Final = 8


def surely_odd(rescues: Sequence[SegmentRescue]) -> Iterator[tuple[int, Mended]]:
    """Yield the offsets that are wrong, with the number of the rescue of their segment."""
    doubtful = [(number, odd) for number, each in enumerate(rescues) for odd in each.doubtful]
    for number, odd in doubtful[:_MOST]:
        if _is_wrong(odd, rescues[number], rescues):
            yield number, odd


def _is_wrong(odd: Mended, mine: SegmentRescue, rescues: Sequence[SegmentRescue]) -> bool:
    """Tell whether an offset is wrong, and not the batch in the wrong place."""
    batch = next(batches(mine.data, odd.position))
    content, is_beside = batch.data[_OFFSET_SIZE:], False
    for each, other in _around(batch, rescues):
        if each is mine and other.position == odd.position:
            continue
        if other.base_offset <= batch.last_offset and other.last_offset >= batch.offset:
            return other.data[_OFFSET_SIZE:] != content
        is_beside = True
    return not is_beside and (odd.value ^ odd.right).bit_count() == 1


def _around(batch: Batch, rescues: Sequence[SegmentRescue]) -> Iterator[tuple[SegmentRescue, Batch]]:
    """Yield the sound batches that have an offset of a batch, or one beside them; itself, too."""
    first, last = batch.offset - 1, batch.last_offset + 1
    near = ((each, run) for each in rescues for run in each.runs)
    for each, run in near:
        if run.first_offset <= last and run.last_offset >= first:
            for other in batches(each.data, run.start, run.end):
                if other.base_offset <= last and other.last_offset >= first:
                    yield each, other
