"""A wrapper as a strip: its records where their offsets are, and in each its offset inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kafka_site.templates import render

_CELL: Final = 40
_MARGIN: Final = 96


class Mark(NamedTuple):
    """A message: the offset that stands in it, at the place of its record."""

    x: int
    text: str


def wrapper_strip(outer: int, inner: Sequence[int], offsets: Sequence[int], label: str) -> str:
    """Return the strip of a wrapper, of some ten offsets.

    Args:
        outer: the offset of the wrapper.
        inner: the offsets of the messages inside, as they are written.
        offsets: those of the records.
        label: what the picture shows, for people who do not see it.
    """
    first, last = min(*offsets, outer), max(*offsets, outer)
    return render(
        "wrapper_strip.svg.j2",
        axis=[(_x(offset - first), offset) for offset in range(first, last + 1)],
        marks=[Mark(_x(offset - first), str(written)) for offset, written in zip(offsets, inner, strict=True)],
        frame=(_x(min(offsets) - first), (max(*offsets, outer) - min(offsets) + 1) * _CELL),
        outer=(_x(outer - first), outer),
        cell=_CELL,
        width=_x(last - first + 1) + 4,
        label=label,
    )


def _x(place: int) -> int:
    return _MARGIN + place * _CELL
