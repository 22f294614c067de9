"""From random words to numbers that lean to the edges.

A quarter of all integers come from a list of edges: 0, 1, and the numbers around the borders of varint lengths and of
integer widths. The others are log-uniform: each width in bits is as likely as the next, so small numbers are as common
as huge ones.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Flags, Ints, Words

_JAVASCRIPT: Final = 53
"""Integers of more bits than this are not all exact in a double, which is what JavaScript and some JSON readers use."""


@cache
def edges(bits: int) -> Ints:
    """Return the edges among the non-negative numbers of so many bits."""
    borders = {7 * groups - 1 for groups in range(1, 10)} | {8 * octets - 1 for octets in range(1, 9)}
    around = {(1 << border) + step for border in borders | {bits, _JAVASCRIPT} for step in (-2, -1, 0, 1)}
    return np.array(sorted(number for number in {0, 1, 2} | around if 0 <= number < 1 << bits), np.int64)


def one_in(words: Words, chances: int) -> Flags:
    """True for one in so many words; `chances` is a power of two."""
    hits: Flags = (words >> 20 & (chances - 1)) == 0
    return hits


def pick(words: Words, table: Ints) -> Ints:
    """Pick from a table, each place with the same chance."""
    return table[(((words >> 32) * table.size) >> 32).view(np.int64)]


def below(words: Words, limits: Ints) -> Ints:
    """Pick a number from 0 to below each limit, all with the same chance; limits are at most 2^40."""
    return (((words >> 40) * limits.view(np.uint64)) >> 24).view(np.int64)


def whole(words: Words, bits: int) -> Ints:
    """Pick a number from 0 to below 2^bits, leaning to the edges; `bits` is at most 63."""
    shifts = 64 - bits + (words & 63) % bits
    spread = (words >> shifts).view(np.int64)
    table = edges(bits)
    chosen = table[((words >> 8) % table.size).view(np.int64)]
    return np.where(one_in(words, 4), chosen, spread)


def signed(words: Words, bits: int) -> Ints:
    """Pick a number from -2^bits to below 2^bits, leaning to the edges; `bits` is at most 63."""
    numbers = whole(words, bits)
    return np.where(words >> 19 & 1, ~numbers, numbers)


def flags(bits: Flags) -> Ints:
    """Turn true into 1 and false into 0."""
    return bits.astype(np.int64)
