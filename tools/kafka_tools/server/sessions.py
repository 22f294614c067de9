"""Fetch sessions (KIP-227): the partitions of a client, so that it need name only what changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

FULL, FINAL_EPOCH = 0, -1
"""Epochs of a request that begins a session, and of one that has none."""

MOST_SESSIONS: Final = 1000


@dataclass(frozen=True, slots=True)
class WantedPartition:
    """A partition that a client fetches.

    Attributes:
        name: the topic's name; empty where the request has its id.
        topic_id: its id; None where it has its name.
        partition: the partition.
        offset: where from.
        max_bytes: how much of it.
        leader_epoch: the epoch in which the client knows the leader; -1 for any.
    """

    name: str
    topic_id: bytes | None
    partition: int
    offset: int
    max_bytes: int
    leader_epoch: int = -1

    @property
    def key(self) -> tuple[object, int]:
        """What tells it from others."""
        return self.topic_id or self.name, self.partition


@dataclass(slots=True)
class FetchSession:
    """One session: its id, the epoch that is due, and its partitions, in order."""

    number: int
    epoch: int = 1
    partitions: dict[tuple[object, int], WantedPartition] = field(default_factory=dict)

    def update(
        self, wanted: Iterable[WantedPartition], forgotten: Iterable[tuple[object, int]]
    ) -> list[WantedPartition]:
        """Take in a request, and return all that the session fetches."""
        for key in forgotten:
            self.partitions.pop(key, None)
        for wanted_partition in wanted:
            self.partitions[wanted_partition.key] = wanted_partition
        return list(self.partitions.values())

    def next_epoch(self) -> None:
        """Go on to the next epoch; behind 2^31-1 comes 1."""
        self.epoch = self.epoch % (2**31 - 1) + 1


class Sessions:
    """All sessions; the oldest gives way if there are too many."""

    def __init__(self) -> None:
        self._sessions: dict[int, FetchSession] = {}
        self._opened = 0

    def open(self) -> FetchSession:
        """Open a session."""
        self._opened += 1
        session = self._sessions[self._opened] = FetchSession(self._opened)
        if len(self._sessions) > MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        return session

    def find(self, number: int) -> FetchSession | None:
        """Find a session by its id."""
        return self._sessions.get(number)

    def close(self, number: int) -> None:
        """Close a session; it need not be there."""
        self._sessions.pop(number, None)
