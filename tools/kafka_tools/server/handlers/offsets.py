"""Offsets: of a log's ends, of groups, and of leader epochs."""

from __future__ import annotations

from typing import Any

from kafka_tools.server.error_codes import NO_ERROR, UNKNOWN_TOPIC_ID, UNKNOWN_TOPIC_OR_PARTITION
from kafka_tools.server.state import Call

_EARLIEST = -2
_EARLIEST_LOCAL = -4


async def list_offsets(call: Call) -> Any:
    """Return the log start offset for the earliest timestamp, the log's end for all others."""
    return call.answer(
        topics=[
            call.make(
                "list_offsets_topic_response",
                name=topic.name,
                partitions=[_offset(call, topic.name, partition) for partition in topic.partitions],
            )
            for topic in call.body.topics
        ]
    )


def _offset(call: Call, name: str, asked: Any) -> Any:
    topic = call.state.topics.find(name)
    where = {"partition_index": asked.partition_index}
    if topic is None or asked.partition_index != 0:
        where["error_code"] = UNKNOWN_TOPIC_OR_PARTITION
        return call.make("list_offsets_partition_response", **where)
    is_first = asked.timestamp in {_EARLIEST, _EARLIEST_LOCAL}
    is_committed = bool(call.field("isolation_level", 0))
    offset = topic.first_offset if is_first else topic.end_for(is_committed=is_committed)
    old = (
        [topic.end_offset, topic.first_offset][int(is_first) :][: max(asked.max_num_offsets, 0)]
        if call.version == 0
        else []
    )
    return call.make(
        "list_offsets_partition_response", **where, timestamp=-1, offset=offset, leader_epoch=-1, old_style_offsets=old
    )


async def offset_for_leader_epoch(call: Call) -> Any:
    """Tell that the epoch which is asked for reaches to the end of the log."""
    return call.answer(
        topics=[
            call.make(
                "offset_for_leader_topic_result",
                topic=topic.topic,
                partitions=[_epoch_end(call, topic.topic, partition) for partition in topic.partitions],
            )
            for topic in call.body.topics
        ]
    )


def _epoch_end(call: Call, name: str, asked: Any) -> Any:
    topic = call.state.topics.find(name)
    epoch, end = asked.leader_epoch, -1 if topic is None else topic.end_offset
    if topic is not None and topic.is_strict:
        epoch, end = topic.epoch_end(asked.leader_epoch)
    error = UNKNOWN_TOPIC_OR_PARTITION if topic is None else NO_ERROR
    values = {"error_code": error, "partition": asked.partition, "leader_epoch": epoch, "end_offset": end}
    return call.make("epoch_end_offset", **values)


async def offset_commit(call: Call) -> Any:
    """Keep the offsets of a group."""
    return _commit(call, "offset_commit_response")


async def txn_offset_commit(call: Call) -> Any:
    """Keep the offsets of a group, whatever becomes of the transaction."""
    return _commit(call, "txn_offset_commit_response")


def _commit(call: Call, prefix: str) -> Any:
    answers = []
    for topic in call.body.topics:
        name = _name(call, topic)
        for partition in topic.partitions:
            epoch = getattr(partition, "committed_leader_epoch", -1)
            if name:
                call.state.groups.commit(call.body.group_id, name, partition.committed_offset, epoch)
        error = NO_ERROR if name else UNKNOWN_TOPIC_ID
        partitions = [
            call.make(f"{prefix}_partition", partition_index=partition.partition_index, error_code=error)
            for partition in topic.partitions
        ]
        named = {"name": name, "topic_id": getattr(topic, "topic_id", None), "partitions": partitions}
        answers.append(call.make(f"{prefix}_topic", **named))
    return call.answer(topics=answers)


def _name(call: Call, topic: Any) -> str:
    """Return the name of a topic of a request, which may have its id alone."""
    if hasattr(topic, "name"):
        return str(topic.name)
    known = call.state.topics.find(topic_id=topic.topic_id)
    return "" if known is None else known.name


async def offset_fetch(call: Call) -> Any:
    """Tell the offsets that groups committed; -1 where there is none."""
    if call.version < 8:
        return call.answer(topics=_group_topics(call, call.body.group_id, call.body.topics, ""))
    groups = []
    for group in call.body.groups:
        topics = _group_topics(call, group.group_id, group.topics, "s")
        groups.append(call.make("offset_fetch_response_group", group_id=group.group_id, topics=topics))
    return call.answer(groups=groups)


def _group_topics(call: Call, group: str, asked: Any, plural: str) -> list[Any]:
    if asked is None:
        named = [(name, None, [0]) for name in call.state.groups.topics(group)]
    else:
        named = [(_name(call, topic), getattr(topic, "topic_id", None), topic.partition_indexes) for topic in asked]
    made = []
    for name, topic_id, indexes in named:
        offset, epoch = call.state.groups.committed_offset(group, name)
        known = {"committed_offset": offset, "committed_leader_epoch": epoch, "metadata": ""}
        row = f"offset_fetch_response_partition{plural}"
        partitions = [call.make(row, partition_index=index, **known) for index in indexes]
        topic = call.make(f"offset_fetch_response_topic{plural}", name=name, topic_id=topic_id, partitions=partitions)
        made.append(topic)
    return made
