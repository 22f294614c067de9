"""The table of known bugs: complete, and about vectors that exist."""

import json
import re
from pathlib import Path

import pytest
from kafka_conformance.generation import bugs
from kafka_format import data
from kafka_format.errors import LayoutError

VECTORS = data.path("vectors")
TABLE = bugs.load(VECTORS / "bugs.yaml")
REPORT = re.compile(r"[\w.-]+/[\w.-]+(#\d+|@[0-9a-f]{8})|CVE-\d{4}-\d+")


def test_every_bug_is_shown_or_says_why_not() -> None:
    files = [*VECTORS.glob("*.jsonl"), *VECTORS.glob("directions/*.jsonl")]
    bugs.check(TABLE, [json.loads(line)["id"] for file in files for line in file.read_text().splitlines()])
    assert len(TABLE) >= 150
    assert sum(bool(bug.vectors) for bug in TABLE) > 100


def test_every_report_can_be_followed() -> None:
    assert [report for bug in TABLE for report in bug.reports if not REPORT.fullmatch(report)] == []


def table(folder: Path, line: str) -> Path:
    file = folder / "bugs.yaml"
    file.write_text(f"bugs:\n  - {line}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "line",
    [
        "{reports: [a/b#1]}",
        "{reports: [a/b#1], vectors: [x], why_none: so}",
        "{reports: [], vectors: [x]}",
        "{reports: [a/b#1], vector: [x]}",
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(LayoutError, match=r"vectors/bugs\.yaml:2: "):
        bugs.load(table(tmp_path, line.replace("a/b#1", '"a/b#1"')))


def test_a_vector_that_is_not_there_is_named(tmp_path: Path) -> None:
    (bug,) = bugs.load(table(tmp_path, "{reports: [CVE-2023-1], vectors: [v2/none]}"))
    with pytest.raises(LayoutError, match=r"bugs\.yaml:2: there is no vector v2/none"):
        bugs.check([bug], ["v2/one"])
