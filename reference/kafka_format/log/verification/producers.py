"""Transaction indexes and producer snapshots, held against what the batches say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from kafka_format.codec.checks import byte_count
from kafka_format.errors import FormatError
from kafka_format.log import transaction_index
from kafka_format.log.batches import Batch
from kafka_format.log.names import FileKind, FileName, segment_name
from kafka_format.log.partition import PartitionLog
from kafka_format.log.producer_states import ProducerStates, first_states, is_readable, read_snapshot
from kafka_format.log.segment import Segment
from kafka_format.log.transaction_index import AbortedTransaction
from kafka_format.log.verification.breach import Breach, of_error

BatchesOf = Callable[[Segment], Iterable[Batch]]
"""Gives the batches of a segment, or as many of them as producers need to be followed."""


def verify(log: PartitionLog, batches_of: BatchesOf = Segment.whole_batches) -> Iterator[Breach]:
    """Yield what is wrong with transaction indexes and producer snapshots."""
    snapshots = {file.name.offset: file.path for file in log.files if file.name and _is_snapshot(file.name)}
    for path in snapshots.values():
        try:
            read_snapshot(path.read_bytes())
        except FormatError as error:
            yield of_error(error, path)
    if not log.segments:
        return
    states = first_states(log.first_snapshot)
    for segment in log.segments:
        yield from _segment(segment, batches_of(segment), states, snapshots)
        segment.close()


def _is_snapshot(name: FileName) -> bool:
    return name.kind is FileKind.PRODUCER_SNAPSHOT and not name.markers


def _segment(
    segment: Segment, batches: Iterable[Batch], states: ProducerStates, snapshots: dict[int, Path]
) -> Iterator[Breach]:
    """Fold a segment's batches, and compare each snapshot where the fold comes to its offset."""
    before, markers = len(states.aborted), set[int]()
    yield from _snapshot(snapshots.get(segment.base_offset), states, segment.base_offset)
    try:
        for batch in batches:
            states.add(batch)
            if batch.has("is_control"):
                markers.add(batch.base_offset)
            if batch.next_offset != segment.base_offset and batch.next_offset in snapshots:
                yield from _snapshot(snapshots[batch.next_offset], states, batch.next_offset)
    except FormatError as error:
        yield of_error(error, segment.path)
        return
    yield from _check_aborted(segment, states.aborted[before:], markers)


def _snapshot(path: Path | None, states: ProducerStates, offset: int) -> Iterator[Breach]:
    """Compare the producers that are in both: one that is missing may have expired."""
    if path is None or not is_readable(path.read_bytes()):
        return
    for entry in read_snapshot(path.read_bytes()):
        folded = states.entries.get(entry.producer_id)
        if folded is not None and folded != entry:
            names = [name for name in entry._fields if getattr(entry, name) != getattr(folded, name)]
            values = ", ".join(f"{name} {getattr(entry, name)}, the log says {getattr(folded, name)}" for name in names)
            yield Breach("log.snapshot.state", path, f"producer {entry.producer_id} has {values}", None, offset)


def _check_aborted(segment: Segment, expected: list[AbortedTransaction], markers: set[int]) -> Iterator[Breach]:
    path = segment.path.with_name(segment_name(segment.base_offset, FileKind.TRANSACTION_INDEX))
    try:
        stored = segment.aborted_transactions()
    except FormatError as error:
        yield of_error(error, path)
        return
    by_marker = {entry.last_offset: entry for entry in stored}
    for entry in expected:
        other = by_marker.pop(entry.last_offset, None)
        if other is None or (other.producer_id, other.first_offset) != (entry.producer_id, entry.first_offset):
            what = f"producer {entry.producer_id} aborted {entry.first_offset} to {entry.last_offset}"
            has = f"producer {other.producer_id} from {other.first_offset} on" if other else "no such transaction"
            detail = f"{what}, the index has {has}"
            yield Breach("log.transaction-index.aborted", path, detail, None, entry.last_offset)
        elif other.last_stable_offset != entry.last_stable_offset:
            detail = f"the last stable offset is {other.last_stable_offset}, the log says {entry.last_stable_offset}"
            yield Breach("log.transaction-index.last-stable-offset", path, detail, None, entry.last_offset)
    for offset in sorted(set(by_marker) - markers):
        detail = f"the index has an abort at {offset}, where the log has no marker"
        yield Breach("log.transaction-index.aborted", path, detail, None, offset)
    yield from _order(path, segment.base_offset, stored, path.stat().st_size if path.is_file() else 0)


def _order(path: Path, base: int, stored: tuple[AbortedTransaction, ...], size: int) -> Iterator[Breach]:
    last = None
    width, tail = transaction_index.ENTRY_SIZE, size % transaction_index.ENTRY_SIZE
    if tail:
        detail = f"{byte_count(tail)} after the last whole entry"
        yield Breach(transaction_index.SIZE_RULE, path, detail, size - tail)
    for slot, entry in enumerate(stored):
        if entry.last_offset < base:
            detail = f"entry {slot} ends at {entry.last_offset}, below the base offset {base}"
            yield Breach("log.transaction-index.offset", path, detail, slot * width, entry.last_offset)
        if last is not None and entry.last_offset <= last:
            detail = f"entry {slot} ends at {entry.last_offset}, the one before at {last}"
            yield Breach("log.transaction-index.rising", path, detail, slot * width, entry.last_offset)
        last = entry.last_offset
