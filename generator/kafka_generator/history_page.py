"""Makes docs/history.md and its picture: what each release of the clients mended and broke."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from kafka_conformance.targets.catalogue import Part

from kafka_generator.markdown import environment
from kafka_generator.recorded.changes import Line, lines

PAGE: Final = "history.md"
PICTURE: Final = "history.svg"

PARTS: Final = {
    Part.DECODER: "records",
    Part.MESSAGES: "requests and responses",
    Part.CONSUMER: "consumer",
    Part.PRODUCER: "producer",
}
"""The parts that have a history, and what the page calls them."""

_LEFT, _RIGHT, _HEIGHT, _PLOT, _TOP = 270, 970, 74, 34, 22


class Point(NamedTuple):
    """One release in the picture: where it is, its version, and its bugs that users meet."""

    x: int
    y: int
    version: str
    bugs: int


class Plot(NamedTuple):
    """The line of one library and part: steps, since a release has its bugs until the next one."""

    title: str
    top: int
    path: str
    points: tuple[Point, ...]


def files(docs: Path) -> dict[Path, str]:
    """Return the text of the page and of the picture."""
    known = sorted(lines(PARTS), key=lambda line: (line.library, list(PARTS).index(line.part)))
    templates = environment(Path(__file__).parent / "templates")
    page = templates.get_template(f"{PAGE}.j2").render(lines=known, parts=PARTS)
    return {docs / PAGE: page, docs / PICTURE: picture(known)}


def picture(known: Sequence[Line], of: str = "") -> str:
    """Draw how many bugs that users meet each release has, a line for each library and part.

    Args:
        known: the lines.
        of: whose they are, if all are of one library.
    """
    templates = environment(Path(__file__).parent / "templates")
    height = _TOP + _HEIGHT * len(known)
    return templates.get_template(f"{PICTURE}.j2").render(
        plots=list(_plots(known)), width=_RIGHT + 40, height=height, of=of
    )


def _plots(known: Sequence[Line]) -> Iterator[Plot]:
    for place, line in enumerate(known):
        top = _TOP + place * _HEIGHT
        most = max(1, *(row.bugs["met"] for row in line.rows))
        step = (_RIGHT - _LEFT) // len(line.rows)
        points = tuple(
            Point(_LEFT + step * at, top + _PLOT - _PLOT * row.bugs["met"] // most, row.version, row.bugs["met"])
            for at, row in enumerate(line.rows)
        )
        path = f"M{points[0].x} {points[0].y}" + "".join(f"H{point.x}V{point.y}" for point in points[1:])
        yield Plot(f"{line.library}, {PARTS[line.part]}", top, f"{path}H{points[-1].x + step // 2}", points)
