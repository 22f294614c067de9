"""The byte diagram of one version on the wire: its fields to scale, four bytes a row.

A field of fixed size is as wide as its bytes, and starts a new row where it does not fit into the
last one. What varies in size has a jagged right side. A bar on the left holds together what comes
several times, or not always.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kafka_site.pictures.labels import NO_LABEL, fit
from kafka_site.templates import render
from kafka_site.wire.rows import Group, Part, Row

ROW: Final = 4
"""Bytes a row."""

BYTE, HEIGHT, CAPTION, GAP, INDENT, MARGIN = 124, 38, 20, 6, 12, 2
"""Width of a byte, height of a row and of a caption, room after a group, room for its bar, room on
the left; in pixels."""

_NARROW: Final = 2
"""Bytes that a varint is drawn as wide as: most have one, and the words need two."""


class Box(NamedTuple):
    """One piece of a field in one row; `x`, `y` and `width` in pixels."""

    x: int
    y: int
    width: int
    row: Row
    label: tuple[str, ...]
    letters: float
    note: str
    is_first: bool

    @property
    def varies(self) -> bool:
        """True if the field has no fixed size."""
        return self.row.size is None


class Caption(NamedTuple):
    """Words above fields: a part's title, or when the fields of a group come."""

    x: int
    y: int
    text: str
    is_part: bool


class Bar(NamedTuple):
    """The line on the left that holds a group together."""

    x: int
    y: int
    height: int


@dataclass
class _Drawing:
    """What is drawn so far, and where the next field goes."""

    boxes: list[Box] = field(default_factory=list)
    captions: list[Caption] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    opened: list[tuple[Group, int]] = field(default_factory=list)
    y: int = 0
    column: int = 0

    @property
    def left(self) -> int:
        """Where the first byte of a row stands."""
        return MARGIN + INDENT * len(self.opened)

    def add(self, part: Part) -> None:
        """Draw the caption and the fields of a part."""
        self._caption(part.title, is_part=True)
        for row in part.rows:
            self._enter(row.groups)
            self._field(row)
        self._enter(())
        self._end_row()
        self.y += GAP

    def _caption(self, text: str, *, is_part: bool) -> None:
        self._end_row()
        self.captions.append(Caption(self.left, self.y + CAPTION - 6, text, is_part))
        self.y += CAPTION

    def _enter(self, groups: Sequence[Group]) -> None:
        """Close the groups that end here, and open those that begin."""
        known = [group for group, _ in self.opened]
        if list(groups) == known:
            return
        self._end_row()
        shared = next((i for i, (a, b) in enumerate(zip(known, groups, strict=False)) if a != b), len(groups))
        while len(self.opened) > shared:
            _, start = self.opened.pop()
            self.bars.append(Bar(self.left + INDENT // 2 - 2, start, self.y - start))
            self.y += GAP
        for group in groups[len(self.opened) :]:
            self.opened.append((group, self.y + 2))
            self._caption(group.caption, is_part=False)

    def _end_row(self) -> None:
        if self.column:
            self.y, self.column = self.y + HEIGHT, 0

    def _field(self, row: Row) -> None:
        if row.size is None:
            self._varying(row)
            return
        if row.size > ROW - self.column:
            self._end_row()
        for start in range(0, row.size, ROW):
            self._box(row, min(row.size - start, ROW), is_first=start == 0)

    def _varying(self, row: Row) -> None:
        is_narrow = not row.type.endswith(("bytes", "size"))
        least = _NARROW if is_narrow else ROW
        if self.column + least > ROW:
            self._end_row()
        self._box(row, least, is_first=True)

    def _box(self, row: Row, taken: int, *, is_first: bool) -> None:
        """Draw as many bytes of a field as stand in this row."""
        width = taken * BYTE
        label, letters = fit(row.name, width - 8) if is_first else NO_LABEL
        note = row.type if len(label) == 1 else ""
        self.boxes.append(Box(self.left + self.column * BYTE, self.y, width, row, label, letters, note, is_first))
        self.column += taken
        if self.column == ROW:
            self._end_row()


def message_diagram(title: str, parts: Sequence[Part]) -> str:
    """Return the diagram as SVG. Each field links to its row in the page's table.

    Args:
        title: what it shows, for people who do not see it.
        parts: what is on the wire.
    """
    drawing = _Drawing()
    for part in parts:
        drawing.add(part)
    deepest = max(len(row.groups) for part in parts for row in part.rows)
    return render(
        "message_diagram.svg.j2",
        title=title,
        parts=parts,
        drawing=drawing,
        width=MARGIN + INDENT * deepest + ROW * BYTE + 4,
        row_height=HEIGHT,
    )
