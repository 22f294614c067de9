"""Consumers with a fault planted on purpose: the reference's, with a method or its result changed.

Each gives what an application gets, and where the consumer goes on. They know nothing of
`kinds.consumer.wrong_consumers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from kafka_conformance.kinds.consumer.questions import View
from kafka_format.broker import consumer
from kafka_format.broker.consumer import Delivery
from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError, Stage
from kafka_format.records import Record
from kafka_format.records.budget import DEFAULT_RECORDS, Budget
from kafka_format.records.entries import split


class Took(NamedTuple):
    """What a planted consumer makes of an answer."""

    records: Sequence[Record]
    next_offset: int
    error: object = None


Plant = Callable[[View], Took]


class PlantedConsumer(NamedTuple):
    """A consumer with a fault: what it makes of an answer, and the cause that must come first."""

    name: str
    change: Plant
    cause: str

    def __str__(self) -> str:
        return self.name


def _run(view: View, kind: type[consumer._Fetch] = consumer._Fetch, isolation: str = "") -> Delivery:
    isolation = isolation or view.isolation
    waiting = [consumer.Aborted._make(pair) for pair in view.aborted] if isolation == "read_committed" else None
    reading = consumer._Reading(frozenset(), "", Budget(DEFAULT_LIMIT, DEFAULT_RECORDS))
    return kind(view.vector.data, view.fetch_offset, waiting, reading).delivery()


def patched(**methods: Callable[..., Any]) -> Plant:
    """Plant other methods into the reference's consumer."""
    kind = type("Planted", (consumer._Fetch,), methods)
    return lambda view: _took(_run(view, kind))


def _took(delivery: Delivery) -> Took:
    error = delivery.error or ("too small" if delivery.too_small else None)
    return Took(delivery.records, delivery.next_offset, error)


def right(view: View) -> Took:
    """Consume as the reference does."""
    return _took(_run(view))


def records_of(change: Callable[[list[Record]], Sequence[Record]]) -> Plant:
    """Plant a change of the records of an answer."""

    def plant(view: View) -> Took:
        took = right(view)
        return took._replace(records=list(change(list(took.records))))

    return plant


def position(change: Callable[[View, Took], int]) -> Plant:
    """Plant another position after an answer with anything in it."""

    def plant(view: View) -> Took:
        took = right(view)
        return took if took.error or not view.vector.data else took._replace(next_offset=change(view, took))

    return plant


def each_batch(change: Callable[[list[Record]], Sequence[Record]]) -> Plant:
    """Plant a change of the records of each entry."""

    def hand_on(self: Any, index: int, records: list[Record], *, control: bool) -> None:
        before = len(self._delivered)
        consumer._Fetch._hand_on(self, index, records, control=control)
        self._delivered[before:] = change(self._delivered[before:])

    return patched(_hand_on=hand_on)


def swallowing(stages: Sequence[Stage], *, skips: bool = True) -> Plant:
    """Plant a consumer that passes over entries that break a rule, and tells nothing."""

    def plant(view: View) -> Took:
        took = right(view)
        error = took.error
        if not isinstance(error, FormatError) or error.stage not in stages:
            return took
        given: list[Record] = []
        after = view.fetch_offset
        for entry in _entries(view.vector.data):
            one = View(view.vector, after, view.isolation, view.aborted, (), frozenset())
            data = view.vector.data[entry[0] : entry[1]]
            delivery = consumer.deliver(data, one.fetch_offset, view.isolation, view.aborted)
            if delivery.error is None:
                given += delivery.records
                after = delivery.next_offset
            elif not skips:
                return Took(given, after)
            else:
                after = max(after, _last(data) + 1)
        return Took(given, after)

    return plant


def _entries(data: bytes) -> Iterator[tuple[int, int]]:
    try:
        yield from ((start, end) for start, end, _ in split(data, any_magic=True))
    except FormatError:
        return


def _last(data: bytes) -> int:
    base = int.from_bytes(data[:8], "big", signed=True)
    return base + int.from_bytes(data[23:27], "big", signed=True) if data[16] >= 2 else base


def _never(*_: Any) -> bool:
    return False


def _hand_on_all(self: Any, index: int, records: list[Record], *, control: bool) -> None:
    del control
    consumer._Fetch._hand_on(self, index, records, control=False)


def _batch_first_offset(self: Any, index: int, entry: Any) -> int:
    consumer._Fetch._batch(self, index, entry)
    return self._next_offset  # type: ignore[no-any-return]


def _before_too(*_: Any) -> bool:
    return False


