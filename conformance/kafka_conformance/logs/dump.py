"""Files line for line as kafka-dump-log of Kafka prints them (tools DumpLogSegments; 3.9 and 4.x).

What the tool finds wrong, it writes to standard error; that is left to `verify` here, which knows
more rules and no false alarms.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kafka_format import structure
from kafka_format.log.batches import Batch, batches
from kafka_format.log.indexes import NEWEST, OffsetIndex, TimeIndex
from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.names import FileKind, FileName, parse_file
from kafka_format.log.transaction_index import aborted_transactions
from kafka_format.records import Record, iterate_v07
from kafka_format.spec.flags import numbers
from kafka_format.spec.layout import specification

from kafka_conformance.logs import legacy_text
from kafka_conformance.logs.control_text import control_text

_LOOSE: Final = frozenset({"log-name-of-any-width"})
_JAVA_PORT: Final = (4, 3)
"""Since this release the tool is in Java, and a producer without a batch has no blank at the end of
its line."""

_SEQUENCES: Final = 1 << 31
_CODECS: Final = specification().enums["codec"].values
_TIMES: Final = {0: "CreateTime", 1: "LogAppendTime"}


@dataclass(frozen=True, slots=True)
class Options:
    """What is printed.

    Attributes:
        records: a line for each record too.
        contents: with keys and values in it, as UTF-8.
        release: release of Kafka whose tool prints so.
    """

    records: bool = False
    contents: bool = False
    release: str = NEWEST


def dump(path: Path, shown: str, options: Options) -> Iterator[str]:
    """Yield the lines about a file.

    Args:
        path: where it is.
        shown: how it is called in the lines.
        options: what is printed.

    Raises:
        FormatError: the file cannot be read on; the lines up to there were yielded.
    """
    yield f"Dumping {shown}"
    name = parse_file(path.name, _LOOSE)
    with MappedFile(path) as file:
        if path.name == "bootstrap.checkpoint":
            yield "KRaft bootstrap snapshot"
            yield from _batches(file, options)
        elif name is not None:
            yield from _DUMPS[name.kind](file, name, shown, options)


def _segment(file: MappedFile, name: FileName, _: str, options: Options) -> Iterator[str]:
    yield f"Log starting offset: {name.offset}"
    yield from _batches(file, options)


def _segment_07(file: MappedFile, name: FileName, _: str, __: Options) -> Iterator[str]:
    """Yield a line a message of 0.7. Its offsets are bytes from the log's start.

    The tool of 0.7 printed others.
    """
    for record in iterate_v07(bytes(file.data), name.offset):
        codec = _CODECS.get(record.codec, str(record.codec))
        yield f"offset: {record.offset} payloadsize: {_size(record.value)} compresscodec: {codec}"


def _kraft_snapshot(file: MappedFile, name: FileName, _: str, options: Options) -> Iterator[str]:
    yield f"Snapshot end offset: {name.offset}, epoch: {name.epoch}"
    yield from _batches(file, options)


def _batches(file: MappedFile, options: Options) -> Iterator[str]:
    end = 0
    for batch in batches(file.data):
        yield batch_line(batch)
        end = batch.end
        if options.records or options.contents:
            yield from _record_lines(batch, options)
    if end != len(file.data):
        yield f"Found {len(file.data) - end} invalid bytes at the end of {file.path.name}"


def _record_lines(batch: Batch, options: Options) -> Iterator[str]:
    """Yield the lines of the records, whatever the checksum of the batch is."""
    records = batch.unchecked_records()
    checksums = list(legacy_text.checksums(batch, options.release)) or [""] * len(records)
    for record, checksum in zip(records, checksums, strict=True):
        yield record_line(record, batch, options, checksum)


def batch_line(batch: Batch) -> str:
    """Return the line of a batch."""
    header = batch.header
    if batch.is_v2:
        first = header.base_sequence
        last = -1 if first < 0 else (first + header.last_offset_delta) % _SEQUENCES
        horizon = f"OptionalLong[{header.base_timestamp}]" if batch.has("has_delete_horizon") else "OptionalLong.empty"
        start = (
            f"baseOffset: {batch.base_offset} lastOffset: {batch.last_offset} count: {batch.count}"
            f" baseSequence: {first} lastSequence: {last} producerId: {batch.producer_id}"
            f" producerEpoch: {header.producer_epoch} partitionLeaderEpoch: {batch.leader_epoch}"
            f" isTransactional: {_java(batch.has('is_transactional'))} isControl: {_java(batch.has('is_control'))}"
            f" deleteHorizonMs: {horizon}"
        )
    else:
        start = f"offset: {batch.last_offset}"
    return (
        f"{start} position: {batch.position} {_time_type(batch)}: {batch.max_timestamp} size: {batch.size}"
        f" magic: {batch.magic} compresscodec: {batch.codec} crc: {header.crc}"
        f" isvalid: {_java(legacy_text.is_valid(batch))}"
    )


def record_line(record: Record, batch: Batch, options: Options, checksum: str = "") -> str:
    """Return the line of a record of a batch; `checksum` is what is said of it by `legacy_text`."""
    sizes = f"keySize: {_size(record.key)} valueSize: {_size(record.value)}"
    line = f"| offset: {record.offset} {_time_type(batch)}: {record.timestamp} {sizes}"
    if batch.is_v2:
        keys = ",".join(_text(header.key) for header in record.headers)
        line += f" sequence: {record.sequence} headerKeys: [{keys}]"
    line += checksum
    if record.control:
        return line + control_text(record, options.release)
    if options.contents:
        line += f" key: {_text(record.key)}" if record.key is not None else ""
        line += f" payload: {_text(record.value)}" if record.value is not None else ""
    return line


def _offset_index(file: MappedFile, name: FileName, shown: str, _: Options) -> Iterator[str]:
    index = OffsetIndex(file.data, name.offset, padded=True)
    if not len(index):
        yield f"{shown} is empty."
    for slot, entry in enumerate(index):
        if slot and entry.offset == name.offset:
            return
        yield f"offset: {entry.offset} position: {entry.position}"


def _time_index(file: MappedFile, name: FileName, _: str, __: Options) -> Iterator[str]:
    for slot, entry in enumerate(TimeIndex(file.data, name.offset, padded=True)):
        if slot and entry.offset == name.offset:
            return
        yield f"timestamp: {entry.timestamp} offset: {entry.offset}"


def _transaction_index(file: MappedFile, _: FileName, __: str, ___: Options) -> Iterator[str]:
    for aborted in aborted_transactions(file.data):
        yield (
            f"version: 0 producerId: {aborted.producer_id} firstOffset: {aborted.first_offset}"
            f" lastOffset: {aborted.last_offset} lastStableOffset: {aborted.last_stable_offset}"
        )


def _snapshot(file: MappedFile, _: FileName, __: str, options: Options) -> Iterator[str]:
    for producer in structure("producer_snapshot_file").decode(bytes(file.data)).producers:
        yield _producer_line(producer, options)


def _producer_line(producer: Any, options: Options) -> str:  # noqa: ANN401 - a value of producer_state
    open_offset = producer.current_transaction_first_offset
    line = (
        f"producerId: {producer.producer_id} producerEpoch: {producer.producer_epoch}"
        f" coordinatorEpoch: {producer.coordinator_epoch} currentTxnFirstOffset:"
        f" {'OptionalLong.empty' if open_offset < 0 else f'OptionalLong[{open_offset}]'}"
        f" lastTimestamp: {producer.timestamp}"
    )
    if producer.last_offset < 0:
        return line if numbers(options.release) >= _JAVA_PORT else f"{line} "
    first = producer.last_sequence - producer.offset_delta
    return (
        f"{line} firstSequence: {first if first >= 0 else first + _SEQUENCES} lastSequence: {producer.last_sequence}"
        f" lastOffset: {producer.last_offset} offsetDelta: {producer.offset_delta} timestamp: {producer.timestamp}"
    )


_DUMPS: Final[dict[FileKind, Callable[[MappedFile, FileName, str, Options], Iterator[str]]]] = {
    FileKind.SEGMENT: _segment,
    FileKind.SEGMENT_07: _segment_07,
    FileKind.KRAFT_SNAPSHOT: _kraft_snapshot,
    FileKind.OFFSET_INDEX: _offset_index,
    FileKind.TIME_INDEX: _time_index,
    FileKind.TRANSACTION_INDEX: _transaction_index,
    FileKind.PRODUCER_SNAPSHOT: _snapshot,
}


def _time_type(batch: Batch) -> str:
    if batch.magic < 1:
        return "NoTimestampType"
    return _TIMES[int(batch.is_append_time)]


def _size(content: bytes | None) -> int:
    return -1 if content is None else len(content)


def _text(content: bytes | None) -> str:
    return "" if content is None else content.decode("utf-8", "replace")


def _java(value: bool) -> str:  # noqa: FBT001 - the value itself
    return "true" if value else "false"
