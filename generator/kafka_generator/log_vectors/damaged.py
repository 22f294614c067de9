"""Damaged directories: every rule about a log broken, as disks, crashes, releases and people do."""

from __future__ import annotations

from collections.abc import Iterator

from kafka_format.log.transaction_index import AbortedTransaction, encode

from kafka_generator.log_vectors import case_logs
from kafka_generator.log_vectors.case_logs import BASES, START, Files, batch, data, log, marker
from kafka_generator.log_vectors.changes import (
    LAST,
    PLACES,
    Change,
    add,
    batches_of,
    cut,
    each,
    flip,
    name,
    over,
    put,
    remove,
    rename,
    rewritten,
    with_epochs,
)
from kafka_generator.log_vectors.sound import DirectoryCase, changed_case


def cases() -> Iterator[DirectoryCase]:
    """Yield the cases."""
    yield from _segments()
    yield from _indexes()
    yield from _transactions()
    yield from _epochs_and_names()


def _segments() -> Iterator[DirectoryCase]:
    crc, tail = "v2.crc.covers-attributes-to-end", "log.segment.tail"
    last = LAST
    yield changed_case(
        "segment/last-batch-cut", "The last batch lacks 5 bytes.", cut(last, 5), tail, "log.offset-index.batch"
    )
    yield changed_case(
        "segment/middle-cut",
        "The last batch of an inner segment lacks 5 bytes.",
        cut(9, 5),
        tail,
        "log.offset-index.batch",
        "log.time-index.batch",
    )
    for count in (1, 10, 17):
        yield changed_case(
            f"segment/zeros-behind-{count}",
            f"{count} zero bytes follow the last batch.",
            add(name(last), bytes(count)),
            tail,
        )
    for count in (18, 4096):
        yield changed_case(
            f"segment/zeros-behind-{count}",
            f"{count} zero bytes follow the last batch.",
            add(name(last), bytes(count)),
            "entry.size.minimum",
        )
    yield changed_case(
        "segment/ones-behind",
        "18 bytes of ones follow the last batch.",
        add(name(last), b"\xff" * 18),
        "entry.size.minimum",
    )
    for base in BASES:
        yield changed_case(
            f"segment/payload-bit-{base}", f"A bit of a record of segment {base} is flipped.", flip(base, 2), crc
        )
    at = PLACES["max_timestamp"]
    yield changed_case(
        "segment/header-bit",
        "A bit of the largest timestamp is flipped.",
        flip(9, 4, at + 7),
        crc,
        "log.time-index.batch",
        "log.time-index.last",
    )
    yield changed_case("segment/first-batch-broken", "A bit of the first batch of all is flipped.", flip(0, 0), crc)

    def repeated(files: Files) -> None:
        add(name(last), batches_of(files, last)[-1].data)(files)

    yield changed_case("segment/last-batch-twice", "The last batch is there twice.", repeated, "log.segment.rising")
    below = rewritten(last, 0, base_offset=3)
    yield changed_case("segment/below-base", "The first batch begins below the base offset.", below, "log.segment.base")
    far = (1 << 31) + last
    yield changed_case(
        "segment/out-of-range",
        "An offset is 2^31 above the base offset.",
        add(name(last), batch(far, time=START + 99_000)),
        "log.segment.range",
        beyond=(far, far + 1, far + 2),
    )
    yield changed_case(
        "segment/largest-offset",
        "An offset is 2^31 - 1 above the base offset.",
        add(name(last), batch(far - 1, time=START + 99_000)),
        keeps=frozenset({"log.segment.range"}),
        beyond=(far - 2, far - 1, far),
    )
    yield changed_case(
        "segment/jumps-ahead",
        "A batch has offsets that later ones have too.",
        rewritten(9, 1, base_offset=14),
        "log.segment.rising",
    )
    yield changed_case(
        "segment/joined-below",
        "A segment is called by an offset that the one before has.",
        each(rename(19, 15), remove(name(15, "index"), name(15, "timeindex"))),
        "log.segment.join",
    )
    yield changed_case(
        "segment/epoch-falls",
        "A batch has a lower leader epoch than one before.",
        with_epochs(3, 2),
        "log.segment.epochs",
    )
    yield changed_case(
        "segment/magic-3",
        "A batch has magic 3, and a checksum that fits.",
        rewritten(9, 2, magic=3),
        "entry.magic.known",
    )
    yield changed_case(
        "segment/empty-last",
        "The last segment is empty.",
        each(put(name(30), b""), put(name(30, "index"), b""), put(name(30, "timeindex"), b"")),
    )


