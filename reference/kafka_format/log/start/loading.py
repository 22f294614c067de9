"""Loading of one log, as LogLoader and UnifiedLog do it, up to its end and what is cut.

An IOException takes the data directory offline; any other error ends the process.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.contents.kafka_error import Refused
from kafka_format.log.contents.releases import Release
from kafka_format.log.names import FileKind, parse_file, segment_name
from kafka_format.log.partition import PartitionLog
from kafka_format.log.recovery import STOPPERS, Fate, Recovery, recover
from kafka_format.log.start.outcome import Fault
from kafka_format.log.text import checkpoints, partition_metadata
from kafka_format.log.text.checkpoints import EPOCH_FILE
from kafka_format.log.text.lines import is_zero_id
from kafka_format.log.transaction_index import aborted_transactions

_IO_ERRORS: Final = frozenset(
    {
        "IOException",
        "KafkaStorageException",
        "AccessDeniedException",
        "FileSystemException",
        "FileNotFoundException",
        "FileAlreadyExistsException",
    }
)
_WHOLE_VERSION: Final = (4, 4)
_OWN_WORDS: Final = (4, 0)
_ANY_WIDTH: Final = frozenset({"log-name-of-any-width"})
_LOOSE_KEYS: Final = frozenset({"partition-metadata-keys-unread"})
_OPENED: Final = (FileKind.SEGMENT, FileKind.OFFSET_INDEX, FileKind.TIME_INDEX, FileKind.TRANSACTION_INDEX)


class Unloadable(Refused):
    """A log that cannot be loaded, and the file at fault."""

    def __init__(self, kind: str, path: Path, name: str, message: str = "", position: int | None = None) -> None:
        """Keep what is at fault."""
        super().__init__(name, message)
        self.kind = kind
        self.path = path
        self.position = position

    @property
    def takes_directory(self) -> bool:
        """Whether the data directory goes offline; else the process ends."""
        return self.error.name in _IO_ERRORS

    @property
    def fault(self) -> Fault:
        """The fault that it is."""
        return Fault(self.kind, self.path, self.error, position=self.position)


def is_readable(path: Path) -> bool:
    """Tell whether a broker may read a file: false if nobody may, whoever asks here."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return bool(stat.S_IMODE(mode) & 0o444) and os.access(path, os.R_OK)


class Loading(NamedTuple):
    """How a log is loaded: its recovery, the bytes that are read, and all that were there."""

    recovery: Recovery
    read_bytes: int
    size: int


def load(folder: Path, release: Release, *, recovery_point: int, is_clean: bool) -> Loading:
    """Return how the segments of a log are loaded.

    Raises:
        Unloadable: it cannot be loaded.
        OSError: a file is gone meanwhile.
    """
    if not is_readable(folder):
        raise Unloadable("file-unreadable", folder, "AccessDeniedException", str(folder / EPOCH_FILE))
    paths = sorted(folder.iterdir())
    _check_epochs(folder / EPOCH_FILE)
    for path in paths:
        if path.is_file() and not is_readable(path):
            raise Unloadable("file-unreadable", path, "IOException", f"Could not read file {path}")
    _check_names(paths)
    _check_folders(paths)
    try:
        with PartitionLog(folder) as log:
            _check_first_segment(log)
            _check_transaction_indexes(log, release)
            recovery = recover(log, recovery_point=recovery_point, is_clean=is_clean)
            size = sum(segment.size for segment in log.segments)
            read = sum(each.segment.size for each in recovery.segments if each.fate is not Fate.REMOVED)
    except FormatError as error:
        raise _of_batches(folder, error) from error
    for each in recovery.segments:
        if each.fate in STOPPERS:
            name = "IllegalArgumentException" if each.fate is Fate.FAILS else "InvalidOffsetException"
            raise Unloadable("segment-not-loaded", each.segment.path, name)
    return Loading(recovery, read, size)


def _check_epochs(path: Path) -> None:
    if path.is_dir():
        raise Unloadable("epochs-broken", path, "KafkaStorageException", f"Error while reading checkpoint file {path}")
    try:
        checkpoints.decode_epochs(path.read_bytes(), frozenset({checkpoints.LOOSE, "epochs-made-to-rise"}))
    except FileNotFoundError:
        return
    except FormatError as error:
        raise Unloadable("epochs-broken", path, *checkpoint_error(path, error), position=error.offset) from error


