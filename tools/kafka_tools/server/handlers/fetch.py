"""Fetch: bytes as they are, within the client's limits, and how long an empty answer waits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from kafka_tools.server import topics as logs
from kafka_tools.server.error_codes import (
    FENCED_LEADER_EPOCH,
    FETCH_SESSION_ID_NOT_FOUND,
    INVALID_FETCH_SESSION_EPOCH,
    NOT_LEADER_OR_FOLLOWER,
    OFFSET_OUT_OF_RANGE,
    UNKNOWN_LEADER_EPOCH,
    UNKNOWN_TOPIC_ID,
    UNKNOWN_TOPIC_OR_PARTITION,
)
from kafka_tools.server.sessions import FINAL_EPOCH, FULL, FetchSession, WantedPartition
from kafka_tools.server.state import Call
from kafka_tools.server.topics import Fetch, Serving, Topic

_WHOLE_FIRST_ENTRY = 3
"""The version since which the first entry comes whole, however large it is (KIP-74)."""

_NO_LIMIT = 2**31 - 1


async def fetch(call: Call) -> Any:
    """Serve records of the partitions that are asked for, or those of the session."""
    wanted = list(_wanted_partitions(call))
    session, error = _session(call)
    if error:
        return call.answer(error_code=error)
    if session is not None:
        wanted = session.update(wanted, _forgotten_partitions(call))
    answer = _Answer(call)
    partitions = [(wanted_partition, answer.partition(wanted_partition)) for wanted_partition in wanted]
    if not answer.bytes:
        await asyncio.sleep(min(max(call.body.max_wait_ms, 0) / 1000, call.state.settings.empty_seconds))
    return call.answer(session_id=session.number if session else 0, responses=_by_topic(call, partitions))


def _wanted_partitions(call: Call) -> Iterator[WantedPartition]:
    for topic in call.body.topics:
        for partition in topic.partitions:
            yield WantedPartition(
                getattr(topic, "topic", ""),
                getattr(topic, "topic_id", None),
                partition.partition,
                partition.fetch_offset,
                partition.partition_max_bytes,
                getattr(partition, "current_leader_epoch", -1),
            )


def _forgotten_partitions(call: Call) -> Iterator[tuple[object, int]]:
    for topic in call.field("forgotten_topics_data", ()):
        for partition in topic.partitions:
            yield getattr(topic, "topic_id", None) or topic.topic, partition


def _session(call: Call) -> tuple[FetchSession | None, int]:
    """Find or open the session of a request; the second is an error code."""
    number, epoch = call.field("session_id", 0), call.field("session_epoch", FINAL_EPOCH)
    sessions = call.state.sessions
    if epoch in {FULL, FINAL_EPOCH}:
        sessions.close(number)
        is_wanted = epoch == FULL and call.state.settings.has_sessions
        return (sessions.open() if is_wanted else None), 0
    session = sessions.find(number)
    if session is None:
        return None, FETCH_SESSION_ID_NOT_FOUND
    if session.epoch != epoch:
        return None, INVALID_FETCH_SESSION_EPOCH
    session.next_epoch()
    return session, 0


class _Answer:
    """One answer in the making: what is left of its limits."""

    def __init__(self, call: Call) -> None:
        self.bytes = 0
        self._call = call
        self._left: int = max(call.field("max_bytes", _NO_LIMIT), 0)
        self._topics_left = call.state.settings.topics_per_fetch

    def partition(self, wanted: WantedPartition) -> Any:
        """Make the answer for one partition."""
        topic = self._call.state.topics.find(wanted.name, wanted.topic_id)
        if topic is None or wanted.partition != 0:
            error = UNKNOWN_TOPIC_OR_PARTITION if wanted.name else UNKNOWN_TOPIC_ID
            return self._make(wanted, error_code=error, high_watermark=-1, records=b"")
        if topic.is_strict and (error := _refusal(topic, wanted, self._call.connection.node)):
            topic.note(Fetch(wanted.offset, self._call.version, 0))
            return self._make(wanted, error_code=error, high_watermark=-1, records=b"")
        records = self._records(topic, wanted)
        mark = topic.high_watermark(wanted.offset, len(records))
        stable = mark if topic.last_stable_offset is None else topic.last_stable_offset
        start = min(topic.first_offset, wanted.offset) if topic.serving is Serving.ONCE else topic.first_offset
        topic.note(Fetch(wanted.offset, self._call.version, len(records)))
        return self._make(
            wanted,
            high_watermark=mark,
            last_stable_offset=stable,
            log_start_offset=start,
            aborted_transactions=self._aborted_transactions(topic) if records else [],
            records=records,
        )

    def _make(self, wanted: WantedPartition, **values: object) -> Any:
        return self._call.make("partition_data", partition_index=wanted.partition, **values)

    def _aborted_transactions(self, topic: Topic) -> list[Any]:
        if self._call.version < 4 or not self._call.field("isolation_level", 0):
            return []
        make = self._call.make
        return [make("aborted_transaction", producer_id=pid, first_offset=first) for pid, first in topic.aborted]

    def _records(self, topic: Topic, wanted: WantedPartition) -> bytes:
        if not self._topics_left:
            return b""
        start, end = topic.span(wanted.offset, is_committed=bool(self._call.field("isolation_level", 0)))
        if topic.serving is Serving.AS_LOG:
            end = min(end, start + self._limit(topic.data, start, wanted.max_bytes))
        records = topic.data[start:end]
        self._topics_left -= bool(records)
        self._left = max(self._left - len(records), 0)
        self.bytes += len(records)
        return records

    def _limit(self, data: bytes, start: int, max_bytes: int) -> int:
        """Return how much of a log the answer may have; an entry may be cut, as Kafka cuts it."""
        limit: int = min(max(max_bytes, 0), self._left)
        if not self.bytes and self._call.version >= _WHOLE_FIRST_ENTRY:
            return max(limit, logs.entry_size(data, start))
        return limit


def _refusal(topic: Topic, wanted: WantedPartition, node: int) -> int:
    """Return why a broker refuses a fetch, as an error code; 0 if it does not."""
    if node != topic.leader and node not in topic.followers:
        return NOT_LEADER_OR_FOLLOWER
    if 0 <= wanted.leader_epoch < topic.leader_epoch:
        return FENCED_LEADER_EPOCH
    if wanted.leader_epoch > topic.leader_epoch:
        return UNKNOWN_LEADER_EPOCH
    return 0 if topic.first_offset <= wanted.offset <= topic.end_offset else OFFSET_OUT_OF_RANGE


def _by_topic(call: Call, partitions: Sequence[tuple[WantedPartition, Any]]) -> list[Any]:
    grouped: dict[object, tuple[WantedPartition, list[Any]]] = {}
    for wanted, answer in partitions:
        grouped.setdefault(wanted.key[0], (wanted, []))[1].append(answer)
    return [
        call.make("fetchable_topic_response", topic=topic.name, topic_id=topic.topic_id, partitions=answers)
        for topic, answers in grouped.values()
    ]
