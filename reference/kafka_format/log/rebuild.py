"""Files rebuilt from a log's batches, in another folder: indexes, snapshots, epochs, segments."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kafka_format.log import transaction_index
from kafka_format.log.indexes import OffsetIndex, TimeIndex
from kafka_format.log.mapped_file import Data
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.recovery import Fate, Recovery
from kafka_format.log.text import checkpoints

_CHUNK: Final = 1 << 20
_STAYS: Final = frozenset({Fate.KEPT, Fate.CUT})


def write(recovery: Recovery, folder: Path, *, segments: bool = False) -> list[Path]:
    """Write the log that recovery would leave into a folder that is empty or does not exist.

    Args:
        recovery: what becomes of the log.
        folder: where the files go; never the folder of the log itself.
        segments: write the sound batches of the segments too.

    Returns:
        The files that were written.

    Raises:
        FileExistsError: the folder has files.
        OSError: a file cannot be written.
    """
    make_empty(folder)
    written: list[Path] = []
    for each in recovery.segments if segments else ():
        if each.fate in _STAYS:
            written.append(folder / segment_name(each.segment.base_offset, FileKind.SEGMENT))
            append(written[-1], each.segment.data, 0, each.valid_bytes)
    return [*written, *write_indexes(recovery, folder)]


def write_indexes(recovery: Recovery, folder: Path) -> list[Path]:
    """Write the indexes, snapshots and leader epochs that recovery would leave; return their paths.

    Raises:
        OSError: a file cannot be written.
    """
    written: list[Path] = []

    def put(name: str, data: bytes) -> None:
        written.append(folder / name)
        written[-1].write_bytes(data)

    for each in recovery.segments:
        if each.fate not in _STAYS:
            continue
        base = each.segment.base_offset
        put(segment_name(base, FileKind.OFFSET_INDEX), OffsetIndex.encode(each.offset_entries, base))
        put(segment_name(base, FileKind.TIME_INDEX), TimeIndex.encode(each.time_entries, base))
        if each.aborted:
            put(segment_name(base, FileKind.TRANSACTION_INDEX), transaction_index.encode(each.aborted))
    for offset, data in recovery.snapshots.items():
        put(segment_name(offset, FileKind.PRODUCER_SNAPSHOT), data)
    put(checkpoints.EPOCH_FILE, checkpoints.encode(recovery.epochs))
    return written


def make_empty(folder: Path) -> None:
    """Make a folder, or check that it is empty.

    Raises:
        FileExistsError: it has files.
        OSError: it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")


def append(path: Path, data: Data, start: int, end: int) -> None:
    """Write bytes of a segment after what a file has; it is made if it is not there.

    Raises:
        OSError: it cannot be written.
    """
    with path.open("ab") as file:
        for at in range(start, end, _CHUNK):
            file.write(data[at : min(at + _CHUNK, end)])
