"""Bits as squares, eight a column and byte, coloured by what happens if that bit is flipped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kafka_site.templates import render

_SQUARE = 8
_ACROSS = 48


class Square(NamedTuple):
    """One bit."""

    x: int
    y: int
    outcome: str


def bit_map(outcomes: Sequence[Sequence[str]], label: str) -> str:
    """Return the map of some bytes.

    Args:
        outcomes: for each byte, what happens for each of its bits, the highest first; names of
            classes in site.css.
        label: what the picture shows, for people who do not see it.
    """
    squares = [
        Square(place % _ACROSS * _SQUARE, place // _ACROSS * 9 * _SQUARE + bit * _SQUARE, outcome)
        for place, byte in enumerate(outcomes)
        for bit, outcome in enumerate(byte)
    ]
    rows = (len(outcomes) + _ACROSS - 1) // _ACROSS
    return render("bit_map.svg.j2", squares=squares, label=label, width=_ACROSS * _SQUARE, height=rows * 9 * _SQUARE)
