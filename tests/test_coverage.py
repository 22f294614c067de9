"""What the vectors cover, by the project's own count: all there is, and a hole is seen."""

from pathlib import Path

import pytest
from kafka_generator.constructed import factors
from kafka_generator.coverage import by_bit, by_check, by_field, by_mutant, by_pair, measure, model
from kafka_generator.coverage.model import Cell
from kafka_generator.mutants.record_kills import RecordKills
from kafka_generator.payloads import PayloadStore

from tests import shipped

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = shipped.documents()


@pytest.fixture(scope="module")
def measured() -> list[Cell]:
    store = PayloadStore(ROOT / "vectors/cases/payloads.json", may_add=False)
    return [
        *measure.measure(DOCUMENTS, store),
        *by_mutant.cells(RecordKills(ROOT / "vectors", DOCUMENTS).known, DOCUMENTS),
    ]


@pytest.mark.whole  # `generate.py --check`, which every `make test` runs, fails on an empty cell, too
def test_no_cell_is_empty(measured: list[Cell]) -> None:
    assert [(cell.kind, cell.name) for cell in measured if cell.is_empty] == []


@pytest.mark.whole
def test_there_are_cells_of_every_kind_and_none_stands_twice(measured: list[Cell]) -> None:
    counts = {count.kind: count.all for count in model.count_by_kind(measured)}
    assert set(counts) >= {"rule kept", "rule broken", "rule misread", "field", "bit", "check", "cut", "pair"}
    assert all(number > 90 for number in counts.values())
    assert len({(cell.kind, cell.name) for cell in measured}) == len(measured)


@pytest.mark.whole
def test_what_is_excluded_says_why_and_is_the_smaller_part(measured: list[Cell]) -> None:
    for count in model.count_by_kind(measured):
        assert count.kind == "rule broken" or sum(count.excluded.values()) < count.all / 2
        assert all(len(why) > 10 for why in count.excluded)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("check", "v2 record_count: count_negative (v2.record-count.not-negative)"),
        ("check", "control kraft_voters.voters.voter_id: truncated (field.truncated)"),
        ("pair", "stream v1/gzip with time append"),
    ],
)
def test_a_hole_is_seen(kind: str, name: str) -> None:
    count = by_check.cells if kind == "check" else by_pair.cells
    vectors = [document for document in DOCUMENTS if "format" in document]
    (cell,) = (cell for cell in count(vectors) if cell.name == name)
    assert cell.vectors
    others = [vector for vector in vectors if vector["id"] not in cell.vectors]
    assert name in {cell.name for cell in count(others) if cell.is_empty}


def test_a_rule_is_misread_only_where_a_vector_of_it_kills() -> None:
    mutant = {"rules": ["v2.offset"], "killed_by": [1]}
    for killer, found in (("v2/about-offsets", ["v2/about-offsets"]), ("v2/about-keys", [])):
        table = {"vectors": ["v2/other", killer], "mutants": [mutant]}
        vectors = [{"id": "v2/about-offsets", "rules": ["v2.offset"]}, {"id": "v2/about-keys", "rules": ["v2.key"]}]
        cells = {cell.name: cell for cell in by_mutant.cells(table, vectors)}
        assert cells["v2.offset"].vectors == found
        assert cells["v2.producer"].is_empty
        assert "v2.crc.covers-attributes-to-end" not in cells  # bytes can break it


def test_without_vectors_everything_is_missing() -> None:
    found = [*by_field.cells({}), *by_bit.cells({})]
    assert all(cell.is_empty or cell.excluded for cell in found)


def test_the_stored_rows_are_enough_and_impossible_pairs_occur_in_none() -> None:
    rows = factors.load(ROOT / "vectors/cases/pairs.jsonl")
    assert factors.extend(rows) == rows
    for row in rows:
        assert not any(factors.impossible(*pair) for pair in factors.pairs_of(row))


@pytest.mark.whole
def test_the_document_counts_what_it_lists(measured: list[Cell]) -> None:
    document = model.document(measured)
    assert len(document["cells"]) == len(measured)
    for kind, counts in document["counts"].items():
        excluded = sum(counts["excluded"].values())
        assert sum(cell["kind"] == kind for cell in document["cells"]) == counts["cells"] + excluded
