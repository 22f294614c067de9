"""The choices of a fault: which record, which bit, which number."""

from __future__ import annotations

from typing import Final

_WORD: Final = (1 << 64) - 1
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB


class Dice:
    """Numbers that follow from one random word, by the hash of all draws (hashing.py)."""

    __slots__ = ("_word",)

    def __init__(self, word: int) -> None:
        self._word = word

    def word(self) -> int:
        """The next 64 bits."""
        word = self._word
        word ^= word >> 30
        word = word * _FIRST & _WORD
        word ^= word >> 27
        word = word * _SECOND & _WORD
        self._word = word = word ^ word >> 31 or 1
        return word

    def below(self, limit: int) -> int:
        """A number from 0 to `limit - 1`, all with the same chance; the limit is 1 or more."""
        return self.word() * limit >> 64

    def within(self, least: int, most: int) -> int:
        """A number from `least` to `most`, both ends and their neighbours often."""
        span = most - least + 1
        kind = self.below(4)
        step = self.below(min(span, 3))
        if kind == 0:
            return least + step
        return most - step if kind == 1 else least + self.below(span)
