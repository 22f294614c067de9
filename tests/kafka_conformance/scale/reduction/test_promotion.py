"""A promoted finding is a case that the generator takes, once."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.errors import UsageError
from kafka_conformance.generation import files, promoted
from kafka_conformance.scale.reduction import model
from kafka_conformance.scale.reduction.promotion import _IN_BATCH, _OTHERWISE, case_of, promote
from kafka_conformance.scale.reduction.reducing import Reduced
from kafka_format import data
from kafka_format.errors import LayoutError
from kafka_format.rules import rules

_DATA = model.write([{"records": [{"attributes": -77, "key": b"\7"}]}])
FOUND = Reduced(
    target="slipping",
    name="slipping",
    version="1.2",
    seed=7,
    index=1234,
    profile="mixed",
    outcome="wrong-answer",
    about="records[*].offset",
    path="records[0].offset",
    expected="0",
    got="1",
    detail="records[0].offset is 1, not 0",
    format="v2",
    codec="none",
    size=900,
    reduced_size=len(_DATA),
    hex=_DATA.hex(),
    calls=40,
    seconds=0.5,
    telling=("records[0].attributes = -77", "records[0].key = 07"),
    finished=True,
)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Vectors of two families, and their cases."""
    shipped = data.path("vectors")
    (tmp_path / "cases").mkdir()
    shutil.copy(shipped / "cases" / "payloads.json", tmp_path / "cases")
    shutil.copy(shipped / "cases" / "record-batch.yaml", tmp_path / "cases")
    shutil.copy(shipped / "record-batch.jsonl", tmp_path)
    return tmp_path


def test_a_promoted_finding_is_built_and_judged_like_any_case(directory: Path) -> None:
    name = promote(FOUND, directory)
    assert name == "promoted/v2/records-attributes/records-key/offset"
    made, _ = files.make(directory, may_add=False, construct=False)
    [one] = [one for one in made if one.case.id == name]
    assert one.data == _DATA
    assert one.case.rules == ("v2.record.attributes.ignored", "v2.key.nullable")
    assert "seed 7, index 1234, profile mixed" in one.case.source
    assert "slipping 1.2 gave a wrong answer" in one.case.source
    assert one.judged.answer is not None
    assert one.judged.answer[0].offset == 0
    with pytest.raises(LayoutError, match=r"promoted.jsonl:1.*was never put to kafka-clients"):
        files.texts([one], files.OracleRecord(directory / "cases" / "oracle.json"))


def test_ids_are_those_of_vectors(directory: Path) -> None:
    pattern = json.loads((data.path("spec") / "schema" / "vector.schema.json").read_text())["properties"]["id"]
    for telling in ((), ("[1].message.key = 00",), FOUND.telling):
        document = promote(replace(FOUND, telling=telling, hex=_DATA.hex()), directory)
        assert re.fullmatch(pattern["pattern"], document)
        (directory / "cases" / promoted.FILE).unlink()


def test_nothing_is_promoted_twice(directory: Path) -> None:
    promote(FOUND, directory)
    with pytest.raises(UsageError, match="has the same bytes"):
        promote(FOUND, directory)
    other = model.write([{"records": [{"attributes": -76, "key": b"\7"}]}])
    with pytest.raises(UsageError, match="there is a vector promoted/v2/records-attributes/records-key/offset already"):
        promote(replace(FOUND, hex=other.hex()), directory)
    assert len((directory / "cases" / promoted.FILE).read_text().splitlines()) == 1


def test_bytes_of_a_golden_vector_are_not_promoted(directory: Path) -> None:
    known = json.loads((directory / "record-batch.jsonl").read_text().splitlines()[0])
    with pytest.raises(UsageError, match=f"the vector {known['id']} has the same bytes"):
        promote(replace(FOUND, hex=known["hex"]), directory)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"outcome": "passed"}, "did not fail again"),
        ({"hex": _DATA[:-1].hex() + "ff"}, "invalid"),
    ],
)
def test_what_shows_nothing_is_not_promoted(directory: Path, change: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        promote(replace(FOUND, **change), directory)  # type: ignore[arg-type]


def test_it_takes_a_checkout(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no cases"):
        promote(FOUND, tmp_path)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "is no promoted finding"),
        ('{"id": "promoted/x", "hex": "0g"}', "is no promoted finding"),
        ('{"id": "promoted/x", "hex": "00"}', "`title` is missing"),
        (json.dumps(case_of(FOUND) | {"rules": ["v2.kee"]}), "there is no rule `v2.kee`"),
    ],
)
def test_a_spoilt_line_is_named(tmp_path: Path, line: str, words: str) -> None:
    file = tmp_path / promoted.FILE
    file.write_text(line + "\n")
    with pytest.raises(LayoutError, match=rf"promoted.jsonl:1.*{words}"):
        promoted.load(file)


def test_proposed_rules_are_rules() -> None:
    assert {*_IN_BATCH.values(), *_OTHERWISE.values(), "entry.run"} <= rules().keys()
