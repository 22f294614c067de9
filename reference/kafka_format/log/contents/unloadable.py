"""Records in one file of Kafka's own topics that a release cannot read, each by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch, batches
from kafka_format.log.contents.kafka_error import KafkaError, Refused
from kafka_format.log.contents.metadata import read_record
from kafka_format.log.contents.reading import UnknownKey, read_framed, read_key, read_value
from kafka_format.log.contents.releases import NEWEST, Release
from kafka_format.log.mapped_file import MappedFile
from kafka_format.protocol.records import KEYED
from kafka_format.records import Record

_METADATA, _REMOTE = "__cluster_metadata", "__remote_log_metadata"


class UnloadableRecord(NamedTuple):
    """A record that cannot be read: its offset, where its batch begins, and the error."""

    offset: int
    position: int
    error: KafkaError


def in_file(path: Path, topic: str, release: Release = NEWEST) -> Iterator[UnloadableRecord]:
    """Yield the records of a segment or snapshot that a release cannot read.

    Other files, and batches that are broken themselves, have none.

    Args:
        path: the file.
        topic: the topic of Kafka's own; empty for another one.
        release: the release that reads.
    """
    if topic not in {_METADATA, _REMOTE, *KEYED} or path.suffix not in {".log", ".checkpoint"}:
        return
    with MappedFile(path) as file:
        try:
            for batch in batches(file.data):
                if batch.is_v2 and not batch.has("is_control"):
                    yield from _in_batch(batch, topic, release)
        except FormatError:
            return


def _in_batch(batch: Batch, topic: str, release: Release) -> Iterator[UnloadableRecord]:
    for record in batch.records():
        try:
            _read(record, batch, topic, release)
        except UnknownKey:
            continue
        except Refused as refused:
            yield UnloadableRecord(record.offset, batch.position, refused.error)


def _read(record: Record, batch: Batch, topic: str, release: Release) -> None:
    if topic == _METADATA:
        read_record(record, batch.header.base_timestamp, release)
    elif topic == _REMOTE:
        read_framed("remote_log_record", record.value, release)
    else:
        key = read_key(topic, record.key, release)
        if record.value is not None:
            read_value(key, record.value, release)
