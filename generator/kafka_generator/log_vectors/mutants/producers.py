"""Producers and their transactions, and the transaction index."""

from __future__ import annotations

from collections.abc import Callable

from kafka_format.log import transaction_index
from kafka_format.log.batches import Batch
from kafka_format.log.producer_states import NONE, ProducerStates
from kafka_format.records import control
from kafka_format.spec.flags import NO_FLAGS

from kafka_generator.mutants.mutant import LOG, family
from kafka_generator.mutants.patch import Patch

mutant = family(LOG, "producers")


@mutant("producers/own-transactions-count")
def own_transactions_count(patch: Patch) -> None:
    """Counts the transaction that a marker ends among the open ones, for the last stable offset."""
    patch.replace(
        ProducerStates._last_stable_offset,
        lambda self, marker: min(self._open, default=marker.base_offset + 1),
    )


@mutant("producers/stable-is-the-marker")
def stable_is_the_marker(patch: Patch) -> None:
    """Takes the marker's offset for the last stable offset, where Kafka takes the one after it."""
    patch.wrap(
        ProducerStates._last_stable_offset,
        lambda right, self, marker: min(right(self, marker), marker.base_offset),
    )


@mutant("producers/commits-abort")
def commits_abort(patch: Patch) -> None:
    """Takes commits for aborts."""
    patch.within(
        ProducerStates._end_transaction,
        lambda inner: inner.result(control.read, lambda marker: marker._replace(type="abort")),
    )


@mutant("producers/first-is-the-last")
def first_is_the_last(patch: Patch) -> None:
    """Lets a transaction begin with its last batch."""

    def wrong(right: Callable[[ProducerStates, Batch], None], self: ProducerStates, batch: Batch) -> None:
        entry = self.entries.get(batch.producer_id)
        if entry is not None and batch.has("is_transactional"):
            self.entries[batch.producer_id] = entry._replace(current_transaction_first_offset=NONE)
        right(self, batch)

    patch.wrap(ProducerStates._add_data, wrong)


@mutant("txnindex/from-the-marker")
def from_the_marker(patch: Patch) -> None:
    """Writes transaction indexes with the offset of the marker for the first offset."""
    patch.wrap(
        transaction_index.encode,
        lambda right, entries: right(entry._replace(first_offset=entry.last_offset) for entry in entries),
    )


@mutant("txnindex/half-an-entry")
def half_an_entry(patch: Patch) -> None:
    """Refuses a transaction index that ends within an entry."""
    patch.wrap(transaction_index.aborted_transactions, lambda right, data, flags=NO_FLAGS: right(data, NO_FLAGS))
