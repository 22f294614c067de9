"""Every record of the newest snapshot and the log behind it, as a node reads them at its start.

Kafka: KRaftControlRecordStateMachine, RecordsSnapshotReader, RecordsIterator, MetadataLoader,
QuorumController.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch, batches
from kafka_format.log.contents.image import Image
from kafka_format.log.contents.kafka_error import KafkaError, Refused
from kafka_format.log.contents.metadata import read_record
from kafka_format.log.contents.replay import Contradiction, Replay
from kafka_format.log.mapped_file import Data, MappedFile
from kafka_format.log.names import FileKind, parse_file
from kafka_format.log.recovery import Fate
from kafka_format.log.start.control_records import Quorum
from kafka_format.log.start.endings import one_of
from kafka_format.log.start.node import Node
from kafka_format.log.start.outcome import Fault, MetadataStart, Stopped, Verdict, stopped
from kafka_format.log.start.unloadable import is_readable
from kafka_format.primitives.integers import INT8_MAX
from kafka_format.protocol.records import SchemaRecord
from kafka_format.records import Record, control, decode
from kafka_format.records.entries import MAGIC_AT

_HEADER: Final = "snapshot_header"
_FOOTER: Final = "snapshot_footer"
_BATCH: Final = prefix("record_batch")
_ISE: Final = "IllegalStateException"
_NEWEST_MAGIC: Final = 2
_UNREAD: Final = frozenset({control.UNREAD})


class Decoded(NamedTuple):
    """A batch of the metadata log whose records were read.

    Attributes:
        path: its file.
        batch: the batch.
        records: content and offset of its records; none of a control batch.
    """

    path: Path
    batch: Batch
    records: tuple[tuple[SchemaRecord, int], ...]


class MetadataReader:
    """Reads the newest snapshot and the log behind it, as Kafka does: decodes, then replays.

    Attributes:
        quorum: what control records say of it.
        has_header: whether the newest snapshot begins with a header; without bytes it does not.
        has_footer: whether it ends with a footer. Kafka asks for none: without one, what it does
            not hold is taken for what is not there.
    """

    def __init__(self, node: Node, metadata: MetadataStart) -> None:
        """Take what was found of the log."""
        self._node = node
        self._metadata = metadata
        self.quorum = Quorum()
        self.has_header = self.has_footer = False
        self._decoded = list[tuple[Decoded, bool]]()

    def decode(self) -> None:
        """Decode every record.

        Raises:
            Stopped: one cannot be decoded.
        """
        snapshot_end = 0
        if self._metadata.snapshot is not None:
            self._decoded += [(each, True) for each in self._snapshot(self._metadata.snapshot)]
            snapshot_end = _end_of_name(self._metadata.snapshot)
        if not self._metadata.is_removed and self._metadata.recovery is not None:
            self._decoded += [(each, False) for each in self._log(snapshot_end)]

    def replay(self) -> tuple[Replay, MetadataStart]:
        """Replay every record; return the image, and what a broker alone passed over.

        Raises:
            Stopped: the process ends at one; which, is chance where broker and controller end at
                different ones.
        """
        if self._metadata.snapshot is not None and not self.has_header:
            raise stopped("snapshot-empty", self._metadata.snapshot, "NoSuchElementException", "No value present")
        replay, passed_over = Replay(self._node.release), list[tuple[int, KafkaError]]()
        is_poor = False  # whether the snapshot is not taken at all, since no image can be made of it
        race = _Race()
        for decoded, in_snapshot in self._decoded:
            if is_poor and not in_snapshot:
                replay.image, is_poor = Image(), False
            for record, offset in decoded.records:
                contradiction = replay.add(record, offset, in_snapshot=in_snapshot)
                if contradiction is None:
                    continue
                if self._node.role.is_controller:
                    race.add(decoded, offset, contradiction)
                elif contradiction.loader is not None:
                    passed_over.append((offset, contradiction.loader))
                    is_poor |= in_snapshot and contradiction.loader.name == "NullPointerException"
        race.check()
        begun = replay.image.transaction
        aborted = begun if replay.settle() else None
        return replay, self._metadata._replace(aborted=aborted, passed_over=tuple(passed_over))

    def _snapshot(self, path: Path) -> Iterator[Decoded]:
        if path.is_dir():
            raise stopped("snapshot-folder", path, "UncheckedIOException", "Failed to read records into memory")
        if not is_readable(path):
            raise stopped("file-unreadable", path, "IOException", f"Could not read file {path}")
        with MappedFile(path) as file:
            end = 0
            try:
                for batch in batches(file.data):
                    if not self.has_header:
                        self._check_header(path, batch)
                    yield self._decode(path, batch, "snapshot-broken", _end_of_name(path))
                    end = batch.end
                _check_rest(path, file.data, end)
            except FormatError as error:
                least = "Record size 0 is less than the minimum record overhead (14)"
                raise stopped(
                    "snapshot-broken", path, "CorruptRecordException", least, position=error.offset
                ) from error

    def _check_header(self, path: Path, batch: Batch) -> None:
        _check(path, batch, "snapshot-broken")
        types = (
            [
                Quorum().add(record, self._node.release, record.offset)
                for record in self._records(path, batch, "snapshot-broken")
            ]
            if batch.has("is_control")
            else []
        )
        if types[:1] != [_HEADER]:
            if not types:
                self._decode(path, batch, "snapshot-broken")  # a record that does not decode is told first
            said = (
                "First batch is not a control batch with at least one record"
                if not types
                else f"First control record is not a snapshot header ({types[0].upper()})"
            )
            raise stopped("snapshot-without-header", path, _ISE, said, position=batch.position)
        self.has_header = True

    def has_voters_in_log(self) -> bool:
        """Tell whether a control record of the log names the voters, above the snapshot or below.

        One that cannot be read may do so.
        """
        try:
            return any(
                control.check_key(record.key) == "kraft_voters"
                for _, batch in self._batches()
                if batch.has("is_control")
                for record in decode(batch.data, flags=_UNREAD)
            )
        except FormatError:
            return True

    def _log(self, start: int) -> Iterator[Decoded]:
        for path, batch in self._batches():
            if batch.next_offset > start:
                yield self._decode(path, batch, "record-unreadable")

    def _batches(self) -> Iterator[tuple[Path, Batch]]:
        """Yield the batches of the log that recovery leaves, with their files."""
        assert self._metadata.recovery is not None  # noqa: S101 - asked before
        for each in self._metadata.recovery.segments:
            if each.fate is Fate.REMOVED:
                continue
            with MappedFile(each.segment.path) as file:
                for batch in batches(file.data, 0, each.valid_bytes):
                    yield each.segment.path, batch

    def _decode(self, path: Path, batch: Batch, kind: str, end: int | None = None) -> Decoded:
        _check(path, batch, kind)
        records = self._records(path, batch, kind)
        if batch.has("is_control"):
            for record in records:
                offset = record.offset if end is None else end - 1
                try:
                    self.has_footer |= self.quorum.add(record, self._node.release, offset) == _FOOTER
                except Refused as refused:
                    raise _at(kind, path, batch, record.offset, refused) from refused
            return Decoded(path, batch, ())
        base = batch.header.base_timestamp
        return Decoded(
            path, batch, tuple((self._data(path, batch, record, base, kind), record.offset) for record in records)
        )

    def _data(self, path: Path, batch: Batch, record: Record, base: int, kind: str) -> SchemaRecord:
        try:
            return read_record(record, base, self._node.release)
        except Refused as refused:
            raise _at(kind, path, batch, record.offset, refused) from refused

    @staticmethod
    def _records(path: Path, batch: Batch, kind: str) -> list[Record]:
        try:
            return decode(batch.data, flags=_UNREAD)
        except FormatError as error:
            at = batch.position + (0 if error.payload else error.offset)
            raise stopped(
                kind, path, "RuntimeException", error.detail, offset=batch.base_offset, position=at
            ) from error


def _check_rest(path: Path, data: Data, end: int) -> None:
    """Refuse a cut batch at the end of a snapshot whose magic is none."""
    rest = data[end : end + MAGIC_AT + 1]
    if len(rest) > MAGIC_AT and rest[MAGIC_AT] > _NEWEST_MAGIC:
        raise stopped("snapshot-broken", path, "CorruptRecordException", _bad_magic(rest[MAGIC_AT]), position=end)


def _bad_magic(byte: int) -> str:
    return f"Invalid magic found in record: {byte - 256 if byte > INT8_MAX else byte}"


def _check(path: Path, batch: Batch, kind: str) -> None:
    if not 0 <= batch.magic <= _NEWEST_MAGIC:
        raise stopped(kind, path, "CorruptRecordException", _bad_magic(batch.magic & 0xFF), position=batch.position)
    if not batch.is_v2:
        message = "DefaultRecordBatch expected by record type was LegacyRecordBatch"
        raise stopped(kind, path, _ISE, message, position=batch.position)
    try:
        batch.check()
    except FormatError as error:
        raise stopped(
            kind, path, "CorruptRecordException", _corrupt(batch), offset=batch.offset, position=batch.position
        ) from error


def _corrupt(batch: Batch) -> str:
    """Return what Kafka says of a batch with a wrong checksum (DefaultRecordBatch.ensureValid)."""
    data = bytearray(batch.data)
    _BATCH.seal(data, 0, len(data))
    right = _BATCH.read(data, 0).crc
    return f"Record is corrupt (stored crc = {batch.header.crc}, computed crc = {right})"


def _at(kind: str, path: Path, batch: Batch, offset: int, refused: Refused) -> Stopped:
    return Stopped(Fault(kind, path, refused.error, offset, batch.position))


class _Race:
    """The two threads of a controller that replay: the first error of either ends the process."""

    def __init__(self) -> None:
        self._first = dict[str, Fault]()

    def add(self, decoded: Decoded, offset: int, contradiction: Contradiction) -> None:
        """Add a record that one of them does not take, or both.

        Raises:
            Stopped: both have ended.
        """
        for thread, error in contradiction._asdict().items():
            if error is not None and thread not in self._first:
                self._first[thread] = Fault("record-contradicts", decoded.path, error, offset, decoded.batch.position)
        if len(self._first) == len(contradiction):
            self.check()

    def check(self) -> None:
        """End the process if one of them has.

        Raises:
            Stopped: one has.
        """
        if self._first:
            raise Stopped(one_of(list(self._first.values())))


def _end_of_name(path: Path) -> int:
    name = parse_file(path.name)
    return name.offset if name is not None and name.kind is FileKind.KRAFT_SNAPSHOT else 0


def never_ready(kind: str, path: Path, **known: str) -> Stopped:
    """Return the end of a start that goes on for ever, without an error."""
    return Stopped(Fault(kind, path, known=tuple(known.items())), Verdict.NEVER_READY)
