"""Files line for line as kafka-dump-log of Kafka prints them (tools DumpLogSegments; 3.9 and 4.x).

What the tool finds wrong, it writes to standard error; that is left to `verify` here, which knows
more rules and no false alarms.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar

from kafka_format import structure
from kafka_format.log.batches import Batch, batches
from kafka_format.log.indexes import NEWEST, OffsetEntry, OffsetIndex, TimeEntry, TimeIndex
from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.names import FileKind, FileName, parse_file
from kafka_format.log.transaction_index import aborted_transactions
from kafka_format.records import Record, iterate_v07
from kafka_format.spec.layout.release_table import numbers

from kafka_tools.logs import index_checks, java_text, legacy_text
from kafka_tools.logs.control_text import control_text
from kafka_tools.logs.dump_lines import CODECS, RECORD_LINE, SEQUENCES, TIMES, V2_LINE
from kafka_tools.logs.record_contents import ContentDecoder, Contents, Plain, decode_contents, decoded

_LOOSE: Final = frozenset({"log-name-of-any-width"})
_JAVA_PORT: Final = (4, 3)
"""Since this release the tool is in Java. Then a producer without a batch has no blank at the end
of its line, and a value without a key before it stands after a stroke."""

_LARGE: Final = 1 << 20
"""Bytes of a segment from which on columns are worth it."""

_DOUBTS: Final = 16
"""Batches that cannot be read as columns, after which a segment is read batch by batch: it is of an
old format, or broken."""

_Entry = TypeVar("_Entry", OffsetEntry, TimeEntry)


@dataclass(frozen=True, slots=True)
class DumpOptions:
    """What is printed.

    Attributes:
        records: a line for each record too.
        contents: with keys and values in it.
        release: release of Kafka whose tool prints so.
        decoder: what reads them; by default `key_decoder` and `value_decoder` do.
        key_decoder: what reads keys without a schema; `value_decoder` likewise.
        metadata: of records, their metadata; else what they contain alone.
        most: bytes of a segment that are read; None for all.
        sanity: of indexes, only whether they pass the check of Kafka.
        entries: of indexes, their entries.
    """

    records: bool = False
    contents: bool = False
    release: str = NEWEST
    decoder: ContentDecoder = ContentDecoder.PLAIN
    key_decoder: Plain = Plain.STRING
    value_decoder: Plain = Plain.STRING
    metadata: bool = True
    most: int | None = None
    sanity: bool = False
    entries: bool = True


def is_known(path: Path) -> bool:
    """Tell by its name whether `dump` reads a file; kafka-dump-log ignores all others.

    Raises:
        FormatError: the ending is a segment's and no offset stands before it.
    """
    return path.name == "bootstrap.checkpoint" or parse_file(path.name, _LOOSE) is not None


Lines = str | memoryview
"""A line; or many, with breaks between them, as UTF-8."""


def dump(path: Path, shown: str, options: DumpOptions) -> Iterator[str]:
    """Yield what `dump_lines` does, all of it as text."""
    for lines in dump_lines(path, shown, options):
        yield lines if isinstance(lines, str) else str(lines, "utf-8")


def dump_lines(path: Path, shown: str, options: DumpOptions) -> Iterator[Lines]:
    """Yield the lines about a file; of a large segment many at a time.

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


def _segment(file: MappedFile, name: FileName, _: str, options: DumpOptions) -> Iterator[Lines]:
    yield f"Log starting offset: {name.offset}"
    yield from _batches(file, options)


def _segment_07(file: MappedFile, name: FileName, _: str, __: DumpOptions) -> Iterator[str]:
    """Yield a line a message of 0.7. Its offsets are bytes from the log's start.

    The tool of 0.7 printed others.
    """
    for record in iterate_v07(bytes(file.data), name.offset):
        codec = CODECS.get(record.codec, str(record.codec))
        yield f"offset: {record.offset} payloadsize: {_size(record.value)} compresscodec: {codec}"


def _kraft_snapshot(file: MappedFile, name: FileName, _: str, options: DumpOptions) -> Iterator[Lines]:
    yield f"Snapshot end offset: {name.offset}, epoch: {name.epoch}"
    yield from _batches(file, options)


def _batches(file: MappedFile, options: DumpOptions) -> Iterator[Lines]:
    size = len(file.data)
    end = 0
    if _has_columns(size, options):
        end = yield from _by_columns(file, options)
    end = yield from _one_by_one(file, options, end, None if options.most is None else min(options.most, size))
    if end != size and options.most is None:
        yield f"Found {size - end} invalid bytes at the end of {file.path.name}"


def _has_columns(size: int, options: DumpOptions) -> bool:
    """Tell whether lines are made of columns: the file is large, and they are the usual ones."""
    usual = DumpOptions(options.records, options.contents, options.release)
    return size >= _LARGE and options == usual and find_spec("numpy") is not None


def _by_columns(file: MappedFile, options: DumpOptions) -> Generator[Lines, None, int]:
    """Yield lines, many at a time; return up to where. What is in doubt is read batch by batch."""
    from kafka_tools.logs.dump_columns import dump_pieces  # noqa: PLC0415 - numpy is only needed here

    def other_line(record: Record, position: int) -> str:
        return record_line(record, next(batches(file.data, position)), options)

    end, size = 0, len(file.data)
    contents = options.contents if options.records or options.contents else None
    for _ in range(_DOUBTS):
        for dumped in dump_pieces(file.path, end, size, contents=contents, other_line=other_line):
            if dumped.text is None:
                yield from _one_by_one(file, options, end, dumped.end)
            else:
                yield dumped.text
            end = dumped.end
        doubtful = next(batches(file.data, end), None)
        if doubtful is None:
            break
        end = yield from _one_by_one(file, options, end, doubtful.end)
    return end


