"""What a request says, as a script can name it: fields by their names in the layout.

Topics are told by their names, whatever the version has; one that the broker does not have (any
more) is `?`. Bytes are hex. Of the records of a Produce request there is what their first batch
tells of the producer, and their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.spec.layout import specification
from kafka_tools.server.handlers.streams import tasks_of
from kafka_tools.server.state import Call

_TYPES: Final = specification().enums["acknowledge_type"].values
"""What may be said of a record of a share group, by number."""

UNKNOWN: Final = "?"
"""What a topic is called that the broker does not have."""


def fields_of(call: Call) -> Mapping[str, Any]:
    """Return what a request says."""
    values = {name: plain(getattr(call.body, name)) for name in call.body._fields}
    fields = {name: value for name, value in values.items() if value is not NotImplemented}
    return {**fields, **_OF_API.get(call.api, _no_more)(call)}


def plain(value: object) -> Any:
    """Return a simple value as scripts have it; bytes are hex."""
    if value is None or isinstance(value, bool | int | str):
        return value
    return bytes(value).hex() if isinstance(value, bytes | bytearray | memoryview) else NotImplemented


def _no_more(_call: Call) -> Mapping[str, Any]:
    return {}


def names(call: Call, topics: Iterable[Any] | None) -> list[str] | None:
    """Return the names of topics of a request, in order; None for none."""
    return None if topics is None else sorted(_name(call, topic) for topic in topics)


def _name(call: Call, topic: Any) -> str:
    if isinstance(topic, str):
        return topic
    name = next((said for field in ("topic", "name") if (said := getattr(topic, field, None))), None)
    if name is not None:
        return str(name)
    known = call.state.topics.find(topic_id=topic.topic_id)
    return UNKNOWN if known is None else known.name


def _heartbeat(call: Call) -> Mapping[str, Any]:
    return {name: names(call, getattr(call.body, name)) for name in ("subscribed_topic_names", "topic_partitions")}


def _tasks(call: Call) -> Mapping[str, Any]:
    """Return what a member of a streams group says; tasks by the topics that they read."""
    body = call.body
    member = call.state.members.find(body.group_id, body.member_id)
    known = {} if member is None else dict(member.tasks)
    if body.topology is not None:
        known = tasks_of(body.topology)
    said = {
        f"{kind}_tasks": None if tasks is None else sorted(known.get(task.subtopology_id, UNKNOWN) for task in tasks)
        for kind in ("active", "standby", "warmup")
        for tasks in (getattr(body, f"{kind}_tasks"),)
    }
    there = body.user_endpoint
    endpoint = None if there is None else f"{there.host}:{there.port}"
    return {**said, "topology": None if body.topology is None else sorted(known.values()), "user_endpoint": endpoint}


def _topics(call: Call) -> Mapping[str, Any]:
    return {"topics": names(call, call.body.topics)}


def _fetch(call: Call) -> Mapping[str, Any]:
    parts = [part for topic in call.body.topics for part in topic.partitions]
    return {**_topics(call), **({"partition_max_bytes": parts[0].partition_max_bytes} if parts else {})}


def _list_offsets(call: Call) -> Mapping[str, Any]:
    parts = [part for topic in call.body.topics for part in topic.partitions]
    return {**_topics(call), **({"timestamp": parts[0].timestamp} if parts else {})}


def _share(call: Call) -> Mapping[str, Any]:
    return {
        "topics": names(call, call.body.topics),
        "forgotten": names(call, call.field("forgotten_topics_data", ())),
        "acknowledged": _acknowledged(call.body.topics),
    }


def _acknowledged(topics: Iterable[Any]) -> list[str]:
    """Return what is said of records, `0..4 accept`, however they are put into batches."""
    runs: list[tuple[int, int, int]] = []
    for batch in (batch for topic in topics for part in topic.partitions for batch in part.acknowledgement_batches):
        types = list(batch.acknowledge_types)
        ends = [(batch.first_offset, batch.last_offset)] if len(types) == 1 else _each(batch.first_offset, len(types))
        for (first, last), kind in zip(ends, types, strict=False):
            if runs and runs[-1][1:] == (first - 1, kind):
                runs[-1] = (runs[-1][0], last, kind)
            else:
                runs.append((first, last, kind))
    return [f"{first if first == last else f'{first}..{last}'} {_TYPES.get(kind, kind)}" for first, last, kind in runs]


def _each(first: int, count: int) -> list[tuple[int, int]]:
    return [(offset, offset) for offset in range(first, first + count)]


def _offset_fetch(call: Call) -> Mapping[str, Any]:
    group = call.body.groups[0] if call.field("groups") else call.body
    said = {name: getattr(group, name) for name in ("group_id", "member_id", "member_epoch") if name in group._fields}
    return {**said, "topics": names(call, group.topics)}


def _transaction(call: Call) -> Mapping[str, Any]:
    body = call.body
    if not hasattr(body, "v3_and_below_topics"):
        return {}
    said = {
        name: getattr(body, f"v3_and_below_{name}") for name in ("transactional_id", "producer_id", "producer_epoch")
    }
    return {**said, "topics": names(call, body.v3_and_below_topics)}


def _produce(call: Call) -> Mapping[str, Any]:
    parts = [bytes(part.records or b"") for topic in call.body.topic_data for part in topic.partition_data]
    sent = records_of(parts)
    first = sent[0] if sent else None
    told = (
        {}
        if first is None
        else {
            "producer_id": first.producer_id,
            "producer_epoch": first.producer_epoch,
            "base_sequence": first.sequence,
            "is_transactional": first.transactional,
        }
    )
    return {"topics": names(call, call.body.topic_data), **told, "values": [_text(record.value) for record in sent]}


def records_of(parts: Iterable[bytes]) -> list[records.Record]:
    """Return the records of partitions; none of bytes that break a rule, which others judge."""
    try:
        return [record for part in parts for record in records.decode(part)]
    except FormatError:
        return []


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


def _join(call: Call) -> Mapping[str, Any]:
    protocols: Sequence[Any] = call.body.protocols
    return {"protocols": [protocol.name for protocol in protocols]}


def _leave(call: Call) -> Mapping[str, Any]:
    members = call.field("members") or ()
    return {"member_id": members[0].member_id, "group_instance_id": members[0].group_instance_id} if members else {}


_OF_API: Final[Mapping[str, Callable[[Call], Mapping[str, Any]]]] = {
    "consumer_group_heartbeat": _heartbeat,
    "share_group_heartbeat": lambda call: {"subscribed_topic_names": names(call, call.body.subscribed_topic_names)},
    "streams_group_heartbeat": _tasks,
    "share_fetch": _share,
    "share_acknowledge": _share,
    "fetch": _fetch,
    "list_offsets": _list_offsets,
    "offset_commit": _topics,
    "offset_fetch": _offset_fetch,
    "add_partitions_to_txn": _transaction,
    "produce": _produce,
    "join_group": _join,
    "leave_group": _leave,
}
"""What is said of an API besides its plain fields."""
