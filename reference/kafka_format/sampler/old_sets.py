"""Message sets of 0.7, fetched at offset 0: messages, and in half of the sets one wrapper behind them.

All are valid. Messages have the magic 0, which knows no codec, or 1. Offsets are byte positions: behind each message,
and those of a wrapper's messages but the last where the wrapper begins.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kafka_format import compression
from kafka_format.columnar.arrays import Groups, Ints, Words
from kafka_format.columnar.plans import plan
from kafka_format.records import v07
from kafka_format.sampler.answers import Answers
from kafka_format.sampler.attributes import attributes
from kafka_format.sampler.bodies import Body, Shape, draw_body
from kafka_format.sampler.compressing import compressed
from kafka_format.sampler.hashing import draw, mix
from kafka_format.sampler.numbers import below, one_in, pick
from kafka_format.sampler.packing import Packed, pack
from kafka_format.sampler.parts import Part, joined, pieces, valid
from kafka_format.sampler.pool import Contents
from kafka_format.sampler.profiles import NONE, NULL, Profile, without_headers

_NAME: Final = "v07_entry"


def make(keys: Words, profile: Profile) -> Part:
    """Make one message set for each key."""
    body = _drawn(keys, profile)
    codecs = _draw_codecs(keys, profile)
    words = draw(keys, "wrapper_07.place")
    plain = np.where(
        codecs > 0, np.where(one_in(words, 2), 0, below(mix(words), body.groups.counts)), body.groups.counts
    )
    wrapped = body.groups.places >= body.groups.each(plain)
    entries = _messages(body)
    sizes = np.array([len(entry) for entry in entries], np.int64)
    begins = body.groups.sums(np.where(wrapped, 0, sizes))
    sets = _sets(keys, entries, body.groups, plain, codecs)
    ends = np.where(wrapped, body.groups.each(begins), body.groups.running(sizes))
    if ends.size:
        ends[body.groups.ends - 1] = np.array([len(one) for one in sets], np.int64)
    inner = np.where(wrapped, body.groups.each(codecs), 0)
    return valid(joined(sets), _answers(body, ends, inner), "v07", codecs)


def _drawn(keys: Words, profile: Profile) -> Body:
    """Draw messages; the payload of each is the value of a record, and never null."""
    nothing = np.zeros(keys.size, np.bool_)
    counts = pick(draw(keys, "message_set_07.count"), profile.sizes.records)
    body = draw_body(keys, without_headers(profile.sizes), Shape(counts, nothing, nothing))
    key = Contents(body.key.source, body.key.starts, np.full(body.key.lengths.size, NULL))
    value = Contents(body.value.source, body.value.starts, np.maximum(body.value.lengths, 0))
    return body._replace(key=key, value=value)


def _draw_codecs(keys: Words, profile: Profile) -> Ints:
    numbers = np.array([compression.NAMES.index(codec) for codec in profile.codecs if codec in v07.CODECS])
    words = draw(keys, "message_set_07.codec")
    return np.where(one_in(words, 2), 0, pick(words, numbers))


def _messages(body: Body) -> list[bytes]:
    """Write every message as an entry."""
    old = one_in(draw(body.keys, "message_07.magic"), 4)
    found: list[bytes] = [b""] * old.size
    for magic, lanes in enumerate((np.flatnonzero(old), np.flatnonzero(~old))):
        payload = Contents(body.value.source, body.value.starts[lanes], body.value.lengths[lanes])
        for lane, entry in zip(lanes.tolist(), pieces(_pack(body.keys[lanes], magic, payload)), strict=True):
            found[lane] = entry
    return found


def _pack(keys: Words, magic: int, payload: Contents, codecs: Ints | None = None) -> Packed:
    marks = {"codec": np.zeros(keys.size, np.int64) if codecs is None else codecs}
    drawn = {"attributes": attributes("v07_message_1", marks, keys)} if magic else {}
    return pack(plan(_NAME, magic), keys.size, {**drawn, "payload": payload})


def _sets(keys: Words, entries: list[bytes], groups: Groups, plain: Ints, codecs: Ints) -> list[bytes]:
    """Put the entries of each set together, those behind the plain ones in a wrapper."""
    firsts, middles, ends = groups.firsts.tolist(), (groups.firsts + plain).tolist(), groups.ends.tolist()
    sets = [b"".join(entries[first:middle]) for first, middle in zip(firsts, middles, strict=True)]
    lanes = np.flatnonzero(codecs)
    inside = [b"".join(entries[middles[lane] : ends[lane]]) for lane in lanes.tolist()]
    value = compressed(inside, codecs[lanes], magic=0)
    wrappers = _pack(keys[lanes], 1, value, codecs[lanes])
    for lane, wrapper in zip(lanes.tolist(), pieces(wrappers), strict=True):
        sets[lane] += wrapper
    return sets


def _answers(body: Body, offsets: Ints, codecs: Ints) -> Answers:
    none = np.full(offsets.size, NONE)
    names = ("timestamp", "timestamp_type", "producer_id", "producer_epoch", "sequence")
    return body.answers(
        {"offset": offsets, **dict.fromkeys(names, none), "flags": np.zeros_like(none), "codec": codecs}
    )