def _one_by_one(file: MappedFile, options: DumpOptions, start: int, stop: int | None) -> Generator[str, None, int]:
    """Yield the lines of the batches between two positions; return where the last one ends."""
    end = start
    for batch in batches(file.data, start, stop):
        yield batch_line(batch)
        end = batch.end
        if options.records or options.contents:
            yield from _record_lines(batch, options)
    return end


def _record_lines(batch: Batch, options: DumpOptions) -> Iterator[str]:
    """Yield the lines of the records, whatever the checksum of the batch is."""
    records = batch.unchecked_records()
    checksums = list(legacy_text.checksums(batch, options.release)) or [""] * len(records)
    for record, checksum in zip(records, checksums, strict=True):
        yield record_line(record, batch, options, checksum)


def batch_line(batch: Batch) -> str:
    """Return the line of a batch."""
    header, valid = batch.header, _java(legacy_text.is_valid(batch))
    if not batch.is_v2:
        return (
            f"offset: {batch.last_offset} position: {batch.position} {_time_type(batch)}: {batch.max_timestamp}"
            f" size: {batch.size} magic: {batch.magic} compresscodec: {batch.codec} crc: {header.crc} isvalid: {valid}"
        )
    first = header.base_sequence
    return V2_LINE % (
        batch.base_offset,
        batch.last_offset,
        batch.count,
        first,
        -1 if first < 0 else (first + header.last_offset_delta) % SEQUENCES,
        batch.producer_id,
        header.producer_epoch,
        batch.leader_epoch,
        _java(batch.has("is_transactional")),
        _java(batch.has("is_control")),
        f"OptionalLong[{header.base_timestamp}]" if batch.has("has_delete_horizon") else "OptionalLong.empty",
        batch.position,
        _time_type(batch),
        batch.max_timestamp,
        batch.size,
        batch.magic,
        batch.codec,
        header.crc,
        valid,
    )


def record_line(record: Record, batch: Batch, options: DumpOptions, checksum: str = "") -> str:
    """Return the line of a record of a batch; `checksum` is what is said of it by `legacy_text`."""
    line = _metadata(record, batch, options, checksum) if options.metadata else ""
    if record.control or not options.contents:
        return line
    key, payload = _contents(record, options)
    stroke = line or "|"
    if key is not None:
        line = stroke = f"{stroke} key: {key}"
    if payload is not None:
        line = f"{stroke if numbers(options.release) >= _JAVA_PORT else line} payload: {payload}"
    return line


def _metadata(record: Record, batch: Batch, options: DumpOptions, checksum: str) -> str:
    keys = ",".join(java_text.decode(header.key) for header in record.headers)
    sizes = (_size(record.key), _size(record.value))
    line = RECORD_LINE % (record.offset, _time_type(batch), record.timestamp, *sizes, record.sequence, keys)
    line = line if batch.is_v2 else line.partition(" sequence:")[0]
    return line + checksum + (control_text(record, options.release) if record.control else "")


def _contents(record: Record, options: DumpOptions) -> Contents:
    if options.decoder:
        return decode_contents(record, options.decoder, options.release)
    return Contents(decoded(record.key, options.key_decoder), decoded(record.value, options.value_decoder))


def _offset_index(file: MappedFile, name: FileName, shown: str, options: DumpOptions) -> Iterator[str]:
    index = OffsetIndex(file.data, name.offset, padded=True)
    if not len(index):
        yield f"{shown} is empty."
    elif options.sanity:
        index_checks.check_offsets(index)
        yield f"{shown} passed sanity check."
    else:
        for entry in _printed_entries(index, name, options):
            yield f"offset: {entry.offset} position: {entry.position}"


def _time_index(file: MappedFile, name: FileName, shown: str, options: DumpOptions) -> Iterator[str]:
    index = TimeIndex(file.data, name.offset, padded=True)
    if options.sanity:
        index_checks.check_times(index)
        yield f"{shown} passed sanity check."
    else:
        for entry in _printed_entries(index, name, options):
            yield f"timestamp: {entry.timestamp} offset: {entry.offset}"


def _printed_entries(index: Iterable[_Entry], name: FileName, options: DumpOptions) -> Iterator[_Entry]:
    """Yield the entries up to one that is as if there were none: zeros after the first."""
    for slot, entry in enumerate(index):
        if slot and entry.offset == name.offset:
            return
        if options.entries:
            yield entry


def _transaction_index(file: MappedFile, _: FileName, __: str, ___: DumpOptions) -> Iterator[str]:
    for aborted in aborted_transactions(file.data):
        yield (
            f"version: 0 producerId: {aborted.producer_id} firstOffset: {aborted.first_offset}"
            f" lastOffset: {aborted.last_offset} lastStableOffset: {aborted.last_stable_offset}"
        )


def _snapshot(file: MappedFile, _: FileName, __: str, options: DumpOptions) -> Iterator[str]:
    for producer in structure("producer_snapshot_file").decode(bytes(file.data)).producers:
        yield _producer_line(producer, options)


def _producer_line(producer: Any, options: DumpOptions) -> str:  # noqa: ANN401 - a value of producer_state
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
        f"{line} firstSequence: {first if first >= 0 else first + SEQUENCES} lastSequence: {producer.last_sequence}"
        f" lastOffset: {producer.last_offset} offsetDelta: {producer.offset_delta} timestamp: {producer.timestamp}"
    )


_DUMPS: Final[dict[FileKind, Callable[[MappedFile, FileName, str, DumpOptions], Iterator[Lines]]]] = {
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
    return TIMES[int(batch.is_append_time)]


def _size(content: bytes | None) -> int:
    return -1 if content is None else len(content)


def _java(value: bool) -> str:  # noqa: FBT001 - the value itself
    return "true" if value else "false"
