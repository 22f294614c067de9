"""Writes what was rescued of a log as a log of its own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.errors import FormatError, Stage
from kafka_format.log.batches import batches
from kafka_format.log.kraft import FOLDER, FOOTER, HEADER, is_snapshot, read_snapshot
from kafka_format.log.mapped_file import Data
from kafka_format.log.names import FileKind, FileName, folder_name, segment_name
from kafka_format.log.partition import LogFile, PartitionLog
from kafka_format.log.producer_states import read_snapshot as read_producers
from kafka_format.log.rebuild import append, make_empty, write_indexes
from kafka_format.log.recovery import INDEX_INTERVAL, Recovery, recover
from kafka_format.log.rescue.epochs import mend, odd_epochs
from kafka_format.log.rescue.found import SegmentRescue
from kafka_format.log.text import checkpoints, partition_metadata, quorum_state
from kafka_format.primitives.integers import INT32_MAX

_REBUILT: Final = {
    FileKind.SEGMENT,
    FileKind.OFFSET_INDEX,
    FileKind.TIME_INDEX,
    FileKind.TRANSACTION_INDEX,
    FileKind.PRODUCER_SNAPSHOT,
}
_TEXTS: Final[dict[str, Callable[[bytes], object]]] = {
    partition_metadata.NAME: partition_metadata.decode,
    checkpoints.EPOCH_FILE: checkpoints.decode_epochs,
}


class FileRescue(NamedTuple):
    """A file beside the segments that is not made anew.

    Attributes:
        path: where it is.
        reason: why it is left out; empty if it is taken over.
        is_broken: whether it should be taken over, and breaks a rule.
    """

    path: Path
    reason: str = ""
    is_broken: bool = False


def other_files(log: PartitionLog) -> list[FileRescue]:
    """Return the files that are taken over as they are, and those that are left out.

    The batches do not tell the topic id, the leader epochs, the producers of older segments, and
    of a metadata quorum its snapshots and quorum-state. Indexes and other producer snapshots are
    made anew.

    Raises:
        OSError: a file cannot be read.
    """
    first = log.first_snapshot
    found = list[FileRescue]()
    for file in log.files:
        kind = None if file.name is None or file.name.markers else file.name.kind
        if kind not in _REBUILT or file.path == first:
            found.append(_take_over(file, is_quorum=folder_name(log.folder) == FOLDER))
    return found


def _take_over(file: LogFile, *, is_quorum: bool) -> FileRescue:
    name = file.name
    if name is not None and name.markers:
        reason = f"it is marked .{name.markers[-1]}: `log leftovers` says what a start does with it"
        return FileRescue(file.path, reason)
    try:
        if name is not None and name.kind is FileKind.PRODUCER_SNAPSHOT:
            read_producers(file.path.read_bytes())
        elif name is not None and is_quorum and is_snapshot(name):
            _check_snapshot(file.path, name)
        elif file.path.name == quorum_state.NAME and is_quorum:
            quorum_state.decode(file.path.read_bytes())
        elif file.path.name in _TEXTS:
            _TEXTS[file.path.name](file.path.read_bytes())
        else:
            return FileRescue(file.path, "it is no file of a log")
    except FormatError as error:
        return FileRescue(file.path, str(error), is_broken=True)
    return FileRescue(file.path)


def _check_snapshot(path: Path, name: FileName) -> None:
    """Check that a snapshot is whole: no batch may be broken, and none gone.

    A node takes one without its end, too, and then what is gone with it for what never was.

    Raises:
        FormatError: it is not.
    """
    control = read_snapshot(path, name).control
    for rule, found, due in (("header", control[:1], HEADER), ("footer", control[-1:], FOOTER)):
        if found != (due,):
            what = "begin with a header" if due == HEADER else "end with a footer, so what came last is gone"
            rule_id = f"log.kraft-snapshot.{rule}"
            raise FormatError(f"it does not {what}", rule=rule_id, stage=Stage.STRUCTURE, offset=0)


def write_rescued(
    log: PartitionLog, rescued: Sequence[SegmentRescue], folder: Path, *, index_interval: int = INDEX_INTERVAL
) -> list[Path]:
    """Write a log's sound batches and all that belongs to them into an empty or new folder.

    Offsets are kept. Indexes, producer snapshots and leader epochs are made anew; what the batches
    do not tell is taken over, see `other_files`.

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
    end = -1
    for piece in _pieces(rescued):
        append(folder / segment_name(piece.base, FileKind.SEGMENT), piece.data, piece.start, piece.end)
        end = piece.last_offset + 1
    if log.segments and log.segments[-1].base_offset >= end:  # so that no offset is given out again
        (folder / segment_name(log.segments[-1].base_offset, FileKind.SEGMENT)).touch()
    for file in other_files(log):
        if not file.reason:
            (folder / file.path.name).write_bytes(file.path.read_bytes())
    mend(folder, odd_epochs(rescued))
    with PartitionLog(folder) as sound:
        recovery = recover(sound, index_interval=index_interval)
        write_indexes(recovery, folder)
        _write_snapshots(recovery, folder)
    return sorted(path for path in folder.iterdir() if path.is_file())


