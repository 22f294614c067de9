"""The table of known bugs: complete, and about vectors that exist."""

from pathlib import Path

import pytest
from kafka_format.errors import LayoutError
from kafka_format.spec import data
from kafka_generator import bugs, cases
from kafka_generator.provenance import provenance

from tests import shipped

VECTORS = data.path("vectors")
TABLE = bugs.load(VECTORS / "bugs.yaml")
DOCUMENTS = shipped.documents()
ROWS = 157
"""Bugs that the survey found which the table is made from; `reports` of one bug are one row."""


def test_every_bug_is_shown_or_says_why_not() -> None:
    bugs.check(TABLE, [document["id"] for document in DOCUMENTS])
    assert len(TABLE) >= ROWS
    assert sum(bool(bug.vectors) for bug in TABLE) > 120


def test_a_vector_names_all_reports_of_the_bugs_that_it_shows() -> None:
    cited = {(document["id"], report) for document in DOCUMENTS for report in document["provenance"].get("reports", ())}
    assert cited == {(vector, report) for bug in TABLE for vector in bug.vectors for report in bug.reports}
    assert ("v0/key/null", "adobe-research/libkafka#1") in cited
    assert ("deliver/control/only-a-commit", "tulios/kafkajs#197") in cited


def test_a_table_does_not_name_reports_itself(tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text(
        "family: table\ncases:\n"
        "  - {id: v2/one, title: One, rules: [v2.offset], source: IBM/sarama#1, run: [{batch: {}}]}\n",
        encoding="utf-8",
    )
    (case,) = cases.load(tmp_path)
    with pytest.raises(LayoutError, match=r"table\.yaml:3: `IBM/sarama#1` is a bug report .*bugs\.yaml"):
        provenance(case, {})


def table(folder: Path, line: str) -> Path:
    file = folder / "bugs.yaml"
    file.write_text(f"subjects:\n  - {{subject: Lengths, bugs: [{line}]}}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "line",
    [
        "{does: Fails., reports: [a/b#1]}",
        "{does: Fails., reports: [a/b#1], vectors: [x], why_none: so}",
        "{does: Fails., reports: [], vectors: [x]}",
        "{does: Fails., reports: [a/b#1], vector: [x]}",
        "{does: Fails., reports: [a/b], vectors: [x]}",
        "{does: Fails., reports: [see a/b], vectors: [x]}",
        "{does: fails, reports: [a/b#1], vectors: [x]}",
        "{reports: [a/b#1], vectors: [x]}",
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(LayoutError, match=r"vectors/bugs\.yaml:2: "):
        bugs.load(table(tmp_path, line.replace("a/b#1", '"a/b#1"')))


def test_a_vector_that_is_not_there_is_named(tmp_path: Path) -> None:
    (bug,) = bugs.load(table(tmp_path, "{does: Fails., reports: [CVE-2023-1], vectors: [v2/none]}"))
    with pytest.raises(LayoutError, match=r"bugs\.yaml:2: there is no vector v2/none"):
        bugs.check([bug], ["v2/one"])
