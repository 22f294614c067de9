"""Consumers with faults that implementors make; the cause was written down before each was run.

A cause is a pattern that the id of the first one must match. None was changed after a run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from kafka_conformance.kinds.consumer.questions import View
from kafka_format.broker import consumer
from kafka_format.errors import Stage
from kafka_format.records import Record

from tests.kafka_conformance.kinds.consumer.planted_consumers import (
    Plant,
    Took,
    _entries,
    _last,
    _run,
    _took,
    each_batch,
    patched,
    position,
    records_of,
    right,
    swallowing,
)


class FreshConsumer(NamedTuple):
    """A consumer with a fault."""

    name: str
    change: Plant
    cause: str

    def __str__(self) -> str:
        return self.name


def _head(entry: bytes, start: int, size: int) -> int:
    return int.from_bytes(entry[start : start + size], "big", signed=True)


def _is_control(entry: bytes) -> bool:
    return entry[16] == 2 and bool(entry[22] & 0x20)


def _is_empty(entry: bytes) -> bool:
    return entry[16] == 2 and entry[57:61] == bytes(4)


def _whole(view: View) -> list[bytes]:
    return [view.vector.data[start:end] for start, end in _entries(view.vector.data)]


def _ending_at(skips: Callable[[bytes], bool]) -> Plant:
    """Plant a position that does not count some entries at the end of an answer."""

    def change(view: View, took: Took) -> int:
        entries = _whole(view)
        while entries and skips(entries[-1]):
            entries.pop()
        return max(view.fetch_offset, _last(entries[-1]) + 1) if entries else view.fetch_offset

    return position(change)


def _without_entries(is_left_out: Callable[[bytes, list[bytes]], bool]) -> Plant:
    """Plant a consumer that gives nothing of some entries, by their bytes and those before them."""

    def plant(view: View) -> Took:
        took = right(view)
        entries = _whole(view)
        spans = [
            (_head(entry, 0, 8), _last(entry)) for at, entry in enumerate(entries) if is_left_out(entry, entries[:at])
        ]
        kept = [record for record in took.records if not any(a <= record.offset <= b for a, b in spans)]
        return took if took.error else took._replace(records=kept)

    return plant


def _changed(change: Callable[[Record], Record]) -> Plant:
    return records_of(lambda records: [change(record) for record in records])


def _unsorted_list(view: View) -> Took:
    """Look at the head of the list alone, in the order that it came in."""
    isolation = view.isolation
    if isolation != "read_committed":
        return right(view)

    class Planted(consumer._Fetch):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self._waiting = type(self._waiting)(consumer.Aborted._make(pair) for pair in view.aborted)

    return _took(_run(view, Planted))


def _begins_behind(view: View) -> Took:
    shifted = tuple((producer, first + 1) for producer, first in view.aborted)
    return _took(_run(View(view.vector, view.fetch_offset, view.isolation, shifted, (), frozenset())))


def _to_start_after_error(view: View) -> Took:
    took = right(view)
    return Took(took.records, 0, None) if took.error and view.fetch_offset else took


def _markers_as_tombstones(view: View) -> Took:
    took = right(view)
    if took.error:
        return took
    records = list(took.records)
    for entry in _whole(view):
        if _is_control(entry) and _head(entry, 0, 8) >= view.fetch_offset:
            like = Record(offset=_head(entry, 0, 8), timestamp=_head(entry, 27, 8), timestamp_type=0, key=None,
                          value=None, headers=())  # fmt: skip
            records.append(like)
    return took._replace(records=sorted(records, key=lambda record: record.offset))


def _committed_only(change: Callable[[list[Record]], Sequence[Record]]) -> Plant:
    def plant(view: View) -> Took:
        took = right(view)
        is_about = view.isolation == "read_committed" and not took.error
        return took._replace(records=list(change(list(took.records)))) if is_about else took

    return plant


def _append_time_ignored(view: View) -> Took:
    """Give the times that producers set, where the broker has set one for the batch."""
    took = right(view)
    times: dict[int, int] = {}
    for entry in _whole(view):
        if entry[16] == 2 and entry[22] & 8 and not entry[22] & 7:
            times |= dict.fromkeys(range(_head(entry, 0, 8), _last(entry) + 1), _head(entry, 27, 8))
    return took._replace(records=[r._replace(timestamp=times.get(r.offset, r.timestamp)) for r in took.records])


def _stopped_quietly(stage: Stage) -> Plant:
    return swallowing([stage], skips=False)


def _first_epoch(entry: bytes) -> int:
    return _head(entry, 12, 4) if entry[16] == 2 else -1


def _same_sequence(entry: bytes, before: list[bytes]) -> bool:
    if entry[16] != 2 or _head(entry, 43, 8) < 0:
        return False
    own = entry[43:57]
    return any(other[16] == 2 and other[43:57] == own for other in before[-1:])


def _fewer(most: int) -> Plant:
    return records_of(lambda records: records[:most])


def _first_offset_lost(view: View) -> Took:
    took = right(view)
    return took._replace(records=[record for record in took.records if record.offset != view.fetch_offset])


def _uncommitted_lost(view: View) -> Took:
    kind = type("Planted", (consumer._Fetch,), {"_is_aborted": lambda self, head: bool(head.attributes & 16)})
    return right(view) if view.isolation == "read_committed" else _took(_run(view, kind))


C1: list[FreshConsumer] = [
    FreshConsumer("aborted begin behind their first offset", _begins_behind, "abort-begins-late"),
    FreshConsumer("aborted list unsorted", _unsorted_list, "aborted-list-taken-for-sorted|only-one-aborted"),
    FreshConsumer("stays in front of a marker at the end", _ending_at(_is_control), "control-batch|marker"),
    FreshConsumer("stays in front of an empty batch at the end", _ending_at(_is_empty), "empty-batch"),
    FreshConsumer("record at the fetch offset lost", _first_offset_lost, "fetch-offset|first-of-all-lost"),
    FreshConsumer("append time ignored", _append_time_ignored, "append|base_timestamp"),
    FreshConsumer("times of 32 bits", _changed(lambda r: r._replace(timestamp=r.timestamp & 0xFFFFFFFF)),
                  "timestamp.*32"),
    FreshConsumer("null headers empty",
                  _changed(lambda r: r._replace(headers=tuple((k, v or b"") for k, v in r.headers))), "null-header"),
    FreshConsumer("first header of a key",
                  _changed(lambda r: r._replace(headers=tuple(dict(r.headers[::-1]).items())[::-1])), "headers?-"),
    FreshConsumer("unknown magic ends quietly", _stopped_quietly(Stage.FRAMING), "magic-swallowed|quiet"),
    FreshConsumer("wrong checksum ends quietly", _stopped_quietly(Stage.CHECKSUM), "checksum-swallowed|quiet"),
    FreshConsumer("ten at most", _fewer(10), "only-the-first"),
    FreshConsumer("repeated sequence skipped", _without_entries(_same_sequence), "sequence|idempotent"),
    FreshConsumer("lower leader epoch skipped",
                  _without_entries(lambda e, before: any(_first_epoch(e) < _first_epoch(b) for b in before)), "epoch"),
    FreshConsumer("to offset 0 after an error", _to_start_after_error, "swallowed|position-0|start"),
    FreshConsumer("markers as tombstones", _markers_as_tombstones, "marker"),
    FreshConsumer("lz4 lost", records_of(lambda records: [r for r in records if r.codec != 3]), "lz4-lost"),
    FreshConsumer("committed: last lost", _committed_only(lambda records: records[:-1]), "last-of-all-lost|last"),
    FreshConsumer("committed: reversed", _committed_only(lambda records: records[::-1]), "reversed"),
    FreshConsumer("keys without case", _changed(lambda r: r._replace(key=r.key and r.key.lower())), "key"),
    FreshConsumer("values stripped", _changed(lambda r: r._replace(value=r.value and r.value.strip())), "value"),
    FreshConsumer("key of the record before",
                  each_batch(lambda rs: [r._replace(key=rs[at - 1].key if at else r.key) for at, r in enumerate(rs)]),
                  "key"),
    FreshConsumer("batch of one lost", each_batch(lambda rs: rs if len(rs) > 1 else []), "one|single|batch"),
    FreshConsumer("position at the high end", position(lambda v, t: t.next_offset + (len(t.records) > 1)), "position"),
    FreshConsumer("transactional lost with read_uncommitted", _uncommitted_lost, "transactions?-lost|uncommitted"),
    FreshConsumer("timestamps of the first", each_batch(
        lambda rs: [r._replace(timestamp=rs[0].timestamp) for r in rs]), "timestamp|time"),
    FreshConsumer("offset of the batch for all", each_batch(
        lambda rs: [r._replace(offset=rs[0].offset) for r in rs]), "offset"),
    FreshConsumer("marker ends at the next record", patched(
        _is_abort=lambda self, *a, **k: False), "abort-never-ends"),
]  # fmt: skip
"""The first set."""


def _stuck_at(is_there: Callable[[bytes, list[bytes]], bool]) -> Plant:
    """Plant a consumer that gives nothing from some entry on, and asks for it again."""

    def plant(view: View) -> Took:
        took, entries, due = right(view), _whole(view), view.fetch_offset
        if took.error:
            return took
        for at, entry in enumerate(entries):
            if is_there(entry, entries[:at]):
                return Took([record for record in took.records if record.offset < due], due)
            due = max(due, _last(entry) + 1)
        return took

    return plant


def _is_hidden(entry: bytes, before: list[bytes]) -> bool:
    del before
    return entry[16] == 2 and bool(entry[22] & 0x10) and not entry[22] & 0x20


def _by_offset_of_list(view: View) -> Took:
    """Leave out what stands behind the first offset in the list, whoever wrote it, to the end."""
    took = right(view)
    firsts = [first for _, first in view.aborted]
    if took.error or view.isolation != "read_committed" or not firsts:
        return took
    return took._replace(records=[record for record in took.records if record.offset < min(firsts)])


def _aborted_once(view: View) -> Took:
    """Take each producer of the list for one aborted transaction, the last."""
    last = tuple(dict(view.aborted).items())
    return _took(_run(View(view.vector, view.fetch_offset, view.isolation, last, (), frozenset())))


def _relative(view: View) -> Took:
    took = right(view)
    return took._replace(records=[r._replace(offset=r.offset - view.fetch_offset) for r in took.records])


C2: list[FreshConsumer] = [
    FreshConsumer("stops at a transaction", _stuck_at(_is_hidden), "transaction"),
    FreshConsumer("all behind the first aborted", _by_offset_of_list, "aborted-of-all-producers|abort-never-ends"),
    FreshConsumer("one abort a producer", _aborted_once, "aborted-list-taken-for-sorted|only-one-aborted"),
    FreshConsumer("offsets from the fetch offset", _relative, "offsets-(from-zero|relative)"),
    FreshConsumer("every fifth lost", records_of(lambda rs: [r for at, r in enumerate(rs) if at % 5 != 4]),
                  "every-fifth"),
    FreshConsumer("value and key swapped where both are there",
                  _changed(lambda r: r._replace(key=r.value, value=r.key) if r.key and r.value else r), "exchanged"),
    FreshConsumer("position of the last record",
                  position(lambda v, t: t.records[-1].offset if t.records else v.fetch_offset),
                  "position-of-last-record"),
    FreshConsumer("three too near", position(lambda v, t: t.next_offset - 3), "position-moved"),
    FreshConsumer("headers without case",
                  _changed(lambda r: r._replace(headers=tuple((k.lower(), v) for k, v in r.headers))), "header"),
    FreshConsumer("snappy lost", records_of(lambda rs: [r for r in rs if r.codec != 2]), "snappy-lost"),
    FreshConsumer("timestamps an hour later",
                  _changed(lambda r: r._replace(timestamp=min(r.timestamp + 3_600_000, 2**63 - 1))),
                  "timestamp.*(moved|hour|3600000|later)"),
    FreshConsumer("tombstones of committed lost", _committed_only(lambda rs: [r for r in rs if r.value]),
                  "value-lost|tombstones"),
    FreshConsumer("second half lost", records_of(lambda rs: rs[: (len(rs) + 1) // 2]), "half|fewer"),
    FreshConsumer("twice if compressed", records_of(lambda rs: rs + [r for r in rs if r.codec]), "repeats|twice"),
    FreshConsumer("stops at compressed", _stuck_at(lambda e, _: e[16] == 2 and bool(e[22] & 7)), "compressed"),
    FreshConsumer("append type is create", _changed(lambda r: r._replace(timestamp_type=0)),
                  "append-time|timestamp-type"),
]  # fmt: skip
"""The second set, written when the kinds of the first were mended, before it was run."""


def _last_of_list_only(view: View) -> Took:
    return _took(_run(View(view.vector, view.fetch_offset, view.isolation, view.aborted[-1:], (), frozenset())))


def _committed_too(view: View) -> Took:
    """Take the end of a transaction for its abort, whatever the list says."""
    took = right(view)
    if took.error or view.isolation != "read_committed":
        return took
    entries = _whole(view)
    named = {producer for producer, _ in view.aborted}
    lost = [
        (_head(entry, 0, 8), _last(entry))
        for entry in entries
        if entry[16] == 2 and entry[22] & 0x10 and not entry[22] & 0x20 and _head(entry, 43, 8) in named
    ]
    return took._replace(records=[r for r in took.records if not any(a <= r.offset <= b for a, b in lost)])


def _by_batch_before(view: View) -> Took:
    """Compare the first offset of a batch, not its records, with the one that was asked for."""
    took = right(view)
    if took.error:
        return took
    spans = [(_head(e, 0, 8), _last(e)) for e in _whole(view) if _head(e, 0, 8) < view.fetch_offset and e[16] == 2]
    return took._replace(records=[r for r in took.records if not any(a <= r.offset <= b for a, b in spans)])


def _twice_at_the_border(records: list[Record]) -> list[Record]:
    return [r for at, r in enumerate(records) for _ in range(2 if at == 1 else 1)]


C3: list[FreshConsumer] = [
    FreshConsumer("only the last abort", _last_of_list_only, "only-one-aborted"),
    FreshConsumer("committed of who has aborted lost", _committed_too, "aborted-from-the-start"),
    FreshConsumer("batch that begins before lost", _by_batch_before, "before|within-a-batch|first"),
    FreshConsumer("second record twice", records_of(_twice_at_the_border), "repeats|twice"),
    FreshConsumer("time zone", _changed(lambda r: r._replace(timestamp=r.timestamp - 7_200_000 if r.timestamp > 10**9
                                                               else r.timestamp)), "timestamps?-(moved|late|early)"),
    FreshConsumer("zstd lost", records_of(lambda rs: [r for r in rs if r.codec != 4]), "zstd-lost"),
    FreshConsumer("stops at headers", _stuck_at(lambda e, _: e[16] == 2 and b"h" in e[61:]), "stop"),
    FreshConsumer("keys cut", _changed(lambda r: r._replace(key=r.key and r.key[:4])), "keys?-cut"),
    FreshConsumer("first of each batch only", each_batch(lambda rs: rs[:1]), "only-first-of-batch"),
    FreshConsumer("position at the first of the last batch",
                  position(lambda v, t: max(v.fetch_offset, _head(_whole(v)[-1], 0, 8) if _whole(v) else 0)),
                  "position-of-last-batch"),
    FreshConsumer("position counts records and batches",
                  position(lambda v, t: v.fetch_offset + len(t.records) + len(_whole(v))), "position"),
    FreshConsumer("sorted by key", records_of(lambda rs: sorted(rs, key=lambda r: r.key or b"")), "sorted-by-key"),
    FreshConsumer("no headers", _changed(lambda r: r._replace(headers=())), "headers-dropped"),
    FreshConsumer("duplicates by value lost", records_of(
        lambda rs: list({(r.key, r.value): r for r in rs[::-1]}.values())[::-1]), "same-value|key-lost|duplicate"),
    FreshConsumer("int32 offsets", _changed(lambda r: r._replace(offset=r.offset & 0x7FFFFFFF)), "offset.*32|offset"),
    FreshConsumer("checksum and structure passed over", swallowing([Stage.CHECKSUM, Stage.STRUCTURE]), "swallowed"),
]  # fmt: skip
"""The third set, written when the kinds of the second were mended, before it was run."""


def _to_first_marker(view: View) -> Took:
    """Take a marker for the end of an answer."""
    took = right(view)
    marker = next((_last(entry) for entry in _whole(view) if _is_control(entry)), None)
    if took.error or marker is None:
        return took
    return Took([record for record in took.records if record.offset < marker], max(view.fetch_offset, marker + 1))


C4: list[FreshConsumer] = [
    FreshConsumer("second record lost", records_of(lambda rs: rs[:1] + rs[2:]), "second-lost"),
    FreshConsumer("last two lost", records_of(lambda rs: rs[:-2]), "last-two-lost"),
    FreshConsumer("stuck at gzip", _stuck_at(lambda e, _: e[16] == 2 and (e[22] & 7) == 1), "gzip-stops"),
    FreshConsumer("forgets all behind a marker", _to_first_marker, "marker"),
    FreshConsumer("committed: behind the last record", position(
        lambda v, t: t.records[-1].offset + 1 if v.isolation == "read_committed" and t.records else t.next_offset),
        "position-behind-last-record"),
]  # fmt: skip
"""Of the fourth and fifth sets, what was mended after it was run."""


def _markers_of_kind(kind: int) -> Plant:
    """Give markers of one kind, 0 for abort and 1 for commit, as records."""

    def plant(view: View) -> Took:
        took = right(view)
        everything = _took(_run(view, type("Planted", (consumer._Fetch,), {"_hand_on": _all_handed_on})))
        markers = [r for r in everything.records if r.control and r.key is not None and r.key[3:4] == bytes([kind])]
        if took.error:
            return took
        return took._replace(records=sorted([*took.records, *markers], key=lambda record: record.offset))

    return plant


def _all_handed_on(self: Any, index: int, records: list[Record], *, control: bool) -> None:
    del control
    consumer._Fetch._hand_on(self, index, records, control=False)


def _moved_behind(is_there: Callable[[bytes], bool], by: int) -> Plant:
    """Plant a position that is some offsets away where an answer ends with such an entry."""

    def change(view: View, took: Took) -> int:
        entries = _whole(view)
        return took.next_offset + by if entries and is_there(entries[-1]) else took.next_offset

    return position(change)


def _lacks_its_end(entry: bytes) -> bool:
    """Tell whether compaction took the last record of a batch, but not all of them."""
    return entry[16] == 2 and 0 < _head(entry, 57, 4) < _head(entry, 23, 4) + 1


def _interleaved(records: list[Record]) -> Sequence[Record]:
    return [*records[::2], *records[1::2]]


def _batch_times(change: Callable[[bytes, Record], int]) -> Plant:
    """Plant other timestamps, made of the header of a batch."""

    def plant(view: View) -> Took:
        took = right(view)
        heads = [(e, _head(e, 0, 8), _last(e)) for e in _whole(view) if e[16] == 2]

        def of(record: Record) -> Record:
            entry = next((e for e, first, last in heads if first <= record.offset <= last), None)
            return record if entry is None else record._replace(timestamp=change(entry, record))

        return took._replace(records=[of(record) for record in took.records])

    return plant


def _in_old_compressed(change: Callable[[int, Record, list[Record]], int]) -> Plant:
    """Plant other offsets of messages of v0 and v1 that are compressed."""

    def plant(view: View) -> Took:
        took, given = right(view), []
        entries = _whole(view)
        for record in took.records:
            entry = next((e for e in entries if _last(e) >= record.offset), b"")
            if entry and entry[16] < 2 and record.codec:
                inner = [r for r in took.records if r.codec and r.offset <= _last(entry)]
                given.append(record._replace(offset=change(_last(entry), record, inner)))
            else:
                given.append(record)
        return took._replace(records=given)

    return plant


def _if_compressed_last_lost(records: list[Record]) -> Sequence[Record]:
    return records[:-1] if records and records[-1].codec else records


def _one_behind_error(view: View) -> Took:
    took = right(view)
    return Took(took.records, took.next_offset + 1, None) if isinstance(took.error, Exception) else took


def _cut_gives_nothing(view: View) -> Took:
    took = right(view)
    whole = sum(map(len, _whole(view)))
    return Took([], view.fetch_offset) if not took.error and whole < len(view.vector.data) else took


def _older_epoch(entry: bytes, before: list[bytes]) -> bool:
    if entry[16] != 2:
        return False
    same = [each for each in before if each[16] == 2 and each[43:51] == entry[43:51]]
    return any(_head(each, 51, 2) > _head(entry, 51, 2) for each in same)


def _before_if_compressed(view: View) -> Took:
    took = right(view)
    every = _took(_run(view, type("Planted", (consumer._Fetch,), {"_is_before": lambda *_: False})))
    if took.error:
        return took
    have = {record.offset for record in took.records}
    return took._replace(records=[r for r in every.records if r.offset in have or r.codec])


def _without_wrappers(view: View) -> Took:
    took, entries = right(view), _whole(view)
    starts = [0, *(_last(entry) + 1 for entry in entries)]
    lost = [(start, _last(e)) for start, e in zip(starts, entries, strict=False) if e[16] < 2 and e[17] & 7]
    kept = [record for record in took.records if not any(a <= record.offset <= b for a, b in lost)]
    return took if took.error else took._replace(records=kept)


C5: list[FreshConsumer] = [
    FreshConsumer("abort markers delivered", _markers_of_kind(0), "markers?-delivered"),
    FreshConsumer("commit markers delivered", _markers_of_kind(1), "markers?-delivered"),
    FreshConsumer("one too far behind an empty batch", _moved_behind(_is_empty, 1),
                  "position.*empty|empty.*position"),
    FreshConsumer("one too near behind an empty batch", _moved_behind(_is_empty, -1), "empty"),
    FreshConsumer("one too near behind a marker", _moved_behind(_is_control, -1), "marker|control"),
    FreshConsumer("one too near behind a batch without its end", _moved_behind(_lacks_its_end, -1), "gap|compact"),
    FreshConsumer("last lost of what is compressed", records_of(_if_compressed_last_lost), "last-.*lost.*compressed"),
    FreshConsumer("last of each batch lost if compressed", each_batch(_if_compressed_last_lost),
                  "last-of-batch-lost.*compressed|last-.*lost.*compressed"),
    FreshConsumer("order mixed", records_of(_interleaved), "order|interleav"),
    FreshConsumer("greatest time for all", _batch_times(lambda entry, _: _head(entry, 35, 8)),
                  "max.?timestamp|greatest"),
    FreshConsumer("first time for all", _batch_times(lambda entry, _: _head(entry, 27, 8)), "timestamps-of-the-first"),
    FreshConsumer("append time ignored by the greatest", _batch_times(
        lambda entry, r: _head(entry, 27, 8) if entry[22] & 8 else r.timestamp), "append"),
    FreshConsumer("headers of the first for all",
                  each_batch(lambda rs: [r._replace(headers=rs[0].headers) for r in rs]),
                  "headers?-.*first|first.*header"),
    FreshConsumer("empty header values null", _changed(
        lambda r: r._replace(headers=tuple((k, v or None) for k, v in r.headers))), "empty-header.*null|header.*null"),
    FreshConsumer("header values as text", _changed(
        lambda r: r._replace(headers=tuple((k, v and v.decode(errors="replace").encode()) for k, v in r.headers))),
        "header.*text"),
    FreshConsumer("cut entry gives nothing", _cut_gives_nothing, "cut"),
    FreshConsumer("old: inner offsets as they are",
                  _in_old_compressed(lambda last, r, inner: r.offset - min(i.offset for i in inner)),
                  "inner|relative|wrapper|offsets-.*old/compressed"),
    FreshConsumer("old: inner offsets one too high", _in_old_compressed(lambda last, r, _: r.offset + 1),
                  "inner|offset.*(moved|one)|wrapper|offsets-.*old/compressed"),
    FreshConsumer("old: offset of the wrapper for all", _in_old_compressed(lambda last, r, _: last), "wrapper|inner"),
    FreshConsumer("old and compressed lost", _without_wrappers,
                  "lost.*old-and-compressed"),
    FreshConsumer("compressed of several lost", _without_entries(
        lambda e, _: e[16] == 2 and bool(e[22] & 7) and _head(e, 57, 4) > 1), "compressed"),
    FreshConsumer("before the offset if compressed", _before_if_compressed, "before-fetch-offset"),
    FreshConsumer("one offset behind damage", _one_behind_error, "swallowed|damage"),
    FreshConsumer("offsets one too high", _changed(lambda r: r._replace(offset=r.offset + 1)),
                  "offsets-of-the-next"),
    FreshConsumer("older producer epoch lost", _without_entries(_older_epoch), "epoch"),
    FreshConsumer("delete horizon lost", _without_entries(lambda e, _: e[16] == 2 and bool(e[22] & 0x40)), "horizon"),
    FreshConsumer("offsets as doubles", _changed(lambda r: r._replace(offset=int(float(r.offset)))),
                  "offset.*(double|53)"),
    FreshConsumer("no time is 0", _changed(lambda r: r._replace(timestamp=max(r.timestamp, 0))),
                  "timestamp.*(zero|-0|clamp)|no-timestamp"),
    FreshConsumer("values cut at 127", _changed(lambda r: r._replace(value=r.value and r.value[:127])), "values?-cut"),
    FreshConsumer("aborted by the offset of the batch before", patched(
        _is_aborted=lambda self, head: consumer._Fetch._is_aborted(self, head) and head.base_offset % 2 == 0), "abort"),
]  # fmt: skip
"""The sixth set, by other kinds than those before; at first sight 13 of 30 were told.

