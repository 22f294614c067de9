"""Share groups (KIP-932): share sessions, and which records are acquired, by whom, how often.

The end of an acquisition lock comes when somebody says so, not with time: see `Shares.end_locks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kafka_format.spec.layout import specification

_number = specification().enums["acknowledge_type"].number
GAP, RELEASE, RENEW = _number("gap"), _number("release"), _number("renew")
"""The first, one and the last of what is said of a record that was delivered."""

OPENS, CLOSES = 0, -1
"""Epochs of a request that opens a share session, and of one that closes it."""

OTHER: Final = "other"
"""A member that is only played: it has records, and lets go of them when somebody says so."""

MOST_DELIVERIES: Final = 5
"""How often a record is delivered at most; Kafka's group.share.delivery.count.limit."""

MOST_SESSIONS: Final = 1000


class Acquired(NamedTuple):
    """A run of offsets that a member acquired, all for the same time."""

    first: int
    last: int
    delivery_count: int


@dataclass(slots=True)
class SharePartition:
    """The records of a topic, as a group has them.

    Attributes:
        deliveries: how often each was delivered.
        owners: who acquired it, by offset.
        ended: those that are delivered no more: accepted, rejected, or delivered too often.
    """

    deliveries: dict[int, int] = field(default_factory=dict)
    owners: dict[int, str] = field(default_factory=dict)
    ended: set[int] = field(default_factory=set)

    def is_available(self, offset: int) -> bool:
        """Tell whether a record can be acquired."""
        return offset not in self.owners and offset not in self.ended

    def acquire(self, member: str, offsets: Iterable[int]) -> list[Acquired]:
        """Let a member have those records that can be acquired; return them as runs."""
        runs: list[Acquired] = []
        for offset in filter(self.is_available, offsets):
            self.owners[offset] = member
            count = self.deliveries[offset] = self.deliveries.get(offset, 0) + 1
            if runs and (runs[-1].last, runs[-1].delivery_count) == (offset - 1, count):
                runs[-1] = runs[-1]._replace(last=offset)
            else:
                runs.append(Acquired(offset, offset, count))
        return runs

    def acknowledge(self, member: str, said: Sequence[tuple[int, int]]) -> bool:
        """Take what a member says of records, pairs of offset and type.

        False if it has not acquired one of them; then nothing is taken (Kafka's SharePartition).
        """
        if any(self.owners.get(offset) != member for offset, _ in said):
            return False
        for offset, kind in said:
            if kind == RENEW:
                continue
            del self.owners[offset]
            if kind != RELEASE or self.deliveries[offset] >= MOST_DELIVERIES:
                self.ended.add(offset)
        return True

    def take_over(self, member: str, offsets: Sequence[int]) -> None:
        """Let a member have these records and no others, whoever had them."""
        kept = {offset for offset in offsets if self.owners.get(offset) == member}
        for offset in [offset for offset, owner in self.owners.items() if owner == member or offset in offsets]:
            if offset not in kept:
                del self.owners[offset]
        self.acquire(member, offsets)

    def release(self, member: str | None = None) -> None:
        """Let go what a member has acquired, or what all have."""
        for offset in [offset for offset, owner in self.owners.items() if member in {None, owner}]:
            del self.owners[offset]
            if self.deliveries[offset] >= MOST_DELIVERIES:
                self.ended.add(offset)


@dataclass(slots=True)
class ShareSession:
    """A share session: its connection, the epoch that is due, the ids of its topics, in order."""

    connection: int
    epoch: int = 1
    topics: list[bytes] = field(default_factory=list)

    def next_epoch(self) -> None:
        """Go on to the next epoch; behind 2^31-1 comes 1."""
        self.epoch = self.epoch % (2**31 - 1) + 1


class Shares:
    """Share sessions by group and member, and what groups have of topics."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[str, str], ShareSession] = {}
        self._partitions: dict[tuple[str, bytes], SharePartition] = {}

    def partition(self, group: str, topic: bytes) -> SharePartition:
        """Return what a group has of a topic."""
        return self._partitions.setdefault((group, topic), SharePartition())

    def open(self, group: str, member: str, connection: int) -> ShareSession:
        """Open a session; one that the member had is closed."""
        self.close(group, member)
        opened = self._sessions[group, member] = ShareSession(connection)
        if len(self._sessions) > MOST_SESSIONS:
            self.close(*next(iter(self._sessions)))
        return opened

    def find(self, group: str, member: str) -> ShareSession | None:
        """Find the session of a member."""
        return self._sessions.get((group, member))

    def close(self, group: str, member: str) -> None:
        """Close a session, and let go what its member has acquired; it need not be there."""
        if self._sessions.pop((group, member), None) is None:
            return
        for (owner, _), partition in self._partitions.items():
            if owner == group:
                partition.release(member)

    def hang_up(self, connection: int) -> None:
        """Close the sessions of a connection that is closed (SharePartitionManager)."""
        for key in [key for key, session in self._sessions.items() if session.connection == connection]:
            self.close(*key)

    def give_other(self, group: str, topic: bytes, offsets: Sequence[int]) -> None:
        """Let another member have these records of a topic, whoever had them, and no others.

        Those that it did not have are delivered to it by that.
        """
        partition = self.partition(group, topic)
        partition.take_over(OTHER, offsets)

    def end_locks(self) -> None:
        """Let all acquisition locks end, as if their time were over."""
        for partition in self._partitions.values():
            partition.release()
