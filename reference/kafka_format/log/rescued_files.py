"""What was rescued of a log, written as a log of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.mapped_file import Data
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.partition import PartitionLog
from kafka_format.log.producer_states import read_snapshot
from kafka_format.log.rebuild import append, make_empty, write_indexes
from kafka_format.log.recovery import INDEX_INTERVAL, recover
from kafka_format.log.rescue import SegmentRescue
from kafka_format.log.text import checkpoints, partition_metadata
from kafka_format.primitives.integers import INT32_MAX


def write_rescued(
    log: PartitionLog, rescued: Iterable[SegmentRescue], folder: Path, *, index_interval: int = INDEX_INTERVAL
) -> list[Path]:
    """Write a log's sound batches and all that belongs to them into an empty or new folder.

    Offsets are kept. Indexes, producer snapshots and leader epochs are made anew; the topic id, the
    leader epochs and the first snapshot of the log are taken over where they can be read, since the
    batches do not tell them.

    Args:
        log: the log that the batches are of.
        rescued: what of it is sound.
        folder: where the files go; never the folder of the log itself.
        index_interval: the setting index.interval.bytes of the topic.

    Returns:
        The files that are in the folder then.

    Raises:
        FileExistsError: the folder has files.
        OSError: a file cannot be written.
    """
    make_empty(folder)
    for piece in _pieces(rescued):
        append(folder / segment_name(piece.base, FileKind.SEGMENT), piece.data, piece.start, piece.end)
    _take_over(log, folder)
    with PartitionLog(folder) as sound:
        recovery = recover(sound, index_interval=index_interval)
        write_indexes(recovery, folder)
    return sorted(path for path in folder.iterdir() if path.is_file())


class _Piece(NamedTuple):
    """Bytes that go into a segment of a base offset."""

    base: int
    data: Data
    start: int
    end: int


def _pieces(rescued: Iterable[SegmentRescue]) -> Iterator[_Piece]:
    """Yield the pieces and their segments.

    A segment stays one, unless offsets are below its base or too far above.
    """
    for each in rescued:
        base = min([each.segment.base_offset, *(run.first_offset for run in each.runs)])
        for run in each.runs:
            if run.last_offset - base <= INT32_MAX:
                yield _Piece(base, each.segment.data, run.start, run.end)
                continue
            for batch in each.segment.batches(run.start):
                if batch.position >= run.end:
                    break
                if batch.last_offset - base > INT32_MAX:
                    base = batch.base_offset
                yield _Piece(base, each.segment.data, batch.position, batch.end)


def _take_over(log: PartitionLog, folder: Path) -> None:
    readers: dict[str, Callable[[bytes], object]] = {
        partition_metadata.NAME: partition_metadata.decode,
        checkpoints.EPOCH_FILE: checkpoints.decode_epochs,
    }
    if log.segments:
        readers[segment_name(log.segments[0].base_offset, FileKind.PRODUCER_SNAPSHOT)] = read_snapshot
    for name, read in readers.items():
        with suppress(FormatError, FileNotFoundError):
            data = (log.folder / name).read_bytes()
            read(data)
            (folder / name).write_bytes(data)