_KNOWN: dict[str, tuple[Plant, str]] = {
    "markers delivered": (patched(_hand_on=_hand_on_all), "consumer/markers-delivered"),
    "aborted delivered": (patched(_is_aborted=_never), "consumer/aborted-delivered"),
    "abort never ends": (patched(_end_aborted=lambda *_: None), "consumer/abort-never-ends"),
    "commit ends abort": (
        patched(_is_abort=lambda *_: True),
        "consumer/commit-ends-abort",
    ),
    "one too far": (position(lambda _, took: took.next_offset + 1), "consumer/position-too-far"),
    "one too near": (position(lambda _, took: took.next_offset - 1), "consumer/position-too-near"),
    "behind the last record": (patched(_batch=_batch_first_offset), "consumer/position-behind-last-record"),
    "counts": (position(lambda view, took: view.fetch_offset + len(took.records)), "consumer/position-counted"),
    "last of all lost": (records_of(lambda records: records[:-1]), "consumer/last-of-all-lost"),
    "first of all lost": (records_of(lambda records: records[1:]), "consumer/first-of-all-lost"),
    "last of batch lost": (each_batch(lambda records: records[:-1]), "consumer/last-of-batch-lost"),
    "first of batch lost": (each_batch(lambda records: records[1:]), "consumer/first-of-batch-lost"),
    "all twice": (records_of(lambda records: [*records, *records]), "consumer/answer-twice"),
    "each twice": (records_of(lambda records: [r for r in records for _ in (0, 1)]), "consumer/each-twice"),
    "reversed in batch": (each_batch(lambda records: records[::-1]), "consumer/reversed-in-batch"),
    "tombstones lost": (
        records_of(lambda records: [r for r in records if r.value is not None]),
        "consumer/tombstones-lost",
    ),
    "null key as empty": (
        records_of(lambda records: [r._replace(key=r.key or b"") for r in records]),
        "answer/null-key-as-empty",
    ),
    "headers dropped": (
        records_of(lambda records: [r._replace(headers=()) for r in records]),
        "always/headers-dropped",
    ),
    "seconds": (
        records_of(lambda records: [r._replace(timestamp=max(r.timestamp // 1000 * 1000, -1)) for r in records]),
        "answer/timestamps-in-seconds",
    ),
    "corrupt skipped": (swallowing([Stage.CHECKSUM]), "consumer/checksum-swallowed"),
    "all errors skipped": (swallowing(list(Stage)), "consumer/damaged-swallowed"),
    "before the offset": (patched(_is_before=_before_too), "consumer/before-fetch-offset"),
    "uncommitted filtered": (
        lambda view: _took(_run(view, isolation="read_committed")),
        "consumer/aborted-left-out-of-uncommitted",
    ),
}


def _stopping(at: Callable[[View, bytes, int, int], bool], error: str = "") -> Plant:
    """Plant a consumer that stops in front of some entries."""

    def plant(view: View) -> Took:
        took = right(view)
        if took.error:
            return took
        given: list[Record] = []
        after = view.fetch_offset
        for number, (start, end) in enumerate(_entries(view.vector.data)):
            entry = view.vector.data[start:end]
            if at(view, entry, number, after):
                return Took(given, after, error or None)
            given += [record for record in took.records if after <= record.offset <= _last(entry)]
            after = max(after, _last(entry) + 1)
        return took

    return plant


def _is_empty(_view: View, entry: bytes, _number: int, _due: int) -> bool:
    return entry[16] == 2 and entry[57:61] == bytes(4)


def _is_control(_view: View, entry: bytes, _number: int, _due: int) -> bool:
    return entry[16] == 2 and bool(entry[22] & 0x20)


def _is_gap(_view: View, entry: bytes, number: int, due: int) -> bool:
    return number > 0 and int.from_bytes(entry[:8], "big") != due and entry[16] == 2


def _by_producer(self: Any, head: Any) -> bool:
    return head.producer_id in self._aborting


def _first_aborted_only(view: View) -> Took:
    isolated = View(view.vector, view.fetch_offset, view.isolation, view.aborted[:1], (), frozenset())
    return _took(_run(isolated))


def _list_from_start(view: View) -> Took:
    aborted = tuple((producer, view.fetch_offset) for producer, _ in view.aborted)
    kind = type("Planted", (consumer._Fetch,), {"_end_aborted": lambda *_: None})
    return _took(_run(View(view.vector, view.fetch_offset, view.isolation, aborted, (), frozenset()), kind))


def _sequential(records: list[Record]) -> list[Record]:
    return [record._replace(offset=records[0].offset + place) for place, record in enumerate(records)]


def _unchecked(view: View) -> Took:
    """Take wrong checksums for right ones."""
    data = bytearray(view.vector.data)
    for start, end in _entries(view.vector.data):
        if data[start + 16] == 2 and end - start >= 61:
            prefix("record_batch").seal(data, start, end)
    vector = view.vector.__class__(**{**_fields(view.vector), "data": bytes(data)})
    return _took(_run(View(vector, view.fetch_offset, view.isolation, view.aborted, (), frozenset())))


def _one_at_a_time(view: View) -> Took:
    took = right(view)
    if took.error or len(took.records) < 2:
        return took
    return Took(took.records[:1], took.records[0].offset + 1)


def _fields(vector: Any) -> dict[str, Any]:
    return {name: getattr(vector, name) for name in vector.__dataclass_fields__}


_HELD_OUT: dict[str, tuple[Plant, str]] = {
    "two too far": (position(lambda _, took: took.next_offset + 2), "consumer/position-moved"),
    "goes back to the start of the batch": (
        position(lambda view, _: int.from_bytes(view.vector.data[:8], "big", signed=True)),
        "consumer/position-of-first-batch",
    ),
    "never moves": (position(lambda view, _: view.fetch_offset), "consumer/position-kept"),
    "stuck at empty batches": (_stopping(_is_empty), "consumer/empty-batch-stops"),
    "stuck at control batches": (_stopping(_is_control), "consumer/control-batch-stops"),
    "stuck at gaps": (_stopping(_is_gap), "consumer/gap-stops"),
    "gap is loss": (_stopping(_is_gap, "records were lost"), "consumer/gap-stops"),
    "payload skipped": (swallowing([Stage.DECOMPRESSION, Stage.STRUCTURE]), "consumer/payload-swallowed"),
    "magic skipped": (swallowing([Stage.FRAMING]), "consumer/magic-swallowed"),
    "only first batch": (_stopping(lambda _view, _entry, number, _due: number == 1), "consumer/first-batch-at-a-time"),
    "batches reversed": (
        records_of(lambda records: sorted(records, key=lambda r: -r.offset)),
        "consumer/reversed",
    ),
    "by time": (records_of(lambda records: sorted(records, key=lambda r: r.timestamp)), "consumer/sorted-by-time"),
    "newest first": (
        records_of(lambda records: sorted(records, key=lambda r: -r.timestamp)),
        "consumer/order-wrong",
    ),
    "last twice": (records_of(lambda records: records + records[-1:]), "consumer/last-twice"),
    "no key": (records_of(lambda records: [r for r in records if r.key is not None]), "consumer/without-key-lost"),
    "transactions lost": (
        patched(_is_aborted=lambda self, head: bool(head.attributes & 16) and self._committed_only),
        "consumer/transactions-lost",
    ),
    "idempotent filtered": (patched(_is_aborted=_by_producer), "consumer/not-transactional-left-out"),
    "first aborted only": (_first_aborted_only, "consumer/only-one-aborted"),
    "whole producer filtered": (_list_from_start, "consumer/aborted-from-the-start"),
    "offsets counted": (each_batch(_sequential), "answer/offsets-counted"),
    "null value as empty": (
        records_of(lambda records: [r._replace(value=r.value or b"") for r in records]),
        "answer/null-value-as-empty",
    ),
    "append time ignored": (
        records_of(lambda records: [r._replace(timestamp_type=0) if r.timestamp_type == 1 else r for r in records]),
        "missing/append-time",
    ),
    "checksum of batches unchecked": (_unchecked, "batch/crc-not-checked"),
    "one at a time": (records_of(lambda records: records[:1]), "consumer/only-first-of-all"),
    "one at a time, and asks for the rest": (_one_at_a_time, "consumer/record-at-a-time"),
    "headers of the first": (
        each_batch(lambda records: [r._replace(headers=records[0].headers) for r in records]),
        "always/headers-of-the-first",
    ),
}


def _where(keep: Callable[[Record], bool]) -> Plant:
    return records_of(lambda records: [record for record in records if keep(record)])


def _aborted_by(rule: Callable[[tuple[tuple[int, int], ...], Any, bool], bool]) -> Plant:
    """Plant another way to find aborted batches: by the list, a batch's head and what is right."""

    def plant(view: View) -> Took:
        def is_aborted(self: Any, head: Any) -> bool:
            is_right = consumer._Fetch._is_aborted(self, head)
            return self._committed_only and rule(view.aborted, head, is_right)

        return _took(_run(view, type("Planted", (consumer._Fetch,), {"_is_aborted": is_aborted})))

    return plant


def _filled(records: list[Record]) -> list[Record]:
    """Give a tombstone for each offset that compaction left out."""
    filled: list[Record] = []
    for record in records:
        if filled and 0 < record.offset - filled[-1].offset < 1000:
            before = filled[-1].offset
            filled += [record._replace(offset=at, key=None, value=None) for at in range(before + 1, record.offset)]
        filled.append(record)
    return filled


def _after_gaps(records: list[Record]) -> list[Record]:
    return [r for at, r in enumerate(records) if not at or r.offset == records[at - 1].offset + 1]


def _to_the_end_after_an_error(view: View) -> Took:
    took = right(view)
    ends = [_last(view.vector.data[start:end]) + 1 for start, end in _entries(view.vector.data)]
    return took._replace(next_offset=max([took.next_offset, *ends]), error=None) if took.error else took


_NEW: dict[str, tuple[Plant, str]] = {
    "aborted: only the batch that begins there": (
        _aborted_by(lambda aborted, head, _: (head.producer_id, head.base_offset) in aborted),
        "consumer/abort-ends-early",
    ),
    "aborted: whoever writes behind the first": (
        _aborted_by(lambda aborted, head, _: any(head.base_offset >= first for _, first in aborted)),
        "consumer/aborted-of-all-producers",
    ),
    "aborted: by transactional bit and list": (
        _aborted_by(lambda aborted, head, _: bool(head.attributes & 16) and bool(aborted)),
        "consumer/transactions-beside-aborted-lost",
    ),
    "position: without the one": (
        position(lambda view, took: max(view.fetch_offset, took.records[-1].offset if took.records else 0)),
        "consumer/position-of-last-record",
    ),
    "position: 32 bits": (position(lambda _, took: took.next_offset & 0xFFFFFFFF), "consumer/position-32-bits"),
    "position: of the records delivered": (
        position(lambda view, took: took.records[-1].offset + 1 if took.records else view.fetch_offset),
        "consumer/position-behind-last-record",
    ),
    "position: a batch is one offset": (
        position(lambda view, _: view.fetch_offset + len(list(_entries(view.vector.data)))),
        "consumer/position-counted-by-batch",
    ),
    "position: ten too far": (position(lambda _, took: took.next_offset + 10), "consumer/position-moved"),
    "gaps filled": (records_of(_filled), "consumer/gaps-filled"),
    "records behind gaps lost": (records_of(_after_gaps), "consumer/behind-gap-lost"),
    "empty values lost": (_where(lambda r: r.value != b""), "consumer/empty-value-lost"),
    "without time lost": (_where(lambda r: r.timestamp != -1), "consumer/without-time-lost"),
    "before 1970 lost": (_where(lambda r: r.timestamp >= 0), "consumer/negative-time-lost"),
    "large lost": (_where(lambda r: len(r.value or b"") < 256), "consumer/large-lost"),
    "empty keys lost": (_where(lambda r: r.key != b""), "consumer/empty-key-lost"),
    "keys lost": (_where(lambda r: r.key is None), "consumer/with-key-lost"),
    "last of each key twice": (
        records_of(lambda records: records + [r for r in records if r.key]),
        "consumer/with-key-twice",
    ),
    "shifted by one": (
        records_of(lambda records: [r._replace(offset=r.offset + 1) for r in records]),
        "always/offsets-of-the-next",
    ),
    "offsets from 0": (
        records_of(lambda records: [r._replace(offset=r.offset - records[0].offset) for r in records]),
        "always/offsets-from-zero",
    ),
    "second half first": (
        records_of(lambda records: records[len(records) // 2 :] + records[: len(records) // 2]),
        "consumer/order-wrong",
    ),
    "last two exchanged": (
        records_of(lambda records: records[:-2] + records[-2:][::-1]),
        "consumer/order-wrong",
    ),
    "same value again": (
        records_of(lambda records: [r for at, r in enumerate(records) if not at or r.value != records[at - 1].value]),
        "consumer/same-value-lost",
    ),
    "to the end after an error": (_to_the_end_after_an_error, "consumer/damaged-swallowed"),
    "header order": (
        records_of(lambda records: [r._replace(headers=r.headers[::-1]) for r in records]),
        "always/headers-reversed",
    ),
    "headers by name": (
        records_of(lambda records: [r._replace(headers=tuple(dict(r.headers).items())) for r in records]),
        "answer/headers-as-a-map",
    ),
    "key and value exchanged": (
        records_of(lambda records: [r._replace(key=r.value, value=r.key) for r in records]),
        "always/key-value-exchanged",
    ),
}


def _moved_after(is_last: Callable[[bytes], bool]) -> Plant:
    """Plant a position that is one too far behind some entries."""

    def change(view: View, took: Took) -> int:
        *_, (start, end) = [(0, 0), *_entries(view.vector.data)]
        return took.next_offset + (end - start > 61 and is_last(view.vector.data[start:end]))

    return position(change)


def _is_compressed(entry: bytes) -> bool:
    return entry[16] == 2 and bool(entry[22] & 7)


def _is_marker(entry: bytes) -> bool:
    return entry[16] == 2 and bool(entry[22] & 0x20)


def _skips_what_is_too_small(view: View) -> Took:
    took = right(view)
    return Took([], view.fetch_offset + 1, None) if took.error == "too small" else took


def _first_by_offset_only(view: View) -> Took:
    earliest = tuple(sorted(view.aborted, key=lambda pair: pair[1])[:1])
    return _took(_run(View(view.vector, view.fetch_offset, view.isolation, earliest, (), frozenset())))


def _before_last_empty_batches(view: View, took: Took) -> int:
    entries = [view.vector.data[start:end] for start, end in _entries(view.vector.data)]
    after = took.next_offset
    while entries and entries[-1][16] == 2 and entries[-1][57:61] == bytes(4) and not _is_marker(entries[-1]):
        entries.pop()
        after = max(_last(entries[-1]) + 1, view.fetch_offset) if entries else view.fetch_offset
    return after


_SECOND: dict[str, tuple[Plant, str]] = {
    "what does not fit skipped": (_skips_what_is_too_small, "consumer/too-small-skipped"),
    "first by offset aborted only": (_first_by_offset_only, "consumer/only-one-aborted"),
    "stuck before last empty batches": (position(_before_last_empty_batches), "consumer/empty-batch-stops"),
    "with null headers lost": (
        _where(lambda r: all(value is not None for _, value in r.headers)),
        "consumer/null-headers-lost",
    ),
    "gzip lost": (_where(lambda r: r.codec != 1), "consumer/gzip-lost"),
    "offset 0 lost": (_where(lambda r: bool(r.offset)), "consumer/offset-0-lost"),
    "later of a key lost": (
        records_of(lambda records: [r for at, r in enumerate(records) if r.key not in [q.key for q in records[:at]]]),
        "consumer/later-of-key-lost",
    ),
    "without headers lost": (_where(lambda r: bool(r.headers)), "consumer/without-headers-lost"),
    "one too far behind a marker": (_moved_after(_is_marker), "consumer/position-too-far/at-a-marker"),
    "one too far behind what is compressed": (_moved_after(_is_compressed), "consumer/position-wrong"),
    "every third lost": (
        records_of(lambda records: [r for at, r in enumerate(records) if at % 3 != 2]),
        "consumer/every-third-lost",
    ),
    "values as text": (
        records_of(
            lambda records: [r._replace(value=r.value and r.value.decode(errors="replace").encode()) for r in records]
        ),
        "answer/values-as-text",
    ),
    "empty keys null": (
        records_of(lambda records: [r._replace(key=r.key or None) for r in records]),
        "answer/empty-key-as-null",
    ),
    "empty values null": (
        records_of(lambda records: [r._replace(value=r.value or None) for r in records]),
        "answer/empty-value-as-null",
    ),
    "compressed twice": (
        records_of(lambda records: [r for r in records for _ in range(2 if r.codec else 1)]),
        "consumer/compressed-twice",
    ),
    "first two only": (records_of(lambda records: records[:2]), "consumer/only-the-first"),
    "last batch first": (
        records_of(lambda records: records[-1:] + records[:-1]),
        "consumer/last-at-the-start",
    ),
    "small values lost": (_where(lambda r: len(r.value or b"....") > 3), "consumer/small-lost"),
    "position of 31 bits": (position(lambda _, took: took.next_offset & 0x7FFFFFFF), "consumer/position-32-bits"),
}

SECOND = [PlantedConsumer(name, *plant) for name, plant in _SECOND.items()]
"""Planted when the kinds that the first ones missed were mended."""

NEW = [PlantedConsumer(name, *plant) for name, plant in _NEW.items()]
"""Planted before the causes were looked at again."""

PLANTS = [PlantedConsumer(name, *plant) for name, plant in {**_KNOWN, **_HELD_OUT}.items()]
"""All of them; those held out were planted when the causes stood."""
