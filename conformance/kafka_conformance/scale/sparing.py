"""What a target is spared: batches with a fault that is known to kill it.

Thousands of generated batches have the same fault. A target that dies of it must be started again for each, or waited
for as long as a batch may take, and tells nothing new by it. So after some deaths of one sort (format, codec and
fault), the others of that sort are not put. They have an outcome of their own, which is counted: nobody takes them for
passed. Some decoders die now and then of anything, which is no reason to spare them what their next batch happens to
have: a fault counts as the cause if it kills in a tenth of all cases. Batches without a fault are always put.
"""

from collections import Counter
from collections.abc import Sequence

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.batches import Batches, Sort

SHARE = 0.1
"""Of the batches of a sort that were put, so many must have killed the target before the others are spared."""


class Sparing:
    """Which sorts of batches kill a target."""

    def __init__(self, target: str, deaths: int) -> None:
        """After so many `deaths` of a sort, spare the target the others; 0 for never."""
        self._target = target
        self._most = deaths
        self._put: Counter[Sort] = Counter()
        self._deaths: Counter[Sort] = Counter()
        self._known: set[Sort] = set()

    def put(self, batches: Batches) -> None:
        """Take down that a block is about to be put."""
        self._put.update(batches.sorts)

    def died(self, batches: Batches, number: int) -> None:
        """Take down that a batch, by its number, has killed the target."""
        sort = batches.sort(number)
        self._deaths[sort] += 1
        deaths = self._deaths[sort]
        if _has_fault(sort) and 0 < self._most <= deaths and deaths >= SHARE * self._put[sort]:
            self._known.add(sort)

    def spare(self, batches: Batches, numbers: Sequence[int], results: dict[int, Result]) -> Sequence[int]:
        """Give the numbers that are to be put; the others get their results here."""
        if self._known.isdisjoint(batches.sorts):
            return numbers
        left = []
        for number in numbers:
            if batches.sort(number) in self._known:
                results[number] = self._spared(batches.start + number)
            else:
                left.append(number)
        return left

    def _spared(self, index: int) -> Result:
        return Result(str(index), self._target, Outcome.SPARED, detail="batches with the same fault have killed it")


def _has_fault(sort: Sort) -> bool:
    return bool(sort[2])
