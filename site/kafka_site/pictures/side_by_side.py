"""Two structures side by side: which field became which, what is gone and what is new.

A field of fixed size is as high as its bytes; one that varies has a jagged side, as in the diagram
of a structure. A band joins what is the same field in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from kafka_format.spec.layout.model import Field, Layout

from kafka_site.pictures.layout_diagram import fixed_size
from kafka_site.templates import render

_WIDTH, _BETWEEN, _TOP, _GAP = 210, 60, 22, 2
_BYTE: Final = 5
_LOWEST: Final = 17
_VARYING: Final = 34


class Box(NamedTuple):
    """A field: where it is drawn, and what became of it: `kept`, `gone` or `new`."""

    x: int
    y: int
    height: int
    name: str
    note: str
    fate: str
    varies: bool


class Band(NamedTuple):
    """The upper and the lower side of a field in both structures."""

    left: tuple[int, int]
    right: tuple[int, int]


def side_by_side(before: Layout, now: Layout, pairs: Sequence[tuple[Field | None, Field | None]]) -> str:
    """Return the picture.

    Args:
        before: the structure on the left.
        now: the one on the right.
        pairs: the fields of both: those that are the same, those that are gone, those that are new.
    """
    kept = [(field.name, other.name) for field, other in pairs if field and other]
    left = _column(before.fields, 0, {field for field, _ in kept}, "gone")
    right = _column(now.fields, _WIDTH + _BETWEEN, {other for _, other in kept}, "new")
    bands = [_band(left[field], right[other]) for field, other in kept]
    boxes = [*left.values(), *right.values()]
    return render(
        "side_by_side.svg.j2",
        before=before,
        now=now,
        boxes=boxes,
        bands=bands,
        box_width=_WIDTH,
        right=_WIDTH + _BETWEEN,
        width=2 * _WIDTH + _BETWEEN + 2,
        height=max(box.y + box.height for box in boxes) + 2,
    )


def _column(fields: Iterable[Field], x: int, kept: set[str], other: str) -> Mapping[str, Box]:
    places, y = {}, _TOP
    for field in fields:
        size = fixed_size(field)
        height = _VARYING if size is None else max(_LOWEST, _BYTE * size)
        note = "" if size is None else f"{size}"
        fate = "kept" if field.name in kept else other
        places[field.name] = Box(x, y, height, field.name, note, fate, size is None or bool(field.when))
        y += height + _GAP
    return places


def _band(left: Box, right: Box) -> Band:
    return Band((left.y, left.y + left.height), (right.y, right.y + right.height))
