"""What is due for a block, as shared_images.py of the Python adapters wants it in shared memory: bytes of `marshal`.

They are written for all batches at once, without a loop over records. Whatever is written may spoil what stands behind
it, up to the longest that it could have been. So contents come first and then what stands around them, each part before
those that it may spoil.
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from kafka_format.columnar import octets
from kafka_format.columnar.arrays import bounds
from kafka_format.columnar.plans import RowStep, plan
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT, TRANSACTIONAL_BIT
from kafka_format.sampler.packing import Draft

from kafka_conformance import answers
from kafka_conformance.scale.columns import Integers, raw

if TYPE_CHECKING:
    from kafka_format.columnar.arrays import Groups, Octets, Words
    from kafka_format.sampler.answers import Answers
    from kafka_format.sampler.pool import Contents
    from numpy.typing import NDArray

    from kafka_conformance.scale.batches import Block

STATE = ("producer_id", "producer_epoch", "base_sequence", "base_offset", "transactional", "control", "codec")
ROW = answers.FIELDS[:6]
NEEDED = frozenset({*ROW, "control"})
"""The fields that a target must declare: what it gives for others cannot be foreseen."""

_TUPLE, _LIST, _INT, _LONG, _BYTES, _TEXT, _NONE, _FALSE, _TRUE = b"([ilsuNFT"
_TAGGED = np.dtype([("tag", "u1"), ("number", "<i4")])
"""A tag of `marshal` with an integer: a small number itself, or how much follows."""

_FAR = np.dtype([*_TAGGED.descr, ("digits", "<u2", 5)])
_FRAME = np.dtype([("runs", _TAGGED), ("run", _TAGGED), ("state", _TAGGED)])
_HEADER = np.dtype([("pair", _TAGGED), ("key", _TAGGED)])
_PRODUCER = np.dtype([("producer_epoch", _TAGGED), ("base_sequence", _TAGGED)])
_REST = np.dtype([("transactional", "u1"), ("control", "u1"), ("codec", _TAGGED), ("rows", _TAGGED)])
"""What follows the producer id in the head of a batch, and what follows the base offset."""

_TAG = _TAGGED.itemsize
_DIGIT_BITS = 15
_DIGIT = np.uint64((1 << _DIGIT_BITS) - 1)
_INT32 = 1 << 31
_MORE_DIGITS = (1 << 45, 1 << 60)
"""An integer of more than 32 bits has three digits, from the first of these on four, and then five."""

_MOST_DIGITS = 5


def sections(block: "Block", fields: Collection[str]) -> list[memoryview]:
    """Write a block of sound v2 batches; its parts belong one after the other.

    Args:
        block: batches and what is due for them.
        fields: those that the target declares; `NEEDED` are among them.
    """
    images, places = written(block, fields)
    numbers = (np.array([places.size - 1, len(block.data)]), block.bounds, places)
    return [*map(raw, numbers), memoryview(block.data), images.data]


def written(block: "Block", fields: Collection[str]) -> tuple["Octets", Integers]:
    """Write images; return them, and where each begins and the last one ends."""
    due, states, draft = block.columns, _states(block, fields), Draft()
    sizes = _sizes(due, states)
    places = _places(due, sizes)
    _headers(draft, due, places.headers)
    _heads(draft, due.groups.counts, states, places.batches[:-1])
    _records(draft, due, sizes, places.records)
    end = int(places.batches[-1])
    return draft.written(end)[:end], places.batches


class _States(NamedTuple):
    """What batches tell of all their records."""

    producer_ids: "_Integers"
    base_offsets: "_Integers"
    others: Mapping[str, Integers]


def _states(block: "Block", fields: Collection[str]) -> _States:
    """Read them off the headers, which stand where their layout says; no record does."""
    header = plan("record_batch").steps[0]
    assert isinstance(header, RowStep)  # noqa: S101 - all of its fields are integers of fixed size
    data = octets.octets(block.data)
    rows = octets.window(data, header.dtype.itemsize)[block.bounds[:-1]].view(header.dtype)
    bits = rows["attributes"]
    named = {"transactional": bits & TRANSACTIONAL_BIT, "control": bits & CONTROL_BIT, "codec": bits & CODEC_MASK}
    if "codec" not in fields:
        del named["codec"]
    numbers = {name: rows[name].astype(np.int64) for name in STATE[:4]}
    return _States(_measured(numbers["producer_id"]), _measured(numbers["base_offset"]), numbers | named)


class _Integers(NamedTuple):
    """Integers, which of them take more than 32 bits, the magnitudes and numbers of digits of those, bytes of all."""

    numbers: Integers
    far: Integers
    magnitudes: "Words"
    digits: Integers
    sizes: Integers


class _Sizes(NamedTuple):
    """Bytes of batches, of their heads, of records and headers; and the integers that are not of one size."""

    batches: Integers
    heads: Integers
    records: Integers
    headers: Integers
    offsets: _Integers
    timestamps: _Integers


class _Places(NamedTuple):
    """Where batches begin and the last one ends; where records and headers begin."""

    batches: Integers
    records: Integers
    headers: Integers


def _sizes(due: "Answers", states: _States) -> _Sizes:
    offsets, timestamps = (_measured(due.numbers[name]) for name in ("offset", "timestamp"))
    headers = _HEADER.itemsize + due.header_key.lengths + _content_sizes(due.header_value)
    contents = _content_sizes(due.key) + _content_sizes(due.value)
    records = 3 * _TAG + offsets.sizes + timestamps.sizes + contents + due.headers.sums(headers)
    heads = (
        _FRAME.itemsize + states.producer_ids.sizes + _PRODUCER.itemsize + states.base_offsets.sizes + _REST.itemsize
    )
    return _Sizes(heads + due.groups.sums(records), heads, records, headers, offsets, timestamps)


def _places(due: "Answers", sizes: _Sizes) -> _Places:
    batches = bounds(sizes.batches)
    records = _within(due.groups, batches[:-1] + sizes.heads, sizes.records)
    headers = _within(due.headers, records + sizes.records - due.headers.sums(sizes.headers), sizes.headers)
    return _Places(batches, records, headers)


def _within(groups: "Groups", starts: Integers, sizes: Integers) -> Integers:
    """Place items one after the other, from where those of their owner start."""
    upto = bounds(sizes)
    found: Integers = upto[:-1] + groups.each(starts - upto.take(groups.firsts))
    return found


def _headers(draft: "Draft", due: "Answers", at: Integers) -> None:
    keys = at + _HEADER.itemsize
    draft.contents.append((keys, due.header_key))
    _content(draft, keys + due.header_key.lengths, due.header_value)
    rows = np.empty(at.size, _HEADER)
    _fill(rows["pair"], _TUPLE, 2)
    _fill(rows["key"], _TEXT, due.header_key.lengths)
    _rows(draft, at, rows)


def _heads(draft: "Draft", counts: Integers, states: _States, at: Integers) -> None:
    frames = np.empty(at.size, _FRAME)
    for name, tag, count in (("runs", _LIST, 1), ("run", _TUPLE, 2), ("state", _TUPLE, len(STATE))):
        _fill(frames[name], tag, count)
    _rows(draft, at, frames)
    at = _integer(draft, at + _FRAME.itemsize, states.producer_ids)
    producers = np.empty(at.size, _PRODUCER)
    for name in ("producer_epoch", "base_sequence"):
        _fill(producers[name], _INT, states.others[name])
    _rows(draft, at, producers)
    at = _integer(draft, at + _PRODUCER.itemsize, states.base_offsets)
    rows = np.empty(at.size, _REST)
    for name in ("transactional", "control"):
        rows[name] = np.where(states.others[name], _TRUE, _FALSE)
    _fill(rows["codec"], _INT, states.others.get("codec", 0))
    _fill(rows["rows"], _LIST, counts)
    _rows(draft, at, rows)


def _records(draft: "Draft", due: "Answers", sizes: _Sizes, at: Integers) -> None:
    _tagged(draft, at, _TUPLE, len(ROW))
    at = _integer(draft, _integer(draft, at + _TAG, sizes.offsets), sizes.timestamps)
    _tagged(draft, at, _INT, due.numbers["timestamp_type"])
    at = _content(draft, _content(draft, at + _TAG, due.key), due.value)
    _tagged(draft, at, _LIST, due.headers.counts)


def _content(draft: "Draft", at: Integers, contents: "Contents") -> Integers:
    """Write bytes or a null; return what is behind."""
    null = contents.lengths < 0
    _tagged(draft, at, np.where(null, _NONE, _BYTES), contents.lengths)
    begin = at + np.where(null, 1, _TAG)
    draft.contents.append((begin, contents))
    return begin + np.maximum(contents.lengths, 0)


def _content_sizes(contents: "Contents") -> Integers:
    found: Integers = np.where(contents.lengths < 0, 1, contents.lengths + _TAG)
    return found


def _integer(draft: "Draft", at: Integers, integers: _Integers) -> Integers:
    """Write integers; return what is behind."""
    numbers, far, magnitudes, digits, sizes = integers
    _tagged(draft, at, _INT, numbers)
    rows = np.empty(far.size, _FAR)
    rows["tag"], rows["number"] = _LONG, np.where(numbers[far] < 0, -digits, digits)
    for place in range(_MOST_DIGITS):
        rows["digits"][:, place] = (magnitudes >> np.uint64(_DIGIT_BITS * place)) & _DIGIT
    _rows(draft, at[far], rows)
    return at + sizes


def _measured(numbers: Integers) -> _Integers:
    (far,) = ((numbers + _INT32).view(np.uint64) >= 2 * _INT32).nonzero()
    magnitudes = np.abs(numbers[far]).view(np.uint64)
    digits = np.full(far.size, _MOST_DIGITS - len(_MORE_DIGITS))
    for border in _MORE_DIGITS:
        digits += magnitudes >= border
    sizes = np.full(numbers.size, _TAG)
    sizes[far] += 2 * digits
    return _Integers(numbers, far, magnitudes, digits, sizes)


def _tagged(draft: "Draft", at: Integers, tag: "int | NDArray[np.int64]", number: int | Integers) -> None:
    rows = np.empty(at.size, _TAGGED)
    _fill(rows, tag, number)
    _rows(draft, at, rows)


def _fill(rows: "NDArray[np.void]", tag: "int | NDArray[np.int64]", number: int | Integers) -> None:
    rows["tag"], rows["number"] = tag, number


def _rows(draft: "Draft", at: Integers, rows: "NDArray[np.void]") -> None:

    draft.others.append((octets.write_rows, at, rows))
