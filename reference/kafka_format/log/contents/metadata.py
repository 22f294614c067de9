"""The records of a metadata log: read as a node reads them, and replayed up to an offset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch, batches
from kafka_format.log.contents.image import Image
from kafka_format.log.contents.kafka_error import KafkaError, Refused
from kafka_format.log.contents.reading import read_framed
from kafka_format.log.contents.releases import NEWEST, Release
from kafka_format.log.contents.replay import Replay
from kafka_format.log.kraft import FOOTER, is_snapshot
from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.partition import PartitionLog
from kafka_format.protocol.records import SchemaRecord
from kafka_format.records import Record, control

_ARGUMENT: Final = "IllegalArgumentException"


def read_record(record: Record, base_timestamp: int, release: Release) -> SchemaRecord:
    """Read a record of the metadata log (raft RecordsIterator).

    Raises:
        Refused: a node cannot read it.
    """
    zero = "but this is invalid because it is not 0 as expected."
    delta = record.timestamp - base_timestamp
    if delta:
        raise Refused(_ARGUMENT, f"Got timestamp delta of {delta}, {zero}")
    if record.key is not None:
        raise Refused(_ARGUMENT, "Got key in the record when no key was expected")
    content = read_framed("metadata_record", record.value, release)
    if record.headers:
        raise Refused(_ARGUMENT, f"Got numHeaders of {len(record.headers)}, {zero}")
    return content


class MetadataFault(NamedTuple):
    """A record of the metadata that a node cannot read, or that contradicts what is before it.

    Attributes:
        path: its segment or snapshot.
        batch: the batch that it is in.
        offset: its offset.
        error: what Kafka says of it.
        is_contradiction: whether it can be read, and contradicts.
    """

    path: Path
    batch: Batch
    offset: int
    error: KafkaError
    is_contradiction: bool


@dataclass(slots=True)
class Metadata:
    """The metadata at an offset.

    Attributes:
        image: what there is.
        snapshot: the snapshot that replay began with; None for none.
        faults: records that cannot be read, or contradict; replay went on behind them.
        records: how many were replayed.
        is_whole: whether the snapshot was read to a footer; without one, records of the log may
            contradict what it lacks.
    """

    image: Image
    snapshot: Path | None = None
    faults: list[MetadataFault] = field(default_factory=list)
    records: int = 0
    is_whole: bool = True


def replay(log: PartitionLog, *, until: int | None = None, release: Release = NEWEST) -> Metadata:
    """Replay the records of a metadata log.

    Args:
        log: the log, opened.
        until: the offset before which to end; None is the end.
        release: the release that reads.

    Raises:
        ValueError: neither a snapshot nor the log reaches to the offset.
        OSError: a file cannot be read.
    """
    start, snapshot = _snapshot(log, until)
    first = log.segments[0].base_offset if log.segments else start
    if first > start:
        raise ValueError(f"the log begins at {first}, and no snapshot below offset {until} reaches there")
    run = Replay(release)
    metadata = Metadata(run.image, snapshot)
    if snapshot is not None:
        with MappedFile(snapshot) as file:
            metadata.is_whole = False
            for batch in _sound(batches(file.data)):
                metadata.is_whole = _has_footer(batch)
                _add(run, metadata, snapshot, batch, (0, None), in_snapshot=True)
        run.image.offset = start
    for segment in log.segments:
        for batch in _sound(segment.batches()):
            if batch.next_offset > start and (until is None or batch.base_offset < until):
                _add(run, metadata, segment.path, batch, (start, until), in_snapshot=False)
    metadata.image = run.image
    return metadata


def _snapshot(log: PartitionLog, until: int | None) -> tuple[int, Path | None]:
    """Return end offset and path of the newest snapshot that stands at or before an offset."""
    named = [
        (file.name.offset, file.name.epoch or 0, file.path)
        for file in log.files
        if file.name is not None and is_snapshot(file.name) and (until is None or file.name.offset <= until)
    ]
    if not named:
        return 0, None
    offset, _, path = max(named)
    return offset, path


def _has_footer(batch: Batch) -> bool:
    """Tell whether a batch ends with the footer of a snapshot; a broken one does not."""
    try:
        records = batch.records() if batch.has("is_control") else []
        return bool(records) and control.read(records[-1].key, records[-1].value).type == FOOTER
    except FormatError:
        return False


def _sound(found: Iterator[Batch]) -> Iterator[Batch]:
    """Yield the batches up to the first that is broken; other rules tell of that."""
    try:
        for batch in found:
            batch.check()
            yield batch
    except FormatError:
        return


def _add(
    run: Replay, metadata: Metadata, path: Path, batch: Batch, span: tuple[int, int | None], *, in_snapshot: bool
) -> None:
    if batch.has("is_control"):
        return
    try:
        records = batch.records()
    except FormatError:
        return  # the rules of record batches tell of it
    start, until = span
    for record in records:
        if record.offset < start or (until is not None and record.offset >= until):
            continue
        metadata.records += 1
        error, is_contradiction = _replayed(run, record, batch, in_snapshot=in_snapshot)
        if error is not None:
            metadata.faults.append(MetadataFault(path, batch, record.offset, error, is_contradiction))


def _replayed(run: Replay, record: Record, batch: Batch, *, in_snapshot: bool) -> tuple[KafkaError | None, bool]:
    try:
        content = read_record(record, batch.header.base_timestamp, run.release)
    except Refused as refused:
        return refused.error, False
    contradiction = run.add(content, record.offset, in_snapshot=in_snapshot)
    if contradiction is None:
        return None, False
    return contradiction.loader or contradiction.controller, True
