"""Message sets of 0.7, fetched at offset 0: messages, and in half of the sets a wrapper after them.

All are valid. Messages have the magic 0, which knows no codec, or 1. Offsets are byte positions:
after each message, and those of a wrapper's messages but the last where the wrapper begins.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kafka_format import compression
from kafka_format.columnar.arrays import Ints, RowGroups, Words
from kafka_format.columnar.plans import plan
from kafka_format.records import v07
from kafka_format.sampler.answers import Answers
from kafka_format.sampler.attributes import attributes
from kafka_format.sampler.contents import Contents, compress
from kafka_format.sampler.encoder import Encoded, encode, join
from kafka_format.sampler.hashing import draw, mix
from kafka_format.sampler.numbers import below, one_in, pick
from kafka_format.sampler.profiles import NONE, NULL, Profile, without_headers
from kafka_format.sampler.records import Records, Shape, draw_records
from kafka_format.sampler.samples import Samples, sound

_NAME: Final = "v07_entry"


def make(keys: Words, profile: Profile) -> Samples:
    """Make one message set for each key."""
    records = _draw_records(keys, profile)
    codecs = _draw_codecs(keys, profile)
    words = draw(keys, "wrapper_07.place")
    counts = records.groups.counts
    plain = np.where(codecs > 0, np.where(one_in(words, 2), 0, below(mix(words), counts)), counts)
    wrapped = records.groups.places >= records.groups.each(plain)
    entries = _messages(records)
    sizes = np.array([len(entry) for entry in entries], np.int64)
    begins = records.groups.sums(np.where(wrapped, 0, sizes))
    sets = _sets(keys, entries, records.groups, plain, codecs)
    ends = np.where(wrapped, records.groups.each(begins), records.groups.running(sizes))
    if ends.size:
        ends[records.groups.ends - 1] = np.array([len(data) for data in sets], np.int64)
    inner = np.where(wrapped, records.groups.each(codecs), 0)
    return sound(join(sets), _answers(records, ends, inner), "v07", codecs)


def _draw_records(keys: Words, profile: Profile) -> Records:
    """Draw messages; the payload of each is the value of a record, and never null."""
    nothing = np.zeros(keys.size, np.bool_)
    counts = pick(draw(keys, "message_set_07.count"), profile.sizes.records)
    records = draw_records(keys, without_headers(profile.sizes), Shape(counts, nothing, nothing))
    key = records.key._replace(lengths=np.full(records.groups.total, NULL))
    value = records.value._replace(lengths=np.maximum(records.value.lengths, 0))
    return records._replace(key=key, value=value)


def _draw_codecs(keys: Words, profile: Profile) -> Ints:
    numbers = np.array([compression.NAMES.index(codec) for codec in profile.codecs if codec in v07.CODECS])
    words = draw(keys, "message_set_07.codec")
    return np.where(one_in(words, 2), 0, pick(words, numbers))


def _messages(records: Records) -> list[bytes]:
    """Encode every message as an entry."""
    old = one_in(draw(records.keys, "message_07.magic"), 4)
    entries: list[bytes] = [b""] * old.size
    for magic, rows in enumerate((np.flatnonzero(old), np.flatnonzero(~old))):
        encoded = _encode(records.keys[rows], magic, records.value.take(rows))
        for row, entry in zip(rows.tolist(), encoded.cut(), strict=True):
            entries[row] = entry
    return entries


def _encode(keys: Words, magic: int, payload: Contents, codecs: Ints | None = None) -> Encoded:
    marks = {"codec": np.zeros(keys.size, np.int64) if codecs is None else codecs}
    drawn = {"attributes": attributes("v07_message_1", marks, keys)} if magic else {}
    return encode(plan(_NAME, magic), keys.size, {**drawn, "payload": payload})


def _sets(keys: Words, entries: list[bytes], groups: RowGroups, plain: Ints, codecs: Ints) -> list[bytes]:
    """Put the entries of each set together, those after the plain ones in a wrapper."""
    firsts, middles, ends = groups.firsts.tolist(), (groups.firsts + plain).tolist(), groups.ends.tolist()
    sets = [b"".join(entries[first:middle]) for first, middle in zip(firsts, middles, strict=True)]
    wrapped = np.flatnonzero(codecs)
    inside = [b"".join(entries[middles[place] : ends[place]]) for place in wrapped.tolist()]
    value = compress(inside, codecs[wrapped], magic=0)
    wrappers = _encode(keys[wrapped], 1, value, codecs[wrapped])
    for place, wrapper in zip(wrapped.tolist(), wrappers.cut(), strict=True):
        sets[place] += wrapper
    return sets


def _answers(records: Records, offsets: Ints, codecs: Ints) -> Answers:
    none = np.full(offsets.size, NONE)
    names = ("timestamp", "timestamp_type", "producer_id", "producer_epoch", "sequence")
    return records.answers(
        {"offset": offsets, **dict.fromkeys(names, none), "flags": np.zeros_like(none), "codec": codecs}
    )
