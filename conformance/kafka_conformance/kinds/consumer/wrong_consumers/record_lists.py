"""Wrong consumers: records that they lose, repeat, or deliver in another order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from kafka_format.records import Record

from kafka_conformance.kinds.consumer.fetched import Fetched
from kafka_conformance.kinds.consumer.wrong_consumers.ways import (
    Consumed,
    flat,
    giving,
    not_before,
    of_all,
    of_each,
    of_groups,
    wrong_consumer,
)


def _before_too(answer: Fetched) -> Consumed | None:
    hidden = (entry.is_control or entry.is_aborted for entry in answer.entries)
    groups = [() if hides else entry.records for hides, entry in zip(hidden, answer.entries, strict=True)]
    return Consumed(flat(groups), answer.next_offset) if answer.is_sound else None


def _once(key: Callable[[Record], object], records: Iterable[Record], *, keeps_last: bool = False) -> list[Record]:
    order = list(records)[::-1] if keeps_last else list(records)
    kept = list({key(record): record for record in order[::-1]}.values())[::-1]
    return kept[::-1] if keeps_last else kept


def _by_key(records: Sequence[Record]) -> list[Record]:
    """Keep the last record of each key, as compaction does."""
    last = {record.key: index for index, record in enumerate(records) if record.key is not None}
    return [record for index, record in enumerate(records) if record.key is None or last[record.key] == index]


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


OF_RECORDS: Final = (
    wrong_consumer(
        "before-fetch-offset",
        "delivers the records of a batch that are before the offset that it asked for",
        _before_too,
    ),
    wrong_consumer("last-of-all-lost", "loses the last record of an answer", of_all(lambda records: records[:-1])),
    wrong_consumer("last-of-batch-lost", "loses the last record of each batch", of_each(lambda records: records[:-1])),
    wrong_consumer("first-of-all-lost", "loses the first record of an answer", of_all(lambda records: records[1:])),
    wrong_consumer("first-of-batch-lost", "loses the first record of each batch", of_each(lambda records: records[1:])),
    wrong_consumer("last-batch-lost", "loses the last batch of an answer", of_groups(lambda groups: groups[:-1])),
    wrong_consumer("first-batch-lost", "loses the first batch of an answer", of_groups(lambda groups: groups[1:])),
    wrong_consumer(
        "only-first-batch", "delivers only the first batch of an answer", of_groups(lambda groups: groups[:1])
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
    wrong_consumer("all-lost", "delivers nothing, and goes on", of_all(lambda _: ())),
    wrong_consumer("every-other-lost", "loses every second record", of_all(lambda records: records[::2])),
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
    wrong_consumer("older-of-key-lost", "delivers only the last record of each key", of_all(_by_key)),
    wrong_consumer(
        "tombstones-lost",
        "loses records whose value is null",
        of_all(lambda records: (record for record in records if record.value is not None)),
    ),
    wrong_consumer(
        "without-value-lost",
        "loses records without a value, or with an empty one",
        of_all(lambda records: (record for record in records if record.value)),
    ),
    wrong_consumer(
        "without-key-lost",
        "loses records whose key is null",
        of_all(lambda records: (record for record in records if record.key is not None)),
    ),
    wrong_consumer(
        "with-headers-lost",
        "loses records that have headers",
        of_all(lambda records: (record for record in records if not record.headers)),
    ),
    wrong_consumer(
        "compressed-lost",
        "loses what is compressed",
        of_all(lambda records: (record for record in records if not record.codec)),
    ),
    wrong_consumer(
        "append-time-lost",
        "loses records with the broker's time",
        of_all(lambda records: (record for record in records if record.timestamp_type != 1)),
    ),
    wrong_consumer(
        "old-formats-lost",
        "loses messages of the formats v0 and v1",
        giving(lambda _, entry: False if entry.magic < 2 else None),
    ),
    wrong_consumer(
        "idempotent-lost",
        "loses what producers with an id wrote",
        giving(lambda _, entry: False if entry.producer >= 0 else None),
    ),
    wrong_consumer(
        "without-producer-lost",
        "loses what producers without an id wrote",
        giving(lambda _, entry: False if entry.producer < 0 and entry.magic == 2 else None),
    ),
)
