"""The metadata log at a start: how its segments are loaded, and which snapshots stay.

Kafka: KafkaRaftLog (KafkaMetadataLog up to 4.2), LogLoader, Snapshots.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.contents.kafka_error import KafkaError
from kafka_format.log.contents.releases import Release
from kafka_format.log.names import FileKind, parse_file
from kafka_format.log.partition import PartitionLog
from kafka_format.log.start import loading
from kafka_format.log.start.endings import one_of
from kafka_format.log.start.node import Node
from kafka_format.log.start.outcome import Fault, MetadataStart, Stopped, stopped
from kafka_format.log.start.text_files import topic_id
from kafka_format.log.start.unloadable import Unloadable

_ISE: Final = "IllegalStateException"
_SNAPSHOTS: Final = tuple(f".{FileKind.KRAFT_SNAPSHOT}{each}" for each in ("", ".part", ".deleted"))
_NUMBERS_WIDTH: Final = 31
METADATA_TOPIC_ID: Final = "AAAAAAAAAAAAAAAAAAAAAQ"


class Snapshots(NamedTuple):
    """The snapshots of a metadata log.

    Attributes:
        kept: those that stay, by end offset and epoch, the newest last.
        deleted: those that every start removes: unfinished ones, those that are to be removed, and
            those below the start of the log.
    """

    kept: tuple[tuple[int, int, Path], ...]
    deleted: tuple[Path, ...]

    @property
    def newest(self) -> tuple[int, int, Path] | None:
        """End offset, epoch and path of the newest one."""
        return self.kept[-1] if self.kept else None


def load(node: Node) -> tuple[MetadataStart, int]:
    """Return what becomes of the log and its snapshots, and how many bytes of it are read.

    No record is read.

    Raises:
        Stopped: the node does not start.
    """
    folder = node.quorum
    if not folder.exists() and not folder.is_symlink():
        return MetadataStart(None, 0, 0, is_removed=False, recovery=None), 0
    if not folder.is_dir():
        raise stopped("file-for-folder", folder, "FileAlreadyExistsException", str(folder))
    try:
        recovery, read, _ = _recover_log(folder, node.release)
        loading.check_folder(folder, recovery)
    except Unloadable as unloadable:
        raise Stopped(unloadable.fault) from unloadable
    _check_topic_id(node)
    found_end = _found_end(folder)
    start, end = recovery.start_offset, recovery.end_offset
    snapshots = find_snapshots(folder, start)
    _check_joint(node, start, snapshots)
    newest = snapshots.newest
    if newest is None:
        return MetadataStart(None, end, found_end, is_removed=False, recovery=recovery, deleted=snapshots.deleted), read
    offset, epoch, path = newest
    latest = recovery.epochs[-1].epoch if recovery.epochs else 0
    is_removed = epoch > latest or (epoch == latest and offset > end)
    older = tuple(each for _, _, each in snapshots.kept[:-1]) if is_removed else ()
    deleted = (*snapshots.deleted, *older)
    found_end = max(found_end, end)
    return MetadataStart(path, offset if is_removed else end, found_end, is_removed, recovery, deleted), read


def _recover_log(folder: Path, release: Release) -> loading.Loading:
    """Load the log, which is never taken as cleanly stopped."""
    return loading.load(folder, release, recovery_point=0, is_clean=False)


def _check_topic_id(node: Node) -> None:
    """Refuse another topic id than the metadata log has everywhere (UnifiedLog)."""
    folder = node.quorum
    shown = f"Optional[{METADATA_TOPIC_ID}]" if node.release >= (4, 0) else f"Some({METADATA_TOPIC_ID})"
    try:
        known = topic_id(folder, node.release)
    except Unloadable as unloadable:
        raise Stopped(unloadable.fault) from unloadable
    if known is not None and known != METADATA_TOPIC_ID:
        said = f"Tried to assign topic ID {shown} to log for topic partition __cluster_metadata-0,"
        message = f"{said}but log already contained topic ID {known}"
        raise stopped("metadata-topic-id", folder / "partition.metadata", "InconsistentTopicIdException", message)


def find_snapshots(folder: Path, start: int) -> Snapshots:
    """Return the snapshots of a log that begins at an offset, by their names alone.

    Raises:
        Stopped: a file has the ending of a snapshot's name, and not its numbers.
    """
    kept, deleted = list[tuple[int, int, Path]](), list[Path]()
    names = {path: parse_file(path.name) for path in sorted(folder.iterdir()) if path.name.endswith(_SNAPSHOTS)}
    faults = [_name_fault(path) for path, name in names.items() if name is None]
    if faults:
        raise Stopped(one_of(faults))
    for path, name in names.items():
        if name is None:
            continue
        if name.markers or name.offset < start:
            deleted.append(path)
        else:
            kept.append((name.offset, name.epoch or 0, path))
    return Snapshots(tuple(sorted(kept, key=lambda each: (each[1], each[0]))), tuple(deleted))


def _name_fault(path: Path) -> Fault:
    """Return what is wrong with a snapshot's name without offset and epoch (Snapshots.parse)."""
    is_short = len(path.name) < _NUMBERS_WIDTH
    error = KafkaError("StringIndexOutOfBoundsException" if is_short else "NumberFormatException", "")
    return Fault("snapshot-name", path, error)


def _check_joint(node: Node, start: int, snapshots: Snapshots) -> None:
    newest = snapshots.newest
    if start > 0 and (newest is None or newest[0] < start):
        than = "than" if node.release >= (4, 0) else "then"
        where = f"larger {than} the current log start offset {start}"
        message = f"Inconsistent snapshot state: there must be a snapshot at an offset {where}"
        raise stopped("snapshot-missing", node.quorum, _ISE, message, offset=start)


def _found_end(folder: Path) -> int:
    """Return where a log ended by the headers of its whole batches, sound or not."""
    end = 0
    with PartitionLog(folder) as log:
        for segment in log.segments:
            try:
                for batch in segment.batches():
                    end = max(end, batch.next_offset)
            except FormatError:
                continue
    return end
