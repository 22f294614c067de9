"""ShareFetch and ShareAcknowledge (KIP-932): share sessions, acquisition, acknowledgement."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any, Final

from kafka_tools.server.error_codes import (
    INVALID_RECORD_STATE,
    INVALID_REQUEST,
    INVALID_SHARE_SESSION_EPOCH,
    NO_ERROR,
    NOT_LEADER_OR_FOLLOWER,
    SHARE_SESSION_NOT_FOUND,
    UNKNOWN_TOPIC_ID,
)
from kafka_tools.server.handlers.cluster import ports
from kafka_tools.server.shares import CLOSES, GAP, OPENS, RENEW, Acquired, ShareSession
from kafka_tools.server.state import Call
from kafka_tools.server.topics import Topic

LOCK_MS: Final = 30_000
"""How long a client is told that records are its own (group.share.record.lock.duration.ms)."""

_MOST_OFFSETS: Final = 100_000
"""Offsets of one batch, acknowledged or acquired: no client asks for more at a time."""


async def share_fetch(call: Call) -> Any:
    """Take acknowledgements, acquire records of the session's topics, and serve them."""
    if not _are_sound(call):
        return call.answer(error_code=INVALID_REQUEST)
    said = _acknowledgements(call)
    session, error = _session(call, acknowledges=any(said.values()))
    if error:
        return call.answer(error_code=error)
    errors = {topic: _acknowledge(call, topic, records) for topic, records in said.items() if records}
    wanted = _update(call, session) if session is not None else list(errors)
    is_served = session is not None and not call.field("is_renew_ack", usual=False) and not call.state.is_refusing
    rows = [_partition(call, topic, errors.get(topic, NO_ERROR), is_served=is_served) for topic in wanted]
    if is_served and not any(row.acquired_records for row in rows):
        await asyncio.sleep(min(max(call.body.max_wait_ms, 0) / 1000, call.state.settings.empty_seconds))
    responses = [
        call.make("share_fetchable_topic_response", topic_id=topic, partitions=[row])
        for topic, row in zip(wanted, rows, strict=True)
    ]
    return call.answer(
        acquisition_lock_timeout_ms=LOCK_MS, responses=responses, node_endpoints=_endpoints(call, wanted)
    )


async def share_acknowledge(call: Call) -> Any:
    """Take acknowledgements in a session, or close it."""
    if not _are_sound(call):
        return call.answer(error_code=INVALID_REQUEST)
    said = _acknowledgements(call)
    if call.body.share_session_epoch == OPENS:
        return call.answer(error_code=INVALID_SHARE_SESSION_EPOCH)
    _, error = _session(call, acknowledges=any(said.values()), closes_last=True)
    if error:
        return call.answer(error_code=error)
    rows = []
    for topic, records in said.items():
        row = call.make("partition_data", partition_index=0, error_code=_acknowledge(call, topic, records))
        rows.append(call.make("share_acknowledge_topic_response", topic_id=topic, partitions=[row]))
    if call.body.share_session_epoch == CLOSES:
        call.state.shares.close(call.body.group_id, call.body.member_id)
    return call.answer(acquisition_lock_timeout_ms=LOCK_MS, responses=rows, node_endpoints=_endpoints(call, list(said)))


def _session(call: Call, *, acknowledges: bool, closes_last: bool = False) -> tuple[ShareSession | None, int]:
    """Find, open or close the session of a request (SharePartitionManager.newContext).

    Args:
        call: the request.
        acknowledges: True if it says something of records.
        closes_last: True if a session that is closed has to wait for these.

    Returns:
        The session, None if it is closed; and an error code.
    """
    group, member, epoch = call.body.group_id, call.body.member_id, call.body.share_session_epoch
    shares = call.state.shares
    if epoch == OPENS:
        if acknowledges:
            return None, INVALID_REQUEST
        return shares.open(group, member, call.connection.number), NO_ERROR
    session = shares.find(group, member)
    if session is None:
        return None, SHARE_SESSION_NOT_FOUND
    if epoch == CLOSES:
        if not closes_last:
            shares.close(group, member)
        return None, NO_ERROR
    if epoch != session.epoch:
        return None, INVALID_SHARE_SESSION_EPOCH
    session.next_epoch()
    return session, NO_ERROR


def _update(call: Call, session: ShareSession) -> list[bytes]:
    """Take in which topics the session has now, and return them.

    One that is forgotten may be named all the same, as what was delivered of it is acknowledged.
    """
    forgotten = set(map(_id, call.body.forgotten_topics_data))
    named = [*session.topics, *map(_id, call.body.topics)]
    session.topics = [topic for topic in dict.fromkeys(named) if topic not in forgotten]
    return list(session.topics)


