"""Facts from Kafka's own topics: owners of producer ids, topics, releases."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log import Batch, PartitionLog
from kafka_format.log.batches import batches
from kafka_format.log.kraft import FOLDER, snapshots
from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.text.lines import id_text
from kafka_format.protocol.records import SchemaRecord, decode_key, decode_value
from kafka_format.spec.layout import specification

TRANSACTIONS = "__transaction_state"
METADATA = "__cluster_metadata"


class Transaction(NamedTuple):
    """The coordinator's last word on a transactional id: producer, state, start in ms."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    state: str
    started: int
    timeout: int


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


def transactions(data: Path) -> dict[int, Transaction]:
    """Return by producer id the coordinator's last record, from this data directory alone."""
    by_producer: dict[int, Transaction] = {}
    for folder in sorted(data.glob(f"{TRANSACTIONS}-*")):
        for key, value in _records(folder, TRANSACTIONS):
            if key is not None and value is not None:
                entry = _transaction(key.value, value.value)
                by_producer[entry.producer_id] = entry
    return by_producer


def topics(data: Path) -> TopicNames | None:
    """Return the topics of the metadata log in a data directory; None if there is no such log."""
    if not (data / FOLDER).is_dir():
        return None
    topic_names = TopicNames({}, {}, {})
    for _, value in _records(data / FOLDER, METADATA):
        if value is not None and value.layout in _TOPIC_RECORDS:
            _TOPIC_RECORDS[value.layout](topic_names, value.value)
    return topic_names


def _add_topic(topic_names: TopicNames, record: Any) -> None:  # noqa: ANN401 - values of layouts
    topic_names.names[id_text(record.topic_id)] = record.name


def _remove_topic(topic_names: TopicNames, record: Any) -> None:  # noqa: ANN401
    number = id_text(record.topic_id)
    topic_names.removed[number] = topic_names.names.pop(number, "")


def _set_replicas(topic_names: TopicNames, record: Any) -> None:  # noqa: ANN401
    if record.replicas is not None:
        topic_names.replicas[id_text(record.topic_id), record.partition_id] = tuple(record.replicas)


_TOPIC_RECORDS: Final = {
    "topic_record": _add_topic,
    "remove_topic_record": _remove_topic,
    "partition_record": _set_replicas,
    "partition_change_record": _set_replicas,
}


def metadata_levels(data: Path) -> dict[str, int]:
    """Return the metadata.version in force (`level`), and the newest that a `broker` supports."""
    levels: dict[str, int] = {}
    for _, value in _records(data / FOLDER, METADATA) if (data / FOLDER).is_dir() else ():
        if value is None:
            continue
        if value.layout == "feature_level_record" and value.value.name == "metadata.version":
            levels["level"] = value.value.feature_level
        for feature in getattr(value.value, "features", ()) if value.layout == "register_broker_record" else ():
            if feature.name == "metadata.version":
                levels["broker"] = feature.max_supported_version
    return levels


def _transaction(key: Any, value: Any) -> Transaction:  # noqa: ANN401 - values of layouts
    names = specification().enums["transaction_status"].values
    state = names.get(value.transaction_status, str(value.transaction_status))
    started, timeout = value.transaction_start_timestamp_ms, value.transaction_timeout_ms
    return Transaction(key.transactional_id, value.producer_id, value.producer_epoch, state, started, timeout)


def _records(folder: Path, topic: str) -> Iterator[tuple[SchemaRecord | None, SchemaRecord | None]]:
    """Yield keys and values.

    What cannot be read is passed over, as these are hints and no verdicts.
    """
    with suppress(FormatError, OSError), PartitionLog(folder) as log:
        for each in snapshots(log)[-1:]:
            with MappedFile(each.path) as file:
                yield from _of(batches(file.data), topic)
        for segment in log.segments:
            yield from _of(segment.whole_batches(), topic)


def _of(log_batches: Iterator[Batch], topic: str) -> Iterator[tuple[SchemaRecord | None, SchemaRecord | None]]:
    for batch in log_batches:
        if batch.has("is_control"):
            continue
        with suppress(FormatError):
            for record in batch.records():
                key = decode_key(topic, record.key) if record.key is not None else None
                yield key, decode_value(topic, record.value, key) if record.value is not None else None
