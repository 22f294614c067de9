"""What a step changes in the body of an answer, by the names of the layout's fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from kafka_format import protocol
from kafka_format.codec import interpreter
from kafka_format.spec.layout import find, specification
from kafka_tools.server.handlers.cluster import ports
from kafka_tools.server.state import Call
from kafka_tools.server.topics import Topic, entries, topic_id

from kafka_conformance.kinds.conversation.frame_faults import UNKNOWN_TAG
from kafka_conformance.kinds.conversation.script import Step

_PARTITIONS: Final = ("partitions", "partition_responses", "results_by_partition")
"""What the partitions of a topic are called in answers."""

_PARTITION_OF: Final = {
    "fetch": ("partition_data",),
    "metadata": ("metadata_response_partition",),
    "list_offsets": ("list_offsets_partition_response",),
    "offset_for_leader_epoch": ("epoch_end_offset",),
    "offset_fetch": ("offset_fetch_response_partition", "offset_fetch_response_partitions"),
    "offset_commit": ("offset_commit_response_partition",),
    "produce": ("partition_produce_response",),
    "add_partitions_to_txn": ("add_partitions_to_txn_partition_result",),
    "share_fetch": ("partition_data",),
    "share_acknowledge": ("partition_data",),
}
"""What the structure of a partition is called in each answer, in its versions."""

_ASSIGNMENT: Final = 0
"""The version of assignments that every client reads."""

_WITH_AN_ERROR: Final = {"high_watermark": -1, "last_stable_offset": -1, "log_start_offset": -1, "records": ""}
"""What a fetch says beside an error (Kafka's FetchResponse.partitionResponse)."""

_STREAMS: Final = "streams_group_heartbeat"

_HEARTBEATS: Final = frozenset({"consumer_group_heartbeat", "share_group_heartbeat", _STREAMS})

_NO_MEMBER: Final = {"member_id": None, "member_epoch": 0, "heartbeat_interval_ms": 0, "assignment": None}
"""What a heartbeat says beside an error (ConsumerGroupHeartbeatRequest.getErrorResponse)."""

_NO_STREAMS_MEMBER: Final = {
    **dict.fromkeys(("status", "active_tasks", "standby_tasks", "warmup_tasks")),
    "member_id": "",
    "member_epoch": 0,
    "heartbeat_interval_ms": 0,
}
"""The same of StreamsGroupHeartbeat."""

_ROWS: Final = ("offset_fetch_response_group", "coordinator")
"""Structures that stand for the whole answer where it has one for each group."""


def change_body(step: Step, call: Call, topic: Topic, offset: int) -> Callable[[Any], Any]:
    """Return what turns the body of an answer into that of the step.

    Args:
        step: what is to be said.
        call: the request.
        topic: the topic of the conversation.
        offset: the fetch offset.
    """

    def change(body: Any) -> Any:
        if call.api in _HEARTBEATS and step.response.get("error_code"):
            body = _replace_fields(body, _NO_STREAMS_MEMBER if call.api == _STREAMS else _NO_MEMBER)
        if step.partition or step.serve:
            body = _in_topic(body, topic, lambda partition: _partition(step, call, topic, offset, partition))
        return _in_rows(body, lambda partition: _with(call, partition, step.response))

    return change


def _in_rows(body: Any, change: Callable[[Any], Any]) -> Any:
    """Change an answer, or the rows of one that has a row for each group or coordinator."""
    for name in ("groups", "coordinators"):
        if name in body._fields:
            return _replace_fields(body, {name: [change(row) for row in getattr(body, name)]})
    return change(body)


def missing_field(step: Step, call: Call) -> str:
    """Return a field that this version of the answer lacks and the step is about; empty if none."""
    kind = call.answer()
    types = protocol.response(call.api, call.version).types
    rows = [types[name]._fields for name in _ROWS if name in types]
    missing = [
        name for name in step.response if name != "tag" and not any(name in names for names in (kind._fields, *rows))
    ]
    known = [types[name]._fields for name in _PARTITION_OF.get(call.api, ()) if name in types]
    missing += [name for name in step.partition if name != "tag" and not any(name in names for names in known)]
    if "tag" in {*step.response, *step.partition} and "unknown_tagged_fields" not in kind._fields:
        missing.append("tagged fields")
    return missing[0] if missing else ""


def _in_topic(body: Any, topic: Topic, change: Callable[[Any], Any | None]) -> Any:
    """Change the partitions of the topic, wherever the answer lists topics."""
    if "groups" in body._fields:
        return _in_rows(body, lambda row: _in_topic(row, topic, change))
    for name in ("responses", "topics", "results_by_topic_v3_and_below"):
        if name in body._fields:
            topics = [_topic(row, topic, change) for row in getattr(body, name)]
            return _replace_fields(body, {name: [row for row in topics if row is not None]})
    return body


def _topic(row: Any, topic: Topic, change: Callable[[Any], Any | None]) -> Any | None:
    names = {getattr(row, field, None) for field in ("topic", "name")}
    if topic.name not in names and bytes(getattr(row, "topic_id", b"")) != topic.topic_id:
        return row
    name = next(field for field in _PARTITIONS if field in row._fields)
    partitions = [change(partition) for partition in getattr(row, name)]
    kept = [partition for partition in partitions if partition is not None]
    return _replace_fields(row, {name: kept}) if kept else None


def _partition(step: Step, call: Call, topic: Topic, offset: int, partition: Any) -> Any | None:
    if step.serve.get("omit"):
        return None
    if "entries" in step.serve:
        partition = _replace_fields(partition, {"records": _bytes_to_serve(topic, offset, step.serve)})
    nothing = _WITH_AN_ERROR if call.api == "fetch" and "error_code" in step.partition else {}
    return _with(call, partition, {**nothing, **step.partition})


def _bytes_to_serve(topic: Topic, offset: int, serve: Mapping[str, Any]) -> bytes:
    """Return whole entries of the log from an offset on, if there are so many, and a piece more."""
    starts = [start for start, last in entries(topic.data) if last >= offset]
    if not starts:
        return b""
    ends = [*starts, len(topic.data)]
    return topic.data[starts[0] : ends[min(serve["entries"], len(starts))] + serve.get("cut", 0)]


def _with(call: Call, value: Any, fields: Mapping[str, Any]) -> Any:
    """Return a value with other fields; those that this version lacks are left out."""
    if not fields:
        return value
    new = {name: _field_value(call, name, said, value) for name, said in fields.items() if name in value._fields}
    if "tag" in fields and "unknown_tagged_fields" in value._fields:
        new["unknown_tagged_fields"] = [(UNKNOWN_TAG, bytes.fromhex(fields["tag"]))]
    return _replace_fields(value, new)


def _field_value(call: Call, name: str, said: Any, value: Any) -> Any:
    """Turn what a script says into a value of a field."""
    if name.endswith("error_code"):
        return error_code(said)
    if name == "assignment":
        return _assignment_to_member(call, said) if call.api in _HEARTBEATS else _assignment(call, said)
    if name in _ROW and said is not None:
        return [_ROW[name](call, row) for row in said]
    if isinstance(said, Mapping):
        return type(getattr(value, name))(**said)
    return b"" if said == "" else said


def _assignment(call: Call, said: str | Sequence[str]) -> bytes:
    """Make what SyncGroup assigns to a member: topics by name, or all that there are."""
    names = [topic.name for topic in call.state.topics] if said == "all" else said
    known = protocol.schema("consumer_protocol_assignment", _ASSIGNMENT)
    partitions = [known.types["topic_partition"](topic=name, partitions=[0]) for name in names]
    body = known.encode(known.type(assigned_partitions=partitions, user_data=None))
    return interpreter.encode(find("schema_version"), {"version": _ASSIGNMENT}) + body


def _assignment_to_member(call: Call, said: Sequence[str] | None) -> Any:
    """Make the assignment of topics, whether there are such or not; null for none."""
    if said is None:
        return None
    known = {topic.name: topic.topic_id for topic in call.state.topics}
    ids = [known.get(name) or topic_id(name) for name in said]
    return call.make("assignment", topic_partitions=[_of_topic(call, each) for each in ids])


def _of_topic(call: Call, identity: bytes) -> Any:
    return call.make("topic_partitions", topic_id=identity, partitions=[0])


def _endpoint(call: Call, node: int) -> Any:
    return call.make("node_endpoint", node_id=node, host=call.connection.host, port=ports(call)[node])


_ROW: Final[Mapping[str, Callable[[Call, Any], Any]]] = {
    "aborted_transactions": lambda call, row: call.make("aborted_transaction", producer_id=row[0], first_offset=row[1]),
    "acquired_records": lambda call, row: call.make(
        "acquired_records", first_offset=row[0], last_offset=row[1], delivery_count=row[2]
    ),
    "node_endpoints": _endpoint,
    "status": lambda call, row: call.make("status", status_code=row, status_detail=f"status {row}"),
    "active_tasks": lambda call, row: call.make("task_ids", subtopology_id=row, partitions=[0]),
    "partitions_by_user_endpoint": lambda call, row: call.make(
        "endpoint_to_partitions",
        user_endpoint=call.make("endpoint", host=row[0], port=row[1]),
        active_partitions=[call.make("topic_partition", topic=row[2], partitions=[0])],
        standby_partitions=[],
    ),
}
"""What makes a row of a list of which a script says only values."""


def error_code(name: str | int) -> int:
    """Return the number of an error by its name in spec/enums.yaml, or the number itself."""
    if isinstance(name, int):
        return name
    return _ERRORS[name]


def _replace_fields(value: Any, fields: Mapping[str, Any]) -> Any:
    known: Sequence[str] = value._fields
    return type(value)(**{**{name: getattr(value, name) for name in known}, **fields})


_ERRORS: Final = {name: number for number, name in specification().enums["error"].values.items()}
