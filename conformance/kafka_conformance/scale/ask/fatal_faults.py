"""Faults that have killed a target so often that further batches with them are skipped.

Thousands of generated batches have the same fault. A target that dies of it must be started again
for each, or waited for as long as a batch may take, and nothing new comes of it. So after some
deaths of one sort (format, codec and fault), the others of that sort are skipped. They are counted
as skipped, never as passed. Some decoders die now and then of anything, whatever their next batch
is: a fault counts as the cause if it kills in a tenth of all cases. Batches without a fault are
always put.
"""

from collections import Counter
from collections.abc import Sequence

from kafka_conformance.scale.batches import Batches, Sort

SHARE = 0.1
"""Of the batches of a sort that were put, so many must have killed the target before the others are
skipped."""


class FatalFaults:
    """Which sorts of batches kill a target."""

    def __init__(self, deaths: int) -> None:
        """After so many `deaths` of a sort, skip the others; 0 for never."""
        self._most = deaths
        self._put: Counter[Sort] = Counter()
        self._deaths: Counter[Sort] = Counter()
        self._known: set[Sort] = set()

    def note_sent(self, batches: Batches) -> None:
        """Note that a block is about to be sent."""
        self._put.update(batches.sorts)

    def note_death(self, batches: Batches, number: int) -> None:
        """Note that a batch, by its number, has killed the target."""
        sort = batches.sort(number)
        self._deaths[sort] += 1
        deaths = self._deaths[sort]
        if sort.fault and 0 < self._most <= deaths and deaths >= SHARE * self._put[sort]:
            self._known.add(sort)

    def leave_out(self, batches: Batches, numbers: Sequence[int], skipped: set[int]) -> Sequence[int]:
        """Return the numbers of batches to send; the others are added to `skipped`."""
        if self._known.isdisjoint(batches.sorts):
            return numbers
        skipped.update(number for number in numbers if batches.sort(number) in self._known)
        return [number for number in numbers if number not in skipped]
