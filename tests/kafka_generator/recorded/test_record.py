"""Rows are taken from the report of a run made by hand: `sound` is right, `careless` is not."""

import json
import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports import json_report
from kafka_conformance.run.run import Run
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.vectors import golden
from kafka_generator.recorded import append_errors, details, record
from kafka_generator.recorded.results import FOLDER, Row
from kafka_tools.errors import UsageError

from tests.kafka_conformance.reports import runs

VALID, OTHER = "v2/plain/two-records", "v2/gzip/plain"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a report, with what is changed of its run; return its folder."""

    def _write(run: Run = runs.RUN, **header: Any) -> Path:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        run = replace(run, header=replace(run.header, command="kafka-conformance run toy", **header))
        json_report.write(run, folder / record.REPORT)
        return folder

    return _write


def rows(folder: Path) -> dict[tuple[str, Part], Row]:
    file = folder / record.REPORT
    read = record.rows_of(json_report.load(file), json.loads(file.read_text(encoding="utf-8")))
    return {(row.target, row.part): row for row in read}


def renamed(*ids: str, target: str = "careless", form: str = "v2") -> Run:
    """A run of one target, which gets the first vector wrong and the others right."""
    vectors = tuple(replace(runs.GZIP, id=each, format=form) for each in ids)
    wrong = Result(ids[0], target, Outcome.REFUSED_VALID)
    results = (wrong, *(Result(each, target, Outcome.PASSED) for each in ids[1:]))
    targets = (replace(runs.CARELESS, name=target),)
    return replace(runs.RUN, targets=targets, vectors=vectors, results=results, diagnoses={}, comparison=None)


def test_a_file_that_is_no_report_is_refused(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match="not a report"):
        record.record([tmp_path])


@pytest.mark.parametrize(
    "option", ["--vectors 'v2/*'", "--id x", "--rule v2.crc", "--verdict valid", "--direction=decode", "--api fetch"]
)
def test_a_run_of_chosen_vectors_is_refused(option: str) -> None:
    document = {
        "header": {"command": f"kafka-conformance run toy {option}"},
        "footer": {"interrupted": False},
        "targets": [],
    }
    with pytest.raises(UsageError, match=re.escape(option.split(maxsplit=1)[0].partition("=")[0])):
        record.check_whole(Path("report.json"), document)


@pytest.mark.parametrize(
    ("target", "is_refused"), [("consumer-sarama", True), ("producer-sarama@1", True), ("x", False)]
)
def test_a_run_about_records_alone_says_not_all_of_a_client(target: str, is_refused: bool) -> None:
    header = {"command": f"kafka-conformance run {target} --about records"}
    document = {"header": header, "footer": {"interrupted": False}, "targets": [{"name": target}]}
    with pytest.raises(UsageError, match="--about") if is_refused else nullcontext():
        record.check_whole(Path("report.json"), document)


def test_conversations_are_counted_by_topic_and_wrong_requests_are_told_from_lost_records(
    write: Callable[..., Path],
) -> None:
    run = renamed("v2/x", "conversation/groups/x", "conversation/idempotence/y", target="consumer-sarama")
    row = rows(write(run))["consumer-sarama", Part.CONSUMER]
    assert row.cells == {"conversation/groups": (1, 0), "conversation/idempotence": (1, 0), "records": (1, 1)}


@pytest.mark.parametrize(
    ("vector", "path", "is_in_requests"),
    [
        ("conversation/groups/x", "steps[0].then.request", True),
        ("conversation/groups/x", "closing.leave_group", True),
        ("conversation/groups/x", "records[0].value", False),
        ("conversation/idempotence/x", "log", False),
        ("v2/x", "request", False),
        ("deliver/next/x", "next_offset", True),  # what it asks for again, it has
        ("deliver/offset/x", "next_offset", False),  # what it goes past, it loses
    ],
)
def test_a_cause_says_whether_data_went_wrong(vector: str, path: str, is_in_requests: bool) -> None:
    line = {"id": "x", "does": "x", "direction": "decode", "reach": "broker", "rule": "", "smallest": vector}
    got = "5" if vector.startswith("deliver/next") else "9"
    result = Result(vector, "consumer-x", Outcome.WRONG_ANSWER, path=path, expected="7", got=got)
    late = Result("deliver/x", "consumer-x", Outcome.WRONG_ANSWER, path="next_offset", expected="7", got="9")
    document = {"vectors": [{"id": vector, "reach": "broker"}, {"id": late.vector, "reach": "crafted"}]}
    told = record._cause({**line, "findings": [vector, late.vector]}, [result, late], document)
    assert told.in_requests is is_in_requests


def test_an_interrupted_run_is_refused() -> None:
    document = {"header": {"command": "kafka-conformance run toy"}, "footer": {"interrupted": True}}
    with pytest.raises(UsageError, match="interrupted"):
        record.check_whole(Path("report.json"), document)


def test_a_target_that_did_not_run_has_no_row(write: Callable[..., Path]) -> None:
    ids = [vector.id for vector in golden.load()[:2]]
    assert ("missing", Part.DECODER) not in rows(write(renamed(*ids)))


def test_a_row_counts_cases_by_outcome_and_cell(write: Callable[..., Path]) -> None:
    gzip = next(vector.id for vector in golden.load() if vector.codecs == ("gzip",))
    plain = next(vector.id for vector in golden.load() if vector.codecs == ("none",) and vector.format == "v2")
    run = renamed(plain, gzip)
    written = Result(plain, "careless", Outcome.WRONG_ANSWER, Direction.ENCODE)
    run = replace(run, results=(*run.results, written))
    row = rows(write(run))["careless", Part.DECODER]
    assert (row.version, row.vectors, row.asked, row.findings) == ("0.0.1", 2, 3, 2)
    assert row.outcomes == {"right": 1, "misread": 1, "refused": 1}
    assert row.cells == {"gzip": (1, 0), "v2": (1, 1), record.WRITING: (1, 1)}
    assert row.bugs == {"met": 0, "damage": 0, "crafted": 0, "harmless": 0, "unexplained": 2}


def test_causes_and_bugs_are_those_of_the_part(write: Callable[..., Path]) -> None:
    document = json_report.document(runs.diagnosed())
    known = {vector.id for vector in golden.load()[: len(runs.VECTORS)]}
    names = dict(zip((vector.id for vector in runs.VECTORS), sorted(known), strict=True))
    text = json.dumps(document)
    for old, new in names.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    folder = write()
    (folder / record.REPORT).write_text(text, encoding="utf-8")
    row = rows(folder)["careless", Part.DECODER]
    assert sum(row.bugs[group] for group in ("met", "damage", "crafted", "harmless")) == len(row.causes) > 0
    assert row.bugs["unexplained"] == row.findings - sum(cause.findings for cause in row.causes)


@pytest.mark.parametrize(
    ("target", "form", "part"),
    [
        ("careless", "request", Part.MESSAGES),
        ("careless", "log", Part.LOG_READER),
        ("consumer-sarama", "v2", Part.CONSUMER),
        ("producer-sarama@1.2", "v2", Part.PRODUCER),
        ("broker-kafka", "v2", Part.BROKER),
        ("broker-kafka", "scenario", Part.SCENARIO),
        ("broker:127.0.0.1:9092", "scenario", Part.SCENARIO),
    ],
)
def test_a_target_and_a_vector_say_which_part_was_asked(
    write: Callable[..., Path], target: str, form: str, part: Part
) -> None:
    run = renamed("x/y", "x/z", target=target, form=form)
    hello = replace(runs.HELLO, apis={"form": "json"})
    run = replace(run, targets=(replace(run.targets[0], hello=hello),))
    assert list(rows(write(run))) == [(target, part)]


def test_rows_of_other_targets_stay(write: Callable[..., Path]) -> None:
    folder = write(renamed("x/y", "x/z", target="consumer-sarama"), started="2030-01-02T03:04:05+00:00")
    contents = record.record([folder])
    before, after = (
        {row["target"]: row for row in json.loads(text)["rows"]}
        for text in ((FOLDER / "consumer.json").read_text(encoding="utf-8"), contents[FOLDER / "consumer.json"])
    )
    assert after["consumer-sarama"]["run"] == "2030-01-02"
    assert {name for name, row in after.items() if row != before[name]} == {"consumer-sarama"}
    assert contents[append_errors.FILE] == append_errors.FILE.read_text(encoding="utf-8")


def test_details_of_a_decoder_are_replaced_and_those_of_others_moved() -> None:
    """Places become those in the new list of vectors; a vector that is gone is left out."""
    first, second, third = (vector.id for vector in golden.load()[:3])
    line = {"format": "v2", "family": "x", "verdict": "valid", "reach": "broker", "title": "", "rules": []}
    hello = {"version": "1"}
    known = {
        "targets": [{"name": "sarama", "hello": hello}, {"name": "aiokafka", "hello": hello}],
        "vectors": [{"id": each, **line} for each in (first, "gone/since", second)],
        "results": [],
        "passed": [{"target": name, "direction": "decode", "places": [[0, 2]]} for name in ("sarama", "aiokafka")],
        "gaps": [],
    }
    report = {
        "header": {},
        "footer": {},
        "targets": [{"name": "sarama", "hello": {"version": "2"}}, {"name": "kio", "hello": None}],
        "vectors": [{"id": each, **line} for each in (third, second, first)],
        "results": [{"target": "sarama", "vector": first, "direction": "decode", "outcome": "hung", "seconds": 9}],
        "passed": [{"target": "sarama", "direction": "decode", "places": [[0, 1]]}],
        "gaps": [],
    }
    merged = json.loads(details.joined(json.dumps(known), report))
    assert [target["hello"]["version"] for target in merged["targets"]] == ["1", "2"]
    assert {line["target"]: line["places"] for line in merged["passed"]} == {"sarama": [[0, 1]], "aiokafka": [[1, 2]]}
    assert [(line["target"], line["seconds"]) for line in merged["results"]] == [("sarama", 0)]
    assert merged["footer"]["results"] == 5


def test_details_of_records_stay_where_a_run_was_about_messages_alone() -> None:
    report = {
        "targets": [{"name": "sarama", "hello": {"version": "2"}}],
        "vectors": [{"id": "metadata-request/0/typical"}],
    }
    assert details.joined('{"targets": []}', report) == '{"targets": []}'
