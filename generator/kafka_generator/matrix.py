"""Draws docs/matrix.svg: decoders by format and codec, with the number of findings in each cell.

The figures come from docs/results.json, which `python generate.py --results REPORT` takes from the
report.json of a run over all targets. Drawing needs no target, so `generate.py --check` guards the
picture on every machine.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_conformance.judging.result import Result
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports import json_report
from kafka_conformance.vectors import golden
from kafka_conformance.vectors.vector import Vector
from kafka_tools.errors import UsageError

from kafka_generator.markdown import environment

RESULTS: Final = "results.json"
PICTURE: Final = "matrix.svg"

_WRITING: Final = "writing"
_PLAIN: Final = "none"
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
    _WRITING: "writing",
}
"""The columns and their headings. A compressed vector counts under its codec, any other under its
format."""

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


class Row(NamedTuple):
    """One decoder: its name and version, its language, its upper edge in pixels, and its cells."""

    name: str
    language: str
    y: int
    cells: tuple[MatrixCell, ...]


def results(report: Path) -> str:
    """Condense the report.json of a run into the text of docs/results.json.

    Raises:
        UsageError: it is no report, or not of a run over all vectors.
    """
    run = json_report.load(report)
    vectors = {vector.id: vector for vector in golden.load()}
    missing = vectors.keys() - {result.vector for result in run.results}
    if missing:
        hint = "Take the report of `make conformance TARGETS=all`."
        raise UsageError(f"{report} has no result of {len(missing)} of the vectors.", hint)
    bugs = {line["target"]: line["bugs"] for line in json.loads(report.read_text(encoding="utf-8"))["summary"]}
    by_target: dict[str, dict[str, Counter[str]]] = {}
    for result in run.results:
        if result.outcome.was_asked:
            cell = by_target.setdefault(result.target, {}).setdefault(_column(result, vectors), Counter())
            cell["asked"] += 1
            cell["findings"] += result.is_finding
    targets = [
        {
            "name": target.name,
            "version": target.hello.version,
            "language": target.hello.language,
            "bugs": bugs[target.name],
            "cells": {name: dict(cells[name]) for name in _COLUMNS if name in cells},
        }
        for target in run.targets
        if target.hello is not None and (cells := by_target.get(target.name, {}))
    ]
    return json.dumps({"vectors": len(vectors), "targets": targets}, indent=1, ensure_ascii=False) + "\n"


def _column(result: Result, vectors: Mapping[str, Vector]) -> str:
    if result.direction is Direction.ENCODE:
        return _WRITING
    vector = vectors[result.vector]
    return next((codec for codec in vector.codecs if codec != _PLAIN), vector.format)


def picture(document: Mapping[str, Any]) -> str:
    """Draw the SVG of docs/results.json.

    It has colours for light and for dark pages.
    """
    rows = tuple(_rows(document["targets"]))
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
            vectors=document["vectors"],
        )
    )


def _rows(targets: list[Mapping[str, Any]]) -> Iterator[Row]:
    """Yield a row for every library; of several releases of one, only the newest is drawn."""
    newest = [target for target in targets if "@" not in target["name"]]
    for place, target in enumerate(newest):
        cells = tuple(_cell(column, target["cells"].get(name)) for column, name in enumerate(_COLUMNS))
        name = f"{target['name']} {target['version']}"
        yield Row(name, target["language"], _HEAD_HEIGHT + place * _ROW_HEIGHT, cells)


def _cell(column: int, counts: Mapping[str, int] | None) -> MatrixCell:
    x = _NAME_WIDTH + column * _CELL_WIDTH
    if counts is None:
        return MatrixCell(x, "gap", "-")
    findings = counts["findings"]
    if not findings:
        return MatrixCell(x, "passed", "✓")
    return MatrixCell(x, "many" if findings >= _MANY * counts["asked"] else "some", str(findings))