Six patterns say what came now, in the words that there are for it."""


def _aborted_if_compressed(view: View) -> Took:
    took, everything = right(view), _took(_run(view, isolation="read_uncommitted"))
    if took.error or view.isolation != "read_committed":
        return took
    have = {record.offset for record in took.records}
    return took._replace(records=[r for r in everything.records if r.offset in have or r.codec])


def _held_back(view: View) -> Took:
    took = right(view)
    if took.error or not took.records:
        return took
    return Took(took.records[:-1], took.records[-1].offset, None)


def _twice_by(is_about: Callable[[bytes], bool]) -> Plant:
    def plant(view: View) -> Took:
        took, given = right(view), list[Record]()
        for entry in _whole(view):
            own = [r for r in took.records if _head(entry, 0, 8) <= r.offset <= _last(entry)]
            given += own * (2 if is_about(entry) else 1)
        return took if took.error else took._replace(records=given)

    return plant


def _v1_without_time(view: View) -> Took:
    took = right(view)
    spans = [(_last(e), e) for e in _whole(view)]

    def of(record: Record) -> Record:
        entry = next((e for last, e in spans if last >= record.offset), b"")
        return record._replace(timestamp=-1) if entry and entry[16] == 1 else record

    return took._replace(records=[of(record) for record in took.records])


C6: list[FreshConsumer] = [
    FreshConsumer("aborted delivered if compressed", _aborted_if_compressed, "aborted.*delivered"),
    FreshConsumer("position counts records and markers", position(
        lambda v, t: v.fetch_offset + len(t.records) + sum(map(_is_control, _whole(v)))), "position-.*count|counted"),
    FreshConsumer("last held back, and asked for again", _held_back, "last|held"),
    FreshConsumer("null value as a word", _changed(lambda r: r._replace(value=b"null" if r.value is None else r.value)),
                  "null-value|null-as|values?.*null"),
    FreshConsumer("times rounded up to seconds", _changed(
        lambda r: r._replace(timestamp=min(-(-r.timestamp // 1000) * 1000, 2**63 - 1))),
                  "timestamps?-.*(second|milliseconds|round)"),
    FreshConsumer("behind the last record of what is compressed", position(
        lambda v, t: t.records[-1].offset + 1 if t.records and t.records[-1].codec else t.next_offset),
        "position-behind-last-record"),
    FreshConsumer("same time lost", records_of(lambda rs: [
        r for at, r in enumerate(rs) if not at or r.timestamp != rs[at - 1].timestamp]), "same-time|timestamp"),
    FreshConsumer("idempotent twice", _twice_by(lambda e: e[16] == 2 and _head(e, 43, 8) >= 0),
                  "(twice|repeat).*(idempotent|producer)|idempotent"),
    FreshConsumer("v1 without time", _v1_without_time, "timestamps-none/old"),
    FreshConsumer("only the last five", records_of(lambda rs: rs[-5:]), "only-the-last|last-5"),
    FreshConsumer("stuck at a delete horizon", _stuck_at(lambda e, _: e[16] == 2 and bool(e[22] & 0x40)), "horizon"),
    FreshConsumer("keys as latin-1", _changed(lambda r: r._replace(key=r.key and r.key.decode("latin-1").encode())),
                  "latin-1/keys"),
    FreshConsumer("header with an empty key lost", _changed(
        lambda r: r._replace(headers=tuple(h for h in r.headers if h[0]))), "header"),
    FreshConsumer("v0 lost", _without_entries(lambda e, _: e[16] == 0 and not e[17] & 7), "v0|old-formats"),
]  # fmt: skip
"""The seventh set, written when the kinds of the sixth were mended; at first sight 5 of 14."""
