"""A partition's folder: its segments in order, its other files, and its checkpoints."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from kafka_format.errors import FormatError
from kafka_format.log.names import (
    FileKind,
    FileName,
    PartitionName,
    folder_name,
    parse_file,
    parse_partition,
    segment_name,
)
from kafka_format.log.segment import Segment
from kafka_format.log.text import checkpoints
from kafka_format.log.text.checkpoints import EPOCH_FILE, EpochRow

_LOOSE: Final = frozenset({"log-name-of-any-width", checkpoints.LOOSE, "epochs-made-to-rise"})


class LogFile(NamedTuple):
    """A file in a partition's folder: where it is, and its parsed name; None if it has another."""

    path: Path
    name: FileName | None


class PartitionLog:
    """The log of a partition, opened read-only; use it in a `with`, or close it.

    Attributes:
        folder: the folder of the partition.
        name: topic and number, as the folder is called; None if it is called otherwise.
        files: all files of the folder, by name.
        segments: the segments by base offset; those with markers, such as `.deleted`, are not among
            them. Of a name with other than 20 digits a broker takes the offset alone, and makes an
            empty segment (storage LogSegment.open).
    """

    def __init__(self, path: Path, *, padded: bool = False, any_width: bool = False) -> None:
        """Open the log in a folder, or a segment in it as if no other were there.

        Args:
            path: the folder of the partition, or the segment.
            padded: whether zeros at the end of indexes count as entries, see `indexes`.
            any_width: whether segments are read, too, whose names have other than 20 digits.

        Raises:
            FormatError: a file is called like one of a segment, without an offset.
            OSError: the folder or a segment cannot be read.
        """
        is_folder = path.is_dir()
        folder = path if is_folder else path.parent
        self.folder: Final = folder
        self.name: Final = _name(folder)
        paths = sorted(file for file in folder.iterdir() if file.is_file())
        files = tuple(LogFile(path, parse_file(path.name, _LOOSE)) for path in paths)
        self.files: Final = files if is_folder else _beside(path, files)
        base_offsets = {file.path: base for file in self.files if (base := _base(file.name)) is not None}
        named = (
            base_offsets
            if any_width
            else {folder / segment_name(base, FileKind.SEGMENT): base for base in base_offsets.values()}
        )
        segments = (Segment(each, padded=padded, is_made=each not in base_offsets) for each in named)
        self.segments: Final = tuple(sorted(segments, key=lambda segment: segment.base_offset))

    def floor(self, offset: int) -> Segment | None:
        """Return the segment with the largest base offset that is not above an offset."""
        return next((segment for segment in reversed(self.segments) if segment.base_offset <= offset), None)

    def after(self, segment: Segment) -> Segment | None:
        """Return the next segment."""
        return next((other for other in self.segments if other.base_offset > segment.base_offset), None)

    @property
    def start_offset(self) -> int:
        """Return where the log starts: the higher one of its checkpoint and its first base offset.

        A checkpoint that cannot be read counts for nothing, as in Kafka; it then takes the data
        directory offline (CheckpointFileWithFailureHandler).
        """
        first = self.segments[0].base_offset if self.segments else 0
        try:
            return max(first, self.checkpoint("log-start-offset-checkpoint") or 0)
        except FormatError:
            return first

    @property
    def end_offset(self) -> int:
        """Return where the log ends, as Kafka finds it at a start: from the last index entry on.

        Raises:
            FormatError: the last segment goes on with something that is no batch.
        """
        return self.segments[-1].next_offset() if self.segments else 0

    def checkpoint(self, file: str) -> int | None:
        """Return this partition's offset in a checkpoint beside its folder; None if it has none.

        Raises:
            FormatError: the checkpoint cannot be read.
        """
        path = self.folder.parent / file
        if self.name is None or not path.is_file():
            return None
        stat = path.stat()
        return _offsets(path, (stat.st_ino, stat.st_mtime_ns, stat.st_size)).get((self.name.topic, self.name.partition))

    @property
    def first_snapshot(self) -> Path | None:
        """Path of the producer snapshot at the first base offset, if it exists or not.

        None if the log has no segment.
        """
        return self.segments[0].file(FileKind.PRODUCER_SNAPSHOT) if self.segments else None

    def leader_epochs(self) -> tuple[EpochRow, ...]:
        """Return the rows of `leader-epoch-checkpoint`; none if there is no file.

        Raises:
            FormatError: it cannot be read.
        """
        path = self.folder / EPOCH_FILE
        return checkpoints.decode_epochs(path.read_bytes(), _LOOSE) if path.is_file() else ()

    def close(self) -> None:
        """Unmap the files of all segments."""
        for segment in self.segments:
            segment.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


@lru_cache(maxsize=8)
def _offsets(path: Path, _: tuple[int, ...]) -> dict[tuple[str, int], int]:
    """Return the offsets in a checkpoint: read once for all partitions, as long as it is the same.

    Of several rows of a partition the last one counts, as in Kafka.
    """
    rows = checkpoints.decode_offsets(path.read_bytes(), _LOOSE)
    return {(row.topic, row.partition): row.offset for row in rows}


def _beside(segment: Path, files: tuple[LogFile, ...]) -> tuple[LogFile, ...]:
    """Return a segment, the files that belong to it, and those that belong to no segment."""
    base = next((file.name.offset for file in files if file.path == segment and file.name is not None), None)
    return tuple(
        file
        for file in files
        if file.path == segment
        or file.name is None
        or (file.name.offset == base and file.name.kind is not FileKind.SEGMENT)
    )


def _base(name: FileName | None) -> int | None:
    """Return the base offset of a segment; None of another file, and of one with a marker."""
    return name.offset if name and name.kind is FileKind.SEGMENT and not name.markers else None


def _name(folder: Path) -> PartitionName | None:
    try:
        return parse_partition(folder_name(folder))
    except FormatError:
        return None
