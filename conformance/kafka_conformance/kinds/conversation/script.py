"""A conversation as data: the log, what the broker does in order, and what the client must do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kafka_format.records import Record

from kafka_conformance.kinds.conversation.shapes import Shape
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.vector import Vector


class Telling(StrEnum):
    """Whether the application gets an error."""

    NEVER = "never"

    PASSING = "passing"
    """It may be, by a client that gets to the end all the same."""

    MAY = "may"
    """It may be, and then the client need not go on."""

    MUST = "must"


@dataclass(frozen=True, slots=True)
class Step:
    """What the broker does to the answer of one request.

    Attributes:
        request: the API of the request, the next one that is about the topic; empty for a step that
            the application does.
        do: what the application does: `commit` what it has, or `shutdown` all members.
        instead: another API that a client may choose for the same; empty for none.
        records: how many records the application must have before it.
        when: what the request must be like for the step to be about it (see `shapes`).
        within: `session` if only requests within a fetch session count; else empty.
        times: how many requests in a row.
        until: the API with which the client ends the step; until then, each such request is
            answered so. A broker repeats what it says to heartbeats, and a client may pass over one
            of its answers.
        change: what changes in the cluster before the answer: `first_offset`, `leader`,
            `leader_epoch`, `log` (hex), `last_stable_offset` (None if no transaction is open),
            `versions`; `made` (how often the topic was made), `gone` (it is deleted), `assign`
            (the topics that a member may have; with it, `standby` and `warmup`, those whose tasks a
            member of a streams group has so, or none), `group_epoch` (the group has
            another epoch, and the same assignment), `coordinator` (the node), `locks`
            (all acquisition locks end), `taken` (the offsets that another member of the
            share group has).
        partition: fields of the answer about the topic's partition, by their names in the layout.
        response: fields of the whole answer.
        serve: of the log from the fetch offset on, `entries` whole ones and `cut` bytes of the one
            behind them; `omit` leaves the partition out.
        frame: what is done to the bytes: see `frame_faults`.
        next: what the next fetch of the topic must be like, by name: a value, or a list of those
            that are allowed.
        before_next: the APIs that the client must ask before that fetch.
        asks: by API, what one of the client's later requests must be like: `member` (`same` or
            `none`), `offset` and `leader_epoch`, as of a commit; or any field (see `shapes`).
        then: what the next request must be like of the APIs that are named here, and of that of the
            step: one of these.
        is_unseen: True if the broker does nothing of what the request asks for, whatever it
            answers.
        never: what no request may be like from here on; `at_most` says how many may, as they may be
            on their way.
    """

    request: str = ""
    instead: str = ""
    do: str = ""
    records: int = 0
    when: Shape = field(default_factory=dict)
    within: str = ""
    times: int = 1
    until: str = ""
    change: Mapping[str, Any] = field(default_factory=dict)
    partition: Mapping[str, Any] = field(default_factory=dict)
    response: Mapping[str, Any] = field(default_factory=dict)
    serve: Mapping[str, Any] = field(default_factory=dict)
    frame: Mapping[str, Any] = field(default_factory=dict)
    next: Mapping[str, Any] = field(default_factory=dict)
    before_next: tuple[str, ...] = ()
    asks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    then: Sequence[Shape] = ()
    never: Sequence[Shape] = ()
    is_unseen: bool = False

    @property
    def says_error(self) -> bool:
        """True if the answer is an error, so that nothing is done of what was asked for."""
        said = {**self.response, **self.partition}
        return any(value not in {0, "none"} for name, value in said.items() if name.endswith("error_code"))


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation.

    Attributes:
        vector: id, title, reach and the log as a vector, for reports.
        fetch_offset: where the client begins.
        first_offset: the log start offset.
        isolation: the isolation level of the client.
        aborted: the aborted transactions of the log, pairs of producer id and first offset.
        settings: settings of the client, by name.
        versions: versions of the broker that are not the usual ones, by API.
        broker: what is special about the broker: `nodes`, `sessions`, `empty_fallback`,
            `no_topic_ids`, `followers` (nodes that serve reads, too), `leader_epoch`,
            `last_stable_offset`, `committed` (what the group committed: offset and leader epoch).
        steps: what the broker does, in order; behind the last one it does nothing special.
        telling: whether the application must get an error.
        position: the fetch offset that the client must get to; None if it need not.
        records: what the application must get, in this order, and no others.
        client: `consumer` or `producer`.
        does: what the application of a producer does, one thing after another: `transaction a b`.
        log: of a producer, the values that a `read_committed` reader must see of the topic at the
            end; one of these.
        told: what the application must be told, in this order, among other things: `revoked t1`, or
            `lost` of any.
        untold: what it must not be told.
        closing: by API, what one of the requests must be like that come when the client is closed;
            None if none may come.
        must: what the client must do, in words.
        patience: how long the client may need, in seconds.
    """

    vector: Vector
    fetch_offset: int
    first_offset: int
    isolation: str
    aborted: tuple[tuple[int, int], ...]
    settings: Mapping[str, str]
    versions: Mapping[str, tuple[int, int]]
    broker: Mapping[str, Any]
    steps: tuple[Step, ...]
    telling: Telling
    position: int | None
    records: tuple[Record, ...]
    must: str
    patience: float
    client: str = "consumer"
    does: tuple[str, ...] = ()
    log: tuple[Sequence[str], ...] = ()
    told: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    closing: Mapping[str, Shape | None] = field(default_factory=dict)

    @property
    def needs(self) -> list[str]:
        """What a client must know, by the words of a hello's `settings`."""
        if self.client == "producer":
            return ["steps", *self.settings]
        named = [f"{self.settings[name]}-protocol" if name == "protocol" else name for name in self.settings]
        tells = (self.told or self.untold) and self.settings.get("protocol") != "share"
        return [*named, *(["callback"] if tells and "callback" not in named else [])]

    @property
    def direction(self) -> Direction:
        """It is read."""
        return Direction.DECODE