def _indexes() -> Iterator[DirectoryCase]:
    index, times = name(9, "index"), name(9, "timeindex")
    yield changed_case("index/missing", "An inner segment has no offset index.", remove(index))
    yield changed_case(
        "index/trailing-byte", "A byte follows the last entry.", add(index, b"\1"), "log.offset-index.size"
    )
    yield changed_case(
        "index/zeros-behind",
        "Zeros follow the entries of an inner segment.",
        add(index, bytes(24)),
        "log.offset-index.trimmed",
    )
    yield changed_case(
        "index/all-zeros", "An offset index is all zeros.", put(index, bytes(64)), "log.offset-index.trimmed"
    )
    yield changed_case(
        "index/below-base",
        "An entry is below the base offset.",
        over(index, 0, "ffffffff"),
        "log.offset-index.offset",
        "log.offset-index.covers",
    )
    yield changed_case(
        "index/negative-position", "A position is negative.", over(index, 4, "ffffffff"), "log.offset-index.position"
    )
    yield changed_case(
        "index/offsets-fall",
        "An entry has a lower offset than the one before.",
        over(index, 8, "00000001"),
        "log.offset-index.rising",
        "log.offset-index.covers",
    )
    yield changed_case(
        "index/no-batch-there", "A position is within a batch.", over(index, 4, "00000010"), "log.offset-index.batch"
    )
    yield changed_case(
        "index/not-covered",
        "An offset is lower than batches before its position.",
        over(index, 0, "00000001"),
        "log.offset-index.covers",
    )
    yield changed_case(
        "index/position-behind-the-end",
        "A position is behind the end of the segment.",
        over(index, 4, "00100000"),
        "log.offset-index.batch",
        "log.offset-index.rising",
    )
    yield changed_case("timeindex/missing", "An inner segment has no time index.", remove(times), "log.time-index.last")
    yield changed_case(
        "timeindex/trailing-byte", "A byte follows the last entry.", add(times, b"\1"), "log.time-index.size"
    )
    yield changed_case(
        "timeindex/zeros-behind",
        "Zeros follow the entries of an inner segment.",
        add(times, bytes(24)),
        "log.time-index.trimmed",
    )
    yield changed_case(
        "timeindex/all-zeros",
        "A time index is all zeros.",
        put(times, bytes(48)),
        "log.time-index.trimmed",
        "log.time-index.last",
    )
    yield changed_case(
        "timeindex/below-base",
        "An entry is below the base offset.",
        over(times, 8, "ffffffff"),
        "log.time-index.offset",
        "log.time-index.batch",
    )
    yield changed_case(
        "timeindex/stamps-fall",
        "An entry has a lower timestamp than the one before.",
        over(times, 12, "0000000000000001"),
        "log.time-index.rising",
        "log.time-index.batch",
    )
    yield changed_case(
        "timeindex/other-stamp",
        "An entry has a timestamp that its batch has not.",
        over(times, 7, "00"),
        "log.time-index.batch",
    )
    yield changed_case(
        "timeindex/last-missing",
        "The last entry is missing.",
        lambda files: files.update({times: files[times][:-12]}),
        "log.time-index.last",
    )
    yield changed_case(
        "index/orphan", "An offset index has no segment.", put(name(500, "index"), b""), "log.file.orphan"
    )


