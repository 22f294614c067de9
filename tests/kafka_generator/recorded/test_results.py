import json

import pytest
from kafka_conformance.targets.catalogue import Part
from kafka_generator.recorded import results
from kafka_generator.recorded.results import RecordedCause, RecordedText, Row
from kafka_tools.errors import UsageError

CAUSE = RecordedCause("toy/a", "drops headers", "decode", "broker", "v2.crc", 3, "v2/x", ("v2/x", "v2/y"))
TEXT = RecordedText("bad N", {"v2.crc": 2}, ("v2/z",))
ROW = Row(
    "toy",
    Part.DECODER,
    "2.10.0",
    "C",
    "2026-11-28",
    9,
    8,
    3,
    {"met": 1, "damage": 0, "crafted": 0},
    {"right": 5},
    "",
    {"v2": (8, 3)},
    (CAUSE,),
    (TEXT,),
)


def row(target: str, version: str) -> Row:
    return Row(target, Part.DECODER, version, "C", "", 0, 1, 0, {"met": 0, "damage": 0, "crafted": 0})


@pytest.mark.parametrize(
    "change",
    [{"rows": [{}]}, {"kind": "something else"}, {"schema_version": 2}, {"part": "engine"}, {"rows": None}],
)
def test_what_does_not_fit_the_schema_is_refused(change: dict[str, object]) -> None:
    document = json.loads(results.text(Part.DECODER, {"toy": ROW})) | change
    with pytest.raises(UsageError, match=r"toy\.json is wrong at"):
        list(results.parse(json.dumps(document), "toy.json"))


def test_what_was_written_is_read() -> None:
    text = results.text(Part.DECODER, {"toy": ROW})
    assert list(results.parse(text, "toy.json")) == [ROW]


def test_the_reference_stands_first_and_the_newest_release_before_older_ones() -> None:
    rows = [row("toy@2.9.0", "2.9.0"), row("toy", "2.10.0"), row("reference", "0.1"), row("toy@2.10.0rc", "1")]
    read = results.parse(results.text(Part.DECODER, {one.target: one for one in rows}), "toy.json")
    assert [one.target for one in read] == ["reference", "toy", "toy@2.9.0", "toy@2.10.0rc"]


def test_all_parts_of_a_library_are_found_under_its_name() -> None:
    """The files in docs/recorded fit the schema, and nothing in them is of an unknown part."""
    recorded = results.results()
    assert {row.target for row in recorded["aiokafka"][Part.DECODER]} >= {"aiokafka", "aiokafka-pure"}
    assert recorded["aiokafka"][Part.CONSUMER][0].target == "consumer-aiokafka"
    for parts in recorded.values():
        for part, rows in parts.items():
            assert all(one.part is part and 0 <= one.findings <= one.asked for one in rows)
