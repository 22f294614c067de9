"""The rules of one partition: its segments, the files beside them, and how they fit together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch
from kafka_format.log.names import FileKind, folder_name, parse_file, parse_partition
from kafka_format.log.partition import PartitionLog
from kafka_format.log.preallocation import is_room
from kafka_format.log.segment import Segment
from kafka_format.log.text import checkpoints, partition_metadata, quorum_state
from kafka_format.log.verification import contents, gaps, indexes, kraft, presence, producers, segments
from kafka_format.log.verification.breach import Breach, of_error
from kafka_format.log.verification.producer_batches import needed
from kafka_format.log.verification.producers import BatchesOf
from kafka_format.log.verification.segments import Outline

_TEXTS: Final[dict[str, Callable[[bytes], object]]] = {
    partition_metadata.NAME: partition_metadata.decode,
    quorum_state.NAME: quorum_state.decode,
}
_TAIL: Final = {"entry.size.minimum": 8, "log.segment.tail": 0}
"""Rules that zeros at the end break, and how far behind the first of them."""

_OF_SEGMENTS: Final = {FileKind.OFFSET_INDEX, FileKind.TIME_INDEX, FileKind.TRANSACTION_INDEX}


def verify_partition(folder: Path) -> Iterator[Breach]:
    """Yield every rule that a partition's files break. A copy of a running broker's breaks none.

    Raises:
        OSError: a file cannot be read.
    """
    yield from verify_names(folder)
    try:
        log = PartitionLog(folder)
    except FormatError:
        return  # its name was reported above, and a broker does not start
    with log:
        outlines = list[Outline]()
        for segment in log.segments:
            yield from verify_segment(segment, outlines, is_last=segment is log.segments[-1])
        yield from verify_joints(log, outlines)


def verify_segment(segment: Segment, outlines: list[Outline], *, is_last: bool) -> Iterator[Breach]:
    """Yield every rule that a segment breaks by itself; add its outline to `outlines`."""
    scan = segments.scan(segment)
    outlines.append(segments.outline(scan))
    yield from (breach for breach in scan.breaches if not (is_last and _is_room(breach, segment)))
    yield from indexes.verify(scan, is_last=is_last)
    segment.close()


def _none_known(_: Segment) -> None:
    """Know no batches."""


def _is_room(breach: Breach, segment: Segment) -> bool:
    """Tell whether a broken rule is about room that a running broker has at the end of a log."""
    if breach.position is None or breach.rule not in _TAIL:
        return False
    return is_room(segment, breach.position - _TAIL[breach.rule])


def verify_joints(
    log: PartitionLog, outlines: Sequence[Outline], known: Callable[[Segment], Iterable[Batch] | None] = _none_known
) -> Iterator[Breach]:
    """Yield every rule between segments that a log breaks, and those of files of no segment.

    Args:
        log: the log.
        outlines: what is known of each segment, in order.
        known: gives the batches of a sound segment that producers are followed by; None for one
            that they are to be read from.
    """
    yield from segments.overlaps(outlines)
    yield from gaps.verify(log, outlines)
    yield from producers.verify(log, _known_until(outlines), _batches_of(log, outlines, known))
    yield from _orphans(log, outlines)
    yield from presence.verify(log)
    yield from _epochs(log, outlines)
    yield from kraft.verify(log, outlines)
    yield from contents.verify(log)
    yield from _texts(log.folder)


def _known_until(outlines: Sequence[Outline]) -> int | None:
    """Return the smallest offset that is missing, or whose batch cannot be relied on."""
    unsure = (each.first_unsure for each in outlines)
    offsets = [offset for offset in (gaps.first_missing(outlines), *unsure) if offset is not None]
    return min(offsets, default=None)


def _batches_of(
    log: PartitionLog, outlines: Sequence[Outline], known: Callable[[Segment], Iterable[Batch] | None]
) -> BatchesOf:
    """Return what gives the batches that producers are followed by: those that can be relied on."""
    unsure = {each.segment.path: frozenset(each.unsure) for each in outlines}
    names = (file.name for file in log.files if file.name is not None)
    snapshots = frozenset(name.offset for name in names if name.kind is FileKind.PRODUCER_SNAPSHOT)

    def batches_of(segment: Segment) -> Iterable[Batch]:
        found = known(segment)
        return needed(segment, snapshots, unsure[segment.path]) if found is None else found

    return batches_of


def verify_names(folder: Path) -> Iterator[Breach]:
    """Yield which names in a partition's folder, its own included, keep a broker from starting."""
    try:
        parse_partition(folder_name(folder))
    except FormatError as error:
        yield of_error(error, folder)._replace(position=None)
    for path in sorted(file for file in folder.iterdir() if file.is_file()):
        try:
            parse_file(path.name)
        except FormatError as error:
            yield of_error(error, path)._replace(position=None)


