"""Wrong consumers: transactions that were aborted, and the markers of their ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kafka_format.broker.consumer import READ_COMMITTED, READ_UNCOMMITTED, deliver
from kafka_format.records import Record

from kafka_conformance.kinds.consumer.fetched import Fetched, FetchedEntry
from kafka_conformance.kinds.consumer.wrong_consumers.ways import (
    Consumed,
    Way,
    from_offset,
    giving,
    wrong_consumer,
)

_Aborted = list[tuple[int, int]]
"""Producer ids, and the first offsets of their aborted transactions."""


def _is_committed(answer: Fetched) -> bool:
    return answer.view.isolation == READ_COMMITTED


def _as(isolation: str) -> Way:
    """Return what reads with one isolation level, whatever it is told."""

    def consume(answer: Fetched) -> Consumed | None:
        seen = answer.view
        if not answer.is_sound:
            return None
        delivery = deliver(seen.vector.data, seen.fetch_offset, isolation, seen.aborted)
        is_error = delivery.error is not None or delivery.too_small
        return Consumed(delivery.records, delivery.next_offset, is_error)

    return consume


def _heeding(change: Callable[[_Aborted], _Aborted]) -> Way:
    """Return what takes the list of aborted transactions for another."""

    def consume(answer: Fetched) -> Consumed | None:
        seen = answer.view
        if not answer.is_sound or len(seen.aborted) < 2:
            return None
        delivery = deliver(seen.vector.data, seen.fetch_offset, seen.isolation, change(list(seen.aborted)))
        return Consumed(delivery.records, delivery.next_offset, delivery.error is not None)

    return consume


def _by_offset(aborted: _Aborted) -> _Aborted:
    return sorted(aborted, key=lambda pair: pair[1])


def _ignores_list(_: Fetched, entry: FetchedEntry) -> bool | None:
    return True if entry.is_aborted and not entry.is_control else None


def _begun(answer: Fetched, entry: FetchedEntry) -> bool:
    """Tell whether the producer of an entry has an aborted transaction that has begun by then."""
    return entry.producer >= 0 and any(
        producer == entry.producer and first <= entry.last for producer, first in answer.view.aborted
    )


def _never_ends(answer: Fetched, entry: FetchedEntry) -> bool | None:
    """Hide all of a producer from its first aborted record on."""
    return False if _is_committed(answer) and entry.is_transactional and _begun(answer, entry) else None


def _from_the_start(answer: Fetched, entry: FetchedEntry) -> bool | None:
    """Hide all of a producer that the list names."""
    is_named = entry.producer >= 0 and any(producer == entry.producer for producer, _ in answer.view.aborted)
    return False if _is_committed(answer) and entry.is_transactional and is_named else None


def _whatever_isolation(answer: Fetched, entry: FetchedEntry) -> bool | None:
    return False if not _is_committed(answer) and entry.is_transactional and _begun(answer, entry) else None


def _not_transactional(answer: Fetched, entry: FetchedEntry) -> bool | None:
    return False if _is_committed(answer) and not entry.is_transactional and _begun(answer, entry) else None


def _all_transactions(answer: Fetched, entry: FetchedEntry) -> bool | None:
    return False if _is_committed(answer) and entry.is_transactional else None


def _unmarked(*, anywhere: bool) -> Way:
    """Return what hides a transaction whose marker does not come behind it, or anywhere."""

    def shows(answer: Fetched, entry: FetchedEntry) -> bool | None:
        markers = (other for other in answer.entries if other.is_control and other.producer == entry.producer)
        is_ended = any(anywhere or marker.first > entry.last for marker in markers)
        return False if _is_committed(answer) and entry.is_transactional and not is_ended else None

    return giving(shows)


def _of_all_producers(answer: Fetched, entry: FetchedEntry) -> bool | None:
    """Hide whatever stands behind the first offset of the list, and nothing else."""
    if not _is_committed(answer) or not answer.view.aborted or entry.is_control or entry.producer < 0:
        return None
    return all(entry.first < first for _, first in answer.view.aborted)


def _all_to_the_end(answer: Fetched, entry: FetchedEntry) -> bool | None:
    """Hide all behind the first offset of the list, also what no producer with an id wrote."""
    if not _is_committed(answer) or not answer.view.aborted or entry.is_control:
        return None
    return None if all(entry.last < first for _, first in answer.view.aborted) else False


def _only_where_it_begins(answer: Fetched, entry: FetchedEntry) -> bool | None:
    """Hide of an aborted transaction only the batch at the offset that the list names."""
    return True if entry.is_aborted and (entry.producer, entry.first) not in answer.view.aborted else None


def _begins_late(answer: Fetched, entry: FetchedEntry) -> bool | None:
    """Show the batch at the offset that the list names."""
    return True if entry.is_aborted and (entry.producer, entry.first) in answer.view.aborted else None


def _begins_behind(answer: Fetched, entry: FetchedEntry) -> bool | None:
    """Show a batch of one record at the offset that the list names."""
    return True if entry.is_aborted and (entry.producer, entry.last) in answer.view.aborted else None


def _transactions_beside_aborted(answer: Fetched, entry: FetchedEntry) -> bool | None:
    return _all_transactions(answer, entry) if answer.view.aborted and entry.producer >= 0 else None


def _any_marker_ends(is_end: Callable[[FetchedEntry, int], bool]) -> Way:
    """Return what takes other markers for the end of an aborted transaction, too."""

    def consume(answer: Fetched) -> Consumed | None:
        if not answer.is_sound or not _is_committed(answer):
            return None
        waiting, aborting = sorted(answer.view.aborted, key=lambda pair: pair[1]), set[int]()
        given: list[Record] = []
        for entry, right in zip(answer.entries, answer.right, strict=True):
            while waiting and waiting[0][1] <= entry.last:
                aborting.add(waiting.pop(0)[0])
            if entry.is_control:
                aborting -= {producer for producer in aborting if is_end(entry, producer)}
            elif entry.is_aborted and entry.producer not in aborting:
                given += from_offset(answer, entry)
            else:
                given += right
        return Consumed(given, answer.next_offset)

    return consume


def _markers(kind: bytes | None) -> Way:
    """Return what gives markers of one kind, which their keys end with, or all."""
    return giving(
        lambda _, entry: (
            True
            if entry.is_control and (kind is None or any((r.key or b"").endswith(kind) for r in entry.records))
            else None
        )
    )


OF_TRANSACTIONS: Final = (
    wrong_consumer(
        "aborted-delivered",
        "delivers the records of aborted transactions with read_committed",
        _as(READ_UNCOMMITTED),
        giving(_ignores_list),
    ),
    wrong_consumer(
        "abort-never-ends",
        "goes on leaving out what a producer writes after its aborted transaction has ended",
        giving(_never_ends),
    ),
    wrong_consumer(
        "aborted-from-the-start",
        "leaves out all transactions of a producer that has aborted one, also those before it",
        giving(_from_the_start),
    ),
    wrong_consumer(
        "commit-ends-abort",
        "takes a commit marker, too, for the end of an aborted transaction, and delivers what follows",
        _any_marker_ends(lambda entry, producer: entry.producer == producer),
    ),
    wrong_consumer(
        "foreign-marker-ends-abort",
        "takes the marker of another producer for the end of an aborted transaction, and delivers what follows",
        _any_marker_ends(lambda _entry, _producer: True),
    ),
    wrong_consumer(
        "only-one-aborted",
        "heeds only one of the aborted transactions that an answer lists",
        _heeding(lambda aborted: aborted[:1]),
        _heeding(lambda aborted: aborted[-1:]),
        _heeding(lambda aborted: _by_offset(aborted)[:1]),
        _heeding(lambda aborted: _by_offset(aborted)[-1:]),
    ),
    wrong_consumer(
        "aborted-list-taken-for-sorted",
        "takes the list of aborted transactions for sorted by offset, and each producer for one transaction",
        _heeding(lambda aborted: list(dict(aborted).items())),
        _heeding(lambda aborted: list(dict(aborted[::-1]).items())),
    ),
    wrong_consumer(
        "aborted-left-out-of-uncommitted",
        "leaves out aborted transactions with read_uncommitted, too",
        _as(READ_COMMITTED),
        giving(_whatever_isolation),
    ),
    wrong_consumer(
        "not-transactional-left-out",
        "leaves out records of a producer that aborts which are of no transaction",
        giving(_not_transactional),
    ),
    wrong_consumer(
        "unmarked-transactions-lost",
        "loses the records of a transaction, with read_committed, whose marker comes in a later answer",
        _unmarked(anywhere=False),
        _unmarked(anywhere=True),
    ),
    wrong_consumer(
        "transactions-lost-uncommitted",
        "loses the records of transactions with read_uncommitted",
        giving(lambda answer, entry: False if entry.is_transactional and not _is_committed(answer) else None),
    ),
    wrong_consumer(
        "transactions-lost",
        "loses the records of all transactions with read_committed, the committed ones, too",
        giving(_all_transactions),
        giving(lambda _, entry: False if entry.is_transactional else None),
    ),
    wrong_consumer(
        "transactions-beside-aborted-lost",
        "loses the records of all transactions of an answer that lists an aborted one",
        giving(_transactions_beside_aborted),
    ),
    wrong_consumer(
        "aborted-of-all-producers",
        "leaves out what any producer wrote behind the first offset of an aborted transaction",
        giving(_of_all_producers),
        giving(_all_to_the_end),
    ),
    wrong_consumer(
        "abort-ends-early",
        "leaves out only the first batch of an aborted transaction, and delivers the others",
        giving(_only_where_it_begins),
    ),
    wrong_consumer(
        "abort-begins-late",
        "delivers the first batch of an aborted transaction, and leaves out the others",
        giving(_begins_late),
        giving(_begins_behind),
    ),
    wrong_consumer(
        "markers-delivered",
        "delivers the markers of transactions as messages",
        _markers(None),
    ),
    wrong_consumer(
        "abort-markers-delivered", "delivers the markers of aborted transactions as messages", _markers(b"\0\0")
    ),
    wrong_consumer(
        "commit-markers-delivered", "delivers the markers of committed transactions as messages", _markers(b"\0\1")
    ),
)
