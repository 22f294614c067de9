"""Message sets (v0 and v1): messages one after the other, or compressed in one wrapper.

All are valid. Plain messages have a timestamp type each; in a wrapper the wrapper's counts, and
with log append time its timestamp too (KIP-32). Inner offsets are absolute in v0 and relative in v1
(KIP-31). Rarely a wrapper has what readers must put up with: a key; in v0 an offset that is not
that of its last message; in v1 the offset 0, which makes the inner offsets absolute (KAFKA-5365).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from kafka_format import compression
from kafka_format.columnar.arrays import Flags, Ints, Words
from kafka_format.columnar.plans import plan
from kafka_format.sampler.answers import Answers
from kafka_format.sampler.attributes import attributes
from kafka_format.sampler.contents import Contents, compress, noise_and_texture
from kafka_format.sampler.encoder import Column, Encoded, encode, join
from kafka_format.sampler.hashing import draw, mix
from kafka_format.sampler.numbers import FAR_TIMESTAMPS, flags, one_in, pick, timestamps, whole
from kafka_format.sampler.profiles import NONE, NULL, Profile, without_headers
from kafka_format.sampler.records import LAST_OFFSET, Records, Shape, draw_records
from kafka_format.sampler.samples import Samples, sound

_RARELY: Final = 16
_WRAPPER_KEY: Final = 5


class _Stamps(NamedTuple):
    """Timestamps and their types."""

    times: Ints
    types: Ints


class _Offsets(NamedTuple):
    """Offsets of messages as written, of wrappers as written, and as a decoder must answer them."""

    written: Ints
    wrappers: Ints
    answers: Ints


def make(keys: Words, profile: Profile, magic: int) -> Samples:
    """Make one message set of that magic for each key."""
    codecs = _draw_codecs(keys, profile)
    records = draw_records(keys, without_headers(profile.sizes), _draw_shape(keys, profile))
    offsets = _draw_offsets(keys, records, codecs > 0, magic)
    far = one_in(draw(keys, "message_set.timestamps"), FAR_TIMESTAMPS)
    own = _Stamps(
        times=timestamps(draw(records.keys, "message.timestamp"), records.groups.each(far)),
        types=flags(one_in(draw(records.keys, "message.timestamp_type"), 4)),
    )
    wrappers = _draw_wrapper_stamps(keys, records, own, far)
    messages = _encode(records.keys, magic, offsets.written, np.zeros_like(own.types), own, records.key, records.value)
    sets = messages.runs(records.groups).cut()
    _wrap(sets, keys, magic, offsets.wrappers, codecs, wrappers)
    answers = _answers(records, magic, offsets.answers, codecs, own, wrappers)
    return sound(join(sets), answers, f"v{magic}", codecs)


def _draw_codecs(keys: Words, profile: Profile) -> Ints:
    """Draw codecs; more than half of the sets are plain."""
    numbers = np.array([compression.NAMES.index(codec) for codec in profile.codecs if codec != "zstd"])
    words = draw(keys, "message_set.codec")
    return np.where(one_in(words, 2), 0, pick(words, numbers))


def _draw_shape(keys: Words, profile: Profile) -> Shape:
    return Shape(
        counts=pick(draw(keys, "message_set.count"), profile.sizes.records),
        compacted=one_in(draw(keys, "message_set.compacted"), 4),
        marked=np.zeros(keys.size, np.bool_),
    )


def _draw_offsets(keys: Words, records: Records, wrapped: Flags, magic: int) -> _Offsets:
    each = records.groups.each
    last = records.groups.maxima(records.deltas, np.zeros_like(records.groups.counts))
    words = draw(keys, "wrapper.offset")
    rare = wrapped & one_in(words, _RARELY)
    base = np.minimum(whole(draw(keys, "message_set.offset"), 63), LAST_OFFSET - last)
    if magic == 0:
        offsets = each(base) + records.deltas
        return _Offsets(offsets, np.where(rare, whole(mix(words), 63), base + last), offsets)
    base = np.where(rare, 0, base)
    offsets = each(base) + records.deltas
    return _Offsets(np.where(each(wrapped), records.deltas, offsets), np.where(rare, 0, base + last), offsets)


def _draw_wrapper_stamps(keys: Words, records: Records, own: _Stamps, far: Flags) -> _Stamps:
    """Draw the stamps of wrappers: the append time, or the greatest timestamp inside."""
    append_time = timestamps(draw(keys, "wrapper.timestamp"), far)
    types = flags(one_in(draw(keys, "wrapper.timestamp_type"), 4))
    return _Stamps(np.where(types, append_time, records.groups.maxima(own.times, append_time)), types)


def _encode(
    keys: Words, magic: int, offsets: Ints, codecs: Ints, stamps: _Stamps, key: Contents, value: Contents
) -> Encoded:
    """Encode messages, or wrappers, which are messages with a codec."""
    parts = {"codec": codecs}
    columns: dict[str, Column] = {"offset": offsets, "key": key, "value": value}
    if magic:
        parts["timestamp_type"], columns["timestamp"] = stamps.types, stamps.times
    columns["attributes"] = attributes(f"message_v{magic}", parts, keys)
    return encode(plan("message_set_entry", magic), keys.size, columns)


def _wrap(sets: list[bytes], keys: Words, magic: int, offsets: Ints, codecs: Ints, stamps: _Stamps) -> None:
    """Put a wrapper in the place of each set that has a codec."""
    wrapped = np.flatnonzero(codecs)
    value = compress([sets[place] for place in wrapped.tolist()], codecs[wrapped], magic=magic)
    words = draw(keys[wrapped], "wrapper.key")
    key = noise_and_texture(mix(words), np.where(one_in(words, _RARELY), _WRAPPER_KEY, NULL))
    mine = _Stamps(stamps.times[wrapped], stamps.types[wrapped])
    wrappers = _encode(keys[wrapped], magic, offsets[wrapped], codecs[wrapped], mine, key, value)
    for place, wrapper in zip(wrapped.tolist(), wrappers.cut(), strict=True):
        sets[place] = wrapper


def _answers(records: Records, magic: int, offsets: Ints, codecs: Ints, own: _Stamps, wrappers: _Stamps) -> Answers:
    each = records.groups.each
    none = np.full(records.groups.total, NONE)
    wrapped, types = each(codecs > 0), each(wrappers.types)
    appended = wrapped & (types > 0)
    stamps = _Stamps(np.where(appended, each(wrappers.times), own.times), np.where(wrapped, types, own.types))
    return records.answers({
        "offset": offsets,
        "timestamp": stamps.times if magic else none,
        "timestamp_type": stamps.types if magic else none,
        "producer_id": none,
        "producer_epoch": none,
        "sequence": none,
        "flags": np.zeros_like(none),
        "codec": each(codecs),
    })  # fmt: skip
