"""Paths in an answer, and the fields of the layout in which a reader of Kafka would look."""

from dataclasses import replace

import pytest
from kafka_conformance.reports.origins import WrongField, lines_of, split_path
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Vector
from kafka_format import records
from kafka_format.explain.lines import explain
from kafka_format.records import Record

from tests.kafka_conformance.reports import runs


def paths(vector: Vector, path: str, fields: tuple[str, ...] = ("control",)) -> list[str]:
    lines = explain(vector.data).lines
    return [lines[index].path for index in lines_of(vector, lines, WrongField(path, fields))]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("records[1].offset", ["base_offset", "records[1].offset_delta"]),
        ("records[0].timestamp", ["base_timestamp", "records[0].timestamp_delta"]),
        ("records[1].timestamp_type", ["attributes"]),
        ("records[0].key", ["records[0].key.length", "records[0].key"]),
        ("records[1].key", ["records[1].key.length"]),
        ("records[1].sequence", ["base_sequence", "records[1].offset_delta"]),
        ("records[1].producer_epoch", ["producer_epoch"]),
        ("records[1].transactional", ["attributes"]),
        ("records[1].headers", ["records[1].header_count"]),
        ("records[0].headers[0].value", ["records[0].headers[0].value.length"]),
    ],
)
def test_batch(path: str, expected: list[str]) -> None:
    assert paths(runs.WRONG_ANSWER, path) == expected


def test_batch_inside_a_compressed_payload() -> None:
    assert paths(runs.GZIP, "records[1].value") == ["records[1].value.length", "records[1].value"]


def test_message_inside_a_wrapper() -> None:
    inner = "message.value[0].message"
    assert paths(runs.WRAPPER, "records[0].value") == [f"{inner}.value.length", f"{inner}.value"]
    assert paths(runs.WRAPPER, "records[0].offset") == ["offset", "message.value[0].offset"]
    assert paths(runs.WRAPPER, "records[0].codec") == ["message.attributes"]


def test_message_of_v0_after_a_batch() -> None:
    message = Record(102, timestamp=-1, timestamp_type=-1, value=b"three")
    data = runs.PLAIN + records.encode([message], magic=0)
    vector = replace(runs.WRONG_ANSWER, data=data, answer=tuple(json_answers.to_json([*runs.RECORDS, message])))
    lines = explain(data).lines
    found = [lines[index] for index in lines_of(vector, lines, WrongField("records[2].value", ()))]
    assert [(line.entry, line.path) for line in found] == [(1, "message.value.length"), (1, "message.value")]


def test_log_append_time_comes_from_the_batch() -> None:
    appended = [record._replace(timestamp=5, timestamp_type=1) for record in runs.RECORDS]
    vector = replace(runs.WRONG_ANSWER, answer=tuple(json_answers.to_json(appended)))
    assert paths(vector, "records[1].timestamp") == ["attributes", "max_timestamp", "records[1].timestamp_delta"]


def test_records_are_counted_as_the_target_shows_them() -> None:
    control = records.encode([Record(7, timestamp=1, key=b"\0\0\0\1", value=b"\0" * 6, control=True)], magic=2)
    read = [*records.decode(control), *runs.RECORDS]
    assert [record.control for record in read] == [True, False, False]
    vector = replace(runs.WRONG_ANSWER, data=control + runs.PLAIN, answer=tuple(json_answers.to_json(read)))
    lines = explain(vector.data).lines
    entries = [
        {lines[index].entry for index in lines_of(vector, lines, WrongField("records[0].key", fields))}
        for fields in (("key", "control"), ("key",))
    ]
    assert entries == [{0}, {1}]


@pytest.mark.parametrize(
    "path",
    ["", "records", "records[2].key", "records[999999999].key", f"records[{'9' * 5_000}].key", "records[0].nope"],
)
def test_paths_that_lead_nowhere(path: str) -> None:
    assert paths(runs.WRONG_ANSWER, path) == []


def test_bytes_that_nobody_can_read_have_no_places() -> None:
    assert paths(runs.EMPTY, "records[0].key") == []
    assert paths(replace(runs.WRONG_ANSWER, data=b"\xff" * 30), "records[0].key") == []


def test_split_path() -> None:
    assert split_path("records[12].headers[3].value") == (12, "headers[3].value")
    assert split_path("records[\u0661].key") is None
