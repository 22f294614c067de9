"""The cluster: one broker, its versions, its topics, and it coordinates everything."""

from __future__ import annotations

from typing import Any, Final

from kafka_format import protocol

from kafka_tools.server.error_codes import NO_ERROR, UNKNOWN_TOPIC_ID, UNKNOWN_TOPIC_OR_PARTITION
from kafka_tools.server.state import CLUSTER, NODE, Call
from kafka_tools.server.topics import Topic

_HAS_FEATURES: Final = 3
"""The version of ApiVersions since which it tells features (KIP-584)."""


async def api_versions(call: Call) -> Any:
    """Tell the versions of the settings."""
    features = call.state.settings.features
    finalized = [
        call.make("finalized_feature_key", name=name, max_version_level=level, min_version_level=level)
        for name, level in features.items()
        if call.version >= _HAS_FEATURES
    ]
    known = {"finalized_features": finalized, "finalized_features_epoch": 1} if finalized else {}
    return call.answer(error_code=NO_ERROR, api_keys=api_keys(call), **known)


def api_keys(call: Call) -> list[Any]:
    """List the versions of the settings, as an ApiVersions answer has them."""
    known = ((protocol.api_number(api), low, high) for api, (low, high) in call.state.settings.versions.items())
    return [
        call.make("api_version", api_key=key, min_version=low, max_version=high) for key, low, high in sorted(known)
    ]


async def metadata(call: Call) -> Any:
    """Tell the broker, and the topics that were asked for, or all."""
    brokers = [
        call.make("metadata_response_broker", node_id=node, host=call.connection.host, port=port)
        for node, port in ports(call).items()
    ]
    return call.answer(brokers=brokers, cluster_id=CLUSTER, controller_id=NODE, topics=_topics(call))


def ports(call: Call) -> dict[int, int]:
    """Return the port of each node, as the client reaches it."""
    return {**call.state.ports, call.connection.node: call.connection.port}


def _topics(call: Call) -> list[Any]:
    asked = call.body.topics
    if asked is None or (call.version == 0 and not asked):
        return [_topic(call, topic) for topic in call.state.topics]
    return [_asked_topic(call, topic.name, getattr(topic, "topic_id", None)) for topic in asked]


def _asked_topic(call: Call, name: str | None, topic_id: bytes | None) -> Any:
    topic = call.state.topics.find(name, topic_id)
    if topic is None and name and call.state.settings.creates_topics:
        topic = call.state.topics.find_or_make(name)
    if topic is not None:
        return _topic(call, topic)
    error = UNKNOWN_TOPIC_OR_PARTITION if name else UNKNOWN_TOPIC_ID
    nameless = None if call.version >= 12 else ""
    known = {} if topic_id is None else {"topic_id": topic_id}
    return call.make("metadata_response_topic", error_code=error, name=name or nameless, **known)


def _topic(call: Call, topic: Topic) -> Any:
    nodes = sorted(ports(call))
    here = {"leader_id": topic.leader, "leader_epoch": topic.leader_epoch, "replica_nodes": nodes, "isr_nodes": nodes}
    partition = call.make("metadata_response_partition", partition_index=0, **here)
    topic_id = topic.topic_id if call.state.settings.has_topic_ids else bytes(len(topic.topic_id))
    return call.make("metadata_response_topic", name=topic.name, topic_id=topic_id, partitions=[partition])


async def find_coordinator(call: Call) -> Any:
    """Name the coordinator, which is the same for every group and transaction."""
    node = call.state.coordinator
    here = {"node_id": node, "host": call.connection.host, "port": ports(call)[node]}
    if call.version < 4:
        return call.answer(**here)
    return call.answer(coordinators=[call.make("coordinator", key=key, **here) for key in call.body.coordinator_keys])
