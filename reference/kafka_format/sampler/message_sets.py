"""Message sets (v0 and v1): messages one after the other, or compressed in one wrapper.

All are valid. Plain messages have a timestamp type each; in a wrapper the wrapper's counts, and with log append time
its timestamp too (KIP-32). Inner offsets are absolute in v0 and relative in v1 (KIP-31). Rarely a wrapper has what
readers must put up with: a key; in v0 an offset that is not that of its last message; in v1 the offset 0, which makes
the inner offsets absolute (KAFKA-5365).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from kafka_format import compression
from kafka_format.columnar.arrays import Flags, Ints, Words
from kafka_format.columnar.plans import plan
from kafka_format.sampler.answers import Answers
from kafka_format.sampler.attributes import attributes
from kafka_format.sampler.bodies import LAST_OFFSET, Body, Shape, draw_body
from kafka_format.sampler.compressing import compressed
from kafka_format.sampler.hashing import draw, mix
from kafka_format.sampler.numbers import flags, one_in, pick, whole
from kafka_format.sampler.packing import Column, Packed, pack
from kafka_format.sampler.parts import Part, joined, pieces, valid
from kafka_format.sampler.pool import Contents, noise_and_texture
from kafka_format.sampler.profiles import NONE, NULL, Profile, without_headers
from kafka_format.sampler.timestamps import FAR, timestamps

_RARELY: Final = 16
_WRAPPER_KEY: Final = 5


class _Stamps(NamedTuple):
    """Timestamps and their types."""

    times: Ints
    types: Ints


class _Offsets(NamedTuple):
    """Offsets as messages have them in their bytes, as wrappers have them, and as a decoder must answer."""

    written: Ints
    wrappers: Ints
    answers: Ints


def make(keys: Words, profile: Profile, magic: int) -> Part:
    """Make one message set of that magic for each key."""
    codecs = _draw_codecs(keys, profile)
    body = draw_body(keys, without_headers(profile.sizes), _draw_shape(keys, profile))
    offsets = _draw_offsets(keys, body, codecs > 0, magic)
    far = one_in(draw(keys, "message_set.timestamps"), FAR)
    own = _Stamps(
        times=timestamps(draw(body.keys, "message.timestamp"), body.groups.each(far)),
        types=flags(one_in(draw(body.keys, "message.timestamp_type"), 4)),
    )
    wrappers = _draw_wrapper_stamps(keys, body, own, far)
    messages = _pack(body.keys, magic, offsets.written, np.zeros_like(own.types), own, body.key, body.value)
    sets = pieces(messages.runs(body.groups))
    _wrap(sets, keys, magic, offsets.wrappers, codecs, wrappers)
    found = _answers(body, magic, offsets.answers, codecs, own, wrappers)
    return valid(joined(sets), found, f"v{magic}", codecs)


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


def _draw_offsets(keys: Words, body: Body, wrapped: Flags, magic: int) -> _Offsets:
    each = body.groups.each
    last = body.groups.maxima(body.deltas, np.zeros_like(body.groups.counts))
    words = draw(keys, "wrapper.offset")
    rare = wrapped & one_in(words, _RARELY)
    base = np.minimum(whole(draw(keys, "message_set.offset"), 63), LAST_OFFSET - last)
    if magic == 0:
        found = each(base) + body.deltas
        return _Offsets(found, np.where(rare, whole(mix(words), 63), base + last), found)
    base = np.where(rare, 0, base)
    found = each(base) + body.deltas
    return _Offsets(np.where(each(wrapped), body.deltas, found), np.where(rare, 0, base + last), found)


def _draw_wrapper_stamps(keys: Words, body: Body, own: _Stamps, far: Flags) -> _Stamps:
    """Draw the stamps of wrappers: the append time, or the greatest timestamp inside."""
    append_time = timestamps(draw(keys, "wrapper.timestamp"), far)
    types = flags(one_in(draw(keys, "wrapper.timestamp_type"), 4))
    return _Stamps(np.where(types, append_time, body.groups.maxima(own.times, append_time)), types)


def _pack(
    keys: Words, magic: int, offsets: Ints, codecs: Ints, stamps: _Stamps, key: Contents, value: Contents
) -> Packed:
    """Write messages, or wrappers, which are messages with a codec."""
    parts = {"codec": codecs}
    columns: dict[str, Column] = {"offset": offsets, "key": key, "value": value}
    if magic:
        parts["timestamp_type"], columns["timestamp"] = stamps.types, stamps.times
    columns["attributes"] = attributes(f"message_v{magic}", parts, keys)
    return pack(plan("message_set_entry", magic), keys.size, columns)


def _wrap(sets: list[bytes], keys: Words, magic: int, offsets: Ints, codecs: Ints, stamps: _Stamps) -> None:
    """Put a wrapper in the place of each set that has a codec."""
    lanes = np.flatnonzero(codecs)
    value = compressed([sets[lane] for lane in lanes.tolist()], codecs[lanes], magic=magic)
    words = draw(keys[lanes], "wrapper.key")
    key = noise_and_texture(mix(words), np.where(one_in(words, _RARELY), _WRAPPER_KEY, NULL))
    mine = _Stamps(stamps.times[lanes], stamps.types[lanes])
    wrappers = _pack(keys[lanes], magic, offsets[lanes], codecs[lanes], mine, key, value)
    for lane, wrapper in zip(lanes.tolist(), pieces(wrappers), strict=True):
        sets[lane] = wrapper


def _answers(body: Body, magic: int, offsets: Ints, codecs: Ints, own: _Stamps, wrappers: _Stamps) -> Answers:
    each = body.groups.each
    none = np.full(body.groups.total, NONE)
    wrapped, types = each(codecs > 0), each(wrappers.types)
    appended = wrapped & (types > 0)
    stamps = _Stamps(np.where(appended, each(wrappers.times), own.times), np.where(wrapped, types, own.types))
    return body.answers({
        "offset": offsets,
        "timestamp": stamps.times if magic else none,
        "timestamp_type": stamps.types if magic else none,
        "producer_id": none,
        "producer_epoch": none,
        "sequence": none,
        "flags": np.zeros_like(none),
        "codec": each(codecs),
    })  # fmt: skip
