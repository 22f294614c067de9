"""Draws docs/clients.svg: every client by language, with its bugs in each part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from kafka_generator import matrix
from kafka_generator.card.clients import Client
from kafka_generator.card.rules import EVERYDAY, RARE, Column, rules
from kafka_generator.markdown import environment
from kafka_generator.matrix import MatrixCell, MatrixRow

PICTURE: Final = "clients.svg"

_NOTE: Final = (
    "bugs in everyday use · rare: in rare circumstances only · old: with older data only · ✓ none · "
    "? not all are explained · - not run"
)
_NAME_WIDTH, _CELL_WIDTH, _ROW_HEIGHT, _HEAD_HEIGHT = 330, 92, 26, 34


def picture(clients: Iterable[Client]) -> str:
    """Draw clients, in colours for light and for dark pages.

    Args:
        clients: in the order in which they are drawn.
    """
    rows = tuple(_rows(clients))
    return (
        environment(Path(matrix.__file__).parent / "templates")
        .get_template(f"{matrix.PICTURE}.j2")
        .render(
            source="docs/recorded",
            title="Bugs of clients in everyday use, by part",
            note=_NOTE,
            rows=rows,
            headings=[(_NAME_WIDTH + place * _CELL_WIDTH, column.name) for place, column in enumerate(rules().columns)],
            width=_NAME_WIDTH + len(rules().columns) * _CELL_WIDTH,
            height=_HEAD_HEIGHT + len(rows) * _ROW_HEIGHT + 34,
            cell_width=_CELL_WIDTH,
            row_height=_ROW_HEIGHT,
        )
    )


def _rows(clients: Iterable[Client]) -> Iterator[MatrixRow]:
    for row, client in enumerate(clients):
        cells = tuple(_cell(client, column, place) for place, column in enumerate(rules().columns))
        yield MatrixRow(client.name, client.language, _HEAD_HEIGHT + row * _ROW_HEIGHT, cells)


def _cell(client: Client, column: Column, place: int) -> MatrixCell:
    x = _NAME_WIDTH + place * _CELL_WIDTH
    found = client.found_in(column)
    if found is None:
        return MatrixCell(x, "gap", "-")
    if everyday := found.of(EVERYDAY):
        return MatrixCell(x, "many", str(everyday))
    if found.unnamed or found.unexplained:
        return MatrixCell(x, "some", "?")
    if rare := found.of(RARE):
        return MatrixCell(x, "some", f"{rare} rare")
    is_old = any(bug.moment in ("elsewhere", "old") for bug in found.bugs)
    return MatrixCell(x, "some", "old") if is_old else MatrixCell(x, "passed", "✓")
