"""From random words to numbers that lean to the edges, and to timestamps.

A quarter of all integers come from a list of edges: 0, 1, and the numbers around the borders of
varint lengths and of integer widths. The others are log-uniform: each width in bits is as likely as
the next, so small numbers are as common as huge ones.

Timestamps are mostly near, as logs have them; far ones are in a quarter of all batches only. A
decoder that keeps nanoseconds in an int64 (Go's, for example) gets every timestamp after 2262
wrong. Were all batches to have such, that one finding would hide the others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Flags, Ints, Words
from kafka_format.primitives.integers import INT64_MAX

_JAVASCRIPT: Final = 53
"""Integers of more bits than this are not all exact in a double, which is what JavaScript and some
JSON readers use."""

LAST_TIMESTAMP: Final = INT64_MAX - 1
"""The greatest timestamp: its delta from -1 is the greatest that a varlong can hold."""

FAR_TIMESTAMPS: Final = 4
"""One batch in so many has far timestamps."""

_BITS: Final = 63
_NEAR: Final = 42
"""Milliseconds of so many bits reach into the year 2109."""


@cache
def edges(bits: int) -> Ints:
    """Return the edges among the non-negative numbers of so many bits."""
    borders = {7 * groups - 1 for groups in range(1, 10)} | {8 * octets - 1 for octets in range(1, 9)}
    around = {(1 << border) + step for border in borders | {bits, _JAVASCRIPT} for step in (-2, -1, 0, 1)}
    return np.array(sorted(number for number in {0, 1, 2} | around if 0 <= number < 1 << bits), np.int64)


def one_in(words: Words, chances: int) -> Flags:
    """True for one in so many words; `chances` is a power of two."""
    hits: Flags = words & (chances - 1 << 20) == 0
    return hits


def pick(words: Words, table: Ints) -> Ints:
    """Pick from a table, each place with the same chance."""
    return table.take((((words >> 32) * table.size) >> 32).view(np.int64))


def below(words: Words, limits: Ints) -> Ints:
    """Pick numbers from 0 to below each limit with equal chances. Limits are at most 2^40."""
    return (((words >> 40) * limits.view(np.uint64)) >> 24).view(np.int64)


def whole(words: Words, bits: int) -> Ints:
    """Pick a number from 0 to below 2^bits, leaning to the edges; `bits` is at most 63."""
    numbers = (words >> _shifts(bits).take((words & 63).view(np.int64))).view(np.int64)
    (here,) = one_in(words, 4).nonzero()
    table = edges(bits)
    numbers[here] = table.take(((words.take(here) >> 8) % table.size).view(np.int64))
    return numbers


@cache
def _shifts(bits: int) -> Words:
    """Return by a word's lowest 6 bits how far to shift it for a number of 1 to `bits` bits."""
    return 64 - bits + np.arange(64, dtype=np.uint64) % bits


def pick_signed(words: Words, bits: int) -> Ints:
    """Pick a number from -2^bits to below 2^bits, leaning to the edges; `bits` is at most 63."""
    return whole(words, bits) ^ -(words >> 19 & 1).view(np.int64)


def flags(bits: Flags) -> Ints:
    """Turn true into 1 and false into 0."""
    return bits.astype(np.int64)


def timestamps(words: Words, far: Flags) -> Ints:
    """Pick timestamps, -1 or more."""
    return _near_or_far(whole, words, far) - 1


def timestamp_deltas(words: Words, base: Ints, far: Flags) -> Ints:
    """Pick deltas of both signs whose sums with `base` are valid timestamps."""
    deltas = _near_or_far(pick_signed, words, far)
    (here,) = (base + deltas + 1 < 0).nonzero()  # also if the sum is beyond the greatest timestamp, and wraps
    wrong = deltas.take(here)
    deltas[here] = np.minimum(wrong ^ (wrong >> _BITS), LAST_TIMESTAMP) - base.take(here)  # another timestamp instead
    return deltas


def _near_or_far(draw_numbers: Callable[[Words, int], Ints], words: Words, far: Flags) -> Ints:
    numbers = draw_numbers(words, _NEAR)
    (here,) = far.nonzero()
    numbers[here] = draw_numbers(words.take(here), _BITS)
    return numbers
