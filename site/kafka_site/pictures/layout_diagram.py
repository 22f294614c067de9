"""The byte diagram of a structure: its fields to scale, eight bytes a row.

A field of fixed size is as wide as its bytes. What varies in size has a jagged right side, and what
follows starts a new row. Stripes below the fields show what a checksum covers, what is compressed,
and what a length counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kafka_format.spec.layout.model import (
    Boolean,
    BytesAfter,
    Checksum,
    Choice,
    Counted,
    Field,
    Fixed,
    Float,
    Form,
    Integer,
    Layout,
    Nested,
    Varint,
    minimum_size,
)

from kafka_site.pictures.labels import Label, fit, narrowest
from kafka_site.templates import render

ROW: Final = 8
"""Bytes a row."""

BYTE, HEIGHT, GAP, MARGIN = 56, 40, 14, 34
"""Width of a byte, height of a row, room for stripes below a row, room for the numbers on the
left."""

_VARYING: Final = 4
"""Bytes that a field of varying size is drawn as wide as, at least."""

_VARINT: Final = 2


class Box(NamedTuple):
    """One piece of a field in one row: `column` and `width` in bytes."""

    row: int
    column: int
    width: int
    field: Field
    label: str
    note: str
    is_first: bool
    is_last: bool
    varies: bool

    @property
    def x(self) -> int:
        """Left side, in pixels."""
        return MARGIN + self.column * BYTE

    @property
    def y(self) -> int:
        """Upper side, in pixels."""
        return self.row * (HEIGHT + GAP)

    @property
    def fitted(self) -> Label:
        """The label as it fits."""
        return fit(self.label, self.width * BYTE - 6)

    @property
    def note_letters(self) -> float:
        """Height of the letters with which the note fits; 0 where there is no room for it."""
        return 0 if len(self.fitted.lines) > 1 else min(10.0, *fit(self.note, self.width * BYTE - 6)[1:])


class Stripe(NamedTuple):
    """A statement on the bytes of several fields: a `checksum`, `compression` or `length`."""

    kind: str
    text: str
    fields: frozenset[str]


class Piece(NamedTuple):
    """A stripe below one box; `level` counts from the top."""

    kind: str
    x: int
    y: int
    width: int


class Cell(NamedTuple):
    """Bits of a field that belong together: `low` to `high` inclusive; `x`, `width` in pixels."""

    high: int
    low: int
    name: str
    doc: str
    x: float
    width: float

    @property
    def label(self) -> Label:
        """The name as it fits."""
        return fit(self.name, self.width - 6)


class Strip(NamedTuple):
    """The bits of one field, from the highest to the lowest."""

    field: Field
    cells: tuple[Cell, ...]


def diagram(layout: Layout) -> str:
    """Return a layout's diagram as SVG. Each field links to its row in the page's table."""
    boxes = list(_boxes(layout))
    stripes = list(_stripes(layout))
    strips = [strip for field in layout.fields if (strip := _strip(field))]
    return render(
        "layout_diagram.svg.j2",
        layout=layout,
        boxes=boxes,
        offsets=_offsets(boxes),
        stripes=stripes,
        pieces=[piece for box in boxes for piece in _pieces(box, stripes)],
        strips=strips,
        width=MARGIN + ROW * BYTE + 2,
        height=(boxes[-1].row + 1) * (HEIGHT + GAP) if boxes else 0,
        row_height=HEIGHT,
        byte=BYTE,
        margin=MARGIN,
    )


def _boxes(layout: Layout) -> Iterator[Box]:
    """Yield the boxes of all fields, cut where a row ends."""
    row = column = 0
    for field in layout.fields:
        size = fixed_size(field)
        if size is None:
            least = _VARINT if isinstance(field.type, Varint) else _VARYING
            if column + least > ROW:
                row, column = row + 1, 0
            width = least if isinstance(field.type, Varint) else ROW - column
            yield Box(row, column, width, field, field.name, _kind(field), is_first=True, is_last=True, varies=True)
            if isinstance(field.type, Varint) and column + width < ROW:
                column += width
            else:
                row, column = row + 1, 0
            continue
        pieces = list(_cut(row, column, size))
        widest = max(pieces, key=lambda piece: piece[2])
        for number, (at, start, width) in enumerate(pieces):
            named = (at, start, width) == widest
            label, note = (field.name, _kind(field)) if named else ("", "")
            yield Box(at, start, width, field, label, note, number == 0, number == len(pieces) - 1, bool(field.when))
        row, column = pieces[-1][0], pieces[-1][1] + pieces[-1][2]
        if column == ROW:
            row, column = row + 1, 0


def _cut(row: int, column: int, size: int) -> Iterator[tuple[int, int, int]]:
    while size:
        width = min(size, ROW - column)
        yield row, column, width
        size -= width
        row, column = row + 1, 0


def fixed_size(field: Field) -> int | None:
    """Return how many bytes a field takes, or None where that is not always the same."""
    match field.type:
        case Integer(size=size) | Fixed(size=size) | Boolean(size=size) | Float(size=size):
            return size
        case Nested(layout=layout):
            sizes = [fixed_size(inner) for inner in layout.fields]
            return None if None in sizes else sum(size for size in sizes if size)
        case _:
            return None


def _kind(field: Field) -> str:
    """Say the type of a field in the words of the layouts."""
    match field.type:
        case Counted(item=item):
            return f"count, then {item.name} each"
        case Choice(cases=cases):
            return " or ".join(layout.name for layout in cases.values())
        case Form(length=length):
            return f"{field.type.name}: {length.name} length, then bytes"
        case Varint():
            return field.type.name
        case _:
            return field.type.name


def _offsets(boxes: Sequence[Box]) -> list[tuple[int, str]]:
    """Return each row with its first byte's offset, while all fields before have fixed sizes."""
    offsets = []
    place: int | None = 0
    seen = -1
    for box in boxes:
        if box.row != seen:
            offsets.append((box.row, "…" if place is None else str(place)))
            seen = box.row
        place = None if box.varies or place is None else place + box.width
    return offsets


