"""Names in boxes: in one line or two, as large as fits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

_LETTER: Final = 0.62
"""Width of a letter in relation to its height, in the font of code."""

LARGEST, SMALLEST = 14.0, 9.0
"""Heights of letters, in pixels. Smaller ones nobody reads on a phone."""


class Label(NamedTuple):
    """A name as it stands in its box."""

    lines: tuple[str, ...]
    letters: float


NO_LABEL: Final = Label((), LARGEST)


def fit(name: str, width: float) -> Label:
    """Return a name as it fits into a width in pixels: in two lines if one would be too small."""
    whole = width / (_LETTER * max(len(name), 1))
    if whole >= SMALLEST or "_" not in name:
        return Label((name,), max(SMALLEST - 1, min(LARGEST, whole)))
    lines = min(_halves(name), key=lambda pair: max(map(len, pair)))
    return Label(lines, max(SMALLEST - 1, min(LARGEST - 2, width / (_LETTER * max(map(len, lines))))))


def narrowest(name: str) -> int:
    """Return how many letters a name is wide, in two lines if it can be cut."""
    return min((max(map(len, pair)) for pair in _halves(name)), default=len(name))


def _halves(name: str) -> Iterator[tuple[str, str]]:
    words = name.split("_")
    for cut in range(1, len(words)):
        yield "_".join(words[:cut]) + "_", "_".join(words[cut:])
