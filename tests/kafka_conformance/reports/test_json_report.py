import json
from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import FIELDS, Direction, Hello
from kafka_conformance.reports import json_report
from kafka_conformance.run.comparison import CaseChange, Change
from kafka_conformance.run.target import Standing
from kafka_format.records import Header as RecordHeader
from kafka_format.spec import data
from kafka_tools.errors import UsageError

from tests.kafka_conformance.reports import runs

SCHEMA = json.loads((data.path("spec") / "schema" / "report.schema.json").read_text())
ANSWER = tuple(record._replace(producer_id=0, producer_epoch=0, sequence=0, codec=0) for record in runs.RECORDS)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "report.json"
    json_report.write(runs.RUN, path)
    return path


def refusal(file: Path) -> str:
    with pytest.raises(UsageError) as caught:
        json_report.load(file)
    assert str(file) in str(caught.value)
    return str(caught.value)


def test_what_was_written_is_read(file: Path) -> None:
    report = json_report.load(file)
    assert (report.header, report.footer) == (runs.RUN.header, runs.RUN.footer)
    assert report.targets == runs.RUN.targets
    short = [result if result.is_finding else replace(result, seconds=0.0) for result in runs.RUN.results]
    assert set(report.results) == set(short)
    assert [result for result in report.results if result.target == "sound"] == [
        result for result in short if result.target == "sound"
    ]
    assert report.known_problems == runs.RUN.known_problems
    assert [(case.id, case.verdict, case.rules) for case in report.vectors] == [
        (vector.id, vector.verdict, vector.rules) for vector in runs.VECTORS
    ]


