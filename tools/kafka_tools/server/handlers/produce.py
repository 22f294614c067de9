"""Produce: what producers send is kept as it came; nothing looks into it."""

from __future__ import annotations

from typing import Any, Final

from kafka_tools.server.error_codes import MESSAGE_TOO_LARGE, NOT_LEADER_OR_FOLLOWER, UNKNOWN_TOPIC_OR_PARTITION
from kafka_tools.server.state import Call, Produced
from kafka_tools.server.topics import Topic

_ADDS_PARTITIONS: Final = 12
"""The version since which a partition joins the transaction by what is written to it (KIP-890)."""


async def produce(call: Call) -> Any:
    """Keep the records of every partition; acks 0 gets no answer."""
    answers = []
    for topic_data in call.body.topic_data:
        topic = _topic(call, topic_data)
        partitions = [_take(call, topic, partition) for partition in topic_data.partition_data]
        named = {"name": getattr(topic_data, "name", ""), "topic_id": getattr(topic_data, "topic_id", None)}
        answers.append(call.make("topic_produce_response", **named, partition_responses=partitions))
    return call.answer(responses=answers) if call.body.acks else None


def _topic(call: Call, topic_data: Any) -> Topic | None:
    topics = call.state.topics
    name = getattr(topic_data, "name", "")
    if name and call.state.settings.creates_topics:
        return topics.find_or_make(name)
    return topics.find(name, getattr(topic_data, "topic_id", None))


def _take(call: Call, topic: Topic | None, partition: Any) -> Any:
    error, offset, records = 0, 0, bytes(partition.records or b"")
    if topic is None:
        error = UNKNOWN_TOPIC_OR_PARTITION
    elif call.connection.node != topic.leader:
        error = NOT_LEADER_OR_FOLLOWER
    elif call.state.captured_bytes + len(records) > call.state.settings.most_captured_bytes:
        error = MESSAGE_TOO_LARGE
    else:
        if call.state.settings.checks_producers and not call.state.is_refusing:
            adds, name = call.version >= _ADDS_PARTITIONS, call.field("transactional_id") or ""
            error, offset = call.state.producers.append(topic.name, records, name, adds=adds)
        _keep(call, Produced(topic.name, call.version, records, call.client_id, *_settings_of(call), partition.index))
    offset = -1 if error else offset
    return call.make("partition_produce_response", index=partition.index, error_code=error, base_offset=offset)


def _settings_of(call: Call) -> tuple[str | None, int]:
    return call.field("transactional_id"), call.body.acks


def _keep(call: Call, produced: Produced) -> None:
    state = call.state
    state.captured_bytes += len(produced.records)
    state.produced_records.append(produced)
    state.notes.event(
        "produced",
        call.connection.number,
        call.client_id or call.connection.address,
        topic=produced.topic,
        version=produced.version,
        records=produced.records.hex(),
    )
    if state.on_produced is not None:
        state.on_produced(produced)
