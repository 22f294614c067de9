"""The rules of one partition: its segments, the files beside them, and how they fit together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.names import FileKind, parse_file, parse_partition
from kafka_format.log.partition import PartitionLog
from kafka_format.log.text import checkpoints, partition_metadata, quorum_state
from kafka_format.log.verification import indexes, kraft, producers, segments
from kafka_format.log.verification.breach import Breach, of_error
from kafka_format.log.verification.segments import Scan

_TEXTS: Final[dict[str, Callable[[bytes], object]]] = {
    partition_metadata.NAME: partition_metadata.decode,
    quorum_state.NAME: quorum_state.decode,
}
_OF_SEGMENTS: Final = {FileKind.OFFSET_INDEX, FileKind.TIME_INDEX, FileKind.TRANSACTION_INDEX}


def verify_partition(folder: Path) -> Iterator[Breach]:
    """Yield every rule that the files of a partition break; a copy of a running broker's breaks none.

    Raises:
        OSError: a file cannot be read.
    """
    yield from _names(folder)
    try:
        log = PartitionLog(folder)
    except FormatError:
        return  # its name was told above, and a broker does not start
    with log:
        scans = [segments.scan(segment) for segment in log.segments]
        for each in scans:
            yield from each.breaches
            yield from indexes.verify(each, is_last=each is scans[-1])
        yield from segments.joined(scans)
        yield from producers.verify(log)
        yield from _orphans(log)
        yield from _epochs(log, scans)
        yield from kraft.verify(log, scans)
        yield from _texts(folder)


def _names(folder: Path) -> Iterator[Breach]:
    try:
        parse_partition(folder.resolve().name)
    except FormatError as error:
        yield of_error(error, folder)._replace(position=None)
    for path in sorted(folder.iterdir()):
        try:
            parse_file(path.name)
        except FormatError as error:
            yield of_error(error, path)._replace(position=None)


def _orphans(log: PartitionLog) -> Iterator[Breach]:
    bases = {segment.base_offset for segment in log.segments}
    for file in log.files:
        name = file.name
        if name is not None and name.kind in _OF_SEGMENTS and not name.markers and name.offset not in bases:
            yield Breach("log.file.orphan", file.path, "there is no segment that it belongs to", None, name.offset)


def _epochs(log: PartitionLog, scans: Sequence[Scan]) -> Iterator[Breach]:
    """Each epoch that begins in the log has a row; the first one may begin before the log does."""
    path = log.folder / checkpoints.EPOCH_FILE
    if not path.is_file():
        return
    try:
        rows = {row.epoch: row.start_offset for row in checkpoints.decode_epochs(path.read_bytes())}
    except FormatError as error:
        yield of_error(error, path)
        return
    latest = -1
    for batch in (batch for each in scans for batch in each.batches):
        if batch.leader_epoch <= latest:
            continue
        start = rows.get(batch.leader_epoch)
        is_first, latest = latest < 0, batch.leader_epoch
        if start is None or (start > batch.base_offset and not is_first):
            there = "has no row for it" if start is None else f"has it from {start} on"
            detail = f"leader epoch {batch.leader_epoch} begins at {batch.base_offset}, the checkpoint {there}"
            yield Breach("log.epochs.batches", path, detail, None, batch.base_offset)


def _texts(folder: Path) -> Iterator[Breach]:
    for name, decode in (
        (partition_metadata.NAME, partition_metadata.decode),
        (quorum_state.NAME, quorum_state.decode),
    ):
        path = folder / name
        if path.is_file():
            try:
                decode(path.read_bytes())
            except FormatError as error:
                yield of_error(error, path)
