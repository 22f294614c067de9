"""Files and folders left over when logs are cleaned, moved or removed; what a start does to them.

Files (storage LogLoader): `.deleted` goes; `.cleaned` is an unfinished cleaning, and goes; `.swap`
is a cleaning that was finished and takes the place of the segments that it was made of, unless a
`.cleaned` stands at or below it. Folders (storage LogManager): `-delete` goes after
file.delete.delay.ms; `-stray` never goes by itself, and is opened at each start (KAFKA-15605, since
3.6.1); `-future` is a move to another data directory that is not done (KIP-113).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.names import FileKind, FileName, parse_file, parse_partition, segment_name
from kafka_format.log.text import partition_metadata


class LeftoverAction(StrEnum):
    """Things that a broker does with a leftover at its start. The value says it in words."""

    REMOVED = "a start removes it"
    REMOVED_LATER = "a broker removes it after file.delete.delay.ms"
    SWAPPED = "a start puts it in place of the segments that it was cleaned from"
    DROPPED = "a start removes it: an unfinished cleaning is at or below it, and the old segments are still there"
    KEPT = "a broker opens it at each start, recovers it after a crash, and never removes it"
    MOVED_ON = "a broker goes on copying into it, and swaps it for the partition's folder when it has caught up"
    RENEWED = "nothing reads it, and the next write of the file replaces it"
    ORPHAN = "a start removes it: it belongs to no segment"


_MAY_GO = frozenset(set(LeftoverAction) - {LeftoverAction.SWAPPED, LeftoverAction.MOVED_ON, LeftoverAction.KEPT})


class Leftover(NamedTuple):
    """A leftover file or folder.

    Attributes:
        path: where it is.
        action: what a start makes of it.
        size: its bytes; of a folder those of the files in it.
        topic_id: of a folder, the id in its `partition.metadata`; empty for none.
    """

    path: Path
    action: LeftoverAction
    size: int
    topic_id: str = ""

    @property
    def may_go(self) -> bool:
        """Whether nothing is lost if it is removed while the broker is stopped."""
        return self.action in _MAY_GO


def in_partition(folder: Path) -> Iterator[Leftover]:
    """Yield the leftovers in the folder of a partition, by name.

    Raises:
        OSError: the folder cannot be read.
    """
    files = [(path, _name(path.name)) for path in sorted(folder.iterdir()) if path.is_file()]
    named = [name for _, name in files if name is not None]
    cleaned = [name.offset for name in named if "cleaned" in name.markers]
    bases = {name.offset for path, name in files if name is not None and _stands(path, name)}
    for path, name in files:
        action = _action(name, cleaned, bases) if name is not None else _action_on_temporary(path)
        if action is not None:
            yield Leftover(path, action, path.stat().st_size)


def in_directory(folder: Path) -> Iterator[Leftover]:
    """Yield the leftovers of a data directory: marked folders, and files in partitions' folders.

    Raises:
        OSError: a folder cannot be read.
    """
    for path in sorted(folder.iterdir()):
        yield from of_entry(path)


def of_entry(path: Path) -> Iterator[Leftover]:
    """Yield the leftovers that a file or folder of a data directory is, or has in it.

    Raises:
        OSError: the folder cannot be read.
    """
    if path.is_file() and (renewed := _action_on_temporary(path)) is not None:
        yield Leftover(path, renewed, path.stat().st_size)
    if not path.is_dir():
        return
    try:
        marker = parse_partition(path.name).marker
    except FormatError:
        return
    if marker:
        size = sum(file.stat().st_size for file in path.iterdir() if file.is_file())
        yield Leftover(path, _FOLDERS[marker], size, topic_id(path))
    else:
        yield from in_partition(path)


def topic_id(folder: Path) -> str:
    """Return the id of the topic of a partition; empty if its file is missing or cannot be read."""
    try:
        return partition_metadata.decode((folder / partition_metadata.NAME).read_bytes()).topic_id
    except (FormatError, OSError):
        return ""


_FOLDERS = {"delete": LeftoverAction.REMOVED_LATER, "stray": LeftoverAction.KEPT, "future": LeftoverAction.MOVED_ON}
_INDEXES = (FileKind.OFFSET_INDEX, FileKind.TIME_INDEX, FileKind.TRANSACTION_INDEX)


def _action(name: FileName, cleaned: Sequence[int], bases: set[int]) -> LeftoverAction | None:
    if name.kind is FileKind.KRAFT_SNAPSHOT:
        return LeftoverAction.REMOVED if name.markers else None
    if "deleted" in name.markers or "cleaned" in name.markers:
        return LeftoverAction.REMOVED
    if "swap" in name.markers:
        return LeftoverAction.DROPPED if cleaned and name.offset >= min(cleaned) else LeftoverAction.SWAPPED
    return LeftoverAction.ORPHAN if name.kind in _INDEXES and name.offset not in bases else None


def _stands(path: Path, name: FileName) -> bool:
    """Tell whether it is a segment that a start finds, or that takes its place: with 20 digits."""
    is_segment = name.kind is FileKind.SEGMENT and not set(name.markers) - {"swap"}
    return is_segment and path.name == segment_name(name.offset, name.kind, *name.markers)


def _action_on_temporary(path: Path) -> LeftoverAction | None:
    return LeftoverAction.RENEWED if path.name.endswith(".tmp") else None


def _name(name: str) -> FileName | None:
    try:
        return parse_file(name, frozenset({"log-name-of-any-width"}))
    except FormatError:
        return None