def _stripes(layout: Layout) -> Iterator[Stripe]:
    """Yield what is said of runs of fields: by checksums, compression and lengths."""
    names = [field.name for field in layout.fields]
    for field in layout.fields:
        behind = names[names.index(field.name) + 1 :]
        match field.computed:
            case Checksum(algorithm=algorithm, first=first):
                covered = frozenset(names[names.index(first) :])
                yield Stripe("checksum", f"covered by {field.name} ({algorithm})", covered)
            case BytesAfter():
                yield Stripe("length", f"counted by {field.name}", frozenset(behind))
        if field.compressed_by is not None:
            codec = f"{field.compressed_by.attributes}.{field.compressed_by.bits.name}"
            text = f"one compressed stream, unless {codec} is none"
            yield Stripe("compression", text, frozenset([field.name]))


def _pieces(box: Box, stripes: Sequence[Stripe]) -> Iterator[Piece]:
    for level, stripe in enumerate(stripes):
        if box.field.name in stripe.fields:
            yield Piece(stripe.kind, box.x, box.y + HEIGHT + 2 + 4 * level, box.width * BYTE)


def _strip(field: Field) -> Strip | None:
    """Return the bits of a field, those without a name as `unused`; None where it has none."""
    if not field.bits:
        return None
    runs: list[tuple[int, int, str, str]] = []
    next_high = 8 * minimum_size(field.type) - 1
    for bits in sorted(field.bits, key=lambda bits: -bits.high):
        if bits.high < next_high:
            runs.append((next_high, bits.high + 1, "unused", ""))
        runs.append((bits.high, bits.low, bits.name, bits.doc))
        next_high = bits.low - 1
    if next_high >= 0:
        runs.append((next_high, 0, "unused", ""))
    # Not to scale: a bit needs room for its name, half of it in each of two lines.
    shares = [max(6, narrowest(label)) for _, _, label, _ in runs]
    scale = ROW * BYTE / sum(shares)
    cells = []
    x = float(MARGIN)
    for (high, low, label, doc), share in zip(runs, shares, strict=True):
        cells.append(Cell(high, low, label, doc, x, share * scale))
        x += share * scale
    return Strip(field, tuple(cells))
