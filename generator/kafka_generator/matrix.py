"""Draws docs/matrix.svg: decoders by format and codec, with the number of findings in each cell.

The figures are recorded ones, so drawing needs no target, and `generate.py --check` guards the
picture on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from kafka_generator.markdown import environment
from kafka_generator.recorded.record import WRITING
from kafka_generator.recorded.results import Row

PICTURE: Final = "matrix.svg"

_COLUMNS: Final = {
    "v07": "0.7",
    "v0": "v0",
    "v1": "v1",
    "v2": "v2",
    "mixed": "mixed",
    "gzip": "gzip",
    "snappy": "snappy",
    "lz4": "lz4",
    "zstd": "zstd",
    WRITING: "writing",
}
"""The cells that are drawn, and their headings."""

_MANY: Final = 0.1
"""From this share of findings on, a cell is drawn as bad."""

_NAME_WIDTH, _CELL_WIDTH, _ROW_HEIGHT, _HEAD_HEIGHT = 250, 62, 26, 34


class MatrixCell(NamedTuple):
    """What one cell of the picture shows.

    Attributes:
        x: left edge, in pixels.
        kind: `passed`, `some`, `many` or `gap`, which the style sheet of the picture colours.
        text: a tick, the number of findings, or a dash for what the decoder does not declare.
    """

    x: int
    kind: str
    text: str


class MatrixRow(NamedTuple):
    """One decoder: its name and version, its language, its upper edge in pixels, and its cells."""

    name: str
    language: str
    y: int
    cells: tuple[MatrixCell, ...]


def picture(recorded: Sequence[Row]) -> str:
    """Draw the newest release of each decoder, in colours for light and for dark pages."""
    rows = tuple(_rows(recorded))
    vectors = max(row.vectors for row in recorded)
    return (
        environment(Path(__file__).parent / "templates")
        .get_template(f"{PICTURE}.j2")
        .render(
            rows=rows,
            headings=[(_NAME_WIDTH + place * _CELL_WIDTH, text) for place, text in enumerate(_COLUMNS.values())],
            width=_NAME_WIDTH + len(_COLUMNS) * _CELL_WIDTH,
            height=_HEAD_HEIGHT + len(rows) * _ROW_HEIGHT + 34,
            cell_width=_CELL_WIDTH,
            row_height=_ROW_HEIGHT,
            source="docs/recorded/decoder.json",
            title=f"Findings of decoders by format and codec, over {vectors} vectors",
            note=f"{vectors:,} vectors, newest release of each · ✓ all passed · a number: findings · - not supported",
        )
    )


def _rows(recorded: Sequence[Row]) -> Iterator[MatrixRow]:
    """Yield a row for every library; of several releases of one, only the newest is drawn."""
    for place, row in enumerate(row for row in recorded if row.is_newest):
        cells = tuple(_cell(column, row.cells.get(name)) for column, name in enumerate(_COLUMNS))
        yield MatrixRow(f"{row.target} {row.version}", row.language, _HEAD_HEIGHT + place * _ROW_HEIGHT, cells)


def _cell(column: int, counts: tuple[int, int] | None) -> MatrixCell:
    x = _NAME_WIDTH + column * _CELL_WIDTH
    if counts is None:
        return MatrixCell(x, "gap", "-")
    asked, findings = counts
    if not findings:
        return MatrixCell(x, "passed", "✓")
    return MatrixCell(x, "many" if findings >= _MANY * asked else "some", str(findings))
