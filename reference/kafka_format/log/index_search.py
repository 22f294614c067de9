"""Kafka's search of an index: by halves, since 2.1 its end first (AbstractIndex; KAFKA-6432).

The search is written as Kafka does it, step for step. On entries that rise every search finds the
same; on entries that do not, such as the zeros after an index after a crash, what is found depends
on the steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from kafka_format.spec.layout.release_table import numbers

WARM_BYTES: Final = 8192
"""The end of an index that is searched first, since brokers mostly look for what is new."""

WARM_SINCE: Final = (2, 1)


class IndexSearch(NamedTuple):
    """The result of a binary search, and the entries that it looked at.

    Attributes:
        slot: number of the largest entry that is not above the target; -1 if there is none.
        probes: numbers of the entries that were looked at, in order.
    """

    slot: int
    probes: tuple[int, ...]


def search(count: int, key: Callable[[int], int], target: int, entry_size: int, release: str) -> IndexSearch:
    """Find the largest entry whose key is not above the target.

    Args:
        count: number of entries.
        key: the key of an entry by its number.
        target: what is looked for.
        entry_size: bytes of an entry, which say how many the warm end has.
        release: release of Kafka that searches, for example `3.9`.
    """
    probes: list[int] = []

    def probe(slot: int) -> int:
        probes.append(slot)
        return key(slot)

    def halves(low: int, high: int) -> int:
        while low < high:
            middle = (low + high + 1) // 2
            value = probe(middle)
            if value == target:
                return middle
            low, high = (low, middle - 1) if value > target else (middle, high)
        return low

    if count == 0:
        return IndexSearch(-1, ())
    last = count - 1
    if numbers(release) < WARM_SINCE:
        slot = -1 if probe(0) > target else halves(0, last)
        return IndexSearch(slot, tuple(probes))
    warm = max(0, last - WARM_BYTES // entry_size)
    if probe(warm) < target:
        return IndexSearch(halves(warm, last), tuple(probes))
    slot = -1 if probe(0) > target else halves(0, warm)
    return IndexSearch(slot, tuple(probes))
