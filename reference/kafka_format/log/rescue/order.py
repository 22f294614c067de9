"""Puts sound batches in the order of their offsets, and leaves out those that are there already."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from kafka_format.log.batches import Batch, batches
from kafka_format.log.rescue.found import BatchRun, LeftOut, SegmentRescue, records_of, run_of


class Order:
    """Puts the batches of runs, in each of which offsets rise, in the order of all offsets."""

    def __init__(self, rescues: Sequence[SegmentRescue]) -> None:
        self._rescues = rescues
        self._kept: tuple[int, Batch] | None = None

    def arrange(self) -> None:
        """Leave out what is there already, and let each run be whole in the order of all."""
        streams = [self._batches(number, run) for number, each in enumerate(self._rescues) for run in each.runs]
        for each in self._rescues:
            each.runs = []
        for number, batch in heapq.merge(*streams, key=_by_offset):
            if self._kept is not None and batch.base_offset <= self._kept[1].last_offset:
                self._leave_out(number, batch, *self._kept)
            else:
                self._keep(number, batch)

    def _batches(self, number: int, run: BatchRun) -> Iterator[tuple[int, Batch]]:
        for batch in batches(self._rescues[number].data, run.start, run.end):
            yield number, batch

    def _keep(self, number: int, batch: Batch) -> None:
        runs = self._rescues[number].runs
        is_next = self._kept is not None and self._kept[0] == number and runs[-1].end == batch.position
        if is_next:
            runs[-1] = runs[-1]._replace(end=batch.end, last_offset=batch.last_offset)
        else:
            runs.append(run_of(batch))
        self._kept = number, batch

    def _leave_out(self, number: int, batch: Batch, of: int, kept: Batch) -> None:
        """Note a batch that is not kept, together with those before it that are like it."""
        mine, count = self._rescues[number], records_of(batch)
        mine.batches -= 1
        mine.records -= count
        same = batch.data == kept.data
        segment = self._rescues[of].segment
        new = LeftOut(*run_of(batch), segment, kept.position, same, 1, count)
        before = mine.left_out[-1] if mine.left_out else None
        if before and (before.end, before.kept, before.are_same) == (batch.position, segment, same):
            mine.left_out[-1] = before._replace(
                end=new.end,
                last_offset=new.last_offset,
                batches=before.batches + 1,
                records=before.records + count,
            )
        else:
            mine.left_out.append(new)


def _by_offset(numbered: tuple[int, Batch]) -> tuple[int, int, int]:
    number, batch = numbered
    return batch.base_offset, -batch.leader_epoch, number
