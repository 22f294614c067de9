"""What there is to audit: partitions, slices of their segments, and tasks of such slices."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog, Segment
from kafka_format.log.names import FileKind
from kafka_format.log.verification.directory import partition_folders
from kafka_format.log_columns import LogSlice, slices

from kafka_tools.audit.rows import Unit
from kafka_tools.errors import UsageError
from kafka_tools.logs import log_paths

OPENING: int = 4 << 20
"""Opening a segment with its indexes takes as long as scanning so many bytes."""

_LARGEST_TASK = 2 << 30
_TASKS_A_CORE = 8
_FILES = (FileKind.SEGMENT, FileKind.OFFSET_INDEX, FileKind.TIME_INDEX)

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class AuditedPartition:
    """A partition to be audited.

    Attributes:
        directory: the directory that the user named.
        folder: the folder of the partition; it is the same if the user named a partition.
    """

    directory: Path
    folder: Path

    @property
    def is_in_data(self) -> bool:
        """Whether the directory is a data directory, with checkpoints that name the partition."""
        return self.directory != self.folder


def partitions(directories: Iterable[Path]) -> list[AuditedPartition]:
    """Return the partitions in directories.

    Raises:
        UsageError: one has none, or cannot be read.
    """
    audited_partitions = []
    for directory in directories:
        try:
            is_one = log_paths.partitions(directory) == [directory]
            folders = [directory] if is_one else partition_folders(directory)
        except OSError as error:
            raise UsageError(f"{directory} cannot be read: {error}.") from None
        audited_partitions += [AuditedPartition(directory, folder) for folder in folders]
    return audited_partitions


def units(partition: AuditedPartition, slice_size: int) -> list[Unit]:
    """Return the slices of a partition's segments; none if a name keeps a broker from starting.

    Raises:
        OSError: a file cannot be read.
    """
    try:
        with PartitionLog(partition.folder) as log:
            return [Unit(part, _stamp(part)) for part in slices(log, slice_size)]
    except FormatError:
        return []


def _stamp(part: LogSlice) -> str:
    """Return a digest of what a scan looks at: names, sizes and times of files."""
    known = [str((part.is_last, part.snapshots))]
    with Segment(part.path) as segment:
        for kind in _FILES:
            path = segment.file(kind)
            status = path.stat() if path.is_file() else None
            known.append(str(status and (status.st_size, status.st_mtime_ns)))
    return blake2b("\n".join(known).encode(), digest_size=16).hexdigest()


def weight(unit: Unit) -> int:
    """Return the weight of a slice for planning: its size in bytes."""
    return unit.part.end - unit.part.start + OPENING


def tasks(items: Sequence[tuple[int, _Item]], cores: int) -> list[tuple[_Item, ...]]:
    """Distribute items over tasks of about the same weight, in order; several tasks per core.

    Args:
        items: the weight of each, and the item.
        cores: how many tasks run at a time.
    """
    most = min(_LARGEST_TASK, sum(weight for weight, _ in items) // (cores * _TASKS_A_CORE))
    return list(_cut(items, most))


def _cut(items: Iterable[tuple[int, _Item]], most: int) -> Iterator[tuple[_Item, ...]]:
    task: list[_Item] = []
    load = 0
    for item_weight, item in items:
        if task and load + item_weight > most:
            yield tuple(task)
            task, load = [], 0
        task.append(item)
        load += item_weight
    if task:
        yield tuple(task)
