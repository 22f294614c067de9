"""Patterns of vector ids, as `*` in `v2/crc/*`: whether an id fits one of many."""

import re
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import translate
from functools import cache
from typing import Final

WILD: Final = re.compile(r"[*?\[]")
"""The characters that make an id a pattern of ids."""

_LAST: Final = chr(sys.maxunicode)
"""No id has a letter behind this one."""


def fits_any(identity: str, patterns: Sequence[str]) -> bool:
    """Tell whether an id fits one of the patterns; upper and lower case differ."""
    return _any_of(tuple(patterns)).match(identity) is not None


def chooses(patterns: Sequence[str], identity: str) -> bool:
    """Tell whether patterns choose an id: as it is, or without the part of a vector that it names.

    `fetch-request/4/typical` chooses `fetch-request/4/typical@5`, the vector in version 5.
    """
    whole, at, _ = identity.partition("@")
    return fits_any(identity, patterns) or (bool(at) and fits_any(whole, patterns))


class Ids:
    """Ids of vectors, of which those that fit a pattern are soon at hand: they begin alike."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._all = frozenset(ids)
        self._in_order = sorted(self._all)

    def __contains__(self, name: str) -> bool:
        return name in self._all

    def fitting(self, pattern: str) -> Iterator[str]:
        """Return the ids that fit a pattern."""
        if not WILD.search(pattern):
            return iter((pattern,) if pattern in self._all else ())
        start = WILD.split(pattern, maxsplit=1)[0]
        first, end = bisect_left(self._in_order, start), bisect_left(self._in_order, start + _LAST)
        return filter(_any_of((pattern,)).match, self._in_order[first:end])

    def count(self, patterns: Iterable[str]) -> int:
        """Count the ids that fit one of the patterns."""
        return len({name for pattern in patterns for name in self.fitting(pattern)})


@cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Compile patterns into one expression: thousands of ids are held against the same ones."""
    return re.compile("|".join(map(translate, patterns)) or r"(?!)")
