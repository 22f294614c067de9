"""Files of a log made anew from its batches, into another folder: indexes, snapshots, leader epochs, sound segments."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kafka_format.log import transaction_index
from kafka_format.log.indexes import OffsetIndex, TimeIndex
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.recovery import Fate, Recovery, SegmentRecovery
from kafka_format.log.text import checkpoints

_CHUNK: Final = 1 << 20


def write(recovery: Recovery, folder: Path, *, segments: bool = False) -> list[Path]:
    """Write what recovery would leave behind into a folder that is empty or not there.

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
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    written: list[Path] = []

    def put(name: str, data: bytes) -> None:
        written.append(folder / name)
        written[-1].write_bytes(data)

    for each in recovery.segments:
        if each.fate not in {Fate.KEPT, Fate.CUT}:
            continue
        base = each.segment.base_offset
        if segments:
            written.append(_copied(each, folder))
        put(segment_name(base, FileKind.OFFSET_INDEX), OffsetIndex.encode(each.offset_entries, base))
        put(segment_name(base, FileKind.TIME_INDEX), TimeIndex.encode(each.time_entries, base))
        if each.aborted:
            put(segment_name(base, FileKind.TRANSACTION_INDEX), transaction_index.encode(each.aborted))
    for offset, data in recovery.snapshots.items():
        put(segment_name(offset, FileKind.PRODUCER_SNAPSHOT), data)
    put(checkpoints.EPOCH_FILE, checkpoints.encode(recovery.epochs))
    return written


def _copied(recovery: SegmentRecovery, folder: Path) -> Path:
    """Copy the bytes of a segment that stay."""
    source, left = recovery.segment.path, recovery.valid_bytes
    target = folder / segment_name(recovery.segment.base_offset, FileKind.SEGMENT)
    with source.open("rb") as old, target.open("xb") as new:
        while left and (chunk := old.read(min(_CHUNK, left))):
            new.write(chunk)
            left -= len(chunk)
    return target
