"""Timestamps: mostly near, as logs have them; far ones in a quarter of all batches only.

A decoder that keeps nanoseconds in an int64 (Go's, for example) gets every timestamp after 2262 wrong. Were all
batches to have such, that one finding would hide the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Flags, Ints, Words
from kafka_format.primitives.integers import INT64_MAX
from kafka_format.sampler.numbers import signed, whole

LAST_TIMESTAMP: Final = INT64_MAX - 1
"""The greatest timestamp: its delta from -1 is the greatest that a varlong can hold."""

FAR: Final = 4
"""One batch in so many has far timestamps."""

_BITS: Final = 63
_NEAR: Final = 42
"""Milliseconds of so many bits reach into the year 2109."""


def timestamps(words: Words, far: Flags) -> Ints:
    """Pick timestamps, -1 or more."""
    return _near_or_far(whole, words, far) - 1


def timestamp_deltas(words: Words, base: Ints, far: Flags) -> Ints:
    """Pick deltas of both signs whose sums with `base` are valid timestamps."""
    deltas = _near_or_far(signed, words, far)
    (here,) = (base + deltas + 1 < 0).nonzero()  # also if the sum is beyond the greatest timestamp, and wraps
    wrong = deltas.take(here)
    deltas[here] = np.minimum(wrong ^ (wrong >> _BITS), LAST_TIMESTAMP) - base.take(here)  # another timestamp instead
    return deltas


def _near_or_far(pick: Callable[[Words, int], Ints], words: Words, far: Flags) -> Ints:
    numbers = pick(words, _NEAR)
    (here,) = far.nonzero()
    numbers[here] = pick(words.take(here), _BITS)
    return numbers
