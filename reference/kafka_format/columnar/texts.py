"""Which of many contents are no UTF-8: ASCII is told by whole words, the rest is read one by one."""

from __future__ import annotations

from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Flags, Ints, Words
from kafka_format.columnar.varints import Source

_WORD: Final = 8
_LONG: Final = 64
"""Longer texts are not looked at by words: it takes a step a word, however few texts there are."""

_COUNTING: Final = np.array([0x8080808080808080 >> 8 * (_WORD - count) for count in range(_WORD + 1)], np.uint64)
"""The highest bits of the first bytes of a word, by how many of them count."""


def not_utf8(source: Source, starts: Ints, lengths: Ints, limits: Ints) -> Ints:
    """Return which of the contents are no UTF-8; those that go on beyond their limit are left out."""
    (doubtful,) = _not_ascii(source, starts, lengths).nonzero()
    data, ends, wrong = source.data, starts + lengths, []
    for index in doubtful[ends[doubtful] <= limits[doubtful]].tolist():
        try:
            data[starts[index] : ends[index]].decode()
        except UnicodeDecodeError:
            wrong.append(index)
    return np.array(wrong, np.int64)


def _not_ascii(source: Source, starts: Ints, lengths: Ints) -> Flags:
    """Tell which contents have a byte above 127, or are too long to be looked at."""
    found = _high(source.words_at(starts), lengths)
    (here,) = (lengths > _WORD).nonzero()
    passed = _WORD
    while here.size and passed < _LONG:
        found[here] |= _high(source.words_at(starts[here] + passed), lengths[here] - passed)
        passed += _WORD
        here = here[lengths[here] > passed]
    found[here] = True
    return found


def _high(words: Words, lengths: Ints) -> Flags:
    """Tell where one of the first bytes of a word is above 127; `lengths` says how many bytes count."""
    found: Flags = words & _COUNTING.take(lengths, mode="clip") != 0
    return found
