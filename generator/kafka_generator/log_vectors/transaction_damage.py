"""Damaged transaction indexes and producer snapshots, as disks, crashes and releases do."""

from __future__ import annotations

from collections.abc import Iterator

from kafka_format.log.transaction_index import AbortedTransaction, encode

from kafka_generator.log_vectors import case_logs
from kafka_generator.log_vectors.case_logs import data, log, marker
from kafka_generator.log_vectors.case_types import DirectoryCase
from kafka_generator.log_vectors.changes import (
    Change,
    add,
    name,
    over,
    remove,
    write_file,
)
from kafka_generator.log_vectors.sound import changed_case


def cases() -> Iterator[DirectoryCase]:
    """Yield the cases."""
    index = name(0, "txnindex", "payments-0")
    first, second = AbortedTransaction(1, 0, 1, 2), AbortedTransaction(1, 2, 4, 3)

    def stored(*entries: AbortedTransaction) -> Change:
        return write_file(index, encode(entries))

    def case(id_: str, title: str, change: Change, *breaks: str) -> DirectoryCase:
        return changed_case(f"txnindex/{id_}", title, change, *breaks, of=case_logs.transactions)

    aborted = "log.transaction-index.aborted"
    yield case("missing", "The transaction index is missing.", remove(index), aborted)
    yield case("entry-missing", "An aborted transaction is missing.", stored(first), aborted)
    yield case(
        "entry-too-much",
        "A transaction that did not abort is there.",
        stored(first, second, AbortedTransaction(2, 3, 7, 6)),
        aborted,
    )
    yield case(
        "other-producer", "An entry has another producer.", stored(first._replace(producer_id=7), second), aborted
    )
    too_large = "The last stable offset is too large, as followers of 2.3 to 4.4 write it."
    yield case(
        "last-stable-offset",
        too_large,
        stored(first._replace(last_stable_offset=3), second),
        "log.transaction-index.last-stable-offset",
    )
    yield case("falling", "Entries do not rise.", stored(second, first), "log.transaction-index.rising")
    yield case(
        "half-an-entry", "Half an entry follows the last one.", add(index, bytes(17)), "log.transaction-index.size"
    )
    yield case(
        "version-256", "The version of an entry is 256.", over(index, 0, "0100"), "log.transaction-index.version"
    )
    below = name(6, "txnindex", "payments-0")
    entry = AbortedTransaction(2, 6, 5, 8)
    yield case(
        "below-base",
        "An entry ends below the base offset.",
        write_file(below, encode([entry])),
        "log.transaction-index.offset",
        aborted,
    )
    snapshot = name(11, "snapshot", "payments-0")
    yield case(
        "snapshot-bit", "A bit of the last snapshot is flipped.", over(snapshot, 20, "ff"), "log.snapshot.checksum"
    )
    old = name(6, "snapshot", "payments-0")
    yield case(
        "snapshot-stale",
        "The last snapshot is an older one.",
        lambda files: files.update({snapshot: files[old]}),
        "log.snapshot.state",
    )
    yield case("snapshot-missing", "The last snapshot is missing.", remove(snapshot))
    unaborted = log([[data(0, 1), marker(1, 1, case_logs.COMMIT), data(2, 1, 3, sequence=1)]], name="payments-0")
    yield DirectoryCase("txnindex/none-aborted", "Nothing aborted, so there is no transaction index.", unaborted)
