"""The reference's results in the form of a vector: broken rules, lookups, records, recovery."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kafka_format.errors import FormatError, Stage
from kafka_format.log import PartitionLog, find_offset, find_time, recover, remote_snapshot, transaction_index
from kafka_format.log.indexes import NEWEST, OffsetIndex, TimeIndex
from kafka_format.log.kraft import FOOTER, HEADER
from kafka_format.log.kraft import read_snapshot as read_kraft_snapshot
from kafka_format.log.names import FileKind, FileName, parse_file, parse_partition, segment_name
from kafka_format.log.producer_states import read_snapshot
from kafka_format.log.recovery import STOPPERS, Fate, Recovery
from kafka_format.log.text import checkpoints, clean_shutdown, meta_properties, partition_metadata, quorum_state
from kafka_format.log.text.lines import id_text
from kafka_format.log.verification import verify_directory
from kafka_format.protocol.records import decode_value
from kafka_format.records import iterate_v07

_OUT_OF_RANGE = "OffsetOutOfRangeException"
REFUSED = {"error": "refused"}


def breaks(folder: Path) -> list[str]:
    """Return the rules that a data directory breaks, sorted."""
    return sorted({breach.rule for breach in verify_directory(folder)})


def after_clean_stop(folder: Path, offsets: list[int], times: list[int], release: str = NEWEST) -> dict[str, Any]:
    """Return the results after a clean stop, with trailing zeros of indexes taken for entries.

    The folder is that of the partition; lookups are those of a release.
    """
    try:
        with PartitionLog(folder, padded=True) as log:
            log.leader_epochs()
            for segment in log.segments:
                segment.aborted_transactions()
            return {
                "start_offset": log.start_offset,
                "end_offset": log.end_offset,
                "records": list(_records(log)),
                "offsets": [_offset(log, offset, release) for offset in offsets],
                "times": [_time(log, time, release) for time in times],
            }
    except FormatError:
        return REFUSED


def after_crash(folder: Path, interval: int) -> dict[str, Any]:
    """Return what a start after a crash leaves of a partition."""
    try:
        with PartitionLog(folder) as log:
            for segment in log.segments:
                segment.aborted_transactions()
            recovery = recover(log, index_interval=interval)
            kept = [each for each in recovery.segments if each.fate is not Fate.REMOVED]
            if any(each.fate in STOPPERS for each in kept):
                return REFUSED
            if any(each.fate is Fate.SPLIT for each in kept):
                return {"start_offset": recovery.start_offset, "end_offset": recovery.end_offset, "split": True}
            return {
                "split": False,
                "start_offset": recovery.start_offset,
                "end_offset": recovery.end_offset,
                "segments": [[each.segment.base_offset, each.valid_bytes] for each in kept],
                "epochs": [list(row) for row in recovery.epochs],
                "files": _files(recovery),
            }
    except FormatError:
        return REFUSED


def _files(recovery: Recovery) -> dict[str, str]:
    files = {}
    for each in recovery.segments:
        if each.fate in {Fate.KEPT, Fate.CUT}:
            base = each.segment.base_offset
            files[segment_name(base, FileKind.OFFSET_INDEX)] = OffsetIndex.encode(each.offset_entries, base).hex()
            files[segment_name(base, FileKind.TIME_INDEX)] = TimeIndex.encode(each.time_entries, base).hex()
            if each.aborted:
                files[segment_name(base, FileKind.TRANSACTION_INDEX)] = transaction_index.encode(each.aborted).hex()
    return files


def _records(log: PartitionLog) -> Iterator[list[Any]]:
    """Yield records from the log's start as fetches give them, up to an error, if any."""
    at, end = log.start_offset, log.end_offset
    try:
        while at < end:
            batch = find_offset(log, at).batch
            if batch is None:
                return
            batch.check()
            for record in batch.unchecked_records():
                if record.offset >= at:
                    content = (None if part is None else part.hex() for part in (record.key, record.value))
                    yield [record.offset, record.timestamp, *content]
            at = batch.next_offset
    except FormatError:
        yield [at, "CorruptRecordException"]


def _offset(log: PartitionLog, offset: int, release: str) -> list[Any]:
    try:
        lookup = find_offset(log, offset, release)
    except FormatError:
        return [offset, "CorruptRecordException"]
    if lookup.outcome.is_out_of_range:
        return [offset, _OUT_OF_RANGE]
    if lookup.batch is None:
        last = log.segments[-1]
        return [offset, last.base_offset, last.size]
    return [offset, lookup.scans[-1].segment.base_offset, lookup.batch.position]