def _orphans(log: PartitionLog, outlines: Sequence[Outline]) -> Iterator[Breach]:
    bases = {segment.base_offset for segment in log.segments if not segment.is_made}
    for file in log.files:
        name = file.name
        if name is not None and name.kind in _OF_SEGMENTS and not name.markers and name.offset not in bases:
            missing = _missing_offsets(name.offset, outlines)
            lost = f", and no other one has {missing}: was it lost?" if missing else ""
            detail = f"it belongs to no segment{lost}"
            yield Breach("log.file.orphan", file.path, detail, None, name.offset, is_lost=bool(missing))


def _missing_offsets(base: int, outlines: Sequence[Outline]) -> str:
    """Say which offsets are in no segment where an index tells of one; empty if none is missing."""
    before = max((each.highest for each in outlines if each.segment.base_offset < base), default=base - 1)
    after = min((each.segment.base_offset for each in outlines if each.segment.base_offset > base), default=None)
    if before >= base:
        return ""
    return f"the offsets {base} to {after - 1}" if after else f"offsets from {base} on"


def _epochs(log: PartitionLog, outlines: Sequence[Outline]) -> Iterator[Breach]:
    """Each epoch that begins in the log has a row; the first one may begin before the log does.

    A row at the end of the log is of a leader that has written nothing yet. Where the topic was
    deleted, nobody keeps the rows any more.
    """
    path = log.folder / checkpoints.EPOCH_FILE
    if _is_deleted(log.folder):
        return
    if not path.is_file():
        yield from _no_epochs(log, path, outlines)
        return
    try:
        rows = {row.epoch: row.start_offset for row in checkpoints.decode_epochs(path.read_bytes())}
    except FormatError as error:
        yield of_error(error, path)
        return
    yield from _missing_rows(path, rows, outlines)
    end = max((max(each.highest + 1, each.segment.base_offset) for each in outlines), default=0)
    for epoch, start in rows.items():
        if start > end:
            detail = f"leader epoch {epoch} begins at {start}, the log ends at {end}"
            yield Breach("log.epochs.end", path, detail, None, start)


def _is_deleted(folder: Path) -> bool:
    with suppress(FormatError):
        return parse_partition(folder_name(folder)).marker == "delete"
    return False


def _no_epochs(log: PartitionLog, path: Path, outlines: Sequence[Outline]) -> Iterator[Breach]:
    """A log in v2 has the file, unless it is a copy of segments with nothing beside them.

    Where the format was lowered again, a broker removed it: the last batch is not in v2 then.
    """
    epochs = [epoch for outline in outlines for epoch in outline.epochs]
    last = next((batch for segment in reversed(log.segments) for batch in segment.whole_batches()), None)
    is_folder = any(file.name is None or file.name.kind is FileKind.PRODUCER_SNAPSHOT for file in log.files)
    if epochs and last is not None and last.is_v2 and is_folder:
        detail = f"it is gone, and leader epoch {epochs[0].epoch} begins at {epochs[0].offset}"
        yield Breach("log.epochs.batches", path, detail, None, epochs[0].offset)


def _missing_rows(path: Path, rows: Mapping[int, int], outlines: Sequence[Outline]) -> Iterator[Breach]:
    """Yield the epochs that begin in the log, and have no row, or one that begins too late."""
    latest = -1
    for epoch, offset in (each for outline in outlines for each in outline.epochs):
        if epoch <= latest:
            continue
        start = rows.get(epoch)
        is_first, latest = latest < 0, epoch
        if start is None or (start > offset and not is_first):
            there = "has no row for it" if start is None else f"has it from {start} on"
            detail = f"leader epoch {epoch} begins at {offset}, the checkpoint {there}"
            yield Breach("log.epochs.batches", path, detail, None, offset)


def _texts(folder: Path) -> Iterator[Breach]:
    for name, decode in _TEXTS.items():
        path = folder / name
        if path.is_file():
            try:
                decode(path.read_bytes())
            except FormatError as error:
                yield of_error(error, path)
