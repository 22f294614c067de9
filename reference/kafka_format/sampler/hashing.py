"""Random bits without state: every draw is a hash of who asks for what.

    mix(x)     = splitmix64's finaliser:
                 x ^= x >> 30; x *= bf58476d1ce4e5b9; x ^= x >> 27; x *= 94d049bb133111eb;
                 x ^= x >> 31
    name(text) = FNV-1a of the UTF-8 text:
                 h = cbf29ce484222325; for each byte: h ^= byte; h *= 100000001b3
    batch key  = mix(mix(seed + name(profile)) + (index + 1) * 9e3779b97f4a7c15)
    record key = mix(batch key + (place + 1) * d1342543de82ef95),
                 and so from the record key that of a header
    draw       = mix(key + name("LAYOUT.FIELD")), or another name if it decides several fields

The finaliser is from Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
All is modulo 2^64, integers only. So batch i depends on nothing but (seed, profile, i), any
language can repeat it, and a field that is new in a layout changes no draw of the others.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Ints, Words

_WORD: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
_STEP: Final = 0xD1342543DE82EF95
_MIX_FIRST: Final = 0xBF58476D1CE4E5B9
_MIX_SECOND: Final = 0x94D049BB133111EB


def mix(words: Words, addend: int = 0) -> Words:
    """Mix each word and the addend thoroughly: one bit in changes half of the bits out."""
    words = words + addend if addend else words
    words = words ^ (words >> np.uint64(30))
    words *= _MIX_FIRST
    words ^= words >> 27
    words *= _MIX_SECOND
    words ^= words >> 31
    return words


@cache
def name(text: str) -> int:
    """Turn a name into a word."""
    word = 0xCBF29CE484222325
    for octet in text.encode():
        word = (word ^ octet) * 0x100000001B3 & _WORD
    return word


def batch_keys(seed: int, profile: str, start: int, count: int) -> Words:
    """Return the keys of the batches `start` to `start + count - 1`."""
    indices = np.arange(start + 1, start + count + 1, dtype=np.uint64)
    return mix(mix(np.full(1, (seed + name(profile)) & _WORD, np.uint64)) + indices * _GOLDEN)


def member_keys(keys: Words, places: Ints) -> Words:
    """Return keys of records or headers: of the key of each one's owner and its place there."""
    return mix(keys + (places.view(np.uint64) + 1) * _STEP)


def draw(keys: Words, field: str) -> Words:
    """Draw one word for each key."""
    return mix(keys, name(field))
