"""What the broker has in mind, and one request on its way to an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final, NamedTuple

from kafka_format import protocol

from kafka_tools.server.groups import Groups
from kafka_tools.server.interference import Interference
from kafka_tools.server.members import Members
from kafka_tools.server.notes import Notes
from kafka_tools.server.producers import Producers
from kafka_tools.server.sessions import Sessions
from kafka_tools.server.settings import BrokerSettings
from kafka_tools.server.shares import Shares
from kafka_tools.server.topics import Topics

NODE: Final = 1
"""The first node, and usually the only one."""

CLUSTER: Final = "kafka-format-conformance"


class Produced(NamedTuple):
    """What a producer sent for one partition.

    Attributes:
        topic: name of the topic.
        version: version of the request.
        records: the bytes, as they came.
        client_id: the client's id.
        transactional_id: id of the transaction, if it named one.
        acks: how many acknowledgements it wants.
        partition: number of the partition.
    """

    topic: str
    version: int
    records: bytes
    client_id: str | None = None
    transactional_id: str | None = None
    acks: int = 1
    partition: int = 0


@dataclass(slots=True)
class BrokerState:
    """What the broker has in mind.

    Attributes:
        settings: how it behaves.
        topics: what it serves.
        notes: what clients sent.
        groups: members of groups, and committed offsets.
        members: members of groups to which the broker assigns partitions.
        shares: sessions and records of share groups.
        producers: sequences, epochs and transactions, if the settings say that it looks at them.
        is_refusing: True while a request is answered of which nothing is to be done, since whoever
            meddles makes an error of the answer.
        coordinator: the node that coordinates groups and transactions.
        sessions: fetch sessions.
        produced_records: what producers sent, in order.
        on_produced: called for each.
        captured_bytes: size of `produced_records`.
        ports: the port of each node.
        clock: tells the time, in seconds.
        meddler: says of each request what is done to its answer; None if nothing ever is.
    """

    settings: BrokerSettings
    topics: Topics
    notes: Notes
    groups: Groups = field(default_factory=Groups)
    members: Members = field(default_factory=Members)
    shares: Shares = field(default_factory=Shares)
    producers: Producers = field(default_factory=Producers)
    is_refusing: bool = False
    coordinator: int = NODE
    sessions: Sessions = field(default_factory=Sessions)
    produced_records: list[Produced] = field(default_factory=list)
    on_produced: Callable[[Produced], None] | None = None
    captured_bytes: int = 0
    ports: dict[int, int] = field(default_factory=dict)
    clock: Callable[[], float] = monotonic
    meddler: Callable[[Call], Interference] | None = None


@dataclass(slots=True)
class Connection:
    """One connection of a client.

    Attributes:
        number: counts connections from 1.
        address: where the client is, `host:port`.
        host: the address that the client reached, which metadata gives back to it.
        port: the port that it reached.
        takes_tokens: how many frames of SASL tokens without a header are due, after a handshake of
            version 0.
        node: the node that it reached.
        session_end: until when it is authenticated, by the broker's clock; None before.
    """

    number: int
    address: str
    host: str
    port: int
    takes_tokens: int = 0
    node: int = NODE
    session_end: float | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One request, and what makes its answer."""

    state: BrokerState
    connection: Connection
    api: str
    version: int
    body: Any
    client_id: str | None = None

    def make(self, name: str, /, **values: object) -> Any:
        """Make a structure of the response; values that this version has no field for are left out.

        Args:
            name: the structure, as its layout calls it.
            values: by field, of any version.
        """
        kind = protocol.response(self.api, self.version).types[name]
        return kind(**{field: value for field, value in values.items() if field in kind._fields})

    def answer(self, **values: object) -> Any:
        """Make the body of the response."""
        return self.make(f"{self.api}_response", **values)

    def field(self, name: str, usual: Any = None) -> Any:
        """Return a field of the request, or what is usual where the version has none."""
        return getattr(self.body, name, usual)
