"""Patterns of vector ids, as `*` in `v2/crc/*`: whether an id fits one of many."""

import re
from collections.abc import Iterable, Sequence
from fnmatch import translate
from functools import cache


def fits_any(identity: str, patterns: Sequence[str]) -> bool:
    """Tell whether an id fits one of the patterns; upper and lower case differ."""
    return _any_of(tuple(patterns)).match(identity) is not None


def fitting(identities: Iterable[str], patterns: Sequence[str]) -> list[str]:
    """Return the ids that fit one of the patterns."""
    return list(filter(_any_of(tuple(patterns)).match, identities))


@cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Compile patterns into one expression: thousands of ids are held against the same ones."""
    return re.compile("|".join(map(translate, patterns)) or r"(?!)")
