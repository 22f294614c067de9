"""The topics that the suite makes on a broker: made, found, and deleted, they and no others.

Their names begin with `kafka-conformance-` and end in a random number, so that they meet no other
topic. A broker that does not know CreateTopics makes them when it is asked about them.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any, Final

from kafka_format.broker.offsets import PRODUCER

from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.broker import requests
from kafka_conformance.kinds.broker.connection import Call, error_name
from kafka_conformance.kinds.broker.questions import Settings
from kafka_conformance.kinds.broker.versions import Versions
from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets.broker_address import Address

PREFIX: Final = "kafka-conformance-"

_FOREVER: Final = str(2**63 - 1)
_LARGEST: Final = str(100 << 20)
NO_ERROR: Final = 0
_UNKNOWN_TOPIC: Final = 3
_INVALID_TOPIC: Final = 17
_INVALID_CONFIG: Final = 40
_CODECS: Final = {"none": "uncompressed"}
"""What Kafka's settings call a codec, where that is not its name."""

_WAIT_SECONDS: Final = 0.05
_LITTLE: Final = 1024
_NO_ID: Final = bytes(16)

_ALWAYS: Final[Mapping[str, str]] = {
    "max.message.bytes": _LARGEST,
    "retention.ms": "-1",
    "segment.ms": _FOREVER,
}
"""Large vectors are let in, and old timestamps keep nothing from being served."""

_WINDOWS: Final[tuple[Mapping[str, str], ...]] = (
    {"message.timestamp.before.max.ms": _FOREVER, "message.timestamp.after.max.ms": _FOREVER},
    {"message.timestamp.difference.max.ms": _FOREVER},
    {},
)
"""Any timestamp is let in: the settings of Kafka 3.6 and newer (KIP-937), those before, and none
for brokers that know neither."""


@dataclass(slots=True)
class OwnTopic:
    """A topic that the suite made.

    Attributes:
        name: its name.
        settings: what it was made with.
        id: its id, zero if the broker tells none.
        epochs: epochs of the leaders of its partitions; None if the broker does not tell.
        configs: the settings in Kafka's names, as the broker took them.
    """

    name: str
    settings: Settings
    id: bytes = _NO_ID
    epochs: list[int | None] = field(default_factory=list)
    configs: Mapping[str, str] = field(default_factory=dict)


def announcement(run: str) -> str:
    """Say what a run makes on a broker, before it does."""
    names = f"{PREFIX}{run}-1 and so on"
    return f"makes topics and groups named {names}, writes to these alone, and deletes them at the end"


