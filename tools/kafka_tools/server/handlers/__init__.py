"""What the broker answers, one function an API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from kafka_tools.server.handlers import (
    cluster,
    fetch,
    groups,
    members,
    offsets,
    produce,
    sasl,
    shares,
    streams,
    telemetry,
    transactions,
)
from kafka_tools.server.state import Call

Handler = Callable[[Call], Awaitable[Any]]
"""Takes a request and returns the body of its answer; None if there is to be no answer."""

HANDLERS: Final[dict[str, Handler]] = {
    "produce": produce.produce,
    "fetch": fetch.fetch,
    "list_offsets": offsets.list_offsets,
    "metadata": cluster.metadata,
    "offset_commit": offsets.offset_commit,
    "offset_fetch": offsets.offset_fetch,
    "find_coordinator": cluster.find_coordinator,
    "join_group": groups.join_group,
    "heartbeat": groups.heartbeat,
    "leave_group": groups.leave_group,
    "sync_group": groups.sync_group,
    "sasl_handshake": sasl.sasl_handshake,
    "api_versions": cluster.api_versions,
    "init_producer_id": transactions.init_producer_id,
    "offset_for_leader_epoch": offsets.offset_for_leader_epoch,
    "add_partitions_to_txn": transactions.add_partitions_to_txn,
    "add_offsets_to_txn": transactions.add_offsets_to_txn,
    "end_txn": transactions.end_txn,
    "txn_offset_commit": offsets.txn_offset_commit,
    "sasl_authenticate": sasl.sasl_authenticate,
    "consumer_group_heartbeat": members.heartbeat,
    "share_group_heartbeat": members.share_heartbeat,
    "streams_group_heartbeat": streams.heartbeat,
    "share_fetch": shares.share_fetch,
    "share_acknowledge": shares.share_acknowledge,
    "get_telemetry_subscriptions": telemetry.get_telemetry_subscriptions,
    "push_telemetry": telemetry.push_telemetry,
}
