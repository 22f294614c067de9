"""Timestamps: mostly near, as logs have them; far ones in a quarter of all batches only.

A decoder that keeps nanoseconds in an int64 (Go's, for example) gets every timestamp after 2262 wrong. Were all
batches to have such, that one finding would hide the others.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Flags, Ints, Words
from kafka_format.sampler.numbers import signed, whole

LAST_TIMESTAMP: Final = (1 << 63) - 2
"""The greatest timestamp: its delta from -1 is the greatest that a varlong can hold."""

FAR: Final = 4
"""One batch in so many has far timestamps."""

_BITS: Final = 63
_NEAR: Final = 42
"""Milliseconds of so many bits reach into the year 2109."""


def timestamps(words: Words, far: Flags) -> Ints:
    """Pick timestamps, -1 or more."""
    return np.where(far, whole(words, _BITS), whole(words, _NEAR)) - 1


def timestamp_deltas(words: Words, base: Ints, far: Flags) -> Ints:
    """Pick deltas of both signs whose sums with `base` are valid timestamps."""
    deltas = np.where(far, signed(words, _BITS), signed(words, _NEAR))
    valid = (deltas >= -1 - base) & (deltas <= LAST_TIMESTAMP - base)
    instead = np.minimum(deltas ^ (deltas >> _BITS), LAST_TIMESTAMP)  # another timestamp, since this one is none
    return np.where(valid, deltas, instead - base)
