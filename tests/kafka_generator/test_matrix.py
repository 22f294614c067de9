import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from kafka_conformance.reports import json_report
from kafka_generator import matrix
from kafka_tools.errors import UsageError

SVG = "{http://www.w3.org/2000/svg}"


def target(name: str, **cells: tuple[int, int]) -> dict[str, object]:
    counts = {column: {"asked": asked, "findings": findings} for column, (asked, findings) in cells.items()}
    return {"name": name, "version": "1.0", "language": "Go <2>", "cells": counts}


def texts(*targets: dict[str, object]) -> list[list[str]]:
    """The texts of the cells, row by row: kind and content."""
    root = ET.fromstring(matrix.picture({"vectors": 9, "targets": list(targets)}))  # noqa: S314 - our own picture
    cells = [(cell.get("class", ""), cell.find(f"{SVG}text").text) for cell in root.iter(f"{SVG}g")]
    width = len(matrix._COLUMNS)
    return [[f"{kind} {text}" for kind, text in cells[at : at + width]] for at in range(0, len(cells), width)]


def test_a_cell_shows_a_tick_the_number_of_findings_or_a_dash():
    [row] = texts(target("toy", v0=(20, 0), v1=(20, 1), v2=(20, 2)))
    assert row[:5] == ["cell gap -", "cell passed ✓", "cell some 1", "cell many 2", "cell gap -"]


def test_older_releases_of_a_library_are_left_out():
    assert len(texts(target("toy"), target("toy@0.9"))) == 1


def test_names_of_targets_are_escaped():
    assert "Go &lt;2&gt;" in matrix.picture({"vectors": 9, "targets": [target("toy")]})


def test_a_report_of_some_vectors_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Empty:
        results = ()

    monkeypatch.setattr(json_report, "load", lambda _: Empty())
    with pytest.raises(UsageError, match=r"has no result of \d+ of the vectors"):
        matrix.results(tmp_path / "report.json")
