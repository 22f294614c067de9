"""The files of text that are read when a log is loaded, with the errors that Kafka has for them.

server-common CheckpointFile, storage PartitionMetadataFile. An IOException takes the data directory
offline, also that of a byte that is no UTF-8; any other ends the process.
"""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.contents.releases import Release
from kafka_format.log.start.unloadable import Unloadable, is_readable
from kafka_format.log.text import checkpoints, partition_metadata
from kafka_format.log.text.checkpoints import LOOSE, EpochRow, OffsetRow
from kafka_format.log.text.lines import id_text, number, split

_OWN_WORDS: Final = (4, 0)
"""The first release that does not call partition.metadata a checkpoint."""

_EPOCH_FLAGS: Final = frozenset({LOOSE, "epochs-made-to-rise"})
_SEPARATOR: Final = re.compile(r":\s+", re.ASCII)
_ID_BYTES: Final = 16
_LONGEST_ID: Final = 24


def read_text(path: Path, kind: str) -> bytes:
    """Return the bytes of a file of text.

    Raises:
        FileNotFoundError: it is not there.
        OSError: nobody can read it.
        Unloadable: it is a folder, or has a byte that is no UTF-8.
    """
    if path.is_dir():
        raise Unloadable(kind, path, "IOException", "Is a directory")
    if path.exists() and not is_readable(path):
        raise Unloadable("file-unreadable", path, "AccessDeniedException", str(path))
    data = path.read_bytes()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unloadable(kind, path, "MalformedInputException", "Input length = ", error.start) from error
    return data


def check_epochs(path: Path) -> tuple[EpochRow, ...]:
    """Read leader-epoch-checkpoint, if it is there.

    Raises:
        Unloadable: Kafka cannot read it.
    """
    try:
        return checkpoints.decode_epochs(read_text(path, "epochs-broken"), _EPOCH_FLAGS)
    except FileNotFoundError:
        return ()
    except FormatError as error:
        raise Unloadable("epochs-broken", path, *_checkpoint_error(path, error), position=error.offset) from error


def read_offsets(path: Path) -> tuple[OffsetRow, ...]:
    """Read a checkpoint of offsets, if it is there.

    Raises:
        Unloadable: Kafka cannot read it.
        OSError: nobody can.
    """
    try:
        return checkpoints.decode_offsets(read_text(path, "checkpoint-broken"), frozenset({LOOSE}))
    except FileNotFoundError:
        return ()
    except FormatError as error:
        raise Unloadable("checkpoint-broken", path, *_checkpoint_error(path, error), position=error.offset) from error


def _checkpoint_error(path: Path, error: FormatError) -> tuple[str, str]:
    """Return class and message of what Kafka says of a checkpoint."""
    if error.rule == "log.checkpoint.number":
        return "NumberFormatException", "For input string"
    if error.rule == "log.epochs.not-negative":
        return "IllegalArgumentException", ""
    lines = [number(line.text, 32, loose=True) for line in split(path.read_bytes())]
    if error.rule == "log.checkpoint.version" and lines[0] is not None:
        return "IOException", f"Unrecognised version:{lines[0]}, expected version: 0 in checkpoint file at: {path}"
    if error.rule == "log.checkpoint.count" and lines[1] is not None:
        if lines[1] < 0:
            return "IllegalArgumentException", f"Illegal Capacity: {lines[1]}"
        return "IOException", f"Expected [{lines[1]}] entries in checkpoint file [{path}]"
    return "IOException", f"Malformed line in checkpoint file [{path}]"


def topic_id(folder: Path, release: Release) -> str | None:
    """Return the topic id in a folder; None if it has no partition.metadata.

    Raises:
        Unloadable: Kafka cannot read it.
    """
    path = folder / partition_metadata.NAME
    if not path.exists():
        return None
    lines = [line.text for line in split(read_text(path, "topic-id-broken"))]
    words = "partition metadata" if release >= _OWN_WORDS else "checkpoint"
    malformed = ("IOException", f"Malformed line in {words} file [{path}]")
    version = number(_value(path, lines, 0, malformed), 32, loose=True)
    if version is None:
        raise _broken(path, *malformed)
    if version < 0:
        plus = "" if release >= _OWN_WORDS else "+ "
        raise _broken(path, "IOException", f"Unrecognized version of partition metadata file {plus}({path})")
    raw = id_of(_value(path, lines, 1, malformed))
    if raw is None:
        raise _broken(path, "IllegalArgumentException")
    if not any(raw):
        raise _broken(path, "IOException", f"Invalid topic ID in partition metadata file ({path})")
    return id_text(raw)


def _broken(path: Path, name: str, message: str = "") -> Unloadable:
    return Unloadable("topic-id-broken", path, name, message)


def _value(path: Path, lines: list[str], at: int, malformed: tuple[str, str]) -> str:
    """Return what stands behind the colon of a line; its key is not looked at."""
    if at >= len(lines):
        raise _broken(path, "NullPointerException")
    parts = _SEPARATOR.split(lines[at])
    while parts and not parts[-1]:  # as String.split leaves out what is empty at the end
        del parts[-1]
    if len(parts) != 2:
        raise _broken(path, *malformed)
    return parts[1]


def id_of(text: str) -> bytes | None:
    """Return the bytes of an id; None if Uuid.fromString refuses it."""
    if len(text) > _LONGEST_ID:
        return None
    try:
        raw = base64.b64decode(text.rstrip("=") + "==", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == _ID_BYTES else None