def checkpoint_error(path: Path, error: FormatError) -> tuple[str, str]:
    """Return class and message of what Kafka says of a checkpoint (CheckpointFile)."""
    if error.rule == "log.checkpoint.number":
        return "NumberFormatException", "For input string"
    if error.rule == "log.epochs.not-negative":
        return "IllegalArgumentException", ""
    lines = path.read_bytes().split(b"\n")
    if error.rule == "log.checkpoint.version" and _is_number(lines[0]):
        return "IOException", f"Unrecognised version:{int(lines[0])}, expected version: 0 in checkpoint file at: {path}"
    if error.rule == "log.checkpoint.count" and _is_number(lines[1]):
        return "IOException", f"Expected [{int(lines[1])}] entries in checkpoint file [{path}]"
    return "IOException", f"Malformed line in checkpoint file [{path}]"


def _is_number(text: bytes) -> bool:
    try:
        int(text)
    except ValueError:
        return False
    return True


def _check_names(paths: list[Path]) -> None:
    for path in paths:
        try:
            parse_file(path.name, _ANY_WIDTH)
        except FormatError:
            if path.is_file():
                number = path.name.partition(".")[0]
                raise Unloadable(
                    "name-without-number", path, "NumberFormatException", f'For input string: "{number}"'
                ) from None


def _check_folders(paths: list[Path]) -> None:
    """Refuse folders where a broker opens files."""
    for path in paths:
        if not path.is_dir():
            continue
        name = parse_file(path.name, _ANY_WIDTH)
        if name is None or name.markers or name.kind not in _OPENED:
            continue
        segment = path.with_name(segment_name(name.offset, FileKind.SEGMENT))
        if name.kind is not FileKind.SEGMENT and segment.is_file():
            raise Unloadable("folder-for-file", path, "FileNotFoundException", f"{path} (Is a directory)")


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


def _check_first_segment(log: PartitionLog) -> None:
    """Refuse a folder where the broker makes the only segment; other folders it passes over."""
    path = log.folder / segment_name(log.start_offset, FileKind.SEGMENT)
    if not log.segments and path.is_dir():
        raise Unloadable("folder-for-file", path, "FileSystemException", f"{path}: Is a directory")


def ignored_folders(folder: Path) -> list[Path]:
    """Return the folders that have the name of a segment, which a broker passes over."""
    names = [(path, parse_file(path.name, _ANY_WIDTH)) for path in sorted(folder.iterdir()) if path.is_dir()]
    return [path for path, name in names if name is not None and name.kind is FileKind.SEGMENT and not name.markers]


def _of_batches(folder: Path, error: FormatError) -> Unloadable:
    """Return what keeps the end of a log from being found: no batch, in its last segment."""
    last = max((path for path in folder.glob("*.log") if path.is_file()), default=folder)
    size = int.from_bytes(last.read_bytes()[error.offset : error.offset + 4], "big", signed=True)
    message = f"Found record size {size} smaller than minimum record overhead (14) in file {last}."
    return Unloadable("end-not-found", last, "CorruptRecordException", message, error.offset)


def topic_id(folder: Path, release: Release) -> str | None:
    """Return the topic id in a folder; None if it has no partition.metadata.

    Raises:
        Unloadable: Kafka cannot read it.
    """
    path = folder / partition_metadata.NAME
    if not path.exists():
        return None
    if path.is_dir():
        raise Unloadable("topic-id-broken", path, "IOException", "Is a directory")
    try:
        return partition_metadata.decode(path.read_bytes(), _LOOSE_KEYS).topic_id
    except FormatError as error:
        raise Unloadable(
            "topic-id-broken", path, *_topic_id_error(path, error, release), position=error.offset
        ) from error


def _topic_id_error(path: Path, error: FormatError, release: Release) -> tuple[str, str]:
    """Return class and message of what PartitionMetadataFile makes of it."""
    lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    if error.rule == "log.partition-metadata.lines":
        is_odd = bool(lines[0]) and ": " not in lines[0]
        kind = "partition metadata" if release >= _OWN_WORDS else "checkpoint"
        return ("IOException", f"Malformed line in {kind} file [{path}]") if is_odd else ("NullPointerException", "")
    if error.rule == "log.partition-metadata.version":
        plus = "" if release >= _OWN_WORDS else "+ "
        return "IOException", f"Unrecognized version of partition metadata file {plus}({path})"
    if is_zero_id(lines[1].partition(": ")[2]):
        return "IOException", f"Invalid topic ID in partition metadata file ({path})"
    return "IllegalArgumentException", ""
