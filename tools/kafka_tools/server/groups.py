"""Groups with one member each, who is the leader, and committed offsets."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

MOST_OFFSETS: Final = 100_000


class Committed(NamedTuple):
    """What a group committed of a topic: the next offset, and the epoch of the record before it."""

    offset: int
    leader_epoch: int = -1


NOTHING: Final = Committed(-1)


class Groups:
    """Committed offsets by group and topic, and the names of members."""

    def __init__(self) -> None:
        self._offsets: dict[tuple[str, str], Committed] = {}
        self._generations: Counter[str] = Counter()
        self._members = 0

    def new_member(self) -> str:
        """Name a member."""
        self._members += 1
        return f"member-{self._members}"

    def new_generation(self, group: str) -> int:
        """Count the generations of a group from 1."""
        if len(self._generations) >= MOST_OFFSETS:
            self._generations.clear()
        self._generations[group] += 1
        return self._generations[group]

    def commit(self, group: str, topic: str, offset: int, leader_epoch: int = -1) -> None:
        """Keep an offset; the oldest gives way if there are too many."""
        self._offsets[group, topic] = Committed(offset, leader_epoch)
        if len(self._offsets) > MOST_OFFSETS:
            del self._offsets[next(iter(self._offsets))]

    def committed_offset(self, group: str, topic: str) -> Committed:
        """Return what was committed; offset -1 for nothing."""
        return self._offsets.get((group, topic), NOTHING)

    def forget(self, topic: str) -> None:
        """Forget all offsets of a topic, which is deleted."""
        for key in [key for key in self._offsets if key[1] == topic]:
            del self._offsets[key]

    def topics(self, group: str) -> list[str]:
        """List the topics that a group committed offsets for."""
        return [topic for owner, topic in self._offsets if owner == group]