def test_what_was_not_asked_is_written_with_the_reason_and_read(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    json_report.write(runs.not_asked(), path)
    (written,) = json.loads(path.read_text())["not_asked"]
    assert (written["target"], written["detail"]) == ("careless", runs.HUNG_THREE_TIMES)
    report = json_report.load(path)
    spared = [result for result in report.results if result.outcome is Outcome.NOT_ASKED]
    assert {(one.vector, one.detail) for one in spared} == {
        ("v2/gzip/two-records", runs.HUNG_THREE_TIMES),
        ("v2/empty/nothing", runs.HUNG_THREE_TIMES),
    }
    older = json.loads(path.read_text()) | {"footer": {**json.loads(path.read_text())["footer"]}}
    del older["not_asked"]
    older["footer"]["results"] -= 2
    path.write_text(json.dumps(older))
    assert len(json_report.load(path).results) == len(report.results) - 2  # a report of an older release


def test_file_is_valid_by_its_schema(file: Path) -> None:
    Draft202012Validator(SCHEMA).validate(json.loads(file.read_text()))


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects(value)


def test_schema_is_sound_and_closed() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    found = list(objects(SCHEMA))
    assert len(found) > 5
    assert [one for one in found if "additionalProperties" not in one] == []
    assert all(set(one.get("required", ())) <= set(one.get("properties", ())) for one in found)


def test_schema_knows_every_outcome_and_field() -> None:
    definitions = SCHEMA["$defs"]
    assert set(definitions["outcome"]["enum"]) == set(Outcome)
    assert set(definitions["direction"]["enum"]) == set(Direction)
    assert set(definitions["result"]["properties"]) == {field.name for field in fields(Result)} - {"content"}
    assert set(definitions["hello"]["properties"]) == {field.name for field in fields(Hello)}


def test_schema_knows_every_change_and_standing() -> None:
    definitions = SCHEMA["$defs"]
    case = definitions["comparison"]["properties"]["cases"]["items"]["properties"]
    assert set(case) == {field.name for field in fields(CaseChange)}
    assert set(case["change"]["enum"]) == set(Change)
    assert set(definitions["target"]["properties"]["standing"]["enum"]) == set(Standing)
    assert set(definitions["record"]["properties"]) == set(FIELDS)


def test_comparison_is_written(file: Path) -> None:
    document = json.loads(file.read_text())["comparison"]
    assert document["worse"] is True
    assert [case["change"] for case in document["cases"]] == ["broke", "new", "new", "fixed"]
    assert document["cases"][1] == {
        "change": "new",
        "target": "careless",
        "vector": runs.CUT.id,
        "direction": "decode",
        "was": None,
        "now": "refused-valid",
    }


def test_whole_answer_of_a_finding_is_written_and_read(tmp_path: Path) -> None:
    """Fields that the target does not declare come back as zero, as they came from its adapter."""
    wrong = replace(runs.CARELESS_RESULTS[0], answer=ANSWER)
    passed = replace(runs.SOUND_RESULTS[0], answer=ANSWER)
    json_report.write(replace(runs.RUN, results=(passed, wrong)), tmp_path / "report.json")
    assert [result.answer for result in json_report.load(tmp_path / "report.json").results] == [None, ANSWER]
    (written,) = json.loads((tmp_path / "report.json").read_text())["results"]
    assert set(written["answer"][0]) == set(runs.HELLO.fields)


def test_bytes_that_only_the_diagnosis_needs_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    with_content = tuple(replace(result, content=b"\xff") for result in runs.RUN.results)
    json_report.write(replace(runs.RUN, results=with_content), path)
    assert all("content" not in result for result in json.loads(path.read_text())["results"])


def test_that_no_record_came_is_written_and_read(tmp_path: Path) -> None:
    wrong = replace(runs.CARELESS_RESULTS[0], due=1, came=0)
    json_report.write(replace(runs.RUN, results=(wrong,)), tmp_path / "report.json")
    (read,) = json_report.load(tmp_path / "report.json").results
    assert (read.due, read.came) == (1, 0)


def test_long_answer_is_cut_where_the_schema_says(tmp_path: Path) -> None:
    assert SCHEMA["$defs"]["result"]["properties"]["answer"]["maxItems"] == json_report.ANSWER_RECORDS
    wrong = replace(runs.CARELESS_RESULTS[0], answer=ANSWER * 1000)
    json_report.write(replace(runs.RUN, results=(wrong,)), tmp_path / "report.json")
    answer = json_report.load(tmp_path / "report.json").results[0].answer
    assert answer == (ANSWER * 1000)[: json_report.ANSWER_RECORDS]


def test_answer_of_many_bytes_is_left_out(tmp_path: Path) -> None:
    long = runs.RECORDS[0]._replace(value=bytes(json_report.ANSWER_BYTES))
    wrong = replace(runs.CARELESS_RESULTS[0], answer=(long,))
    json_report.write(replace(runs.RUN, results=(wrong,)), tmp_path / "report.json")
    assert json_report.load(tmp_path / "report.json").results[0].answer is None


def test_causes_are_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    json_report.write(runs.diagnosed(), file)
    document = json.loads(file.read_text())
    Draft202012Validator(SCHEMA).validate(document)
    assert [(cause["id"], cause["reach"], cause["smallest"]) for cause in document["causes"]] == [
        ("record/base", "producer", "v2/plain/two-records"),
        ("encode/headers", "broker", "v2/plain/two-records"),
        ("batch/crc", "crafted", "v2/checksum/flipped"),
    ]
    assert document["summary"][1]["bugs"] == {"met": 2, "damage": 0, "crafted": 1, "harmless": 0, "unexplained": 5}
    read = {cause.id: cause.does for cause in json_report.load(file).causes["careless"]}
    assert read["batch/crc"] == "does not look at checksums"


def test_places_beyond_the_vectors_are_refused(file: Path) -> None:
    document = json.loads(file.read_text())
    document["passed"][0]["places"][0] = [1000, 1000 + document["passed"][0]["places"][0][1]]
    file.write_text(json.dumps(document))
    with pytest.raises(UsageError, match="refers to vectors"):
        json_report.load(file)


def test_answer_that_no_record_can_be_is_written_and_read(tmp_path: Path) -> None:
    odd = ANSWER[0]._replace(timestamp_type=7, headers=(RecordHeader(None, b""),))
    wrong = replace(runs.CARELESS_RESULTS[0], answer=(odd,))
    json_report.write(replace(runs.RUN, results=(wrong,)), tmp_path / "report.json")
    assert json_report.load(tmp_path / "report.json").results[0].answer == (odd,)


def test_footer_comes_last_and_counts(file: Path) -> None:
    document = json.loads(file.read_text())
    assert list(document)[-1] == "footer"
    assert document["footer"]["results"] == len(runs.RUN.results)
    assert len(document["results"]) == sum(result.is_finding for result in runs.RUN.results)


def test_summary_adds_up(file: Path) -> None:
    careless = json.loads(file.read_text())["summary"][1]
    assert careless["target"] == "careless"
    assert careless["asked"] == careless["passed"] + careless["known"] + careless["findings"] == 9
    assert sum(careless["outcomes"].values()) == careless["asked"] + careless["gaps"] == 10
    assert careless["outcomes"]["wrong-answer"] == 2


def test_file_that_was_cut_is_noticed_wherever_it_was_cut(file: Path) -> None:
    whole = file.read_bytes()
    for length in range(0, len(whole.rstrip()) - 1, 37):
        file.write_bytes(whole[:length])
        refusal(file)
    file.write_bytes(whole[: len(whole) // 2])
    assert "is cut" in refusal(file)


def test_result_that_went_missing_is_noticed(file: Path) -> None:
    document = json.loads(file.read_text())
    del document["results"][3]
    file.write_text(json.dumps(document))
    assert f"has {len(runs.RUN.results) - 1} results, but its footer counts {len(runs.RUN.results)}" in refusal(file)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "not a report of this suite"),
        ('{"kind": "something else"}', "not a report of this suite"),
        ("null", "not a report of this suite"),
        ("<html>", "is not JSON"),
        ('{"a": 1} {"b": 2}', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_foreign_file_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "foreign.json"
    file.write_text(text)
    assert reason in refusal(file)


def test_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    assert "cannot read" in refusal(tmp_path / "nowhere.json")
    assert "cannot read" in refusal(tmp_path)
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00{")
    assert "not UTF-8" in refusal(tmp_path / "binary.json")


def test_other_version_is_refused_by_name(file: Path) -> None:
    document = {**json.loads(file.read_text()), "schema_version": 1}
    file.write_text(json.dumps(document))
    assert "schema version 1; this release reads version 2" in refusal(file)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("results", 0, "outcome"), "great"),
        (("results", 0, "surprise"), 1),
        (("results", 0, "seconds"), -1),
        (("targets", 0, "hello", "checks_crc"), "yes"),
        (("header", "surprise"), ""),
        (("surprise",), {}),
    ],
)
def test_damage_is_refused_with_its_place(file: Path, place: tuple[str | int, ...], value: object) -> None:
    document = json.loads(file.read_text())
    inner = document
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    file.write_text(json.dumps(document))
    assert "is wrong at $" in refusal(file)


def test_hostile_texts_are_plain_text_in_any_language(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    json_report.write(runs.hostile(), file)
    assert "\\ud800" not in file.read_text().replace("\\\\ud800", "")
    result = json_report.load(file).results[-1]
    assert result.detail.isprintable()
    assert "<script>" in result.detail


def test_huge_text_is_cut(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    huge = replace(runs.CARELESS_RESULTS[2], detail="x" * 5_000_000)
    json_report.write(replace(runs.RUN, results=(huge,)), file)
    assert file.stat().st_size < 50_000
    assert json_report.load(file).results[0].detail.endswith("more characters)")


def test_numbers_of_the_run_survive(file: Path) -> None:
    assert asdict(json_report.load(file).footer) == {
        "finished": "2026-01-02T03:05:05+00:00",
        "seconds": 60.0,
        "interrupted": False,
    }
