"""Which of many contents are not UTF-8.

ASCII is recognised by whole words; the rest is read one by one.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Flags, Ints, Words
from kafka_format.columnar.buffer import Buffer
from kafka_format.columnar.slices import Slices

_WORD: Final = 8
_LONG: Final = 64
"""Longer texts are not looked at by words: it takes a step a word, however few texts there are."""

_COUNTING: Final = np.array([0x8080808080808080 >> 8 * (_WORD - count) for count in range(_WORD + 1)], np.uint64)
"""The highest bits of the first bytes of a word, by how many of them count."""


def doubtful_texts(buffer: Buffer, contents: Slices) -> Ints:
    """Return the indices of the contents that may not be UTF-8."""
    (doubtful,) = _not_ascii(buffer, *contents).nonzero()
    return doubtful


def not_utf8(buffer: Buffer, contents: Slices, rows: Ints, limits: Ints | int) -> Ints:
    """Return which contents are not UTF-8.

    Args:
        buffer: the buffer.
        contents: slices of it.
        rows: indices of those that are looked at.
        limits: a position for each row, or for all; contents that go on beyond it are left out.
    """
    starts = contents.starts[rows]
    ends = starts + contents.lengths[rows]
    (here,) = (ends <= limits).nonzero()
    wrong = []
    for row, start, end in zip(rows[here].tolist(), starts[here].tolist(), ends[here].tolist(), strict=True):
        try:
            buffer.data[start:end].decode()
        except UnicodeDecodeError:
            wrong.append(row)
    return np.array(wrong, np.int64)


def _not_ascii(buffer: Buffer, starts: Ints, lengths: Ints) -> Flags:
    """Return where contents have a byte above 127, or are too long to be looked at."""
    doubtful = _high(buffer.words_at(starts), lengths)
    (here,) = (lengths > _WORD).nonzero()
    passed = _WORD
    while here.size and passed < _LONG:
        doubtful[here] |= _high(buffer.words_at(starts[here] + passed), lengths[here] - passed)
        passed += _WORD
        here = here[lengths[here] > passed]
    doubtful[here] = True
    return doubtful


def _high(words: Words, lengths: Ints) -> Flags:
    """Return where a word has a byte above 127 among the first `lengths` of its bytes."""
    high: Flags = words & _COUNTING.take(lengths, mode="clip") != 0
    return high
