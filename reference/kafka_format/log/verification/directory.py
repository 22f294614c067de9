"""The rules of a data directory: its checkpoints, ids, partitions, and clean shutdown marker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.kraft import FOLDER
from kafka_format.log.names import FileKind, PartitionName, parse_partition
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.log.text import checkpoints, clean_shutdown, meta_properties
from kafka_format.log.verification import topics
from kafka_format.log.verification.breach import Breach, of_error
from kafka_format.log.verification.partition import verify_partition

_NOT_PARTITIONS = ("remote-log-index-cache",)


def verify_directory(folder: Path) -> Iterator[Breach]:
    """Yield every rule that the files of a data directory break, those of its partitions included.

    Raises:
        OSError: a file cannot be read.
    """
    for path in partition_folders(folder):
        yield from verify_partition(path)
        yield from verify_marks(path)
    yield from verify_own_files(folder)


def partition_folders(folder: Path) -> list[Path]:
    """Return by name the folders of a data directory that a broker takes for partitions."""
    return sorted(path for path in folder.iterdir() if path.is_dir() and path.name not in _NOT_PARTITIONS)


def verify_own_files(folder: Path) -> Iterator[Breach]:
    """Yield every rule that a data directory's own files break, those of no partition alone."""
    yield from _texts(folder)
    yield from _node_id(folder)
    yield from _rows(folder)
    yield from _gone(folder)
    yield from topics.verify(folder, partition_folders(folder))


_TEXTS: Final[dict[str, Callable[[bytes], object]]] = {
    **dict.fromkeys(checkpoints.OFFSET_FILES, checkpoints.decode_offsets),
    meta_properties.NAME: meta_properties.decode,
    clean_shutdown.NAME: clean_shutdown.decode,
}


def _texts(folder: Path) -> Iterator[Breach]:
    for name, decode in _TEXTS.items():
        path = folder / name
        if path.is_file():
            try:
                decode(path.read_bytes())
            except FormatError as error:
                yield of_error(error, path)


def _node_id(folder: Path) -> Iterator[Breach]:
    """A broker of KRaft does not start without its id; one with ZooKeeper is given a new one."""
    path = folder / meta_properties.NAME
    is_whole = any((folder / name).is_file() for name in checkpoints.OFFSET_FILES)
    if not path.is_file() and is_whole and (folder / FOLDER).is_dir():
        yield Breach("log.meta-properties.keys", path, "it is gone, and the metadata log of KRaft is there")
    if path.is_file() and (folder / FOLDER).is_dir():
        with suppress(FormatError):  # reported above
            if meta_properties.decode(path.read_bytes()).node_id is None:
                detail = "there is no id of the broker, and the metadata log beside it is that of KRaft"
                yield Breach("log.meta-properties.keys", path, detail)


def verify_marks(folder: Path) -> Iterator[Breach]:
    """Yield where a data directory contradicts a partition's log: checkpoints, the clean marker.

    No offset is beyond the end of the log, and a marker of a clean stop is true. The folder is that
    of the partition.
    """
    is_clean = (folder.parent / clean_shutdown.NAME).is_file() and folder.name != FOLDER
    try:
        if parse_partition(folder.name).marker:
            return
        with PartitionLog(folder) as log:
            end, start = log.end_offset, log.start_offset
            marks = {name: log.checkpoint(name) for name in checkpoints.OFFSET_FILES}
            padded = log.segments and (log.segments[-1].offset_index.zeros or log.segments[-1].time_index.zeros)
            if is_clean and log.segments:
                yield from _closed(log.segments[-1])
    except FormatError:
        return  # reported where the files are verified
    for name, mark in marks.items():
        if mark is not None and (mark > end or (mark < start and name == checkpoints.WATERMARK_FILE)):
            detail = f"{folder.name} has {mark}, its log has offsets {start} to {end - 1}"
            yield Breach("log.offsets.order", folder.parent / name, detail, None, mark, folder.name)
    if padded and is_clean:
        detail = f"the indexes of {folder.name} end in zeros: it was not closed, or copied while the broker ran"
        yield Breach("log.clean-shutdown.truth", folder.parent / clean_shutdown.NAME, detail)


def _closed(segment: Segment) -> Iterator[Breach]:
    """A clean stop adds the largest timestamp to the time index of the last segment.

    Whether the entry is that one is not looked at: this would take to read the whole segment.
    """
    first = next(segment.whole_batches(), None)
    if first is not None and first.is_v2 and first.max_timestamp >= 0 and not len(segment.time_index):
        detail = "it has no entry, though the broker closed it, and the segment has timestamps"
        yield Breach("log.time-index.last", segment.file(FileKind.TIME_INDEX), detail)


def _rows(folder: Path) -> Iterator[Breach]:
    """Find rows of partitions that are not there.

    A folder with a mark counts: rows of a partition that was deleted stay until the next writing of
    the file, and one that is moved here has a recovery point.
    """
    seen = {PartitionName(each.topic, each.partition) for each in (*_partitions(folder), *_marked(folder))}
    for name in checkpoints.OFFSET_FILES:
        path = folder / name
        try:
            rows = checkpoints.decode_offsets(path.read_bytes()) if path.is_file() else ()
        except FormatError:
            continue  # reported above
        for row in rows:
            partition = PartitionName(row.topic, row.partition)
            if partition not in seen:
                detail = f"{partition} has no folder"
                yield Breach("log.checkpoint.partition", path, detail, None, row.offset, str(partition))


_WRITTEN: Final = {
    checkpoints.RECOVERY_FILE: "recovery points count as 0: after the next crash every segment is read",
    checkpoints.WATERMARK_FILE: "high watermarks begin at 0, and rise again as followers fetch",
}
"""What a broker writes at a clean stop, and what it costs that it is gone. No record is lost."""


def _gone(folder: Path) -> Iterator[Breach]:
    is_written = any((folder / name).exists() for name in checkpoints.OFFSET_FILES)
    if not (is_written and (folder / clean_shutdown.NAME).is_file()):
        return
    for name, cost in _WRITTEN.items():
        if not (folder / name).exists():
            yield Breach("log.checkpoint.present", folder / name, f"it is gone, though the broker was stopped; {cost}")


def _marked(folder: Path) -> Iterator[PartitionName]:
    """Yield the folders that are being deleted, moved, or put aside."""
    for path in folder.glob("*.*-*"):
        with suppress(FormatError):
            yield parse_partition(path.name)


def _partitions(folder: Path) -> Iterator[PartitionName]:
    for path in partition_folders(folder):
        with suppress(FormatError):  # reported where the partition is verified
            yield parse_partition(path.name)
