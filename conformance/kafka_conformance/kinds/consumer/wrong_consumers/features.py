"""What records may have that a consumer loses, delivers twice, or does not get past."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from kafka_format.records import Record
from kafka_format.records.model import LOG_APPEND_TIME

from kafka_conformance.kinds.consumer.fetched import Fetched, FetchedEntry
from kafka_conformance.kinds.consumer.wrong_consumers.ways import (
    CODECS,
    Consumed,
    Way,
    WrongConsumer,
    stopping,
    wrong_consumer,
)

_BATCH: Final = 2
"""The magic byte of record batches."""

_END_OF_32_BITS: Final = 1000 << 31
"""Milliseconds: 2038, where 32 bits of seconds end."""


Has = Callable[[Record, FetchedEntry], bool]
"""Tells whether a record of an entry has something."""


class Feature(NamedTuple):
    """Something that records have.

    Attributes:
        id: in the name of a cause.
        words: records that have it.
        has: tells whether a record of an entry has it.
    """

    id: str
    words: str
    has: Has


def _is_of(codec: int) -> Has:
    return lambda record, _: record.codec == codec


FEATURES: Final[tuple[Feature, ...]] = (
    Feature("tombstones", "records whose value is null", lambda r, _: r.value is None),
    Feature("without-value", "records without a value, or with an empty one", lambda r, _: not r.value),
    Feature("with-value", "records that have a value", lambda r, _: r.value is not None),
    Feature("empty-value", "records whose value is empty", lambda r, _: r.value == b""),
    Feature("without-key", "records whose key is null", lambda r, _: r.key is None),
    Feature("with-key", "records that have a key", lambda r, _: r.key is not None),
    Feature("empty-key", "records whose key is empty", lambda r, _: r.key == b""),
    Feature("without-content", "records whose key and value are null", lambda r, _: r.key is None and r.value is None),
    Feature("with-headers", "records that have headers", lambda r, _: bool(r.headers)),
    Feature("without-headers", "records without headers", lambda r, _: not r.headers),
    Feature("several-headers", "records with more than one header", lambda r, _: len(r.headers) > 1),
    Feature("null-headers", "records with a header whose value is null",
            lambda r, _: any(value is None for _name, value in r.headers)),
    Feature("compressed", "what is compressed", lambda r, _: bool(r.codec)),
    Feature("compressed-batches", "compressed batches", lambda r, e: bool(r.codec) and e.magic >= _BATCH),
    *(Feature(name, f"what is compressed with {name}", _is_of(codec))
      for codec, name in CODECS),
    Feature("old-formats", "messages of the formats v0 and v1", lambda _, e: e.magic < _BATCH),
    Feature("v0", "messages of the format v0", lambda _, e: e.magic == 0),
    Feature("v1", "messages of the format v1", lambda _, e: e.magic == 1),
    Feature("batches", "record batches", lambda _, e: e.magic >= _BATCH),
    Feature("idempotent", "what producers with an id wrote", lambda _, e: e.producer >= 0),
    Feature("without-producer", "what producers without an id wrote",
            lambda _, e: e.producer < 0 and e.magic >= _BATCH),
    Feature("transactional", "what is of a transaction", lambda _, e: e.is_transactional),
    Feature("single-record", "batches of one record", lambda _, e: len(e.records) == 1),
    Feature("several-records", "batches of more than one record", lambda _, e: len(e.records) > 1),
    Feature("delete-horizon", "batches in which compaction has noted when tombstones may go (KIP-534)",
            lambda _, e: e.has_delete_horizon),
    Feature("append-time", "records with the broker's time", lambda r, _: r.timestamp_type == LOG_APPEND_TIME),
    Feature("without-time", "records whose timestamp is -1", lambda r, _: r.timestamp == -1),
    Feature("negative-time", "records whose timestamp is below 0", lambda r, _: r.timestamp < 0),
    Feature("time-0", "records whose timestamp is 0", lambda r, _: r.timestamp == 0),
    Feature("after-2038", "records whose timestamp is beyond 32 bits of seconds",
            lambda r, _: r.timestamp >= _END_OF_32_BITS),
    Feature("offset-0", "the record at offset 0", lambda r, _: r.offset == 0),
    Feature("odd-offsets", "records at odd offsets", lambda r, _: r.offset % 2 == 1),
    Feature("even-offsets", "records at even offsets", lambda r, _: r.offset % 2 == 0),
    Feature("sequence-0", "records with the sequence 0", lambda r, _: r.sequence == 0),
)  # fmt: skip
"""All of them, the most usual first."""


def _giving(times: Callable[[Record, FetchedEntry], int], *, whole: bool = False) -> Way:
    """Return what gives each record so many times, one by one or the batch as a whole."""

    def consume(answer: Fetched) -> Consumed | None:
        if not answer.is_sound:
            return None
        given: list[Record] = []
        for entry, right in zip(answer.entries, answer.right, strict=True):
            each = [(record, times(record, entry)) for record in right]
            if whole:
                given += [record for turn in range(2) for record, count in each if count > turn]
            else:
                given += [record for record, count in each for _ in range(count)]
        return Consumed(given, answer.next_offset)

    return consume


def _unless(has: Has) -> Callable[[Record, FetchedEntry], int]:
    return lambda record, entry: 0 if has(record, entry) else 1


def _once_more(has: Has) -> Callable[[Record, FetchedEntry], int]:
    return lambda record, entry: 2 if has(record, entry) else 1


def _at(has: Has) -> Callable[[Fetched, int], bool]:
    """Return what tells whether any record of an entry has something."""

    def is_there(answer: Fetched, index: int) -> bool:
        entry = answer.entries[index]
        return not entry.is_control and any(has(record, entry) for record in entry.records)

    return is_there


def of_features() -> Iterator[WrongConsumer]:
    """Yield consumers that lose what has a feature, deliver it twice, or stop in front of it."""
    for name, words, has in FEATURES:
        yield wrong_consumer(f"{name}-lost", f"loses {words}", _giving(_unless(has)))
    for name, words, has in FEATURES:
        twice = [_giving(_once_more(has), whole=whole) for whole in (False, True)]
        yield wrong_consumer(f"{name}-twice", f"delivers {words} twice", *twice)
    for name, words, has in FEATURES:
        yield wrong_consumer(f"{name}-stops", f"does not get past {words}", stopping(_at(has)))