def _time(log: PartitionLog, time: int, release: str) -> list[Any]:
    try:
        moment = find_time(log, time, release).record
    except FormatError:
        return [time, "CorruptRecordException"]
    return [time] if moment is None else [time, *moment]


def _remote(data: bytes, flags: frozenset[str]) -> list[Any]:
    """Return partition and offset of the topic, and of each record its id and offsets."""
    snapshot = remote_snapshot.decode(data, flags)
    values = [decode_value(remote_snapshot.TOPIC, record).value for record in snapshot.records]
    rows = [[id_text(value.segment_id), value.start_offset, value.end_offset] for value in values]
    return [snapshot.metadata_partition, snapshot.metadata_offset, rows]


_READERS: dict[str, Callable[[bytes, frozenset[str]], Any]] = {
    checkpoints.EPOCH_FILE: lambda data, flags: [list(row) for row in checkpoints.decode_epochs(data, flags)],
    **dict.fromkeys(
        checkpoints.OFFSET_FILES,
        lambda data, flags: sorted(list(row) for row in checkpoints.decode_offsets(data, flags)),
    ),
    partition_metadata.NAME: lambda data, flags: list(partition_metadata.decode(data, flags)),
    quorum_state.NAME: lambda data, _: _quorum(quorum_state.decode(data)),
    meta_properties.NAME: lambda data, _: _properties(meta_properties.decode(data)),
    clean_shutdown.NAME: lambda data, flags: list(clean_shutdown.decode(data, flags)),
    remote_snapshot.NAME: _remote,
}


def single_file(file: str, data: bytes | None, flags: frozenset[str] = frozenset()) -> Any:
    """Return what a file or a name says, as Kafka's answers have it.

    Raises:
        FormatError: it breaks a rule that no flag looses.
    """
    if data is None:
        return _name(file, flags)
    if file in _READERS:
        return _READERS[file](data, flags)
    name = parse_file(file, flags)
    if name is None:
        raise ValueError(f"no reader for {file}")
    return _BY_KIND[name.kind](data, name, flags)


def _name(name: str, flags: frozenset[str]) -> list[Any]:
    if name.endswith("/"):
        partition = parse_partition(name[:-1])
        return [partition.topic, partition.partition]
    parsed = parse_file(name, flags)
    return [parsed.offset if parsed else None]


def _producers(data: bytes) -> list[list[Any]]:
    names = ("producer_id", "producer_epoch", "last_offset", "timestamp", "coordinator_epoch")
    first = "current_transaction_first_offset"
    return [[getattr(each, name) for name in (*names, first)] for each in read_snapshot(data)]


def _kraft_snapshot(data: bytes, name: FileName, flags: frozenset[str]) -> list[Any]:
    """Return end offset, epoch, number of records and newest timestamp of a snapshot."""
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "snapshot"
        path.write_bytes(data)
        snapshot = read_kraft_snapshot(path, name)
    for part, at, kind in (("header", 0, HEADER), ("footer", -1, FOOTER)):
        is_there = snapshot.control and snapshot.control[at] == kind
        if not is_there and f"snapshot-without-{part}" not in flags:
            detail = f"its control records are {', '.join(snapshot.control) or 'none'}"
            raise FormatError(detail, rule=f"log.kraft-snapshot.{part}", stage=Stage.STRUCTURE, offset=0)
    return [snapshot.end_offset, snapshot.epoch, snapshot.records, snapshot.timestamp]


_BY_KIND: dict[FileKind, Callable[[bytes, FileName, frozenset[str]], list[Any]]] = {
    FileKind.PRODUCER_SNAPSHOT: lambda data, _, __: _producers(data),
    FileKind.KRAFT_SNAPSHOT: _kraft_snapshot,
    FileKind.SEGMENT_07: lambda data, name, _: [
        [each.offset, (each.value or b"").hex()] for each in iterate_v07(data, name.offset)
    ],
    FileKind.TRANSACTION_INDEX: lambda data, _, flags: [
        list(entry) for entry in transaction_index.aborted_transactions(data, flags)
    ],
}


def _quorum(state: quorum_state.QuorumState) -> list[int]:
    return [state.leader_epoch, state.leader_id]


def _properties(document: meta_properties.MetaProperties) -> list[Any]:
    return [
        document.version,
        -1 if document.node_id is None else document.node_id,
        document.cluster_id,
        document.directory_id,
    ]
