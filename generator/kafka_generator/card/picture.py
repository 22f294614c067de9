"""Draws docs/clients.svg: every client by language, with its bugs of today in each part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from kafka_conformance.targets.catalogue import Part

from kafka_generator import matrix
from kafka_generator.card.clients import Client
from kafka_generator.card.page import COLUMNS
from kafka_generator.card.rules import TODAY
from kafka_generator.markdown import environment
from kafka_generator.matrix import MatrixCell, MatrixRow

PICTURE: Final = "clients.svg"

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
            title="Bugs of clients with data of today, by part",
            note="bugs with data of today · ✓ none · old: with older data only · ? not all are explained · - not run",
            rows=rows,
            headings=[(_NAME_WIDTH + place * _CELL_WIDTH, text) for place, text in enumerate(COLUMNS.values())],
            width=_NAME_WIDTH + len(COLUMNS) * _CELL_WIDTH,
            height=_HEAD_HEIGHT + len(rows) * _ROW_HEIGHT + 34,
            cell_width=_CELL_WIDTH,
            row_height=_ROW_HEIGHT,
        )
    )


def _rows(clients: Iterable[Client]) -> Iterator[MatrixRow]:
    for place, client in enumerate(clients):
        cells = tuple(_cell(client, part, column) for column, part in enumerate(COLUMNS))
        yield MatrixRow(client.name, client.language, _HEAD_HEIGHT + place * _ROW_HEIGHT, cells)


def _cell(client: Client, part: Part, column: int) -> MatrixCell:
    x = _NAME_WIDTH + column * _CELL_WIDTH
    if part not in client.rows:
        return MatrixCell(x, "gap", "-")
    found = client.found[part]
    if today := client.of(part, TODAY):
        return MatrixCell(x, "many", str(today))
    if found.unnamed or found.unexplained:
        return MatrixCell(x, "some", "?")
    is_old = any(bug.moment in ("elsewhere", "old") for bug in found.bugs)
    return MatrixCell(x, "some", "old") if is_old else MatrixCell(x, "passed", "✓")
