"""Wrong consumers: where they go on after an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kafka_format.codec.prefix import prefix
from kafka_format.records import Record
from kafka_format.records.entries import OVERHEAD

from kafka_conformance.kinds.consumer.fetched import Fetched, FetchedEntry
from kafka_conformance.kinds.consumer.wrong_consumers.ways import (
    Consumed,
    flat,
    going_on_at,
    moved,
    not_before,
    stopping,
    wrong_consumer,
)

_At = Callable[[Fetched, int], bool]
"""Tells whether a consumer stops in front of an entry."""


def _last_record(answer: Fetched) -> Record | None:
    return next((group[-1] for group in reversed(answer.right) if group), None)


def _behind_last_record(answer: Fetched) -> int | None:
    record = _last_record(answer)
    return answer.view.fetch_offset if record is None else record.offset + 1


def _counted_with_markers(answer: Fetched) -> int:
    markers = sum(entry.is_control for entry in answer.entries)
    return answer.view.fetch_offset + len(flat(answer.right)) + markers


def _at_last_record(answer: Fetched) -> int:
    record = _last_record(answer)
    return answer.view.fetch_offset if record is None else not_before(answer, record.offset)


def _behind_last_of_any(answer: Fetched) -> int:
    """Count markers and what is left out, too: only what compaction removed is not counted."""
    offsets = [record.offset for entry in answer.entries for record in entry.records]
    return not_before(answer, offsets[-1] + 1) if offsets else answer.view.fetch_offset


def _too_far_at_each(answer: Fetched) -> Consumed | None:
    """Go on one offset too far behind each batch of v2, also within an answer."""
    if not answer.is_sound or not answer.entries:
        return None
    given: list[Record] = []
    position = answer.view.fetch_offset
    for entry, right in zip(answer.entries, answer.right, strict=True):
        given += [record for record in right if record.offset >= position]
        position = max(position, entry.last + (2 if entry.magic >= 2 else 1))
    return Consumed(given, position)


def _before_ends(is_stop: Callable[[FetchedEntry], bool]) -> Callable[[Fetched], int | None]:
    """Return the offset in front of the last entries of an answer, if they are all of a kind."""

    def position(answer: Fetched) -> int | None:
        passed = [index for index, entry in enumerate(answer.entries) if not is_stop(entry)]
        if passed and passed[-1] == len(answer.entries) - 1:
            return None
        return not_before(answer, answer.entries[passed[-1]].last + 1) if passed else answer.view.fetch_offset

    return position


def _is_empty(entry: FetchedEntry) -> bool:
    return entry.magic == 2 and not entry.records


def _is_gap(answer: Fetched, index: int) -> bool:
    return index > 0 and answer.entries[index].first != answer.entries[index - 1].last + 1


def _is_gap_of_batches(answer: Fetched, index: int) -> bool:
    return answer.entries[index].magic == 2 and _is_gap(answer, index)


def _is_any_gap(answer: Fetched, index: int) -> bool:
    return _is_gap(answer, index) or (index == 0 and answer.entries[0].first > answer.view.fetch_offset)


def _last_held_back(answer: Fetched) -> Consumed | None:
    """Give all but the last record, and go on at that."""
    records = flat(answer.right)
    return Consumed(records[:-1], records[-1].offset) if answer.is_sound and records else None


def _to_first_marker(answer: Fetched) -> Consumed | None:
    """Give what is in front of the first marker, and go on behind it."""
    marker = next((at for at, entry in enumerate(answer.entries) if entry.is_control), None)
    if marker is None or not answer.is_sound:
        return None
    return Consumed(flat(answer.right[:marker]), not_before(answer, answer.entries[marker].last + 1))


def _in_cut(answer: Fetched) -> int | None:
    """Return the offset behind the first one of an entry that is cut off, if a reader sees that."""
    if len(answer.rest) < OVERHEAD:
        return None
    return max(answer.next_offset, _BATCH.value(answer.rest, 0, "base_offset") + 1)


def _behind_cut(answer: Fetched) -> int | None:
    """Return the offset behind a batch that is cut off, if its header is there."""
    if len(answer.rest) < _BATCH.size or _BATCH.value(answer.rest, 0, "magic") != 2:
        return None
    first, delta = (_BATCH.value(answer.rest, 0, name) for name in ("base_offset", "last_offset_delta"))
    return max(answer.next_offset, first + delta + 1)


_BATCH: Final = prefix("record_batch")
_GAPS: Final = (_is_gap_of_batches, _is_gap, _is_any_gap)
"""What is taken for a gap."""


OF_POSITION: Final = (
    wrong_consumer(
        "position-too-far",
        "goes on one offset too far, and loses the record there",
        moved(1),
        _too_far_at_each,
    ),
    wrong_consumer(
        "position-too-near",
        "goes on at the last offset that it has had, not behind it, and gets that record again",
        moved(-1),
    ),
    wrong_consumer(
        "position-behind-last-record",
        "goes on behind the last record that it was given, not behind the last offset of the batch: "
        "where compaction left a gap, an empty batch or a marker there, it asks for the same again",
        going_on_at(_behind_last_record),
        going_on_at(_behind_last_of_any),
        going_on_at(lambda answer: _behind_last_record(answer) if _last_record(answer) else None),
    ),
    wrong_consumer(
        "position-counted",
        "counts records to find where to go on, as if there were no gaps in offsets",
        going_on_at(lambda answer: answer.view.fetch_offset + len(flat(answer.right))),
        going_on_at(lambda answer: answer.view.fetch_offset + sum(len(each.records) for each in answer.entries)),
        going_on_at(_counted_with_markers),
    ),
    wrong_consumer(
        "position-counted-in-batch",
        "goes on at the first offset of the batch and its number of records, as if there were no gaps in it",
        going_on_at(lambda answer: not_before(answer, answer.entries[-1].first + len(answer.entries[-1].records))),
    ),
    wrong_consumer(
        "position-counted-by-batch",
        "counts batches to find where to go on, and not offsets",
        going_on_at(lambda answer: answer.view.fetch_offset + len(answer.entries)),
    ),
    wrong_consumer(
        "position-of-last-record",
        "goes on at the last record that it has delivered, and gets that again",
        going_on_at(_at_last_record),
    ),
    wrong_consumer(
        "last-held-back", "delivers the last record of an answer only when it asks for it again", _last_held_back
    ),
    wrong_consumer(
        "position-32-bits",
        "keeps its position in 32 bits",
        going_on_at(lambda answer: answer.next_offset & 0xFFFFFFFF),
        going_on_at(lambda answer: (answer.next_offset + (1 << 31)) % (1 << 32) - (1 << 31)),
    ),
    wrong_consumer(
        "position-of-last-batch",
        "goes on at the first offset of the last batch, and gets that again",
        going_on_at(lambda answer: answer.entries[-1].first),
    ),
    wrong_consumer(
        "position-of-first-batch",
        "goes on at the first offset of the first batch, which may be before the one that it asked for",
        going_on_at(lambda answer: answer.entries[0].first),
    ),
    wrong_consumer(
        "position-behind-first-offset",
        "goes on one behind the first offset of the last batch, and gets most of it again",
        going_on_at(lambda answer: answer.entries[-1].first + 1),
    ),
    wrong_consumer(
        "position-behind-first-batch",
        "goes on behind the first batch of an answer, and gets the others again",
        going_on_at(lambda answer: not_before(answer, answer.entries[0].last + 1)),
    ),
    wrong_consumer(
        "position-in-cut-entry",
        "goes on behind the first offset of a last entry that the broker has cut off, and loses the record there",
        going_on_at(_in_cut),
    ),
    wrong_consumer(
        "position-behind-cut-entry",
        "goes on behind a last batch that the broker has cut off, and loses all of it",
        going_on_at(_behind_cut),
    ),
    wrong_consumer(
        "cut-entry-goes-back",
        "goes back to the offset that it asked for where the broker has cut off a last entry",
        going_on_at(lambda answer: answer.view.fetch_offset if answer.rest else None),
    ),
    wrong_consumer(
        "position-kept",
        "does not go on: it asks for the same offset again",
        going_on_at(lambda answer: answer.view.fetch_offset),
    ),
    wrong_consumer(
        "position-goes-back",
        "goes back where an answer ends before the offset that was asked for",
        going_on_at(lambda answer: answer.entries[-1].last + 1),
    ),
    wrong_consumer(
        "empty-batch-stops",
        "does not get past a batch without records",
        stopping(lambda answer, index: _is_empty(answer.entries[index])),
        going_on_at(_before_ends(lambda entry: _is_empty(entry) and not entry.is_control)),
    ),
    wrong_consumer(
        "control-batch-stops",
        "does not get past a control batch",
        stopping(lambda answer, index: answer.entries[index].is_control),
        going_on_at(_before_ends(lambda entry: entry.is_control)),
    ),
    wrong_consumer(
        "marker-ends-answer",
        "takes a marker for the end of an answer, and asks again for what is behind it",
        _to_first_marker,
    ),
    wrong_consumer(
        "only-markers-stop",
        "does not get past an answer that has no record for the application",
        going_on_at(lambda answer: None if _last_record(answer) else answer.view.fetch_offset),
    ),
    wrong_consumer(
        "gap-stops",
        "takes a gap in offsets, as compaction leaves, for loss, and gives nothing behind it",
        *map(stopping, _GAPS),
    ),
)
