"""bootstrap.checkpoint: read wholly at every start, even if the log has all of it.

BootstrapDirectory.read (3.3 to 3.9), BootstrapMetadata.fromDirectory (4.x), BatchFileReader. No
checksum is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch, batches
from kafka_format.log.contents.features import METADATA_VERSION, check_metadata_version
from kafka_format.log.contents.kafka_error import Refused
from kafka_format.log.contents.reading import read_framed
from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.start.node import Node
from kafka_format.log.start.outcome import stopped
from kafka_format.log.start.unloadable import is_readable
from kafka_format.protocol.records import SchemaRecord

NAME: Final = "bootstrap.checkpoint"
_KIND: Final = "bootstrap-broken"
_LOOKED_UP_UNTIL: Final = (4, 0)
"""Up to 3.9 the level is looked up among those that the release knows."""


def check(node: Node) -> None:
    """Read the file, if it is there.

    Raises:
        Stopped: the node does not start.
    """
    path = node.metadata / NAME
    if not path.exists():
        return
    if path.is_dir():
        raise stopped(_KIND, path, "KafkaException", "java.io.IOException: Is a directory")
    if not is_readable(path):
        raise stopped("file-unreadable", path, "AccessDeniedException", str(path))
    with MappedFile(path) as file:
        levels = [each for each in _records(node, path, file) if _is_level(each)]
    if not levels:
        where = f"the bootstrap metadata from the binary bootstrap metadata file: {path}"
        message = f"No FeatureLevelRecord for metadata.version was found in {where}"
        raise stopped("bootstrap-without-level", path, "RuntimeException", message)
    if node.release < _LOOKED_UP_UNTIL:
        for each in levels:
            _look_up(node, path, each)


def _is_level(record: SchemaRecord) -> bool:
    return record.layout == "feature_level_record" and record.value.name == METADATA_VERSION


def _look_up(node: Node, path: Path, record: SchemaRecord) -> None:
    try:
        check_metadata_version(record.value.feature_level, node.release)
    except Refused as refused:
        raise stopped("bootstrap-level", path, *refused.error) from refused


def _records(node: Node, path: Path, file: MappedFile) -> Iterator[SchemaRecord]:
    try:
        for batch in batches(file.data):
            if not batch.has("is_control"):
                yield from _of_batch(node, path, batch)
    except FormatError as error:
        message = f"Found record size 0 smaller than minimum record overhead (14) in file {path}."
        raise stopped(_KIND, path, "CorruptRecordException", message, position=error.offset) from error


def _of_batch(node: Node, path: Path, batch: Batch) -> Iterator[SchemaRecord]:
    try:
        records = batch.unchecked_records()
    except FormatError as error:
        raise stopped(_KIND, path, "RuntimeException", error.detail, position=batch.position) from error
    for record in records:
        try:
            yield read_framed("metadata_record", record.value, node.release)
        except Refused as refused:
            message = f"unable to deserialize record at offset {record.offset}"
            raise stopped(
                _KIND, path, "RuntimeException", message, position=batch.position, offset=record.offset
            ) from refused
