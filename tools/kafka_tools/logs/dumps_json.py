"""Files as JSON lines: an object for each batch, and for each entry of an index or snapshot."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from kafka_format import structure
from kafka_format.content import Reading, read_key, read_value
from kafka_format.log import remote_snapshot
from kafka_format.log.batches import Batch, batches
from kafka_format.log.indexes import OffsetIndex, TimeIndex
from kafka_format.log.mapped_file import Data, MappedFile
from kafka_format.log.names import FileKind, FileName, parse_file
from kafka_format.log.transaction_index import aborted_transactions
from kafka_format.records import Record, iterate_v07, json_form

from kafka_tools.logs import control_text, schema_records
from kafka_tools.logs.dump import DumpOptions
from kafka_tools.logs.schema_records import folder_topic

_LOOSE = frozenset({"log-name-of-any-width"})


def dump(path: Path, options: DumpOptions, *, contents: bool = False) -> Iterator[str]:
    """Yield the lines about a file; nothing for a file that is none of a segment.

    Zeros at the end of an index are no entries here, other than in kafka-dump-log. Control records
    and records of Kafka's own topics have what they say in `read`. With `contents`, the others have
    in `content` what their keys and values are, as far as something tells it.

    Raises:
        FormatError: the file cannot be read on; the lines up to there were yielded.
    """
    name = parse_file(path.name, _LOOSE)
    if path.name == remote_snapshot.NAME:
        yield from (json.dumps({"file": str(path), **each}) for each in _remote(path.read_bytes()))
        return
    if name is None and path.name != "bootstrap.checkpoint":
        return
    with MappedFile(path) as file:
        read = partial(_content, topic=folder_topic(path)) if contents else None
        for document in _documents(file.data, name, options, schema_records.topic_of(path), read):
            yield json.dumps({"file": str(path), **document})


_Content = Callable[[Record], dict[str, Any]]


def _documents(
    data: Data, name: FileName | None, options: DumpOptions, topic: str, content: _Content | None
) -> Iterator[dict[str, Any]]:
    if name is None or name.kind in {FileKind.SEGMENT, FileKind.KRAFT_SNAPSHOT}:
        yield from (_batch(batch, options, topic, content) for batch in batches(data))
    elif name.kind is FileKind.SEGMENT_07:
        yield from json_form.to_json(iterate_v07(bytes(data), name.offset))
    elif name.kind is FileKind.OFFSET_INDEX:
        yield from (entry._asdict() for entry in OffsetIndex(data, name.offset))
    elif name.kind is FileKind.TIME_INDEX:
        yield from (entry._asdict() for entry in TimeIndex(data, name.offset))
    elif name.kind is FileKind.TRANSACTION_INDEX:
        yield from (entry._asdict() for entry in aborted_transactions(data))
    elif name.kind is FileKind.PRODUCER_SNAPSHOT:
        yield from (each._asdict() for each in structure("producer_snapshot_file").decode(bytes(data)).producers)


def _remote(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the head and the records of a snapshot of remote log metadata."""
    snapshot = remote_snapshot.decode(data)
    yield {"metadata_partition": snapshot.metadata_partition, "metadata_offset": snapshot.metadata_offset}
    for place, value in zip(snapshot.places, snapshot.records, strict=True):
        read = schema_records.document(remote_snapshot.TOPIC, Record(0, value=value))
        yield {"position": place, "size": len(value), "read": read}


def _batch(batch: Batch, options: DumpOptions, topic: str, content: _Content | None) -> dict[str, Any]:
    document = {
        "position": batch.position,
        "size": batch.size,
        "magic": batch.magic,
        "base_offset": batch.base_offset,
        "last_offset": batch.last_offset,
        "codec": batch.codec,
        "max_timestamp": batch.max_timestamp,
        "crc": batch.header.crc,
    }
    if batch.is_v2:
        names = ("partition_leader_epoch", "producer_id", "producer_epoch", "base_sequence", "record_count")
        document |= {name: getattr(batch.header, name) for name in names}
        document |= {name: batch.has(name) for name in ("is_transactional", "is_control", "has_delete_horizon")}
    if options.records or options.contents:
        records = batch.records()
        document["records"] = json_form.to_json(records)
        for each, record in zip(document["records"], records, strict=True):
            if record.control:
                each["read"] = control_text.document(record)
            elif topic:
                each["read"] = schema_records.document(topic, record)
            elif content is not None and (found := content(record)):
                each["content"] = found
    return document


def _content(record: Record, topic: str) -> dict[str, Any]:
    """Return what the key and the value are, without those of which nothing tells it."""
    headers = [(header.key, header.value) for header in record.headers]
    parts = {"key": (read_key, record.key), "value": (read_value, record.value)}
    readings = {part: read(data, headers, topic) for part, (read, data) in parts.items() if data is not None}
    return {part: _reading(found) for part, found in readings.items() if found is not None}


def _reading(found: Reading) -> dict[str, Any]:
    """Return a reading; bytes are hex."""
    fields = {name: value if isinstance(value, int | list) else str(value) for name, value in found.fields.items()}
    shown = {"is": found.name, "is_sure": found.is_sure, "evidence": found.evidence, "by": found.said_by}
    return shown | {"fields": fields, "payload": None if found.payload is None else found.payload.hex()}