class OwnTopics:
    """The topics that the suite made on one broker."""

    def __init__(self, address: Address, versions: Versions, seconds: float, run: str = "") -> None:
        """Know where they are made.

        Args:
            address: the broker.
            versions: what it has.
            seconds: time that it has to make a topic.
            run: what their names have in common; a random number, unless it is said.
        """
        self.prefix = f"{PREFIX}{run or secrets.token_hex(4)}-"
        self._address, self._versions, self._seconds = address, versions, seconds
        self._made: dict[str, OwnTopic] = {}
        self._count = 0

    @property
    def names(self) -> list[str]:
        """The names of all that were made and not deleted."""
        return list(self._made)

    def make(self, ask: Callable[[Call], Any], settings: Settings, partitions: int) -> OwnTopic:
        """Make a topic, and wait until its partitions have leaders.

        Args:
            ask: sends a request to the broker, and returns the body of its response.
            settings: its settings.
            partitions: how many it has; a broker without CreateTopics decides itself.

        Raises:
            TargetLostError: the broker does not make it.
        """
        # Noted before it is made: who is interrupted on the way deletes it all the same.
        name = self.fresh_name()
        topic = self._made[name] = OwnTopic(name, settings)
        if self._versions.of("create_topics"):
            self._create(ask, topic, partitions)
        self._find(ask, topic)
        return topic

    def fresh_name(self) -> str:
        """Return a name that nothing has yet."""
        self._count += 1
        return f"{self.prefix}{self._count}"

    def note(self, name: str) -> None:
        """Note that a topic may get a name of ours, so that it is deleted with the others."""
        if name.startswith(self.prefix):
            self._made.setdefault(name, OwnTopic(name, Settings()))

    def delete(self, ask: Callable[[Call], Any]) -> str:
        """Delete what was made; return why something stays, in words; empty if nothing does."""
        version = self._versions.newest("delete_topics")
        if not self._made:
            return ""
        if version is None:
            return "the broker has no DeleteTopics"
        body = ask(requests.delete_topics(version, self.names))
        errors = {row.name: row.error_code for row in body.responses}
        for name, code in errors.items():
            if code in {NO_ERROR, _UNKNOWN_TOPIC, _INVALID_TOPIC}:
                self._made.pop(name, None)
        return ", ".join(sorted({error_name(errors.get(name, -1)) for name in self._made}))

    def _create(self, ask: Callable[[Call], Any], topic: OwnTopic, partitions: int) -> None:
        version, words = self._versions.newest("create_topics"), ""
        node = self._node(ask)
        assert version is not None  # noqa: S101 - `make` has looked
        for configs in _configs(topic.settings):
            body = ask(requests.create_topic(version, topic.name, partitions, node, configs))
            (row,) = body.topics
            words = f"{error_name(row.error_code)} {getattr(row, 'error_message', None) or ''}".strip()
            if not row.error_code:
                topic.configs = configs
                return
            if row.error_code != _INVALID_CONFIG:
                break
        del self._made[topic.name]  # refused, so it is not there, or somebody else's
        raise TargetLostError(Outcome.BROKEN_PROTOCOL, f"does not create the topic {topic.name}: {words}")

    def _node(self, ask: Callable[[Call], Any]) -> int | None:
        """Return the node that the user named, of several; None if there is one only.

        Raises:
            TargetLostError: none of several is known by that address.
        """
        version = self._versions.newest("metadata")
        nodes = ask(requests.metadata(version or 0, [])).brokers
        if len(nodes) < 2:
            return None
        for node in nodes:
            if (node.host, node.port) == tuple(self._address):
                return int(node.node_id)
        known = ", ".join(f"{node.host}:{node.port}" for node in nodes)
        raise TargetLostError(
            Outcome.BROKEN_PROTOCOL, f"is one of several, and calls itself none of {self._address}: name one of {known}"
        )

    def _find(self, ask: Callable[[Call], Any], topic: OwnTopic) -> None:
        """Wait until every partition has a leader, and note what the broker tells of the topic."""
        version, until, row = self._versions.newest("metadata") or 0, monotonic() + self._seconds, None
        while monotonic() < until:
            row = next(iter(ask(requests.metadata(version, [topic.name])).topics), None)
            if row is not None and row.partitions and not row.error_code and _is_led(row):
                topic.id = getattr(row, "topic_id", _NO_ID)
                in_order = sorted(row.partitions, key=lambda partition: partition.partition_index)
                topic.epochs = [getattr(partition, "leader_epoch", None) for partition in in_order]
                if self._is_served(ask, topic):
                    return
            sleep(_WAIT_SECONDS)
        last = "" if row is None else f": {error_name(row.error_code)}"
        raise TargetLostError(Outcome.HUNG, f"has no leader for {topic.name} after {self._seconds:g} s{last}")

    def _is_served(self, ask: Callable[[Call], Any], topic: OwnTopic) -> bool:
        """Tell whether every partition can be fetched: a leader may be named before it knows.

        Tansu leaves partitions without records out of its response.
        """
        versions = self._versions.fetching(topic.id)
        offsets = dict.fromkeys(range(len(topic.epochs)), 0)
        body = ask(requests.fetch(versions[-1] if versions else 0, topic.name, topic.id, offsets, _LITTLE, 0))
        errors = [row.error_code for response in body.responses for row in response.partitions]
        return not getattr(body, "error_code", 0) and not any(errors)


def _is_led(row: Any) -> bool:
    return all(partition.leader_id >= 0 and not partition.error_code for partition in row.partitions)


def _configs(settings: Settings) -> Iterator[dict[str, str]]:
    """Yield the settings of a topic in Kafka's names, from all that is wished to what is needed."""
    needed = {"compression.type": _CODECS.get(settings.codec, settings.codec)} if settings.codec != PRODUCER else {}
    if settings.timestamp_type:
        needed["message.timestamp.type"] = "LogAppendTime"
    if settings.release:
        needed["message.format.version"] = settings.release
    for window in _WINDOWS:
        yield {**_ALWAYS, **window, **needed}
    yield needed
