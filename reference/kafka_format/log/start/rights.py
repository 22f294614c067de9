"""Rights to a data directory and the lock in it.

FileLock, LogManager.lockLogDirs, KafkaRaftManager.lockDataDir, CleanShutdownFileHandler.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from kafka_format.log.contents.kafka_error import KafkaError
from kafka_format.log.start.outcome import DirectoryFault, PartitionStart, StartFate
from kafka_format.log.start.unloadable import Unloadable, is_readable, is_writable
from kafka_format.log.start.watermarks import FILE as WATERMARKS
from kafka_format.log.text import clean_shutdown
from kafka_format.log.text.checkpoints import EPOCH_FILE

_LOCK: Final = ".lock"


def check_lock(directory: Path) -> None:
    """Refuse a directory in which the file of the lock cannot be opened or made.

    Raises:
        Unloadable: it cannot.
    """
    path = directory / _LOCK
    if path.is_dir():
        raise Unloadable("lock-broken", path, "FileSystemException", f"{path}: Is a directory")
    if not (is_readable(path) and is_writable(path) if path.exists() else is_writable(directory)):
        raise Unloadable("lock-broken", path, "AccessDeniedException", str(path))


def check_marker(directory: Path) -> None:
    """Refuse a directory in which the marker of a clean stop cannot be removed.

    Raises:
        Unloadable: it cannot.
    """
    path = directory / clean_shutdown.NAME
    if path.exists() and not is_writable(directory):
        raise Unloadable("directory-unwritable", directory, "AccessDeniedException", str(path))


def later_faults(partitions: Sequence[PartitionStart]) -> Iterator[DirectoryFault]:
    """Yield directories that go offline where the first file is written behind loading.

    A partition that gets a leader writes its leader epochs; the broker writes high watermarks.
    """
    loaded = [each.path for each in partitions if each.fate is StartFate.LOADED]
    for directory in dict.fromkeys(path.parent for path in loaded):
        folder = next((path for path in loaded if path.parent == directory and not is_writable(path)), None)
        path = directory / WATERMARKS if folder is None else folder / EPOCH_FILE
        if folder is not None or not is_writable(directory):
            error = KafkaError("FileNotFoundException", f"{path}.tmp (Permission denied)")
            yield DirectoryFault(directory, folder or directory, error, "folder-unwritable")
