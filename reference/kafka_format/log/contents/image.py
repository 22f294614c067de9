"""The image of a cluster's metadata: what is there after its records were replayed.

It has what the deltas of Kafka's broker and controller keep (metadata MetadataImage), by the names
of their records. Ids of 16 bytes are texts of 22 letters.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Partition(NamedTuple):
    """A partition: its replicas, who of them is in sync, its leader, and their directories."""

    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    leader: int
    leader_epoch: int
    partition_epoch: int
    directories: tuple[str, ...] = ()
    adding_replicas: tuple[int, ...] = ()
    removing_replicas: tuple[int, ...] = ()


@dataclass(slots=True)
class Topic:
    """A topic: its name, and its partitions by number."""

    name: str
    partitions: dict[int, Partition] = field(default_factory=dict)


@dataclass(slots=True)
class Broker:
    """A registration of a broker."""

    epoch: int
    incarnation_id: str
    fenced: bool
    in_controlled_shutdown: bool
    log_dirs: tuple[str, ...]
    end_points: tuple[str, ...]
    features: dict[str, tuple[int, int]]
    rack: str | None


@dataclass(slots=True)
class Image:
    """The metadata of a cluster at an offset.

    Attributes:
        offset: the offset after the last record that it has.
        brokers: registrations by the id of the broker; `controllers` those of controllers.
        topics: by topic id.
        configs: settings by kind of resource and its name.
        features: finalized levels; metadata.version is one of them.
        quotas: by entity, as pairs of kind and name.
        acls: entries by id; `credentials` by user and mechanism, `tokens` by id.
        next_producer_id: the first producer id that was not yet given away; None if none was.
        transaction: where a transaction of metadata began that is open; None for none.
        forgotten: who was in sync of partitions that a second record of their topic's id made the
            image forget, by topic id and number; controllers still have them by broker.
    """

    offset: int = 0
    brokers: dict[int, Broker] = field(default_factory=dict)
    controllers: dict[int, Any] = field(default_factory=dict)
    topics: dict[str, Topic] = field(default_factory=dict)
    configs: dict[tuple[int, str], dict[str, str]] = field(default_factory=dict)
    features: dict[str, int] = field(default_factory=dict)
    quotas: dict[tuple[tuple[str, str | None], ...], dict[str, float]] = field(default_factory=dict)
    acls: dict[str, Any] = field(default_factory=dict)
    credentials: dict[tuple[str, int], Any] = field(default_factory=dict)
    tokens: dict[str, Any] = field(default_factory=dict)
    next_producer_id: int | None = None
    transaction: int | None = None
    forgotten: dict[tuple[str, int], tuple[int, ...]] = field(default_factory=dict)

    def copy(self) -> Image:
        """Return an image that changes by itself."""
        return copy.deepcopy(self)

    def topic_id(self, name: str) -> str | None:
        """Return the id of a topic; None if it is not there."""
        return next((number for number, topic in self.topics.items() if topic.name == name), None)
