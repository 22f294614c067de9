"""Wrong consumers: records that they lose, repeat, or deliver in another order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from kafka_format.records import Record

from kafka_conformance.kinds.consumer.fetched import Fetched
from kafka_conformance.kinds.consumer.wrong_consumers.ways import (
    Consumed,
    Way,
    WrongConsumer,
    flat,
    giving,
    not_before,
    of_all,
    of_each,
    of_groups,
    wrong_consumer,
)


def large_lost(size: int) -> WrongConsumer:
    """Return a consumer that loses records whose value has so many bytes."""
    does = f"loses records with a value of {size} bytes or more"
    return wrong_consumer("large-lost", does, _keeping(lambda record: len(record.value or b"") >= size))


def small_lost(size: int) -> WrongConsumer:
    """Return a consumer that loses records whose value has no more bytes."""
    does = f"loses records with a value of {size} bytes or fewer"
    return wrong_consumer(
        "small-lost", does, _keeping(lambda record: record.value is not None and len(record.value) <= size)
    )


def large_key_lost(size: int) -> WrongConsumer:
    """Return a consumer that loses records whose key has so many bytes."""
    does = f"loses records with a key of {size} bytes or more"
    return wrong_consumer("large-key-lost", does, _keeping(lambda record: len(record.key or b"") >= size))


def first_only(count: int) -> WrongConsumer:
    """Return a consumer that gives so many records of an answer at most."""
    does = f"delivers only the first {count} records of an answer, or of a batch, and loses the rest"
    return wrong_consumer(
        "only-the-first", does, of_all(lambda records: records[:count]), of_each(lambda records: records[:count])
    )


def last_only(count: int) -> WrongConsumer:
    """Return a consumer that gives only so many records of an answer, the last ones."""
    does = f"delivers only the last {count} records of an answer, and loses those before"
    return wrong_consumer("only-the-last", does, of_all(lambda records: records[-count:]))


def _keeping(is_lost: Callable[[Record], bool]) -> Way:
    return of_all(lambda records: (record for record in records if not is_lost(record)))


_BATCH: Final = 2
"""The magic byte of record batches."""

_MOST_FILLED: Final = 1000
"""Offsets between two records that are filled at most."""


def _before_too(answer: Fetched) -> Consumed | None:
    hidden = (entry.is_control or entry.is_aborted for entry in answer.entries)
    groups = [() if hides else entry.records for hides, entry in zip(hidden, answer.entries, strict=True)]
    return Consumed(flat(groups), answer.next_offset) if answer.is_sound else None


def _once(key: Callable[[Record], object], records: Iterable[Record], *, keeps_last: bool = False) -> list[Record]:
    order = list(records)[::-1] if keeps_last else list(records)
    kept = list({key(record): record for record in order[::-1]}.values())[::-1]
    return kept[::-1] if keeps_last else kept


def _first_of(of: Callable[[Record], object]) -> Callable[[Sequence[Record]], list[Record]]:
    return lambda records: _once(of, records)


def _by_key(records: Sequence[Record]) -> list[Record]:
    """Keep the last record of each key, as compaction does."""
    last = {record.key: index for index, record in enumerate(records) if record.key is not None}
    return [record for index, record in enumerate(records) if record.key is None or last[record.key] == index]


def _without_each(number: int) -> Callable[[Sequence[Record]], list[Record]]:
    return lambda records: [record for index, record in enumerate(records, 1) if index % number]


def _without_last(count: int) -> Callable[[Sequence[Record]], Sequence[Record]]:
    return lambda records: records[:-count]


def _without_later_of_key(records: Sequence[Record]) -> list[Record]:
    """Keep the first record of each key."""
    first: dict[bytes, int] = {}
    for index, record in enumerate(records):
        if record.key is not None:
            first.setdefault(record.key, index)
    return [record for index, record in enumerate(records) if record.key is None or first[record.key] == index]


def _filled(records: Sequence[Record]) -> Iterator[Record]:
    """Give a record without key and value for each offset that is missing between two."""
    for before, record in zip((None, *records), records, strict=False):
        if before is not None and 1 < record.offset - before.offset <= _MOST_FILLED:
            missing = range(before.offset + 1, record.offset)
            yield from (record._replace(offset=offset, key=None, value=None) for offset in missing)
        yield record


def _behind_gaps(records: Sequence[Record]) -> Iterator[Record]:
    """Leave out records that a gap is in front of."""
    yield from records[:1]
    yield from (record for before, record in pairwise(records) if record.offset == before.offset + 1)


def _unlike_before(of: Callable[[Record], object]) -> Callable[[Sequence[Record]], list[Record]]:
    """Return what leaves out records that have what the one before has."""
    return lambda records: [*records[:1], *(record for before, record in pairwise(records) if of(record) != of(before))]


def _without_repeated_sequence(answer: Fetched) -> Consumed | None:
    """Leave out batches whose producer and sequence are those of the batch before."""
    if not answer.is_sound:
        return None
    given: list[Record] = []
    before: tuple[int, int, int] | None = None
    for entry, right in zip(answer.entries, answer.right, strict=True):
        first = entry.records[0] if entry.records else None
        own = (first.producer_id, first.producer_epoch, first.sequence) if first and entry.producer >= 0 else None
        given += () if own is not None and own == before else right
        before = own
    return Consumed(given, answer.next_offset)


def _without_older_epoch(answer: Fetched) -> Consumed | None:
    """Leave out batches of a producer that another of it with a later epoch stands before."""
    if not answer.is_sound:
        return None
    given: list[Record] = []
    latest: dict[int, int] = {}
    for entry, right in zip(answer.entries, answer.right, strict=True):
        epoch = entry.records[0].producer_epoch if entry.records else -1
        given += () if entry.producer >= 0 and epoch < latest.get(entry.producer, -1) else right
        latest[entry.producer] = max(latest.get(entry.producer, -1), epoch)
    return Consumed(given, answer.next_offset)


def _offsets_from_fetch(answer: Fetched) -> Consumed | None:
    """Give offsets that count from the one that was asked for."""
    first = answer.view.fetch_offset
    records = flat(answer.right)
    return Consumed([record._replace(offset=record.offset - first) for record in records], answer.next_offset)


def _offsets_from(first: int | None) -> Way:
    """Return what gives offsets that count up from one; None is the one that was asked for."""

    def consume(answer: Fetched) -> Consumed | None:
        if not answer.is_sound:
            return None
        start = answer.view.fetch_offset if first is None else first
        given = [record._replace(offset=start + at) for at, record in enumerate(flat(answer.right))]
        return Consumed(given, answer.next_offset)

    return consume


def _offsets_counted_by_batch(answer: Fetched) -> Consumed | None:
    """Give offsets that count up from the first of their batch."""
    if not answer.is_sound:
        return None
    given = [
        record._replace(offset=entry.first + at)
        for entry, right in zip(answer.entries, answer.right, strict=True)
        for at, record in enumerate(right)
    ]
    return Consumed(given, answer.next_offset)


def _offsets_without_deltas(*, from_position: bool) -> Way:
    """Return what numbers all records of a batch of v2 one after another.

    It leaves out what is before the offset that was asked for then, or before its position.
    """

    def consume(answer: Fetched) -> Consumed | None:
        if not answer.is_sound:
            return None
        given: list[Record] = []
        position = answer.view.fetch_offset
        for entry in answer.entries:
            shown = () if entry.is_control or entry.is_aborted else entry.records
            numbered = list(shown)
            if entry.magic >= _BATCH:
                numbered = [record._replace(offset=shown[0].offset + at) for at, record in enumerate(shown)]
            given += [record for record in numbered if record.offset >= position]
            position = max(position, entry.last + 1) if from_position else position
        return Consumed(given, answer.next_offset)

    return consume


def _pairs_exchanged(records: Sequence[Record]) -> Iterator[Record]:
    for index in range(0, len(records), 2):
        yield from reversed(records[index : index + 2])


def _first_batch(answer: Fetched) -> Consumed | None:
    if not answer.is_sound or len(answer.entries) < 2:
        return None
    return Consumed(answer.right[0], not_before(answer, answer.entries[0].last + 1))


def _first_record(answer: Fetched) -> Consumed | None:
    records = flat(answer.right)
    return Consumed(records[:1], records[0].offset + 1) if answer.is_sound and len(records) > 1 else None


_SAME: Final[tuple[tuple[str, Callable[[Record], object]], ...]] = (
    ("value", lambda record: record.value),
    ("key", lambda record: record.key),
    ("timestamp", lambda record: record.timestamp),
)
"""What records may have in common of which a consumer loses one."""

OF_RECORDS: Final = (
    wrong_consumer(
        "before-fetch-offset",
        "delivers the records of a batch that are before the offset that it asked for",
        _before_too,
    ),
    wrong_consumer("last-of-all-lost", "loses the last record of an answer", of_all(lambda records: records[:-1])),
    *(
        wrong_consumer(f"last-{name}-lost", f"loses the last {name} records of an answer", of_all(_without_last(count)))
        for count, name in ((2, "two"), (3, "three"), (4, "four"), (5, "five"))
    ),
    wrong_consumer("last-of-batch-lost", "loses the last record of each batch", of_each(lambda records: records[:-1])),
    wrong_consumer("first-of-all-lost", "loses the first record of an answer", of_all(lambda records: records[1:])),
    wrong_consumer("first-of-batch-lost", "loses the first record of each batch", of_each(lambda records: records[1:])),
    wrong_consumer("last-batch-lost", "loses the last batch of an answer", of_groups(lambda groups: groups[:-1])),
    wrong_consumer("first-batch-lost", "loses the first batch of an answer", of_groups(lambda groups: groups[1:])),
    wrong_consumer(
        "only-first-batch",
        "delivers only the first batch of an answer",
        of_groups(lambda groups: groups[:1]),
        giving(lambda answer, entry: None if entry is answer.entries[0] else False),
    ),
    wrong_consumer(
        "only-last-batch", "delivers only the last batch of an answer", of_groups(lambda groups: groups[-1:])
    ),
    wrong_consumer(
        "first-batch-at-a-time",
        "delivers the first batch of an answer, and asks for the others again",
        _first_batch,
    ),
    wrong_consumer(
        "record-at-a-time", "delivers the first record of an answer, and asks for the others again", _first_record
    ),
    wrong_consumer(
        "only-first-of-all", "delivers only the first record of an answer", of_all(lambda records: records[:1])
    ),
    wrong_consumer(
        "only-first-of-batch", "delivers only the first record of a batch", of_each(lambda records: records[:1])
    ),
    wrong_consumer(
        "only-last-of-batch", "delivers only the last record of a batch", of_each(lambda records: records[-1:])
    ),
    wrong_consumer(
        "second-lost", "loses the second record of an answer", of_all(lambda records: [*records[:1], *records[2:]])
    ),
    wrong_consumer("all-lost", "delivers nothing, and goes on", of_all(lambda _: ())),
    wrong_consumer("every-other-lost", "loses every second record", of_all(lambda records: records[::2])),
    *(
        wrong_consumer(f"every-{name}-lost", f"loses every {name} record", of_all(_without_each(number)))
        for number, name in ((3, "third"), (4, "fourth"), (5, "fifth"), (10, "tenth"))
    ),
    wrong_consumer(
        "each-twice",
        "delivers every record twice",
        of_all(lambda records: (record for record in records for _ in range(2))),
    ),
    wrong_consumer("batch-twice", "delivers every batch twice", of_each(lambda records: [*records, *records])),
    wrong_consumer(
        "answer-twice", "delivers all records of an answer twice", of_all(lambda records: [*records, *records])
    ),
    wrong_consumer(
        "last-twice",
        "delivers the last record of an answer twice",
        of_all(lambda records: [*records, *records[-1:]]),
    ),
    wrong_consumer(
        "last-of-batch-twice",
        "delivers the last record of a batch twice",
        of_each(lambda records: [*records, *records[-1:]]),
    ),
    wrong_consumer(
        "first-twice",
        "delivers the first record of an answer twice",
        of_all(lambda records: [*records[:1], *records]),
    ),
    wrong_consumer(
        "first-of-batch-twice",
        "delivers the first record of a batch twice",
        of_each(lambda records: [*records[:1], *records]),
    ),
    wrong_consumer(
        "reversed-in-batch",
        "delivers the records of a batch in reverse order",
        of_each(lambda records: records[::-1]),
    ),
    wrong_consumer(
        "reversed-batches",
        "delivers the batches of an answer in reverse order",
        of_groups(lambda groups: groups[::-1]),
    ),
    wrong_consumer(
        "reversed", "delivers the records of an answer in reverse order", of_all(lambda records: records[::-1])
    ),
    wrong_consumer(
        "pairs-exchanged",
        "exchanges every two neighbours",
        of_each(_pairs_exchanged),
    ),
    wrong_consumer(
        "first-at-the-end",
        "delivers the first record of a batch last",
        of_each(lambda records: [*records[1:], *records[:1]]),
    ),
    wrong_consumer(
        "last-at-the-start",
        "delivers the last record of a batch first",
        of_each(lambda records: [*records[-1:], *records[:-1]]),
    ),
    wrong_consumer(
        "sorted-by-time",
        "delivers records in the order of their timestamps, not of their offsets",
        of_all(lambda records: sorted(records, key=lambda record: record.timestamp)),
    ),
    wrong_consumer(
        "sorted-by-key",
        "delivers records in the order of their keys, not of their offsets",
        of_all(lambda records: sorted(records, key=lambda record: record.key or b"")),
    ),
    wrong_consumer(
        "repeated-offsets-lost",
        "takes records for repeated that have the offset of another",
        of_all(lambda records: _once(lambda record: record.offset, records)),
    ),
    wrong_consumer(
        "begins-before-lost",
        "loses all of a batch that begins before the offset that it asked for",
        giving(lambda answer, entry: False if entry.first < answer.view.fetch_offset <= entry.last else None),
    ),
    wrong_consumer(
        "same-content-lost",
        "loses records whose key and value another of the answer has, too",
        of_all(lambda records: _once(lambda record: (record.key, record.value), records)),
        of_all(lambda records: _once(lambda record: (record.key, record.value), records, keeps_last=True)),
    ),
    wrong_consumer(
        "later-of-key-lost",
        "delivers only the first record of each key",
        of_all(_without_later_of_key),
        of_all(lambda records: _once(lambda record: record.key, records)),
    ),
    *(
        wrong_consumer(
            f"same-{name}-lost",
            f"loses a record whose {name} is that of one before",
            of_all(_unlike_before(of)),
            of_all(_first_of(of)),
        )
        for name, of in _SAME
    ),
    wrong_consumer("behind-gap-lost", "loses a record in front of which compaction left a gap", of_all(_behind_gaps)),
    wrong_consumer(
        "gaps-filled",
        "delivers records without key and value for offsets that compaction removed",
        of_all(_filled),
        of_each(_filled),
    ),
    wrong_consumer("older-of-key-lost", "delivers only the last record of each key", of_all(_by_key)),
    wrong_consumer(
        "second-half-lost",
        "loses the second half of an answer, or of a batch",
        of_all(lambda records: records[: len(records) // 2]),
        of_all(lambda records: records[: (len(records) + 1) // 2]),
        of_each(lambda records: records[: (len(records) + 1) // 2]),
    ),
    wrong_consumer(
        "first-half-lost",
        "loses the first half of an answer, or of a batch",
        of_all(lambda records: records[len(records) // 2 :]),
        of_all(lambda records: records[(len(records) + 1) // 2 :]),
        of_each(lambda records: records[len(records) // 2 :]),
    ),
    wrong_consumer(
        "repeated-sequence-lost",
        "takes a batch for repeated whose producer and sequence are those of the one before",
        _without_repeated_sequence,
    ),
    wrong_consumer(
        "older-epoch-lost",
        "loses batches of a producer whose epoch is lower than that of one before",
        _without_older_epoch,
    ),
    wrong_consumer(
        "offsets-counted",
        "counts offsets up from the one that it asked for, and not as the batches say",
        _offsets_from(None),
    ),
    wrong_consumer(
        "offsets-relative",
        "gives offsets that count from the one that it asked for",
        _offsets_from_fetch,
    ),
    WrongConsumer("always/offsets-from-zero", "counts offsets from 0", (_offsets_from(0),)),
    wrong_consumer(
        "offsets-counted-in-batch",
        "counts offsets up from the first of the batch, as if there were no gaps in it",
        _offsets_counted_by_batch,
        *(_offsets_without_deltas(from_position=each) for each in (True, False)),
    ),
)
