"""Annotated bytes of a data directory's file: which bytes are which field, entry by entry."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.explain.lines import Explanation, Line, explain, explain_structure, explain_v07
from kafka_format.explain.segments import salvage_parts
from kafka_format.log.batches import batches
from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.names import FileKind, parse_file
from kafka_format.log.text import checkpoints, clean_shutdown, meta_properties, partition_metadata, quorum_state

from kafka_tools.errors import UsageError
from kafka_tools.logs.schema_records import folder_topic

_LOOSE = frozenset({"log-name-of-any-width"})


class Part(NamedTuple):
    """A range of offsets, or of bytes; both ends belong to it."""

    first: int
    last: int
    are_bytes: bool


ENTRIES = {
    FileKind.OFFSET_INDEX: "offset_index_entry",
    FileKind.TIME_INDEX: "time_index_entry",
    FileKind.TRANSACTION_INDEX: "transaction_index_entry",
}
"""The layout of the entries of each index."""

_TEXTS: dict[str, Callable[[bytes], object]] = {
    partition_metadata.NAME: partition_metadata.decode,
    meta_properties.NAME: meta_properties.decode,
    quorum_state.NAME: quorum_state.decode,
    clean_shutdown.NAME: clean_shutdown.decode,
    checkpoints.EPOCH_FILE: checkpoints.decode_epochs,
    **dict.fromkeys(checkpoints.OFFSET_FILES, checkpoints.decode_offsets),
}


def annotate(path: Path, topic: str = "") -> Explanation:
    """Explain all bytes of a file.

    Args:
        path: the file.
        topic: the topic of Kafka's own whose records a segment has; if empty, the folder of the
            file tells.

    Raises:
        UsageError: it is no file of a data directory.
        OSError: it cannot be read.
    """
    return annotate_data(path.read_bytes(), path.name, topic or folder_topic(path))


def parts(path: Path, topic: str = "") -> Iterator[Explanation]:
    """Yield what `annotate` returns, of a segment in parts, so that memory does not grow with it.

    Other than there, what is behind a wrong checksum and in a batch that is cut is explained, too.
    Arguments and errors are those of `annotate`.
    """
    if not _has_batches(path.name):
        yield annotate(path, topic)
        return
    with MappedFile(path) as file:
        yield from salvage_parts(file.data, topic=topic or folder_topic(path))


def _has_batches(file_name: str) -> bool:
    name = parse_file(file_name, _LOOSE)
    is_segment = name is not None and name.kind in {FileKind.SEGMENT, FileKind.KRAFT_SNAPSHOT}
    return is_segment or file_name == "bootstrap.checkpoint"


def annotate_part(path: Path, part: Part, topic: str = "") -> Explanation:
    """Explain the batches of a segment that have some offsets, or some bytes.

    Arguments and errors are those of `annotate`; it is a usage error too if no batch is there.
    """
    if not _has_batches(path.name):
        raise UsageError(f"{path.name} has no batches.", "Leave out --offsets and --bytes.")
    with MappedFile(path) as file:
        number, start, end = 0, -1, -1
        for batch in batches(file.data):
            first, last = (batch.position, batch.end - 1) if part.are_bytes else (batch.base_offset, batch.last_offset)
            if last >= part.first and first <= part.last:
                start, end = (batch.position if start < 0 else start), batch.end
            elif start >= 0:
                break
            number += start < 0
        if start < 0:
            what = "bytes" if part.are_bytes else "offsets"
            raise UsageError(f"no batch has {what} {part.first} to {part.last}.", "`log stat` shows what is there.")
        explanation = explain(bytes(file.data[start:end]), topic=topic or folder_topic(path))
    fault = None if explanation.fault is None else explanation.fault.within(offset=start)
    return explanation._replace(lines=[_moved(line, start, number) for line in explanation.lines], fault=fault)


def _moved(line: Line, start: int, number: int) -> Line:
    """Return a line with its place in the file, and the number of its entry there."""
    entry = None if line.entry is None else line.entry + number
    return line._replace(entry=entry, start=line.start if line.payload else line.start + start)


def name_like(kind: str) -> str:
    """Return a name that a file of a kind has: text files have their own, others an ending."""
    return kind if kind in _TEXTS else f"{0:020}.{kind}"


def annotate_data(data: bytes, file_name: str, topic: str = "") -> Explanation:
    """Explain the bytes of a file of that name; errors and `topic` are those of `annotate`."""
    if file_name in _TEXTS:
        return _text(file_name, data)
    if _has_batches(file_name):
        return explain(data, topic=topic)
    name = parse_file(file_name, _LOOSE)
    if name is not None and name.kind is FileKind.SEGMENT_07:
        return explain_v07(data)
    if name is not None and name.kind in ENTRIES:
        return _entries(ENTRIES[name.kind], data)
    if name is not None and name.kind is FileKind.PRODUCER_SNAPSHOT:
        return explain_structure("producer_snapshot_file", data)
    hint = (
        "Files of segments, checkpoints, partition.metadata, meta.properties and quorum-state are known by their names."
    )
    raise UsageError(f"{file_name} is not a known file of a data directory.", hint)


def _entries(layout: str, data: bytes) -> Explanation:
    """Explain an index's entries.

    Zeros at the end are one line, and so are bytes that make no entry.
    """
    size = prefix(layout).size
    used = -(-len(data.rstrip(b"\0")) // size)
    lines: list[Line] = []
    fault = None
    for slot in range(min(used, len(data) // size)):
        entry = explain_structure(layout, data[slot * size : (slot + 1) * size])
        lines += [line._replace(entry=slot, start=line.start + slot * size) for line in entry.lines]
        fault = fault or (entry.fault.within(slot, offset=slot * size) if entry.fault else None)
    lines += _rest(data, min(used, len(data) // size) * size, size)
    return Explanation(lines, fault)


def _rest(data: bytes, start: int, size: int) -> Iterator[Line]:
    zeros = (len(data) - start) // size * size
    if zeros:
        text = f"{zeros // size} entries of zeros: room that a broker keeps while it writes, or left by a crash"
        yield Line(None, "", start, data[start : start + zeros], text)
    if start + zeros < len(data):
        yield Line(None, "", start + zeros, data[start + zeros :], "no whole entry")


def _text(name: str, data: bytes) -> Explanation:
    """Explain a text file: its lines, and what is wrong with one."""
    fault: FormatError | None = None
    try:
        _TEXTS[name](data)
    except FormatError as error:
        fault = error
    lines: list[Line] = []
    start = 0
    for raw in data.splitlines(keepends=True):
        here = fault if fault is not None and start <= fault.offset < start + len(raw) else None
        lines.append(Line(None, "", start, raw, raw.decode("utf-8", "replace").rstrip("\r\n"), fault=here))
        start += len(raw)
    if fault is not None and not any(line.fault for line in lines):
        lines.append(Line(None, "", len(data), b"", "the end of the file", fault=fault))
    return Explanation(lines, fault)