def _transactions() -> Iterator[DirectoryCase]:
    index = name(0, "txnindex", "payments-0")
    first, second = AbortedTransaction(1, 0, 1, 2), AbortedTransaction(1, 2, 4, 3)

    def stored(*entries: AbortedTransaction) -> Change:
        return put(index, encode(entries))

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
    yield case("half-an-entry", "Half an entry follows the last one.", add(index, bytes(17)))
    yield case(
        "version-256", "The version of an entry is 256.", over(index, 0, "0100"), "log.transaction-index.version"
    )
    below = name(6, "txnindex", "payments-0")
    entry = AbortedTransaction(2, 6, 5, 8)
    yield case(
        "below-base",
        "An entry ends below the base offset.",
        put(below, encode([entry])),
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
    one = log([[data(0, 1), marker(1, 1, case_logs.COMMIT), data(2, 1, 3, sequence=1)]], name="payments-0")
    yield DirectoryCase("txnindex/none-aborted", "Nothing aborted, so there is no transaction index.", one)


def _epochs_and_names() -> Iterator[DirectoryCase]:
    file = "orders-0/leader-epoch-checkpoint"
    yield changed_case(
        "epochs/rising",
        "The leader changed twice.",
        each(with_epochs(3), put(file, b"0\n2\n0 0\n3 19\n")),
        keeps=frozenset({"log.epochs.batches", "log.segment.epochs"}),
    )
    yield changed_case("epochs/missing-file", "The checkpoint of leader epochs is missing.", remove(file))
    yield changed_case(
        "epochs/row-missing",
        "A leader epoch has no row.",
        each(with_epochs(3), put(file, b"0\n1\n0 0\n")),
        "log.epochs.batches",
    )
    yield changed_case(
        "epochs/row-too-late",
        "A leader epoch begins before its row.",
        each(with_epochs(3), put(file, b"0\n2\n0 0\n3 20\n")),
        "log.epochs.batches",
    )
    yield changed_case(
        "epochs/rows-beyond-the-end", "A row begins beyond the end of the log.", put(file, b"0\n2\n0 0\n5 40\n")
    )
    yield changed_case(
        "epochs/falling", "Rows do not rise, which Kafka mends.", put(file, b"0\n2\n0 9\n1 5\n"), "log.epochs.rising"
    )
    yield changed_case(
        "epochs/negative", "An epoch is negative.", put(file, b"0\n1\n-1 0\n"), "log.epochs.not-negative"
    )
    yield changed_case(
        "epochs/empty-file", "The checkpoint of leader epochs is empty.", put(file, b""), "log.epochs.batches"
    )
    point, mark = "recovery-point-offset-checkpoint", "replication-offset-checkpoint"
    yield changed_case(
        "offsets/at-the-end",
        "Checkpoints are at the end of the log.",
        each(put(point, b"0\n1\norders 0 30\n"), put(mark, b"0\n1\norders 0 30\n")),
        keeps=frozenset({"log.offsets.order", "log.checkpoint.partition"}),
    )
    yield changed_case(
        "offsets/beyond-the-end",
        "A recovery point is beyond the end of the log.",
        put(point, b"0\n1\norders 0 31\n"),
        "log.offsets.order",
    )
    yield changed_case(
        "offsets/no-such-partition",
        "A checkpoint names a partition that is not there.",
        put(mark, b"0\n1\nnobody 0 1\n"),
        "log.checkpoint.partition",
    )
    marker_file = ".kafka_cleanshutdown"
    yield changed_case(
        "marker/true",
        "A marker of a clean stop, and trimmed indexes.",
        put(marker_file, b'{"version":0,"brokerEpoch":15}'),
        keeps=frozenset({"log.clean-shutdown.truth", "log.clean-shutdown.json"}),
    )
    untrimmed = each(put(marker_file, b'{"version":0,"brokerEpoch":15}'), add(name(LAST, "index"), bytes(16)))
    yield changed_case(
        "marker/lie",
        "A marker of a clean stop, and an index that was not trimmed.",
        untrimmed,
        "log.clean-shutdown.truth",
    )
    yield changed_case("names/no-number", "A file is called abc.log.", put("orders-0/abc.log", b""), "log.name.number")
