"""The cache of indexes that were fetched from remote storage (RemoteIndexCache.init).

A broker with remote storage opens it before it loads logs, in the first of its directories.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.contents.kafka_error import KafkaError
from kafka_format.log.start.endings import one_of
from kafka_format.log.start.node import Node
from kafka_format.log.start.outcome import Fault, Start, Stopped
from kafka_format.log.start.unloadable import is_readable, is_writable
from kafka_format.log.text.lines import id_bytes

FOLDER: Final = "remote-log-index-cache"
NOT_READ: Final = "remote-index-cache"
"""What is said of indexes that are in the cache: that they were not read here."""

_KINDS: Final = (".index", ".timeindex", ".txnindex")
_ID_BYTES: Final = 16


def check(node: Node, start: Start) -> None:
    """Refuse a cache that cannot be opened.

    Raises:
        Stopped: the process ends.
    """
    folder = node.directories[0] / FOLDER
    if not folder.exists():
        return
    if not folder.is_dir():
        raise _stopped("file-for-folder", folder, "NotDirectoryException")
    if not is_readable(folder):
        raise _stopped("file-unreadable", folder, "AccessDeniedException")
    paths = sorted(folder.iterdir())
    unnamed = [
        Fault("remote-cache-name", path, KafkaError(_error(path.name), "")) for path in paths if _error(path.name)
    ]
    if unnamed:
        raise Stopped(one_of(unnamed))
    partial = [path for path in paths if not _is_whole(path)]
    if partial and not is_writable(folder):  # they are removed
        faults = [Fault("folder-unwritable", path, KafkaError("AccessDeniedException", str(path))) for path in partial]
        raise Stopped(one_of(faults))
    if len(partial) < len(paths):
        start.not_looked_at.append(NOT_READ)


def _stopped(kind: str, path: Path, name: str) -> Stopped:
    return Stopped(Fault(kind, path, KafkaError(name, str(path))))


def _error(name: str) -> str:
    """Return the error of a name that is not `OFFSET_ID.KIND`; empty if it is."""
    dot = name.find(".")
    if dot < name.find("_") + 1:
        return "StringIndexOutOfBoundsException"
    try:
        is_id = len(id_bytes(name[name.find("_") + 1 : dot])) == _ID_BYTES
    except (FormatError, ValueError):
        is_id = False
    return "" if is_id else "IllegalArgumentException"


def _is_whole(path: Path) -> bool:
    """Tell whether all three indexes of a segment are there; else those that are, are removed."""
    stem = path.name.rpartition(".")[0]
    return all((path.parent / f"{stem}{kind}").exists() for kind in _KINDS)
