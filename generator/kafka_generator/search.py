"""The search for examples: for each cell of the layouts, the smallest bytes found by Hypothesis.

What is found is stored and stays: a cell that has its example is not searched again.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import hypothesis
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from kafka_format import records, strategies
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.records.entries import MAGIC_AT
from kafka_format.records.model import CONTROL_BIT
from rich.progress import track

from kafka_generator.cells import LAYOUTS, Cell, all_cells, cells_of

_EXAMPLES = 1500


def extend(file: Path) -> list[Cell]:
    """Search an example for each cell without, and append it to the file; return empty cells."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    known = {json.loads(line)["id"] for line in lines}
    empty = []
    for cell in track([cell for cell in all_cells() if cell.id not in known], "searching"):
        data = _smallest(cell)
        if data is None:
            empty.append(cell)
        else:
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(_document(cell, data)) + "\n")
    return empty


def _document(cell: Cell, data: bytes) -> dict[str, str]:
    place = f"{cell.format} {cell.path} {cell.kind}"
    return {"id": cell.id, "title": cell.title, "rule": cell.rule, "cell": place, "hex": data.hex()}


def _smallest(cell: Cell) -> bytes | None:
    layout = next(name for name, formats in LAYOUTS.items() if cell.format in formats)
    wanted = (cell.format, cell.path, cell.kind)
    settings = hypothesis.settings(max_examples=_EXAMPLES, derandomize=True, database=None, deadline=None)
    # One record shows what a record can show, and offsets of one record ascend.
    given = {"records": st.lists(strategies.values("record"), max_size=1)} if layout == "record_batch" else {}
    try:
        return hypothesis.find(
            strategies.encoded(layout, **given), lambda data: _is_in(data, wanted), settings=settings
        )
    except NoSuchExample:
        return None


def _is_in(data: bytes, wanted: tuple[str, str, str]) -> bool:
    """Tell whether bytes are in a cell and valid.

    Offsets ascend; control records are left to the tables.
    """
    if data[MAGIC_AT] == 2 and prefix("record_batch").read(data).attributes & CONTROL_BIT:
        return False
    try:
        decoded = records.decode(data)
    except FormatError:
        return False
    ascending = all(record.offset < later.offset for record, later in pairwise(decoded))
    return ascending and wanted in cells_of(data)