def _write_snapshots(recovery: Recovery, folder: Path) -> None:
    """Write the producer snapshot of each segment that begins above the end of the one before.

    A broker writes one where a segment begins; recovery makes one where a segment ends.
    """
    for before, each in pairwise(recovery.segments):
        path = folder / segment_name(each.segment.base_offset, FileKind.PRODUCER_SNAPSHOT)
        if not path.exists() and before.next_offset in recovery.snapshots:
            path.write_bytes(recovery.snapshots[before.next_offset])


class _Piece(NamedTuple):
    """Bytes that go into a segment of a base offset, and the last offset in them."""

    base: int
    data: Data
    start: int
    end: int
    last_offset: int


class _Places:
    """Says which segment batches go into, given in the order of their offsets.

    That is the one in which a lookup looks, by the base offsets of the log. A batch below all of
    them begins one of its own, and so does one that is too far above or has no room, or whose
    segment would begin at an offset that the one before has.
    """

    def __init__(self, bases: Sequence[int]) -> None:
        self._bases = sorted(bases)
        self._base, self._size, self._last = -1, 0, -1

    def find(self, first: int, last: int, size: int, *, is_run: bool) -> int | None:
        """Return the base offset of the segment for some bytes; None if they do not go into one.

        A run of batches ends below the next base offset.
        """
        at = bisect_right(self._bases, first)
        base = max(self._base, self._bases[at - 1] if at else -1)
        base = first if base < 0 or self._base < base <= self._last else base
        before = self._size if base == self._base else 0
        is_parted = is_run and at < len(self._bases) and last >= self._bases[at]
        if is_parted or last - base > INT32_MAX or before + size > INT32_MAX:
            return None
        self._base, self._size, self._last = base, before + size, last
        return base

    def begin(self, first: int, last: int, size: int) -> int:
        """Begin a segment at an offset."""
        self._base, self._size, self._last = first, size, last
        return first


def _pieces(rescued: Sequence[SegmentRescue]) -> Iterator[_Piece]:
    places = _Places(list(_bases(rescued)))
    runs = sorted(((run, each.data) for each in rescued for run in each.runs), key=lambda pair: pair[0].first_offset)
    for run, data in runs:
        base = places.find(run.first_offset, run.last_offset, run.end - run.start, is_run=True)
        if base is not None:
            yield _Piece(base, data, run.start, run.end, run.last_offset)
            continue
        for batch in batches(data, run.start, run.end):
            base = places.find(batch.base_offset, batch.last_offset, batch.size, is_run=False)
            base = places.begin(batch.base_offset, batch.last_offset, batch.size) if base is None else base
            yield _Piece(base, data, batch.position, batch.end, batch.last_offset)


def _bases(rescued: Sequence[SegmentRescue]) -> Iterator[int]:
    """Yield where segments begin: where they did, unless the end of the one before is lost.

    What is lost is a gap within a segment then, as compaction leaves it; one between segments tells
    of a file that is gone.
    """
    is_kept, is_cut = False, False
    for each in rescued:
        if not (is_kept and is_cut):
            yield each.segment.base_offset
        is_kept = is_kept or bool(each.runs)
        is_cut = bool(each.losses) and each.losses[-1].end == each.segment.size
