"""Transaction indexes and producer snapshots, held against what the batches say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from kafka_format.errors import FormatError
from kafka_format.log import transaction_index
from kafka_format.log.batches import Batch
from kafka_format.log.names import FileKind, FileName
from kafka_format.log.partition import PartitionLog
from kafka_format.log.producer_states import NONE, first_entries, is_readable, read_snapshot
from kafka_format.log.segment import Segment
from kafka_format.log.transaction_index import AbortedTransaction
from kafka_format.log.verification.breach import Breach, of_error
from kafka_format.log.verification.snapshots import FollowedProducers, wrong_after_compaction, wrong_fields
from kafka_format.primitives.counts import byte_count
from kafka_format.primitives.integers import INT64_MAX

BatchesOf = Callable[[Segment], Iterable[Batch]]
"""Gives the batches of a segment, or as many of them as producers need to be followed."""


def verify(
    log: PartitionLog, first_missing: int | None, batches_of: BatchesOf = Segment.whole_batches
) -> Iterator[Breach]:
    """Yield what is wrong with transaction indexes and producer snapshots.

    Args:
        log: the log.
        first_missing: its smallest offset that no record has; compaction may have been above it.
        batches_of: gives the batches of a segment.
    """
    snapshots = {file.name.offset: file.path for file in log.files if file.name and _is_snapshot(file.name)}
    for path in snapshots.values():
        try:
            read_snapshot(path.read_bytes())
        except FormatError as error:
            yield of_error(error, path)
    if log.segments:
        yield from _Fold(log, snapshots, INT64_MAX if first_missing is None else first_missing).run(batches_of)


def _is_snapshot(name: FileName) -> bool:
    return name.kind is FileKind.PRODUCER_SNAPSHOT and not name.markers


class _Fold:
    """Folds the batches of a log, and compares each snapshot where the fold comes to its offset."""

    def __init__(self, log: PartitionLog, snapshots: dict[int, Path], whole_until: int) -> None:
        first = first_entries(log.first_snapshot)
        base = log.segments[0].base_offset
        self._log = log
        self._snapshots = dict(snapshots)
        self._whole_until = whole_until
        self._producers = FollowedProducers(first or ())
        self._start = base if first is None and base > 0 else None

    def run(self, batches_of: BatchesOf) -> Iterator[Breach]:
        for segment in self._log.segments:
            yield from self._segment(segment, batches_of(segment))
            segment.close()

    def _segment(self, segment: Segment, batches: Iterable[Batch]) -> Iterator[Breach]:
        producers, markers = self._producers, set[int]()
        before = len(producers.aborted)
        yield from self._snapshot(segment.base_offset)
        try:
            for batch in batches:
                producers.add(batch)
                if batch.has("is_control"):
                    markers.add(batch.base_offset)
                if batch.next_offset in self._snapshots:
                    yield from self._snapshot(batch.next_offset)
        except FormatError as error:
            yield of_error(error, segment.path)
            return
        yield from self._aborted(segment, producers.aborted[before:], markers)

    def _snapshot(self, offset: int) -> Iterator[Breach]:
        """Compare the producers that are in both: one that is missing may have expired."""
        path = self._snapshots.pop(offset, None)
        if path is None or not is_readable(path.read_bytes()):
            return
        for entry in read_snapshot(path.read_bytes()):
            folded = self._producers.entries.get(entry.producer_id)
            names = [] if folded is None else self._wrong(entry, offset)
            if names:
                pairs = (f"{name} {getattr(entry, name)}, the log says {getattr(folded, name)}" for name in names)
                detail = f"producer {entry.producer_id} has {', '.join(pairs)}"
                yield Breach("log.snapshot.state", path, detail, None, offset)

    def _wrong(self, entry: Any, offset: int) -> list[str]:  # noqa: ANN401 - a value of producer_state
        if offset <= self._whole_until:
            return wrong_fields(entry, self._producers, self._start)
        return wrong_after_compaction(entry, self._producers)

    def _aborted(self, segment: Segment, expected: list[AbortedTransaction], markers: set[int]) -> Iterator[Breach]:
        """Compare a transaction index: above a missing offset, as far as data is left."""
        whole = [entry for entry in expected if entry.last_offset < self._whole_until]
        data = self._producers.aborted_data
        left = [
            entry._replace(first_offset=data[entry.last_offset])
            for entry in expected[len(whole) :]
            if data.get(entry.last_offset, NONE) != NONE
        ]
        yield from _check_aborted(segment, whole, left, markers, self._whole_until)


def _check_aborted(
    segment: Segment,
    expected: list[AbortedTransaction],
    left: list[AbortedTransaction],
    markers: set[int],
    whole_until: int,
) -> Iterator[Breach]:
    """Yield what is wrong with a transaction index.

    Args:
        segment: the segment that it belongs to.
        expected: its transactions, where nothing is missing before their end.
        left: the others that have records left; each begins with the first of these.
        markers: the offsets of all markers of the segment.
        whole_until: the offset from which on records may be missing.
    """
    path = segment.file(FileKind.TRANSACTION_INDEX)
    try:
        stored = segment.aborted_transactions()
    except FormatError as error:
        yield of_error(error, path)
        return
    by_marker = {entry.last_offset: entry for entry in stored}
    for entry in expected:
        yield from _compare(path, entry, by_marker.get(entry.last_offset), is_exact=True)
    for entry in left:
        yield from _compare(path, entry, by_marker.get(entry.last_offset), is_exact=False)
    for offset in sorted(each for each in set(by_marker) - markers if each < whole_until):
        detail = f"the index has an abort at {offset}, where the log has no marker"
        yield Breach("log.transaction-index.aborted", path, detail, None, offset)
    yield from _order(path, segment.base_offset, stored, path.stat().st_size if path.is_file() else 0)


def _compare(
    path: Path, entry: AbortedTransaction, other: AbortedTransaction | None, *, is_exact: bool
) -> Iterator[Breach]:
    """Yield how an index's entry is other than a transaction; it may begin earlier if not exact."""
    is_there = other is not None and other.producer_id == entry.producer_id
    if other is None or not is_there or other.first_offset > entry.first_offset:
        is_right = False
    else:
        is_right = other.first_offset == entry.first_offset or not is_exact
    if not is_right:
        what = f"producer {entry.producer_id} aborted {entry.first_offset} to {entry.last_offset}"
        has = f"producer {other.producer_id} from {other.first_offset} on" if other else "no such transaction"
        yield Breach("log.transaction-index.aborted", path, f"{what}, the index has {has}", None, entry.last_offset)
    elif other is not None and is_exact and other.last_stable_offset != entry.last_stable_offset:
        detail = f"the last stable offset is {other.last_stable_offset}, the log says {entry.last_stable_offset}"
        yield Breach("log.transaction-index.last-stable-offset", path, detail, None, entry.last_offset)


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
