"""Pictures of a package's rooms as SVG: floors from top to bottom, an arrow for each import.

An arrow that goes past floors gets a lane of its own on each, so that it never runs behind a room.
Rooms and lanes of a floor are put in the order of what they are joined to, and then moved sideways
until arrows are nearly straight (the method of Sugiyama, in small).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from kafka_generator.architecture.rooms import Room, essential
from kafka_generator.markdown import environment

FLOOR_HEIGHT: Final = 58
BOX_HEIGHT: Final = 28
_LETTER: Final = 7.4
"""Width of a letter of the picture's font, in pixels, rounded up."""

_MARGIN: Final = 20
_GAP: Final = 18
_LANE: Final = 10.0
_ROUNDS: Final = 24


@dataclass(eq=False)
class Stop:
    """A room, or one floor of the lane of an arrow, which has no name.

    Attributes:
        width: in pixels.
        x: its middle, in pixels.
        above: the stops from which arrows come.
        below: the stops to which arrows go.
    """

    name: str
    floor: int
    width: float
    x: float = 0.0
    above: list[Stop] = field(default_factory=list)
    below: list[Stop] = field(default_factory=list)


class Box(NamedTuple):
    """A room in the picture: its name, its left and upper edge, and its width."""

    name: str
    x: float
    y: float
    width: float


class Picture(NamedTuple):
    """What the template draws.

    Attributes:
        boxes: the rooms.
        arrows: the `d` attribute of a path for each arrow.
        width: in pixels.
        height: in pixels.
    """

    boxes: tuple[Box, ...]
    arrows: tuple[str, ...]
    width: int
    height: int


def svg(pictures: Mapping[str, Picture]) -> str:
    """Return the text of the SVG file, with the packages side by side."""
    template = environment(Path(__file__).parent.parent / "templates").get_template("architecture.svg.j2")
    return template.render(
        pictures=pictures,
        width=sum(picture.width for picture in pictures.values()),
        height=max(picture.height for picture in pictures.values()) + 40,
        box_height=BOX_HEIGHT,
    )


def draw(rooms: Mapping[str, Room]) -> Picture:
    """Give every room and arrow a place."""
    stops = {room.name: Stop(room.name, room.floor, 18 + _LETTER * len(room.name)) for room in rooms.values()}
    floors: list[list[Stop]] = [[] for _ in range(max(room.floor for room in rooms.values()) + 1)]
    for stop in stops.values():
        floors[stop.floor].append(stop)
    arrows = [
        _join(stops[name], stops[target], floors)
        for name, targets in essential(rooms).items()
        for target in sorted(targets)
    ]
    _settle(floors)
    left = min(stop.x - stop.width / 2 for floor in floors for stop in floor) - _MARGIN
    for floor in floors:
        for stop in floor:
            stop.x -= left
    right = max(stop.x + stop.width / 2 for floor in floors for stop in floor) + _MARGIN
    boxes = tuple(Box(stop.name, round(stop.x - stop.width / 2, 1), _top(stop), stop.width) for stop in stops.values())
    return Picture(boxes, tuple(map(_path, arrows)), round(right), FLOOR_HEIGHT * len(floors))


def _join(start: Stop, end: Stop, floors: Sequence[list[Stop]]) -> list[Stop]:
    """Return the stops of an arrow, with a new lane on every floor that it passes."""
    lanes = [Stop("", floor, _LANE) for floor in range(start.floor + 1, end.floor)]
    for lane in lanes:
        floors[lane.floor].append(lane)
    way = [start, *lanes, end]
    for upper, lower in pairwise(way):
        upper.below.append(lower)
        lower.above.append(upper)
    return way


def _settle(floors: Sequence[list[Stop]]) -> None:
    """Order the stops of each floor, and move them to where their arrows are nearly straight."""
    for floor in floors:
        _place(floor, [0.0] * len(floor))
    for turn in range(_ROUNDS):
        for floor in floors if turn % 2 else reversed(floors):
            wanted = [_wanted_place(stop, upwards=bool(turn % 2)) for stop in floor]
            if turn < _ROUNDS // 2:  # the second half of the rounds keeps the order
                order = sorted(range(len(floor)), key=lambda at: (wanted[at], floor[at].x))
                floor[:] = [floor[at] for at in order]
                wanted.sort()
            _place(floor, wanted)


def _wanted_place(stop: Stop, *, upwards: bool) -> float:
    """Return the middle of a stop's neighbours, on the side that has its place already."""
    first, second = (stop.above, stop.below) if upwards else (stop.below, stop.above)
    return fmean(other.x for other in first or second or [stop])


def _place(floor: Sequence[Stop], wanted: Sequence[float]) -> None:
    """Put stops as near as can be to where they want to be, without touching one another."""
    edge = float("-inf")
    for stop, x in zip(floor, wanted, strict=True):
        stop.x = max(x, edge + stop.width / 2)
        edge = stop.x + stop.width / 2 + _GAP
    shift = fmean(x - stop.x for stop, x in zip(floor, wanted, strict=True)) if floor else 0
    for stop in floor:
        stop.x += shift


def _top(stop: Stop) -> float:
    return stop.floor * FLOOR_HEIGHT + (FLOOR_HEIGHT - BOX_HEIGHT) / 2


def _path(way: Sequence[Stop]) -> str:
    return " ".join(_strokes(way))


def _strokes(way: Sequence[Stop]) -> Iterator[str]:
    """Yield the strokes of an arrow: straight beside the rooms, curved from floor to floor."""
    yield f"M {way[0].x:.1f} {_top(way[0]) + BOX_HEIGHT:g}"
    for upper, lower in pairwise(way):
        start, end = _top(upper) + BOX_HEIGHT, _top(lower)
        middle = (start + end) / 2
        yield f"C {upper.x:.1f} {middle:g} {lower.x:.1f} {middle:g} {lower.x:.1f} {end:g}"
        if not lower.name:
            yield f"L {lower.x:.1f} {end + BOX_HEIGHT:g}"
