"""Wrong consumers by name, and what each makes of the answer to a fetch.

They go wrong where a consumer does more than decode: in transactions, in the position, in the
order and the number of records, at gaps, at what is damaged. `causes` looks among them for the one
that a target behaves like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from kafka_format.broker.consumer import READ_COMMITTED, READ_UNCOMMITTED, deliver
from kafka_format.errors import Stage
from kafka_format.records import Record

from kafka_conformance.kinds.consumer.fetched import Fetched, FetchedEntry

_Groups = Sequence[Sequence[Record]]
"""Records by the entry that they are of."""

Way = Callable[[Fetched], "Consumed | None"]
"""What a wrong consumer makes of an answer; None if it is not about that one."""


class Consumed(NamedTuple):
    """What a wrong consumer makes of an answer.

    Attributes:
        records: what its application gets.
        next_offset: where it goes on.
        is_error: True if the application is told an error.
    """

    records: Sequence[Record]
    next_offset: int
    is_error: bool = False


class WrongConsumer(NamedTuple):
    """A consumer with one thing wrong.

    Attributes:
        id: stable name of the cause.
        does: what it does, as a sentence without its subject.
        ways: what it makes of an answer, None if it is not about that one; several where consumers
            differ in a detail.
    """

    id: str
    does: str
    ways: tuple[Way, ...]


def _wrong(name: str, does: str, *ways: Way) -> WrongConsumer:
    return WrongConsumer(f"consumer/{name}", does, ways)


def _flat(groups: Iterable[Iterable[Record]]) -> list[Record]:
    return list(chain.from_iterable(groups))


def _of_groups(change: Callable[[_Groups], _Groups]) -> Way:
    """Return what gives the right records, changed; of what is damaged, nothing is foreseen."""

    def consume(answer: Fetched) -> Consumed | None:
        kept = [group for group in answer.right if group]
        return Consumed(_flat(change(kept)), answer.next_offset) if kept and answer.is_sound else None

    return consume


def _of_all(change: Callable[[list[Record]], Iterable[Record]]) -> Way:
    """Return what changes the records of an answer as one list."""
    return _of_groups(lambda groups: [list(change(_flat(groups)))])


def _of_each(change: Callable[[Sequence[Record]], Iterable[Record]]) -> Way:
    """Return what changes the records of each batch."""
    return _of_groups(lambda groups: [list(change(group)) for group in groups])


def _at(position: Callable[[Fetched], int | None]) -> Way:
    """Return what gives the right records, and goes on elsewhere."""

    def consume(answer: Fetched) -> Consumed | None:
        after = position(answer) if answer.is_sound and answer.entries else None
        return None if after is None else Consumed(_flat(answer.right), after)

    return consume


def _giving(shows: Callable[[Fetched, FetchedEntry], bool | None]) -> Way:
    """Return what gives or hides whole entries otherwise; None leaves an entry as it is right."""

    def consume(answer: Fetched) -> Consumed | None:
        if not answer.is_sound:
            return None
        given: list[Record] = []
        for entry, right in zip(answer.entries, answer.right, strict=True):
            shown = shows(answer, entry)
            given += right if shown is None else _from(answer, entry) if shown else ()
        return Consumed(given, answer.next_offset)

    return consume


def _from(answer: Fetched, entry: FetchedEntry) -> list[Record]:
    """Return the records of an entry that are not before the fetch offset."""
    return [record for record in entry.records if record.offset >= answer.view.fetch_offset]


def _stopping(at: Callable[[Fetched, int], bool]) -> Way:
    """Return what gives nothing of an entry and of all behind it, and goes on in front of it."""

    def consume(answer: Fetched) -> Consumed | None:
        if not answer.is_sound:
            return None
        for index, entry in enumerate(answer.entries):
            if at(answer, index):
                before = answer.entries[index - 1].last + 1 if index else answer.view.fetch_offset
                return Consumed(_flat(answer.right[:index]), min(before, entry.first) if index else before)
        return None

    return consume


# Transactions


def _is_committed(answer: Fetched) -> bool:
    return answer.view.isolation == READ_COMMITTED


def _as(isolation: str) -> Way:
    """Return what reads with one isolation level, whatever it is told."""

    def consume(answer: Fetched) -> Consumed:
        seen = answer.view
        delivery = deliver(seen.vector.data, seen.fetch_offset, isolation, seen.aborted)
        is_error = delivery.error is not None or delivery.too_small
        return Consumed(delivery.records, delivery.next_offset, is_error)

    return consume


def _ignores_list(answer: Fetched, entry: FetchedEntry) -> bool | None:
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
                given += _from(answer, entry)
            else:
                given += right
        return Consumed(given, answer.next_offset)

    return consume


_OF_TRANSACTIONS: Final = (
    _wrong(
        "aborted-delivered",
        "delivers the records of aborted transactions with read_committed",
        _as(READ_UNCOMMITTED),
        _giving(_ignores_list),
    ),
    _wrong(
        "abort-never-ends",
        "goes on leaving out what a producer writes after its aborted transaction has ended",
        _giving(_never_ends),
    ),
    _wrong(
        "aborted-from-the-start",
        "leaves out all transactions of a producer that has aborted one, also those before it",
        _giving(_from_the_start),
    ),
    _wrong(
        "commit-ends-abort",
        "takes a commit marker, too, for the end of an aborted transaction, and delivers what follows",
        _any_marker_ends(lambda entry, producer: entry.producer == producer),
    ),
    _wrong(
        "foreign-marker-ends-abort",
        "takes the marker of another producer for the end of an aborted transaction, and delivers what follows",
        _any_marker_ends(lambda _entry, _producer: True),
    ),
    _wrong(
        "aborted-left-out-of-uncommitted",
        "leaves out aborted transactions with read_uncommitted, too",
        _as(READ_COMMITTED),
        _giving(_whatever_isolation),
    ),
    _wrong(
        "not-transactional-left-out",
        "leaves out records of a producer that aborts which are of no transaction",
        _giving(_not_transactional),
    ),
    _wrong(
        "transactions-lost",
        "loses the records of all transactions with read_committed, the committed ones, too",
        _giving(_all_transactions),
    ),
    _wrong(
        "markers-delivered",
        "delivers the markers of transactions as messages",
        _giving(lambda _, entry: True if entry.is_control else None),
    ),
)


# The position


def _last_record(answer: Fetched) -> Record | None:
    return next((group[-1] for group in reversed(answer.right) if group), None)


def _behind_last_record(answer: Fetched) -> int | None:
    record = _last_record(answer)
    return answer.view.fetch_offset if record is None else record.offset + 1


def _behind_last_of_any(answer: Fetched) -> int:
    """Count markers and what is left out, too: only what compaction removed is not counted."""
    offsets = [record.offset for entry in answer.entries for record in entry.records]
    return _not_before(answer, offsets[-1] + 1) if offsets else answer.view.fetch_offset


def _not_before(answer: Fetched, offset: int) -> int:
    return max(offset, answer.view.fetch_offset)


_OF_POSITION: Final = (
    _wrong(
        "position-too-far",
        "goes on one offset too far, and loses the record there",
        _at(lambda answer: answer.next_offset + 1),
    ),
    _wrong(
        "position-too-near",
        "goes on at the last offset that it has had, not behind it, and gets that record again",
        _at(lambda answer: answer.next_offset - 1),
    ),
    _wrong(
        "position-behind-last-record",
        "goes on behind the last record that it was given, not behind the last offset of the batch: "
        "where compaction left a gap, an empty batch or a marker there, it asks for the same again",
        _at(_behind_last_record),
        _at(_behind_last_of_any),
    ),
    _wrong(
        "position-counted",
        "counts records to find where to go on, as if there were no gaps in offsets",
        _at(lambda answer: answer.view.fetch_offset + len(_flat(answer.right))),
    ),
    _wrong(
        "position-counted-in-batch",
        "goes on at the first offset of the batch and its number of records, as if there were no gaps in it",
        _at(lambda answer: _not_before(answer, answer.entries[-1].first + len(answer.entries[-1].records))),
    ),
    _wrong(
        "position-of-last-batch",
        "goes on at the first offset of the last batch, and gets that again",
        _at(lambda answer: answer.entries[-1].first),
    ),
    _wrong(
        "position-behind-first-offset",
        "goes on one behind the first offset of the last batch, and gets most of it again",
        _at(lambda answer: answer.entries[-1].first + 1),
    ),
    _wrong(
        "position-behind-first-batch",
        "goes on behind the first batch of an answer, and gets the others again",
        _at(lambda answer: _not_before(answer, answer.entries[0].last + 1)),
    ),
    _wrong(
        "position-kept",
        "does not go on: it asks for the same offset again",
        _at(lambda answer: answer.view.fetch_offset),
    ),
    _wrong(
        "position-goes-back",
        "goes back where an answer ends before the offset that was asked for",
        _at(lambda answer: answer.entries[-1].last + 1),
    ),
    _wrong(
        "empty-batch-stops",
        "does not get past a batch without records",
        _stopping(lambda answer, index: answer.entries[index].magic == 2 and not answer.entries[index].records),
    ),
    _wrong(
        "control-batch-stops",
        "does not get past a control batch",
        _stopping(lambda answer, index: answer.entries[index].is_control),
    ),
    _wrong(
        "only-markers-stop",
        "does not get past an answer that has no record for the application",
        _at(lambda answer: None if _last_record(answer) else answer.view.fetch_offset),
    ),
    _wrong(
        "gap-stops",
        "takes a gap in offsets for loss, and gives nothing behind it",
        _stopping(
            lambda answer, index: index > 0 and answer.entries[index].first != answer.entries[index - 1].last + 1
        ),
    ),
)


# Records


def _before_too(answer: Fetched) -> Consumed | None:
    hidden = (entry.is_control or entry.is_aborted for entry in answer.entries)
    groups = [() if hides else entry.records for hides, entry in zip(hidden, answer.entries, strict=True)]
    return Consumed(_flat(groups), answer.next_offset) if answer.is_sound else None


def _once(key: Callable[[Record], object], records: Iterable[Record], *, keeps_last: bool = False) -> list[Record]:
    order = list(records)[::-1] if keeps_last else list(records)
    kept = list({key(record): record for record in order[::-1]}.values())[::-1]
    return kept[::-1] if keeps_last else kept


def _by_key(records: Sequence[Record]) -> list[Record]:
    """Keep the last record of each key, as compaction does."""
    last = {record.key: index for index, record in enumerate(records) if record.key is not None}
    return [
        record for index, record in enumerate(records) if record.key is None or last[record.key] == index
    ]


def _pairs_exchanged(records: Sequence[Record]) -> Iterator[Record]:
    for index in range(0, len(records), 2):
        yield from reversed(records[index : index + 2])


_OF_RECORDS: Final = (
    _wrong(
        "before-fetch-offset",
        "delivers the records of a batch that are before the offset that it asked for",
        _before_too,
    ),
    _wrong(
        "last-of-all-lost", "loses the last record of an answer", _of_all(lambda records: records[:-1])
    ),
    _wrong(
        "last-of-batch-lost", "loses the last record of each batch", _of_each(lambda records: records[:-1])
    ),
    _wrong(
        "first-of-all-lost", "loses the first record of an answer", _of_all(lambda records: records[1:])
    ),
    _wrong(
        "first-of-batch-lost", "loses the first record of each batch", _of_each(lambda records: records[1:])
    ),
    _wrong(
        "last-batch-lost", "loses the last batch of an answer", _of_groups(lambda groups: groups[:-1])
    ),
    _wrong(
        "first-batch-lost", "loses the first batch of an answer", _of_groups(lambda groups: groups[1:])
    ),
    _wrong(
        "only-first-batch", "delivers only the first batch of an answer", _of_groups(lambda groups: groups[:1])
    ),
    _wrong(
        "only-last-batch", "delivers only the last batch of an answer", _of_groups(lambda groups: groups[-1:])
    ),
    _wrong(
        "only-first-of-all", "delivers only the first record of an answer", _of_all(lambda records: records[:1])
    ),
    _wrong(
        "only-first-of-batch", "delivers only the first record of a batch", _of_each(lambda records: records[:1])
    ),
    _wrong(
        "only-last-of-batch", "delivers only the last record of a batch", _of_each(lambda records: records[-1:])
    ),
    _wrong("all-lost", "delivers nothing, and goes on", _of_all(lambda _: ())),
    _wrong(
        "every-other-lost", "loses every second record", _of_all(lambda records: records[::2])
    ),
    _wrong(
        "each-twice",
        "delivers every record twice",
        _of_all(lambda records: (record for record in records for _ in range(2))),
    ),
    _wrong(
        "batch-twice", "delivers every batch twice", _of_each(lambda records: [*records, *records])
    ),
    _wrong(
        "answer-twice", "delivers all records of an answer twice", _of_all(lambda records: [*records, *records])
    ),
    _wrong(
        "last-twice",
        "delivers the last record of an answer twice",
        _of_all(lambda records: [*records, *records[-1:]]),
    ),
    _wrong(
        "last-of-batch-twice",
        "delivers the last record of a batch twice",
        _of_each(lambda records: [*records, *records[-1:]]),
    ),
    _wrong(
        "first-twice",
        "delivers the first record of an answer twice",
        _of_all(lambda records: [*records[:1], *records]),
    ),
    _wrong(
        "first-of-batch-twice",
        "delivers the first record of a batch twice",
        _of_each(lambda records: [*records[:1], *records]),
    ),
    _wrong(
        "reversed-in-batch",
        "delivers the records of a batch in reverse order",
        _of_each(lambda records: records[::-1]),
    ),
    _wrong(
        "reversed-batches",
        "delivers the batches of an answer in reverse order",
        _of_groups(lambda groups: groups[::-1]),
    ),
    _wrong(
        "reversed", "delivers the records of an answer in reverse order", _of_all(lambda records: records[::-1])
    ),
    _wrong(
        "pairs-exchanged",
        "exchanges every two neighbours",
        _of_each(_pairs_exchanged),
    ),
    _wrong(
        "first-at-the-end",
        "delivers the first record of a batch last",
        _of_each(lambda records: [*records[1:], *records[:1]]),
    ),
    _wrong(
        "last-at-the-start",
        "delivers the last record of a batch first",
        _of_each(lambda records: [*records[-1:], *records[:-1]]),
    ),
    _wrong(
        "sorted-by-time",
        "delivers records in the order of their timestamps, not of their offsets",
        _of_all(lambda records: sorted(records, key=lambda record: record.timestamp)),
    ),
    _wrong(
        "sorted-by-key",
        "delivers records in the order of their keys, not of their offsets",
        _of_all(lambda records: sorted(records, key=lambda record: record.key or b"")),
    ),
    _wrong(
        "repeated-offsets-lost",
        "takes records for repeated that have the offset of another",
        _of_all(lambda records: _once(lambda record: record.offset, records)),
    ),
    _wrong(
        "older-of-key-lost", "delivers only the last record of each key", _of_all(_by_key)
    ),
    _wrong(
        "tombstones-lost",
        "loses records whose value is null",
        _of_all(lambda records: (record for record in records if record.value is not None)),
    ),
    _wrong(
        "without-value-lost",
        "loses records without a value, or with an empty one",
        _of_all(lambda records: (record for record in records if record.value)),
    ),
    _wrong(
        "without-key-lost",
        "loses records whose key is null",
        _of_all(lambda records: (record for record in records if record.key is not None)),
    ),
    _wrong(
        "with-headers-lost",
        "loses records that have headers",
        _of_all(lambda records: (record for record in records if not record.headers)),
    ),
    _wrong(
        "compressed-lost",
        "loses what is compressed",
        _of_all(lambda records: (record for record in records if not record.codec)),
    ),
    _wrong(
        "append-time-lost",
        "loses records with the broker's time",
        _of_all(lambda records: (record for record in records if record.timestamp_type != 1)),
    ),
    _wrong(
        "old-formats-lost",
        "loses messages of the formats v0 and v1",
        _giving(lambda _, entry: False if entry.magic < 2 else None),
    ),
    _wrong(
        "idempotent-lost",
        "loses what producers with an id wrote",
        _giving(lambda _, entry: False if entry.producer >= 0 else None),
    ),
    _wrong(
        "without-producer-lost",
        "loses what producers without an id wrote",
        _giving(lambda _, entry: False if entry.producer < 0 and entry.magic == 2 else None),
    ),
)


# Errors


def _skipping(stages: frozenset[str]) -> Way:
    """Return what passes over an entry that breaks a rule, tells nothing, and goes on behind it."""

    def consume(answer: Fetched) -> Consumed | None:
        wrong = [entry.error for entry in answer.entries if entry.error is not None and not entry.is_aborted]
        if answer.is_sound or not wrong or any(str(error.stage) not in stages for error in wrong):
            return None
        shown = [entry for entry in answer.entries if not entry.is_control and not entry.is_aborted]
        given = _flat(_from(answer, entry) for entry in shown)
        return Consumed(given, _not_before(answer, answer.entries[-1].last + 1))

    return consume


_SWALLOWED: Final = {
    "checksum": (frozenset({Stage.CHECKSUM}), "passes over a batch with a wrong checksum, and tells no error"),
    "payload": (
        frozenset({Stage.DECOMPRESSION}),
        "passes over a batch that cannot be decompressed, and tells no error",
    ),
    "magic": (frozenset({Stage.FRAMING}), "passes over an entry of an unknown format, and tells no error"),
    "damaged": (frozenset(Stage), "passes over what is damaged, and tells no error"),
}


def _cut_is_error(answer: Fetched) -> Consumed | None:
    """Take an entry that is cut off for damage."""
    is_cut = answer.is_sound and bool(answer.entries) and "entry.cut" in answer.view.vector.rules
    return Consumed(_flat(answer.right), answer.next_offset, is_error=True) if is_cut else None


def _gap_is_error(answer: Fetched) -> Consumed | None:
    offsets = [entry.first for entry in answer.entries], [entry.last for entry in answer.entries]
    gaps = [index for index in range(1, len(offsets[0])) if offsets[0][index] != offsets[1][index - 1] + 1]
    if not gaps or not answer.is_sound:
        return None
    return Consumed(_flat(answer.right[: gaps[0]]), answer.entries[gaps[0] - 1].last + 1, is_error=True)


_OF_ERRORS: Final = (
    *(
        _wrong(f"{name}-swallowed", does, _skipping(frozenset(map(str, stages))))
        for name, (stages, does) in _SWALLOWED.items()
    ),
    _wrong(
        "cut-entry-refused", "tells an error of a last entry that the broker has cut off", _cut_is_error
    ),
    _wrong("gap-refused", "tells an error of a gap in offsets, as compaction leaves", _gap_is_error),
)

WRONG_CONSUMERS: Final = (*_OF_TRANSACTIONS, *_OF_POSITION, *_OF_RECORDS, *_OF_ERRORS)
"""All of them, the most usual first: of those that a target does not tell apart, the first is named."""
