"""How the broker behaves: where it listens, which versions it says it has, and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kafka_format import protocol

from kafka_tools.errors import UsageError

Range = tuple[int, int]
"""The lowest and the highest version of an API."""

USUAL: Final[Mapping[str, Range]] = {
    "produce": (0, 13),
    "fetch": (0, 18),
    "list_offsets": (0, 11),
    "metadata": (0, 13),
    "offset_commit": (0, 10),
    "offset_fetch": (0, 10),
    "find_coordinator": (0, 6),
    "join_group": (0, 9),
    "heartbeat": (0, 4),
    "leave_group": (0, 5),
    "sync_group": (0, 5),
    "sasl_handshake": (0, 1),
    "api_versions": (0, 5),
    "init_producer_id": (0, 5),
    "offset_for_leader_epoch": (0, 4),
    "add_partitions_to_txn": (0, 3),
    "add_offsets_to_txn": (0, 4),
    "end_txn": (0, 5),
    "txn_offset_commit": (0, 6),
    "sasl_authenticate": (0, 2),
}
"""Every version of what it can answer, but for those between brokers, or never released as
stable."""

ON_REQUEST: Final[Mapping[str, Range]] = {
    "consumer_group_heartbeat": (0, 1),
    "share_group_heartbeat": (1, 1),
    "streams_group_heartbeat": (0, 1),
    "share_fetch": (1, 2),
    "share_acknowledge": (1, 2),
    "get_telemetry_subscriptions": (0, 0),
    "push_telemetry": (0, 0),
}
"""What it can answer, but says only where that is asked for: clients choose by what they see."""

_ALL: Final[Mapping[str, Range]] = {**USUAL, **ON_REQUEST}

_GROUPS_OF_0_9: Final[Mapping[str, Range]] = {
    "offset_commit": (0, 2),
    "offset_fetch": (0, 1),
    "find_coordinator": (0, 0),
    "join_group": (0, 0),
    "heartbeat": (0, 0),
    "leave_group": (0, 0),
    "sync_group": (0, 0),
    "sasl_handshake": (0, 0),
    "api_versions": (0, 0),
}

OF_FORMAT: Final[Mapping[str, Mapping[str, Range]]] = {
    "v0": {**_GROUPS_OF_0_9, "produce": (0, 1), "fetch": (0, 1), "list_offsets": (0, 0), "metadata": (0, 1)},
    "v1": {
        **_GROUPS_OF_0_9,
        "produce": (0, 2),
        "fetch": (0, 3),
        "list_offsets": (0, 1),
        "metadata": (0, 2),
        "offset_fetch": (0, 2),
        "join_group": (0, 1),
    },
    "v2": {},
}
"""Versions of brokers whose messages have this format. Clients tell by them how old a broker is: by
Fetch and Produce what they may read and write, and kafka-python by those of groups too.

Format v0 has no APIs of transactions, and v1 neither; see `ranges`.
"""

_SINCE_V2: Final = {
    "init_producer_id",
    "offset_for_leader_epoch",
    "add_partitions_to_txn",
    "add_offsets_to_txn",
    "end_txn",
    "txn_offset_commit",
    "sasl_authenticate",
}
"""APIs that came with format v2, in 0.11, or later."""


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """How a broker behaves.

    Attributes:
        host: the address to listen on.
        port: the port; 0 for any that is free.
        versions: by API, the versions that it says it has. It answers no others.
        empty_seconds: how long an empty answer to a fetch waits, unless the client asks for less.
        topics_per_fetch: how many topics with bytes one answer has at most; where a client dies of
            one, few others are suspect.
        has_sessions: True if it opens fetch sessions (KIP-227).
        creates_topics: True if a topic that is asked for and not there is made, for producers.
        largest_request: most bytes of a request; Kafka's socket.request.max.bytes.
        most_connections: connections beyond are closed at once.
        idle_seconds: a connection that sends nothing for so long is closed; Kafka's
            connections.max.idle.ms.
        most_captured_bytes: most bytes of what producers send that are kept.
        nodes: how many nodes the cluster has; each listens on a port of its own.
        falls_back_silently: True if the answer to an unknown version of ApiVersions names no
            version, as before Kafka 2.4 (KIP-511).
        has_topic_ids: False if the ids of all topics are zero, as in a cluster that was upgraded
            only in part.
        heartbeat_ms: how often members of groups that the broker assigns are to send a heartbeat.
        push_ms: how often clients are to push telemetry.
        checks_producers: True if it looks into what producers send, and keeps their sequences,
            epochs and transactions as Kafka does.
        session_ms: for how long a client is authenticated that has to be (KIP-368), in
            milliseconds; 0 for ever. None if nobody has to authenticate.
        features: finalized features by name, such as `transaction.version` (KIP-584).
    """

    host: str = "127.0.0.1"
    port: int = 0
    versions: Mapping[str, Range] = field(default_factory=lambda: USUAL)
    empty_seconds: float = 0.1
    topics_per_fetch: int = 16
    has_sessions: bool = False
    creates_topics: bool = False
    largest_request: int = 100 << 20
    most_connections: int = 1000
    idle_seconds: float = 600.0
    most_captured_bytes: int = 256 << 20
    nodes: int = 1
    falls_back_silently: bool = False
    has_topic_ids: bool = True
    heartbeat_ms: int = 100
    push_ms: int = 200
    checks_producers: bool = False
    session_ms: int | None = None
    features: Mapping[str, int] = field(default_factory=dict)


def ranges(form: str = "", chosen: Mapping[str, Range] | None = None) -> dict[str, Range]:
    """Return the versions of a broker for one format, changed by what was chosen for single APIs.

    Args:
        form: `v0`, `v1` or `v2`; empty for all that there is.
        chosen: versions by API, which go before the others.

    Raises:
        UsageError: the broker has no such API, or not these versions.
    """
    by_api = {api: span for api, span in USUAL.items() if form in {"", "v2"} or api not in _SINCE_V2}
    by_api |= OF_FORMAT.get(form, {})
    for name, (low, high) in (chosen or {}).items():
        if name not in _ALL:
            raise UsageError(f"this broker has no API {name!r}.", f"It has {', '.join(_ALL)}.")
        lowest, highest = _ALL[name]
        if not lowest <= low <= high <= highest:
            raise UsageError(f"{name} has no versions {low}-{high}.", f"It has {lowest}-{highest}.")
        by_api[name] = low, high
    return by_api


def parse_range(text: str) -> tuple[str, Range]:
    """Read `fetch=4-12` or `fetch=4`.

    Raises:
        UsageError: it is neither, or there is no such API.
    """
    name, _, versions = text.partition("=")
    low, _, high = versions.partition("-")
    try:
        return protocol.api_name(int(name) if name.isdecimal() else name), (int(low), int(high or low))
    except ValueError:
        raise UsageError(f"{text!r} is not API=LOW-HIGH.", "For example: fetch=4-12") from None
