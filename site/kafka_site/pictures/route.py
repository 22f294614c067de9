"""A route: the stops of something on its way, one below the other, each a link to its section."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kafka_site.templates import render

_WIDTH: Final = 440
_LANE: Final = 84
_STOP: Final = 40
_GAP: Final = 16


class Stop(NamedTuple):
    """A stop: where it is, what is there, how much, and the link to where it is told."""

    lane: str
    title: str
    note: str
    href: str


class Drawn(NamedTuple):
    """A stop with its place, and the lane's name where that changes."""

    stop: Stop
    y: int
    lane: str


def route(stops: Sequence[Stop], label: str) -> str:
    """Return the picture; `label` says what it shows to people who do not see it."""
    drawn = [
        Drawn(stop, number * (_STOP + _GAP) + 1, stop.lane if not number or stops[number - 1].lane != stop.lane else "")
        for number, stop in enumerate(stops)
    ]
    return render(
        "route.svg.j2",
        drawn=drawn,
        label=label,
        width=_WIDTH,
        lane=_LANE,
        high=_STOP,
        gap=_GAP,
        height=len(stops) * (_STOP + _GAP) - _GAP + 2,
    )
