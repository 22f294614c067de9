"""Record batches (v2) with their answers. The columns are drawn once; both are encoded from them.

All batches are valid, so that each disagreement is a finding. Offsets are 0 or more and leave room
for the next one; timestamps are -1 or more, as writers make them (readers take any negative one); a
transaction or a sequence has a producer; control batches are transaction markers as the broker
writes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from kafka_format import compression
from kafka_format.columnar.arrays import Ints, Words
from kafka_format.columnar.plans import plan
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.sampler.answers import Answers
from kafka_format.sampler.attributes import attributes, combine
from kafka_format.sampler.contents import compress
from kafka_format.sampler.encoder import Columns, Items, Payloads, encode
from kafka_format.sampler.hashing import draw
from kafka_format.sampler.numbers import FAR_TIMESTAMPS, flags, one_in, pick, timestamp_deltas, timestamps, whole
from kafka_format.sampler.profiles import NONE, Profile
from kafka_format.sampler.records import DELTAS, LAST_OFFSET, Records, Shape, draw_records
from kafka_format.sampler.samples import Samples, sound

LAST_SEQUENCE: Final = INT32_MAX
"""The greatest sequence; after it comes 0 (clients DefaultRecordBatch.incrementSequence)."""

_MARKERS: Final = 64
"""One batch in so many is a transaction marker."""


class _Times(NamedTuple):
    """Timestamps: two of each batch, a delta for each record, and what a decoder must answer."""

    base: Ints
    greatest: Ints
    deltas: Ints
    answers: Ints


def make(keys: Words, profile: Profile) -> Samples:
    """Make one batch for each key."""
    shape, codecs = _draw_shape(keys, profile)
    records = draw_records(keys, profile.sizes, shape)
    marks = _draw_marks(keys, shape, codecs)
    times = _draw_times(keys, records, marks["timestamp_type"])
    batch = _draw_batch(keys, records, shape, marks["is_transactional"])
    batch |= {
        "attributes": attributes("record_batch", marks, keys),
        "base_timestamp": times.base,
        "max_timestamp": times.greatest,
    }
    items = _items(records, times, codecs)
    batches = encode(plan("record_batch"), keys.size, {**batch, "records": items})
    if isinstance(items, Items):
        records = records.with_contents(batches.contents)
    return sound(batches, _answers(records, times, batch, marks), "v2", codecs)


def _draw_shape(keys: Words, profile: Profile) -> tuple[Shape, Ints]:
    """Return the shapes of batches and their codecs.

    Empty batches and markers are not compressed.
    """
    marked = one_in(draw(keys, "record_batch.is_control"), _MARKERS)
    counts = np.where(marked, 1, pick(draw(keys, "record_batch.record_count"), profile.sizes.records))
    compacted = one_in(draw(keys, "record_batch.compacted"), 4) & ~marked
    numbers = np.array([compression.NAMES.index(codec) for codec in profile.codecs])
    codecs = pick(draw(keys, "record_batch.codec"), numbers)
    return Shape(counts, compacted, marked), np.where(marked | (counts == 0), 0, codecs)


def _draw_marks(keys: Words, shape: Shape, codecs: Ints) -> dict[str, Ints]:
    """Draw the parts of the attributes."""
    return {
        "codec": codecs,
        "timestamp_type": flags(one_in(draw(keys, "record_batch.timestamp_type"), 4) & ~shape.marked),
        "is_transactional": flags(one_in(draw(keys, "record_batch.is_transactional"), 4) | shape.marked),
        "is_control": flags(shape.marked),
        "has_delete_horizon": flags(one_in(draw(keys, "record_batch.has_delete_horizon"), 8) & (shape.counts > 0)),
    }


def _draw_times(keys: Words, records: Records, appended: Ints) -> _Times:
    empty, each = records.groups.counts == 0, records.groups.each
    far = one_in(draw(keys, "record_batch.timestamps"), FAR_TIMESTAMPS)
    base = np.where(empty, NONE, timestamps(draw(keys, "record_batch.base_timestamp"), far))
    own_base = each(base)
    deltas = timestamp_deltas(draw(records.keys, "record.timestamp_delta"), own_base, each(far))
    created = own_base + deltas
    append_time = timestamps(draw(keys, "record_batch.max_timestamp"), far)
    greatest = np.where(appended, append_time, records.groups.maxima(created, append_time))
    return _Times(base, greatest, deltas, np.where(each(appended), each(greatest), created))


def _draw_batch(keys: Words, records: Records, shape: Shape, transactional: Ints) -> dict[str, Ints]:
    """Draw what a batch says of its offsets and of its producer."""
    last = records.groups.maxima(records.deltas, np.full(keys.size, -1))
    cut = np.where(shape.compacted, whole(draw(keys, "record_batch.last_offset_delta"), 31), 0)
    last_offset_delta = np.maximum(last + np.minimum(cut, DELTAS - 1 - last), 0)
    produced = (transactional > 0) | one_in(draw(keys, "record_batch.producer"), 2)
    sequenced = produced & ~shape.marked & ~one_in(draw(keys, "record_batch.sequence"), 8)
    return {
        "base_offset": np.minimum(whole(draw(keys, "record_batch.base_offset"), 63), LAST_OFFSET - last_offset_delta),
        "partition_leader_epoch": whole(draw(keys, "record_batch.partition_leader_epoch"), 31) - 1,
        "last_offset_delta": last_offset_delta,
        "producer_id": np.where(produced, whole(draw(keys, "record_batch.producer_id"), 63), NONE),
        "producer_epoch": np.where(produced, whole(draw(keys, "record_batch.producer_epoch"), 15), NONE),
        "base_sequence": np.where(sequenced, whole(draw(keys, "record_batch.base_sequence"), 31), NONE),
    }


def _items(records: Records, times: _Times, codecs: Ints) -> Items | Payloads:
    """Return the records of the batches, as columns or, if there are codecs, compressed."""
    columns: Columns = {
        "attributes": attributes("record", {}, records.keys),
        "timestamp_delta": times.deltas,
        "offset_delta": records.deltas,
        "key": records.key,
        "value": records.value,
        "headers": Items(records.headers, {"key": records.header_key, "value": records.header_value}),
    }
    if not codecs.any():
        return Items(records.groups, columns)
    payloads = encode(plan("record"), records.groups.total, columns).runs(records.groups)
    return Payloads(records.groups.counts, compress(payloads.cut(), codecs, magic=2))


def _answers(records: Records, times: _Times, batch: Mapping[str, Ints], marks: Mapping[str, Ints]) -> Answers:
    """Say what a decoder must answer."""
    each = records.groups.each
    first = each(batch["base_sequence"])
    applied = {"transactional": marks["is_transactional"], "control": marks["is_control"]}
    return records.answers({
        "offset": each(batch["base_offset"]) + records.deltas,
        "timestamp": times.answers,
        "timestamp_type": each(marks["timestamp_type"]),
        "producer_id": each(batch["producer_id"]),
        "producer_epoch": each(batch["producer_epoch"]),
        "sequence": np.where(first < 0, NONE, (first + records.deltas) & LAST_SEQUENCE),
        "flags": each(combine("answer_record", "flags", applied)),
        "codec": each(marks["codec"]),
    })  # fmt: skip
