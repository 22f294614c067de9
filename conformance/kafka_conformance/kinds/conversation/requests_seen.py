"""What a client did in a conversation: its requests, and what its application got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kafka_conformance.kinds.consumer.driver import Got


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """One request of the client.

    Attributes:
        api: its API.
        version: its version.
        node: the node that it came to.
        connection: number of the connection.
        at: when it came, in seconds.
        is_about: True if it is a fetch of the topic of the conversation.
        offset: the fetch offset, the others are those of a fetch, too; -1 for none.
        leader_epoch: the epoch in which the client knows the leader.
        session_id: id of the fetch session; 0 for none.
        session_epoch: its epoch; -1 for no session, 0 for a new one.
        is_named: False if the topic is fetched because the session has it.
        is_forgotten: True if the session is to fetch the topic no more.
        member: the id that the client has in its group; empty for none. Offset and leader epoch of
            a commit are those that it commits.
        fields: what it says, by the names of the layout.
        told: what the broker had told before, of the last answer that named it.
    """

    api: str
    version: int
    node: int
    connection: int
    at: float
    is_about: bool = False
    offset: int = -1
    leader_epoch: int = -1
    session_id: int = 0
    session_epoch: int = -1
    is_named: bool = True
    is_forgotten: bool = False
    member: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    told: Mapping[str, Any] = field(default_factory=dict)

    def value(self, name: str) -> Any:
        """Return what it says in a field, or what is known of it; None if it has no such field."""
        return self.fields[name] if name in self.fields else getattr(self, name, None)


@dataclass(slots=True)
class PlayedStep:
    """A step that was played.

    Attributes:
        step: its number.
        request_count: how many requests had come, that of the step among them.
        connection: number of the connection.
        sent_at: when the answer was out, in seconds; None before.
        missing_field: the field that this version of the answer does not have; empty if it has all.
    """

    step: int
    request_count: int
    connection: int
    sent_at: float | None = None
    missing_field: str = ""


@dataclass(slots=True)
class RequestsSeen:
    """What a client did.

    Attributes:
        requests: its requests, in order.
        steps: the steps that were played, in order.
        got: what the application got.
        events: what it was told besides, in order: `assigned t1 pulse`, `revoked t1`, `lost t1`,
            `committed`.
        log: of a producer, the values that a `read_committed` reader sees of the topic at the end.
        at_close: how many requests had come when the client was closed; None before.
        faults: requests that break a rule, in words.
        stop_reason: why the conversation was ended before the client got to its end; empty if it
            got there.
        ending: how the client was lost when it was stopped, at the end; empty if it was not.
    """

    requests: list[ClientRequest] = field(default_factory=list)
    steps: list[PlayedStep] = field(default_factory=list)
    got: Got = field(default_factory=Got)
    events: Sequence[str] = ()
    log: Sequence[str] = ()
    at_close: int | None = None
    faults: list[str] = field(default_factory=list)
    stop_reason: str = ""
    ending: str = ""

    def request_of(self, played: PlayedStep) -> ClientRequest:
        """Return the request that a step answered."""
        return self.requests[played.request_count - 1]

    def times(self, step: int) -> list[PlayedStep]:
        """Return each time that the step of that number was played."""
        return [played for played in self.steps if played.step == step]

    def fetches(self, start: int = 0) -> list[ClientRequest]:
        """Return the fetches of the topic from the request of that number on."""
        return [request for request in self.requests[start:] if request.is_about]

    @property
    def has_no_session(self) -> bool:
        """True if no fetch of the topic opened a fetch session, or was in one."""
        return all(fetch.session_epoch < 0 for fetch in self.fetches())

    @property
    def position(self) -> int | None:
        """Where the client is: the offset of its last fetch; None if there was none."""
        fetches = self.fetches()
        return fetches[-1].offset if fetches else None
