"""Partitions for vectors: some that many share, and one for each producer that a broker remembers.

A broker keeps the last sequence of each producer, so two batches of one producer id cannot stand in
one partition, unless the second continues the first. A partition in which nothing was appended is
used again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from kafka_conformance.kinds.broker.connection import Call
from kafka_conformance.kinds.broker.own_topics import OwnTopic, OwnTopics
from kafka_conformance.kinds.broker.questions import Settings

SHARED: Final = 8
"""Partitions of a topic that vectors without producer id share."""

PARTITIONS: Final = 256
"""Partitions that are made at a time for producers that the broker remembers."""


class Partition(NamedTuple):
    """One partition."""

    topic: OwnTopic
    number: int

    @property
    def leader_epoch(self) -> int | None:
        """The epoch of its leader, if the broker tells."""
        return self.topic.epochs[self.number]


class Partitions:
    """The partitions of the topics of one run."""

    def __init__(self, topics: OwnTopics) -> None:
        """Begin without any."""
        self._topics = topics
        self._shared: dict[Settings, deque[Partition]] = {}
        self._free: dict[Settings, deque[Partition]] = {}

    def shared(self, ask: Callable[[Call], Any], settings: Settings) -> Partition:
        """Return a partition that others use too.

        Raises:
            TargetLostError: the broker does not create the topic.
        """
        if settings not in self._shared:
            self._shared[settings] = deque(self._make(ask, settings, SHARED))
        partitions = self._shared[settings]
        partitions.rotate()
        return partitions[0]

    def reserve(self, ask: Callable[[Call], Any], settings: Settings) -> Partition:
        """Return a partition in which nothing was appended, for one vector alone.

        Raises:
            TargetLostError: the broker does not create the topic.
        """
        free = self._free.setdefault(settings, deque())
        if not free:
            free += self._make(ask, settings, PARTITIONS)
        return free.popleft()

    def give_back(self, partition: Partition) -> None:
        """Use a partition again in which nothing was appended."""
        self._free[partition.topic.settings].append(partition)

    def forget(self) -> None:
        """Forget all partitions, after a broker was started anew."""
        self._shared.clear()
        self._free.clear()

    def _make(self, ask: Callable[[Call], Any], settings: Settings, partitions: int) -> list[Partition]:
        topic = self._topics.make(ask, settings, partitions)
        return [Partition(topic, index) for index in range(len(topic.epochs))]
