"""Transactions of a log: open ones, which hold the last stable offset, and aborted ones.

A consumer with `read_committed` gets, beside the batches of a fetch, the aborted transactions in
them, and leaves their batches out. The broker takes these from the transaction indexes, and stops
at the first entry whose last stable offset reaches the end of the fetch (storage
TransactionIndex.collectAbortedTxns). An entry that is missing, or says too much, lets aborted
records through.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch
from kafka_format.log.partition import PartitionLog
from kafka_format.log.producer_states import ProducerStates, first_states
from kafka_format.log.retention import HIGH_WATERMARK
from kafka_format.log.transaction_index import AbortedTransaction

Indexes = Sequence[tuple[int, tuple[AbortedTransaction, ...]]]
"""Base offset and transaction index of each segment."""


class OpenTransaction(NamedTuple):
    """A transaction that has no end marker.

    Attributes:
        producer_id: who began it, and with which `producer_epoch`.
        first_offset: its first offset; `last_offset` is the last one of its producer.
        timestamp: of its producer's last batch, in milliseconds since 1970.
        coordinator_epoch: of the last marker of its producer; -1 before any.
    """

    producer_id: int
    producer_epoch: int
    first_offset: int
    last_offset: int
    timestamp: int
    coordinator_epoch: int


class ShownBatch(NamedTuple):
    """A batch of an aborted transaction that a consumer with `read_committed` would get.

    Attributes:
        marker_segment: base offset of the segment that has the abort marker, whose transaction
            index should tell.
        first_offset: first offset of the batch, and in `last_offset` its last.
        producer_id: whose it is.
    """

    marker_segment: int
    first_offset: int
    last_offset: int
    producer_id: int


class Transactions(NamedTuple):
    """The transactions of a log.

    Attributes:
        open: those without an end, by first offset.
        aborted: those that were aborted, as the batches say.
        high_watermark: as the checkpoint beside the folder says; the end of the log if there is
            none.
        last_stable_offset: where consumers with `read_committed` wait.
        shown_batches: batches of aborted transactions that these consumers are shown.
    """

    open: tuple[OpenTransaction, ...]
    aborted: tuple[AbortedTransaction, ...]
    high_watermark: int
    last_stable_offset: int
    shown_batches: tuple[ShownBatch, ...]


def transactions(log: PartitionLog) -> Transactions:
    """Return the transactions of a log's batches, and where its transaction indexes disagree.

    Raises:
        FormatError: a control record or a transaction index cannot be read.
    """
    data = list[Batch]()
    watermark = high_watermark(log)
    states, unreplicated = _fold(log, watermark, data)
    begun = tuple(sorted((_open(producer, states) for producer in states.open), key=lambda each: each.first_offset))
    stable = min([watermark, *unreplicated, *(each.first_offset for each in begun)])
    aborted = tuple(states.aborted)
    indexes = [(segment.base_offset, segment.aborted_transactions()) for segment in log.segments]
    return Transactions(begun, aborted, watermark, stable, tuple(_wrongly_shown(indexes, aborted, data)))


def last_stable_offset(log: PartitionLog) -> int:
    """Return where consumers with `read_committed` wait.

    It is the first offset of the oldest transaction that is open, or whose end is not below the
    high watermark; else the high watermark (storage ProducerStateManager.firstUnstableOffset).

    Raises:
        FormatError: a control record cannot be read.
    """
    watermark = high_watermark(log)
    states, unreplicated = _fold(log, watermark, [])
    return min([watermark, *unreplicated, *states.open.values()])


def _fold(log: PartitionLog, watermark: int, data: list[Batch]) -> tuple[ProducerStates, list[int]]:
    """Follow the producers of a log, and add its transactional batches to `data`.

    Returns:
        The producers, and the first offsets of transactions that end at or above a high watermark.
    """
    states, unreplicated = first_states(log.first_snapshot), list[int]()
    for segment in log.segments:
        for batch in segment.whole_batches():
            entry = states.entries.get(batch.producer_id)
            first = -1 if entry is None else entry.current_transaction_first_offset
            states.add(batch)
            if batch.has("is_control") and first >= 0 and batch.base_offset >= watermark:
                unreplicated.append(first)
            if batch.has("is_transactional") and not batch.has("is_control"):
                data.append(batch)
    return states, unreplicated


def collect_aborted(indexes: Indexes, offset: int, upper: int) -> list[AbortedTransaction]:
    """Return the aborted transactions that go with a fetch of offsets `offset` to below `upper`.

    Args:
        indexes: base offset and transaction index of each segment, in order.
        offset: the first offset of the fetch.
        upper: the offset after its last.
    """
    aborted_transactions: list[AbortedTransaction] = []
    first = max(bisect_right(indexes, offset, key=lambda index: index[0]) - 1, 0)
    for _, entries in indexes[first:]:
        for entry in entries:
            if entry.last_offset >= offset and entry.first_offset < upper:
                aborted_transactions.append(entry)
            if entry.last_stable_offset >= upper:
                return aborted_transactions
    return aborted_transactions


def _wrongly_shown(
    indexes: Indexes, aborted: tuple[AbortedTransaction, ...], data: list[Batch]
) -> Iterator[ShownBatch]:
    """Yield batches of aborted transactions that a fetch of each alone does not say are aborted."""
    by_producer: dict[int, list[AbortedTransaction]] = {}
    for entry in aborted:
        by_producer.setdefault(entry.producer_id, []).append(entry)
    bases = [base for base, _ in indexes]
    for batch in data:
        entries = by_producer.get(batch.producer_id, [])
        at = bisect_right(entries, batch.base_offset, key=lambda entry: entry.last_offset)
        if at == len(entries) or not _covers(entries[at], batch):
            continue
        sent = collect_aborted(indexes, batch.base_offset, batch.next_offset)
        if not any(_covers(entry, batch) for entry in sent):
            marker_segment = bases[bisect_right(bases, entries[at].last_offset) - 1]
            yield ShownBatch(marker_segment, batch.base_offset, batch.last_offset, batch.producer_id)


def _covers(entry: AbortedTransaction, batch: Batch) -> bool:
    return entry.producer_id == batch.producer_id and entry.first_offset <= batch.base_offset < entry.last_offset


def _open(producer: int, states: ProducerStates) -> OpenTransaction:
    entry = states.entries[producer]
    return OpenTransaction(
        producer,
        entry.producer_epoch,
        entry.current_transaction_first_offset,
        entry.last_offset,
        entry.timestamp,
        entry.coordinator_epoch,
    )


def high_watermark(log: PartitionLog) -> int:
    """Return the high watermark of the checkpoint beside a log, the end of the log without one.

    A start keeps it between start and end of the log.

    Raises:
        FormatError: the log cannot be read to its end.
    """
    try:
        mark = log.checkpoint(HIGH_WATERMARK)
    except FormatError:
        mark = None
    return log.end_offset if mark is None else max(min(mark, log.end_offset), log.start_offset)