def _id(topic: Any) -> bytes:
    return bytes(topic.topic_id)


def _are_sound(call: Call) -> bool:
    """Tell whether acknowledgements are what they may be (KafkaApis)."""
    return all(
        0 <= batch.last_offset - batch.first_offset < _MOST_OFFSETS
        and len(batch.acknowledge_types) in {1, batch.last_offset - batch.first_offset + 1}
        and all(GAP <= kind <= RENEW for kind in batch.acknowledge_types)
        for topic in call.body.topics
        for partition in topic.partitions
        for batch in partition.acknowledgement_batches
    )


def _acknowledgements(call: Call) -> Mapping[bytes, Sequence[tuple[int, int]]]:
    """Return what a request says of records, pairs of offset and type, by topic."""
    return {_id(topic): list(_said(topic)) for topic in call.body.topics}


def _said(topic: Any) -> Iterator[tuple[int, int]]:
    """Yield offset and type of each record; of a batch with one type, all have that."""
    for partition in topic.partitions:
        for batch in partition.acknowledgement_batches:
            offsets = range(batch.first_offset, batch.last_offset + 1)
            yield from zip(offsets, cycle(batch.acknowledge_types), strict=False)


def _acknowledge(call: Call, topic: bytes, records: Sequence[tuple[int, int]]) -> int:
    """Take what is said of records of a topic, and return an error code.

    Nothing is taken where somebody makes an error of the answer.
    """
    found = call.state.topics.find(topic_id=topic)
    if found is None:
        return UNKNOWN_TOPIC_ID
    if call.connection.node != found.leader:
        return NOT_LEADER_OR_FOLLOWER
    if any(kind == RENEW for _, kind in records) and not call.field("is_renew_ack", usual=False):
        return INVALID_REQUEST
    if call.state.is_refusing:
        return NO_ERROR
    partition = call.state.shares.partition(call.body.group_id, topic)
    return NO_ERROR if partition.acknowledge(call.body.member_id, records) else INVALID_RECORD_STATE


def _partition(call: Call, topic: bytes, acknowledge_error: int, *, is_served: bool) -> Any:
    """Make the answer for the partition of a topic, and acquire what is served."""
    found = call.state.topics.find(topic_id=topic)
    told = {"partition_index": 0, "acknowledge_error_code": acknowledge_error, "records": b"", "acquired_records": []}
    if found is None:
        return call.make("partition_data", **{**told, "error_code": UNKNOWN_TOPIC_ID})
    if call.connection.node != found.leader:
        leader = call.make("leader_id_and_epoch", leader_id=found.leader, leader_epoch=found.leader_epoch)
        return call.make("partition_data", **{**told, "error_code": NOT_LEADER_OR_FOLLOWER, "current_leader": leader})
    if is_served:
        data, acquired = _acquire(call, found)
        rows = [
            call.make(
                "acquired_records", first_offset=run.first, last_offset=run.last, delivery_count=run.delivery_count
            )
            for run in acquired
        ]
        told |= {"records": data, "acquired_records": rows}
    return call.make("partition_data", **told)


def _acquire(call: Call, topic: Topic) -> tuple[bytes, list[Acquired]]:
    """Acquire the records of the whole batches from the first one on that can be acquired.

    Returns:
        The bytes of these batches, and what was acquired.
    """
    partition = call.state.shares.partition(call.body.group_id, topic.topic_id)
    batches = [
        batch
        for batch in topic.batches()
        if batch.last - batch.first < _MOST_OFFSETS
        and any(map(partition.is_available, range(batch.first, batch.last + 1)))
    ]
    if not batches:
        return b"", []
    runs = partition.acquire(
        call.body.member_id, (offset for batch in batches for offset in range(batch.first, batch.last + 1))
    )
    return topic.data[batches[0].start : batches[-1].end], runs


def _endpoints(call: Call, topics: Sequence[bytes]) -> list[Any]:
    """Tell where the leaders of topics are that have another than this node."""
    found = [topic for each in topics if (topic := call.state.topics.find(topic_id=each)) is not None]
    leaders = sorted({topic.leader for topic in found} - {call.connection.node})
    return [
        call.make("node_endpoint", node_id=node, host=call.connection.host, port=ports(call)[node])
        for node in leaders
        if node in ports(call)
    ]
