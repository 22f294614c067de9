"""Records of `__remote_log_metadata` as the texts that Kafka's classes give of themselves.

Source: storage-api RemoteLogSegmentMetadata, RemoteLogSegmentMetadataUpdate and
RemotePartitionDeleteMetadata, storage RemoteLogSegmentMetadataSnapshot, each by its toString.
"""

from __future__ import annotations

from typing import Any, Final

from kafka_format.log.text.lines import id_text
from kafka_format.protocol.records import SchemaRecord
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.release_table import numbers

_EMPTY_INDEX_SINCE: Final = (4, 0)
"""Since this release a segment says whether its transaction index is empty (KAFKA-16355)."""


def text(schema_record: SchemaRecord, release: str) -> str:
    """Return the text of a record by the classes of a release.

    Raises:
        ValueError: there is no such record.
    """
    value = schema_record.value
    if schema_record.layout == "remote_log_segment_metadata_record":
        return _segment(value, release)
    if schema_record.layout == "remote_log_segment_metadata_snapshot_record":
        return _snapshot(value, release)
    if schema_record.layout == "remote_log_segment_metadata_update_record":
        return (
            f"RemoteLogSegmentMetadataUpdate{{remoteLogSegmentId={_id(value.remote_log_segment_id)},"
            f" customMetadata={_custom(value.custom_metadata)}, state={_state(value.remote_log_segment_state)},"
            f" eventTimestampMs={value.event_timestamp_ms}, brokerId={value.broker_id}}}"
        )
    if schema_record.layout == "remote_partition_delete_metadata_record":
        return (
            f"RemotePartitionDeleteMetadata{{topicPartition={_partition(value.topic_id_partition)},"
            f" state={_state(value.remote_partition_delete_state, 'remote_delete_state')},"
            f" eventTimestampMs={value.event_timestamp_ms}, brokerId={value.broker_id}}}"
        )
    raise ValueError(f"{schema_record.layout} is no record of the topic")


def _segment(value: Any, release: str) -> str:  # noqa: ANN401 - a value of the layout
    _check(value)
    return (
        f"RemoteLogSegmentMetadata{{remoteLogSegmentId={_id(value.remote_log_segment_id)},"
        f" startOffset={value.start_offset}, endOffset={value.end_offset}, brokerId={value.broker_id},"
        f" maxTimestampMs={value.max_timestamp_ms}, eventTimestampMs={value.event_timestamp_ms},"
        f" {_rest(value, release)}}}"
    )


def _snapshot(value: Any, release: str) -> str:  # noqa: ANN401 - a value of the layout
    _state(value.remote_log_segment_state)
    _check_epochs(value)
    return (
        f"RemoteLogSegmentMetadataSnapshot{{segmentId={id_text(value.segment_id)},"
        f" startOffset={value.start_offset}, endOffset={value.end_offset},"
        f" maxTimestampMs={value.max_timestamp_ms}, {_rest(value, release)}}}"
    )


def _rest(value: Any, release: str) -> str:  # noqa: ANN401 - a value of one of both layouts
    epochs = {each.leader_epoch: each.offset for each in value.segment_leader_epochs}
    rows = ", ".join(f"{epoch}={epochs[epoch]}" for epoch in sorted(epochs))
    with_index = numbers(release) >= _EMPTY_INDEX_SINCE
    last = f", txnIdxEmpty={'true' if value.txn_index_empty else 'false'}" if with_index else ""
    return (
        f"segmentLeaderEpochs={{{rows}}}, segmentSizeInBytes={value.segment_size_in_bytes},"
        f" customMetadata={_custom(value.custom_metadata)}, state={_state(value.remote_log_segment_state)}{last}"
    )


def _check(value: Any) -> None:  # noqa: ANN401 - a value of the layout
    """Check what Kafka's class checks of a segment, with its words.

    Raises:
        ValueError: the class takes no such segment.
    """
    start, end = value.start_offset, value.end_offset
    if start < 0:
        raise ValueError(f"Unexpected start offset = {start}. StartOffset for a remote segment cannot be negative")
    if end < start:
        raise ValueError(
            f"Unexpected end offset = {end}. EndOffset for a remote segment cannot be less than startOffset = {start}"
        )
    _check_epochs(value)


def _check_epochs(value: Any) -> None:  # noqa: ANN401 - a value of one of both layouts
    if not value.segment_leader_epochs:
        raise ValueError("segmentLeaderEpochs can not be null or empty")


def _id(value: Any) -> str:  # noqa: ANN401 - a value of the layout
    return f"RemoteLogSegmentId{{topicIdPartition={_partition(value.topic_id_partition)}, id={id_text(value.id)}}}"


def _partition(value: Any) -> str:  # noqa: ANN401 - a value of the layout
    return f"{id_text(value.id)}:{value.name}-{value.partition}"


def _custom(content: bytes | None) -> str:
    return "Optional.empty" if content is None else f"Optional[CustomMetadata{{{len(content)} bytes}}]"


def _state(number: int, enumeration: str = "remote_segment_state") -> str:
    """Return the name of a state.

    Raises:
        ValueError: there is no such state; the text is Kafka's.
    """
    name = specification().enums[enumeration].values.get(number)
    if enumeration == "remote_delete_state":
        if name is None:
            raise ValueError("null")
        return f"DELETE_PARTITION_{name.upper()}"
    if name is None:
        raise ValueError("state can not be null")
    return name.replace("_", "_segment_").upper()
