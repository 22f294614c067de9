"""Logs after compaction, producer snapshots as several releases write them, and damages of both.

Compaction takes batches out of a log and leaves snapshots as they are. What these remember of a
producer is then newer than what its batches say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kafka_format.codec.structures import structure
from kafka_format.log.producer_states import read_snapshot
from kafka_format.log.transaction_index import AbortedTransaction, encode

from kafka_generator.log_vectors.case_logs import (
    ABORT,
    COMMIT,
    START,
    TRANSACTIONAL,
    Files,
    batch,
    data,
    log,
    marker,
    messages,
)
from kafka_generator.log_vectors.case_types import DirectoryCase
from kafka_generator.log_vectors.changes import Change, each, name, remove, write_file
from kafka_generator.log_vectors.sound import changed_case

_STATE: Final = "log.snapshot.state"
_ABORTED: Final = "log.transaction-index.aborted"


def cases() -> Iterator[DirectoryCase]:
    """Yield the cases."""
    yield from _of_producers()
    yield from _of_transactions()
    yield from _by_release()
    v1 = log([[messages(1, 0), messages(1, 1)], [messages(1, 2), messages(1, 3)]])
    for id_, title, change in (
        (
            "before-time-indexes",
            "0.10.0 wrote it, which has no time indexes.",
            remove(name(0, "timeindex"), name(2, "timeindex")),
        ),
        (
            "upgraded-from-0.10.0",
            "The time indexes are empty for segments of 0.10.0.",
            write_file(name(0, "timeindex"), b""),
        ),
    ):
        yield changed_case(f"sound/{id_}", title, change, of=lambda: dict(v1), keeps=frozenset({"log.time-index.last"}))


def _plain(base: int, producer: int, sequence: int, count: int = 1) -> bytes:
    return batch(base, count, producer_id=producer, producer_epoch=0, base_sequence=sequence)


def _empty(base: int, producer: int, sequence: int, attributes: int = 0) -> bytes:
    """Return a batch without records, which the cleaner leaves for the sequence of its producer."""
    fields: dict[str, Any] = {"producer_id": producer, "producer_epoch": 0, "base_sequence": sequence}
    time = START + 1000 * base
    return batch(base, 0, last_offset_delta=0, base_timestamp=-1, max_timestamp=time, attributes=attributes, **fields)


def _compacted(before: Files, after: Files) -> Files:
    """Return a compacted log: the batches and indexes after it, the snapshots from before."""
    kept = {path: content for path, content in before.items() if path.endswith(".snapshot")}
    return {path: content for path, content in after.items() if not path.endswith(".snapshot")} | kept


def _of_producers() -> Iterator[DirectoryCase]:
    first, third, fourth, last = _plain(0, 1, 0), _plain(2, 1, 2), batch(3), [_plain(4, 1, 3), batch(5)]
    before = log([[first, _plain(1, 1, 1), third, fourth], last])
    files = _compacted(before, log([[first, fourth], last]))
    title = "Compaction took the batches that the snapshots remember."
    yield DirectoryCase("sound/compacted-producers", title, files, keeps=frozenset({_STATE}))
    files = _compacted(before, log([[batch(0), _empty(2, 1, 2), fourth], last]))
    title = "Compaction left an empty batch for the sequence of a producer."
    yield DirectoryCase("sound/compacted-to-an-empty-batch", title, files, keeps=frozenset({_STATE}))
    compacted = log([[first, third, fourth], last])
    stale = log([[first, batch(1), batch(2), fourth], last])
    title = "A log was compacted, and a snapshot is behind the batches that are left."
    yield DirectoryCase("compacted/snapshot-behind", title, _compacted(stale, compacted), frozenset({_STATE}))
    other = log([[_plain(0, 1, 7), _plain(1, 1, 8), _plain(2, 1, 9), fourth], last])
    title = "A log was compacted, and a snapshot has another sequence for the last batch that is left."
    yield DirectoryCase("compacted/snapshot-of-others", title, _compacted(other, compacted), frozenset({_STATE}))


def _of_transactions() -> Iterator[DirectoryCase]:
    index = name(0, "txnindex")
    whole = [data(0, 1), data(1, 1, sequence=1), batch(2), marker(3, 1, ABORT), batch(4)]
    left = [data(1, 1, sequence=1), batch(2), marker(3, 1, ABORT), batch(4)]
    begun = write_file(index, encode([AbortedTransaction(1, 0, 3, 4)]))
    title = "Compaction took the first batch of an aborted transaction; the index has where it began."
    yield _compacted_case("sound/compacted-transaction", title, whole, left, begun, keeps=frozenset({_ABORTED}))
    gone = [batch(2), marker(3, 1, ABORT), batch(4)]
    title = "Compaction took all data of an aborted transaction, and its entry in the index."
    yield _compacted_case(
        "sound/compacted-away-transaction", title, whole, gone, _unindexed, keeps=frozenset({_ABORTED})
    )
    kept = [_empty(1, 1, 1, TRANSACTIONAL), batch(2), marker(3, 1, ABORT), batch(4)]
    title = "Compaction left an empty batch of an aborted transaction, and no entry in the index."
    yield _compacted_case(
        "sound/compacted-to-an-empty-transaction", title, whole, kept, _unindexed, keeps=frozenset({_ABORTED})
    )
    title = "A log was compacted, and the index lacks an aborted transaction that has data left."
    yield _compacted_case("compacted/aborted-missing", title, whole, left, _unindexed, breaks=frozenset({_ABORTED}))
    late = write_file(index, encode([AbortedTransaction(1, 2, 3, 4)]))
    title = "A log was compacted, and in the index a transaction begins after data that it aborted."
    yield _compacted_case("compacted/aborted-too-late", title, whole, left, late, breaks=frozenset({_ABORTED}))


def _compacted_case(
    case: str,
    title: str,
    before: list[bytes],
    after: list[bytes],
    change: Change,
    *,
    breaks: frozenset[str] = frozenset(),
    keeps: frozenset[str] = frozenset(),
) -> DirectoryCase:
    files = _compacted(log([before]), log([after]))
    change(files)
    return DirectoryCase(case, title, files, breaks, keeps)


def _unindexed(files: Files) -> None:
    files.pop(name(0, "txnindex"), None)


def _by_release() -> Iterator[DirectoryCase]:
    """Yield snapshots after a transaction of two records in one batch, ended by a marker at 2."""
    appends = [data(0, 1, 2), marker(2, 1, COMMIT), batch(3)]
    files = log([appends, [batch(4)]])
    title = "A snapshot of {}"
    for id_, what, values in (
        ("of-0.11", "0.11, which takes a marker for the last batch.", {"last_offset": 2, "offset_delta": 0}),
        ("of-1.1", "1.1, whose markers do not change the time.", {"timestamp": START + 10}),
        (
            "of-an-expired-producer",
            "a producer that expired before its marker.",
            {"last_offset": -1, "last_sequence": -1, "offset_delta": 0},
        ),
        ("of-a-coordinator-unknown", "a producer that expired after its marker.", {"coordinator_epoch": -1}),
    ):
        yield changed_case(
            f"sound/snapshot-{id_}",
            title.format(what),
            _snapshots(**values),
            of=lambda: dict(files),
            keeps=frozenset({_STATE}),
        )
    for id_, what, values in (
        ("other-time", "a time that none of its batches has.", {"timestamp": START + 11}),
        ("other-sequence", "another sequence.", {"last_sequence": 2}),
        ("open-transaction", "a transaction that was ended.", {"current_transaction_first_offset": 0}),
    ):
        title = f"A producer in a snapshot has {what}"
        yield changed_case(f"snapshot/{id_}", title, _snapshots(**values), _STATE, of=lambda: dict(files))
    inner = log([[_plain(0, 1, 0)], [_plain(1, 1, 1)], [_plain(2, 1, 2)]])
    title = "An inner segment has no producer snapshot, so that the one before is never copied to remote storage."
    lacks = remove(name(1, "snapshot"))
    yield changed_case("snapshot/missing-inner", title, lacks, "log.snapshot.present", of=lambda: dict(inner))
    title = "Old snapshots are removed, as releases up to 2.7 do; there is no topic id."
    old = each(lacks, remove("orders-0/partition.metadata"))
    yield changed_case(
        "sound/old-snapshots-removed", title, old, of=lambda: dict(inner), keeps=frozenset({"log.snapshot.present"})
    )


def _snapshots(**values: int) -> Change:
    """Give all producers in all snapshots other values."""

    def change(files: Files) -> None:
        write = structure("producer_snapshot_file")
        for path in [path for path in files if path.endswith(".snapshot")]:
            producers = [entry._replace(**values) for entry in read_snapshot(files[path])]
            files[path] = write.encode(write.type(producers=producers))

    return change
