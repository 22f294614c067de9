"""Topics as the metadata log of a data directory has them, and the ids that its folders have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch, batches
from kafka_format.log.kraft import FOLDER, snapshots
from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.partition import PartitionLog
from kafka_format.log.text.lines import id_text
from kafka_format.protocol.records import SchemaRecord, decode_key, decode_value

METADATA: Final = "__cluster_metadata"


class TopicNames(NamedTuple):
    """Topics as a metadata log has them at its end.

    Attributes:
        names: the topics by their ids.
        removed: those that were removed, likewise.
        replicas: the brokers of each partition, by topic id and number.
    """

    names: dict[str, str]
    removed: dict[str, str]
    replicas: dict[tuple[str, int], tuple[int, ...]]


def topics(data: Path) -> TopicNames | None:
    """Return the topics of the metadata log in a data directory; None if there is no such log."""
    if not (data / FOLDER).is_dir():
        return None
    topic_names = TopicNames({}, {}, {})
    for _, value in schema_records(data / FOLDER, METADATA):
        if value is not None and value.layout in _TOPIC_RECORDS:
            _TOPIC_RECORDS[value.layout](topic_names, value.value)
    return topic_names


def _add_topic(topic_names: TopicNames, record: Any) -> None:  # noqa: ANN401 - values of layouts
    topic_names.names[id_text(record.topic_id)] = record.name


def _remove_topic(topic_names: TopicNames, record: Any) -> None:  # noqa: ANN401 - a value of its layout
    number = id_text(record.topic_id)
    topic_names.removed[number] = topic_names.names.pop(number, "")


def _set_replicas(topic_names: TopicNames, record: Any) -> None:  # noqa: ANN401 - a value of its layout
    if record.replicas is not None:
        topic_names.replicas[id_text(record.topic_id), record.partition_id] = tuple(record.replicas)


_TOPIC_RECORDS: Final = {
    "topic_record": _add_topic,
    "remove_topic_record": _remove_topic,
    "partition_record": _set_replicas,
    "partition_change_record": _set_replicas,
}


def schema_records(folder: Path, topic: str) -> Iterator[tuple[SchemaRecord | None, SchemaRecord | None]]:
    """Yield keys and values of the records in a partition of one of Kafka's own topics.

    What cannot be read is passed over, as these are hints and no verdicts.
    """
    with suppress(FormatError, OSError), PartitionLog(folder) as log:
        for each in snapshots(log)[-1:]:
            with MappedFile(each.path) as file:
                yield from read_records(batches(file.data), topic)
        for segment in log.segments:
            yield from read_records(segment.whole_batches(), topic)


def read_records(log_batches: Iterator[Batch], topic: str) -> Iterator[tuple[SchemaRecord | None, SchemaRecord | None]]:
    """Yield keys and values of the records in batches of one of Kafka's own topics."""
    for batch in log_batches:
        if batch.has("is_control"):
            continue
        with suppress(FormatError):
            for record in batch.records():
                with suppress(ValueError):  # records of another topic have keys where this one has none
                    key = decode_key(topic, record.key) if record.key is not None else None
                    value = decode_value(topic, record.value, key) if record.value is not None else None
                    yield key, value
