"""Leader epochs of rescued batches that are out of line, and what stands in their place.

The epoch is outside the checksum of a batch, so a flipped bit of it leaves the batch sound. But a
broker fills its leader-epoch-checkpoint from these epochs, and replicas are cut by it. Epochs never
fall in a log, so the longest row of epochs that do not fall is right, and a batch that is not in it
gets the epoch of the one before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.log.batches import Batch, batches
from kafka_format.log.partition import PartitionLog
from kafka_format.log.rescue.found import SegmentRescue, are_moved
from kafka_format.records.model import NO_EPOCH

_BATCH: Final = prefix("record_batch")
_PLACE: Final = _BATCH.places["partition_leader_epoch"]


class OddEpoch(NamedTuple):
    """A leader epoch that is out of line: of the batch with that offset, and what is right."""

    offset: int
    epoch: int
    right: int


def odd_epochs(rescued: Sequence[SegmentRescue]) -> list[OddEpoch]:
    """Return the batches whose leader epoch is out of line, by offset."""
    known = [epoch for each in rescued for epoch in each.epochs if epoch != NO_EPOCH]
    if not are_moved(rescued) and all(before <= epoch for before, epoch in pairwise(known)):
        return []
    found = [(batch.base_offset, batch.leader_epoch) for batch in _in_order(rescued) if batch.leader_epoch >= 0]
    kept = _longest_rising([epoch for _, epoch in found])
    odd, right = list[OddEpoch](), found[kept[0]][1] if kept else NO_EPOCH
    in_line = set(kept)
    for at, (offset, epoch) in enumerate(found):
        if at in in_line:
            right = epoch
        else:
            odd.append(OddEpoch(offset, epoch, right))
    return odd


def _in_order(rescued: Sequence[SegmentRescue]) -> Iterator[Batch]:
    runs = sorted(((run, each.data) for each in rescued for run in each.runs), key=lambda pair: pair[0].first_offset)
    for run, data in runs:
        yield from (batch for batch in batches(data, run.start, run.end) if batch.is_v2)


def _longest_rising(numbers: Sequence[int]) -> list[int]:
    """Return the places of the longest row of numbers that do not fall."""
    tails, places, before = list[int](), list[int](), list[int]()
    for place, number in enumerate(numbers):
        at = bisect_right(tails, number)
        before.append(places[at - 1] if at else -1)
        tails[at : at + 1], places[at : at + 1] = [number], [place]
    row, place = list[int](), places[-1] if places else -1
    while place >= 0:
        row.append(place)
        place = before[place]
    return row[::-1]


def mend(folder: Path, odd: Sequence[OddEpoch]) -> None:
    """Write the right epochs into the segments of a folder.

    Raises:
        OSError: a file cannot be written.
    """
    right = {each.offset: each.right for each in odd}
    if not right:
        return
    with PartitionLog(folder) as log:
        places = [
            (segment.path, batch.position + _PLACE, right[batch.base_offset])
            for segment in log.segments
            for batch in segment.whole_batches()
            if batch.is_v2 and batch.base_offset in right
        ]
    for path, place, epoch in places:
        with path.open("r+b") as file:
            file.seek(place)
            file.write(epoch.to_bytes(4, "big"))
