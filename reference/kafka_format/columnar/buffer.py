"""A buffer, read at many places at once."""

from __future__ import annotations

from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Ints, Octets, Words
from kafka_format.columnar.byte_moves import octets, window

_WORD: Final = 8


class Buffer:
    """Bytes to read from.

    A place beyond the end gives the last byte; the reader finds out by comparing positions.

    Attributes:
        data: the bytes.
        octets: the same as an array.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.octets: Octets = octets(data)

    def bytes_at(self, at: Ints) -> Octets:
        """Read one byte at each place."""
        return self.octets.take(at, mode="clip")

    def words_at(self, at: Ints) -> Words:
        """Read eight bytes at each place, the first of them lowest; zeros stand past the end.

        The buffer has at least eight bytes.
        """
        last = self.octets.size - _WORD
        inside = np.maximum.reduce(at, initial=0) <= last
        placed = at if inside else np.minimum(at, last)
        words: Words = window(self.octets, _WORD)[placed].view("<u8").astype(np.uint64, copy=False)
        if inside:
            return words
        (beyond,) = (at > last).nonzero()
        missing = np.minimum(at[beyond] - last, _WORD)
        words[beyond] >>= (8 * missing).view(np.uint64)  # by 64 gives 0
        return words
