"""The requests that the suite sends to a broker, in any version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kafka_format import protocol

from kafka_conformance.kinds.broker.connection import Call

_ACKS: Final = 1
_TIMEOUT_MS: Final = 20_000
WAIT_MS: Final = 100
_NO_SESSION: Final = -1
_CONSUMER: Final = -1
_CHOSEN_BY_BROKER: Final = -1


def make(api: str, version: int, name: str, /, **values: object) -> Any:
    """Make a structure of a request; values that this version has no field for are left out."""
    kind = protocol.request(api, version).types[name]
    return kind(**{field: value for field, value in values.items() if field in kind._fields})


def metadata(version: int, topics: Sequence[str] | None) -> Call:
    """Ask about topics, or about all. Before version 4 a broker may make those that it has not."""

    def body() -> Any:
        rows = (
            None
            if topics is None
            else [make("metadata", version, "metadata_request_topic", name=name) for name in topics]
        )
        if rows is None and version == 0:
            rows = []
        return make("metadata", version, "metadata_request", topics=rows, allow_auto_topic_creation=True)

    return Call("metadata", version, body)


def create_topic(version: int, name: str, partitions: int, node: int | None, configs: Mapping[str, str]) -> Call:
    """Make a topic with one replica of each partition, all on one node if that is named."""
    api = "create_topics"

    def body() -> Any:
        places = [
            make(api, version, "creatable_replica_assignment", partition_index=index, broker_ids=[node])
            for index in range(partitions if node is not None else 0)
        ]
        topic = make(
            api,
            version,
            "creatable_topic",
            name=name,
            num_partitions=_CHOSEN_BY_BROKER if places else partitions,
            replication_factor=_CHOSEN_BY_BROKER if places else 1,
            assignments=places,
            configs=[
                make(api, version, "creatable_topic_config", name=key, value=value) for key, value in configs.items()
            ],
        )
        return make(api, version, f"{api}_request", topics=[topic], timeout_ms=_TIMEOUT_MS, validate_only=False)

    return Call(api, version, body)


def delete_topics(version: int, names: Sequence[str]) -> Call:
    """Delete topics."""
    api = "delete_topics"

    def body() -> Any:
        if version < 6:
            return make(api, version, f"{api}_request", topic_names=list(names), timeout_ms=_TIMEOUT_MS)
        topics = [make(api, version, "delete_topic_state", name=name) for name in names]
        return make(api, version, f"{api}_request", topics=topics, timeout_ms=_TIMEOUT_MS)

    return Call(api, version, body)


def produce(version: int, topic: str, topic_id: bytes, partition: int, records: bytes) -> Call:
    """Send records to one partition, outside of any transaction."""
    api = "produce"

    def body() -> Any:
        data = make(api, version, "partition_produce_data", index=partition, records=records)
        row = make(api, version, "topic_produce_data", name=topic, topic_id=topic_id, partition_data=[data])
        return make(
            api,
            version,
            "produce_request",
            transactional_id=None,
            acks=_ACKS,
            timeout_ms=_TIMEOUT_MS,
            topic_data=[row],
        )

    return Call(api, version, body)


def fetch(
    version: int, topic: str, topic_id: bytes, offsets: Mapping[int, int], most: int, wait_ms: int = WAIT_MS
) -> Call:
    """Ask for what stands at offsets of partitions of a topic.

    Args:
        version: version of Fetch.
        topic: name of the topic.
        topic_id: its id.
        offsets: where to begin, by partition.
        most: bytes that the answer may have.
        wait_ms: how long the broker may wait for bytes.
    """
    api = "fetch"

    def body() -> Any:
        wanted = [
            make(api, version, "fetch_partition", partition=partition, fetch_offset=offset, partition_max_bytes=most)
            for partition, offset in offsets.items()
        ]
        row = make(api, version, "fetch_topic", topic=topic, topic_id=topic_id, partitions=wanted)
        return make(
            api,
            version,
            "fetch_request",
            replica_id=_CONSUMER,
            max_wait_ms=wait_ms,
            min_bytes=1,
            max_bytes=most,
            session_epoch=_NO_SESSION,
            topics=[row],
        )

    return Call(api, version, body)
