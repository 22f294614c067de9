"""Loading of one log, as LogLoader and UnifiedLog do it, up to its end and what is cut.

An IOException takes the data directory offline; any other error ends the process.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.contents.releases import Release
from kafka_format.log.names import FileKind, FileName, parse_file, segment_name
from kafka_format.log.partition import PartitionLog
from kafka_format.log.recovery import INDEX_INTERVAL, STOPPERS, Fate, Recovery, recover
from kafka_format.log.start.text_files import check_epochs
from kafka_format.log.start.unloadable import Unloadable, is_readable, is_writable
from kafka_format.log.text.checkpoints import EPOCH_FILE
from kafka_format.log.text.lines import number
from kafka_format.log.transaction_index import aborted_transactions

_WHOLE_VERSION: Final = (4, 4)
_EMPTIES: Final = (4, 0)
"""The first release that empties a segment whose recovery has an IOException (LogLoader)."""

_ANY_WIDTH: Final = frozenset({"log-name-of-any-width"})
_GOING: Final = "-delete"
_REPLACING: Final = (".cleaned", ".swap")
"""Endings of files that are to take the place of others: whatever they are, an offset is read."""

_OPENED: Final = (FileKind.OFFSET_INDEX, FileKind.TIME_INDEX, FileKind.TRANSACTION_INDEX)


class Loading(NamedTuple):
    """How a log is loaded: its recovery, the bytes that are read, and all that were there."""

    recovery: Recovery
    read_bytes: int
    size: int


def load(
    folder: Path, release: Release, *, recovery_point: int, is_clean: bool, index_interval: int = INDEX_INTERVAL
) -> Loading:
    """Return how segments are loaded; `index_interval` is the topic's index.interval.bytes.

    Raises:
        Unloadable: it cannot be loaded.
        OSError: a file is gone meanwhile.
    """
    if not is_readable(folder):
        raise Unloadable("file-unreadable", folder, "AccessDeniedException", str(folder / EPOCH_FILE))
    paths = sorted(folder.iterdir())
    check_epochs(folder / EPOCH_FILE)
    _check_readable(paths)
    _check_names(paths)
    try:
        with PartitionLog(folder) as log:
            _check_first_segment(log)
            _check_rights(log)
            _check_transaction_indexes(log, release)
            blocked = _snapshot_folders(paths)
            emptying = frozenset(blocked) if release >= _EMPTIES else frozenset[int]()
            recovery = recover(
                log,
                recovery_point=recovery_point,
                index_interval=index_interval,
                is_clean=is_clean,
                unwritable=emptying,
            )
            _check_snapshots(paths, log, recovery, blocked)
            if not folder.name.endswith(_GOING):  # of what is to be removed no index is opened
                _check_folders(paths, log, recovery)
            if release < _EMPTIES:
                check_folder(folder, recovery)
            elif is_emptied(folder, recovery, release):
                _check_removal(log, recovery)
            size = sum(segment.size for segment in log.segments)
            read = sum(each.segment.size for each in recovery.segments if each.fate is not Fate.REMOVED)
    except FormatError as error:
        raise _of_batches(folder, error) from error
    for each in recovery.segments:
        if each.fate in STOPPERS:
            name = "IllegalArgumentException" if each.fate is Fate.FAILS else "InvalidOffsetException"
            raise Unloadable("segment-not-loaded", each.segment.path, name)
    return Loading(recovery, read, size)


def _check_readable(paths: list[Path]) -> None:
    """Refuse files that nobody may read: Kafka names the first one in the listing of the folder."""
    found = [
        Unloadable("file-unreadable", path, "IOException", f"Could not read file {path}")
        for path in paths
        if path.is_file() and not is_readable(path)
    ]
    if found:
        found[0].others += found[1:]
        raise found[0]


def _check_names(paths: list[Path]) -> None:
    for path in paths:
        if path.is_file() and _lacks_number(path.name):
            text = path.name.partition(".")[0]
            raise Unloadable("name-without-number", path, "NumberFormatException", f'For input string: "{text}"')


def _lacks_number(name: str) -> bool:
    """Tell whether an offset is read of a name that has none (LogFileUtils.offsetFromFileName)."""
    if name.endswith(_REPLACING):
        offset = number(name.partition(".")[0], 64, loose=True)
        return offset is None
    try:
        parse_file(name, _ANY_WIDTH)
    except FormatError:
        return True
    return False


def _parsed(path: Path) -> FileName | None:
    """Return what the name of a file or folder says; None if it says nothing."""
    try:
        return parse_file(path.name, _ANY_WIDTH)
    except FormatError:
        return None


def _check_rights(log: PartitionLog) -> None:
    """Refuse segments and transaction indexes that nobody may write: all are opened for that."""
    for segment in log.segments:
        for path in (segment.path, segment.file(FileKind.TRANSACTION_INDEX)):
            if path.is_file() and not is_writable(path):
                raise Unloadable("file-unwritable", path, "AccessDeniedException", str(path))


def _check_folders(paths: list[Path], log: PartitionLog, recovery: Recovery) -> None:
    """Refuse folders where a broker opens files, and indexes that nobody may write.

    Indexes of a segment are opened if it is read, or is the last one; others when needed.
    """
    opened = {each.segment.base_offset for each in recovery.segments} | {
        segment.base_offset for segment in log.segments[-1:]
    }
    for path in paths:
        name = _parsed(path)
        if name is None or name.markers or name.kind not in _OPENED:
            continue
        if not path.with_name(segment_name(name.offset, FileKind.SEGMENT)).is_file():
            continue
        if path.is_file():
            if name.offset in opened and not is_writable(path):
                raise Unloadable("file-unwritable", path, "FileNotFoundException", f"{path} (Permission denied)")
            continue
        if name.kind is FileKind.TRANSACTION_INDEX:  # that of every segment is opened
            raise Unloadable("folder-for-file", path, "FileSystemException", f"{path}: Is a directory")
        if name.offset in opened:
            raise Unloadable("folder-for-file", path, "FileNotFoundException", f"{path} (Is a directory)")


def _snapshot_folders(paths: list[Path]) -> dict[int, Path]:
    """Return the folders that have names of producer snapshots, by offset."""
    named = [(path, _parsed(path)) for path in paths if path.is_dir()]
    return {
        name.offset: path
        for path, name in named
        if name is not None and name.kind is FileKind.PRODUCER_SNAPSHOT and not name.markers
    }


def _check_snapshots(paths: list[Path], log: PartitionLog, recovery: Recovery, blocked: dict[int, Path]) -> None:
    """Refuse a folder where a producer snapshot is written (UnifiedLog.rebuildProducerState).

    That is at the last two base offsets and at the end, above the newest snapshot that is there.
    """
    if not blocked:
        return
    names = [parse_file(path.name, _ANY_WIDTH) for path in paths if path.is_file()]
    known = [name.offset for name in names if name is not None and name.kind is FileKind.PRODUCER_SNAPSHOT]
    newest = max((offset for offset in known if offset <= recovery.end_offset), default=-1)
    written = {segment.base_offset for segment in log.segments[-2:]} | {recovery.end_offset, *recovery.snapshots}
    for offset, path in blocked.items():
        if offset in written and offset > newest:
            raise Unloadable("folder-for-file", path, "FileSystemException", f"{path}: Is a directory")


def _check_transaction_indexes(log: PartitionLog, release: Release) -> None:
    for segment in log.segments:
        path = segment.file(FileKind.TRANSACTION_INDEX)
        if path.is_file():
            try:
                list(aborted_transactions(path.read_bytes()))
            except FormatError as error:
                raise _of_transaction_index(path, release, error) from error


def _of_transaction_index(path: Path, release: Release, error: FormatError) -> Unloadable:
    """Return what Kafka says of a version; up to 4.3 it looks at one byte (KAFKA-19562)."""
    version = path.read_bytes()[error.offset : error.offset + 2]
    number = int.from_bytes(version if release >= _WHOLE_VERSION else version[:1], "big")
    message = f"Unexpected aborted transaction version {number} in transaction index {path}"
    return Unloadable("transaction-index-version", path, "KafkaException", message, error.offset)


def check_folder(folder: Path, recovery: Recovery) -> None:
    """Refuse a folder that nobody may write where recovery writes a producer snapshot.

    4.0 and later empty the segment instead; the log begins anew there.

    Raises:
        Unloadable: a snapshot cannot be written.
    """
    if recovery.snapshots and not is_writable(folder):
        path = folder / segment_name(min(recovery.snapshots), FileKind.PRODUCER_SNAPSHOT)
        raise Unloadable("folder-unwritable", folder, "AccessDeniedException", str(path))


def _check_removal(log: PartitionLog, recovery: Recovery) -> None:
    """Refuse a log in whose folder nobody may write if segments stand behind the one emptied.

    These are renamed, which fails; the first one that is read has lost its bytes by then.
    """
    behind = [each for each in log.segments if each.base_offset > recovery.segments[0].segment.base_offset]
    if behind:
        path = behind[0].path
        raise Unloadable("folder-unwritable", log.folder, "AccessDeniedException", f"{path} -> {path}.deleted")


def is_emptied(folder: Path, recovery: Recovery, release: Release) -> bool:
    """Tell whether a release empties a segment that it reads, since nobody may write beside it."""
    return release >= _EMPTIES and bool(recovery.snapshots) and not is_writable(folder)


def emptied_end(recovery: Recovery) -> int:
    """Return where a log ends whose last segment is emptied: where that begins."""
    return max((each.segment.base_offset for each in recovery.segments if each.fate is not Fate.REMOVED), default=0)


def _check_first_segment(log: PartitionLog) -> None:
    """Refuse a folder where the broker makes the only segment; other folders it passes over."""
    path = log.folder / segment_name(log.start_offset, FileKind.SEGMENT)
    if not log.segments and path.is_dir():
        raise Unloadable("folder-for-file", path, "FileSystemException", f"{path}: Is a directory")


def ignored_folders(folder: Path) -> list[Path]:
    """Return the folders that have the name of a segment, which a broker passes over."""
    names = [(path, _parsed(path)) for path in sorted(folder.iterdir()) if path.is_dir()]
    return [path for path, name in names if name is not None and name.kind is FileKind.SEGMENT and not name.markers]


def _of_batches(folder: Path, error: FormatError) -> Unloadable:
    """Return what keeps the end of a log from being found: no batch, in its last segment."""
    last = max((path for path in folder.glob("*.log") if path.is_file()), default=folder)
    size = int.from_bytes(last.read_bytes()[error.offset : error.offset + 4], "big", signed=True)
    message = f"Found record size {size} smaller than minimum record overhead (14) in file {last}."
    return Unloadable("end-not-found", last, "CorruptRecordException", message, error.offset)
