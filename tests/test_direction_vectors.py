"""The vectors of further directions as users get them: by the schema, and the reference agrees."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from kafka_conformance.vectors import json_answers
from kafka_format.broker import consumer, conversion, offsets
from kafka_format.errors import FormatError
from kafka_format.spec.rules import rules
from kafka_generator.decompression import decompress_entries

ROOT = Path(__file__).resolve().parent.parent
FILES = {file.stem: file for file in sorted((ROOT / "vectors/directions").glob("*.jsonl"))}
SCHEMA = json.loads((ROOT / "spec/schema/direction-vector.schema.json").read_text(encoding="utf-8"))
VECTORS: list[dict[str, Any]] = [
    json.loads(line) for file in FILES.values() for line in file.read_text(encoding="utf-8").splitlines()
]


SEEN = ("offset", "timestamp", "timestamp_type", "key", "value", "headers")
"""What an application sees of a record."""


def of(family: str) -> list[Any]:
    return [pytest.param(vector, id=vector["id"]) for vector in VECTORS if vector["family"] == family]


def test_there_is_a_file_for_each_direction_and_every_line_fits_the_schema() -> None:
    assert set(FILES) == {"assign", "convert", "deliver"}
    check = jsonschema.Draft202012Validator(SCHEMA)
    assert [(vector["id"], error.message) for vector in VECTORS for error in check.iter_errors(vector)] == []


@pytest.mark.parametrize(
    "change",
    [
        {"hex": "AB"},
        {"extra": 1},
        {"verdict": "lenient"},
        {"oracle": []},
        {"expected": {"outcome": "whole"}},
        {"magic": 1},
    ],
    ids=lambda change: next(iter(change)),
)
@pytest.mark.parametrize("family", ["assign", "deliver"])
def test_the_schema_refuses_what_the_readme_does_not_promise(family: str, change: dict[str, Any]) -> None:
    vector = next(vector for vector in VECTORS if vector["family"] == family)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**vector, **change}, SCHEMA)


def test_ids_are_unique_and_begin_with_their_direction() -> None:
    ids = [vector["id"] for vector in VECTORS]
    assert len(set(ids)) == len(ids)
    assert all(vector["id"].startswith(vector["family"] + "/") for vector in VECTORS)


def test_every_rule_of_the_directions_has_a_vector_and_every_refusal_names_its_rule() -> None:
    files = {"consumer", "conversion", "offsets"}
    known = {rule.id for rule in rules().values() if Path(rule.file).stem in files}
    named = {rule for vector in VECTORS for rule in vector["rules"]}
    assert known - named == set()
    told = {vector["expected"]["rule"] for vector in VECTORS if "rule" in vector["expected"]}
    assert told <= set(rules())


@pytest.mark.parametrize("vector", of("deliver"))
def test_the_reference_delivers_so(vector: dict[str, Any]) -> None:
    aborted = [(int(producer), int(offset)) for producer, offset in vector["aborted"]]
    expected = vector["expected"]
    delivery = consumer.deliver(bytes.fromhex(vector["hex"]), int(vector["fetch_offset"]), vector["isolation"], aborted)
    seen = [{key: record[key] for key in SEEN} for record in json_answers.to_json(delivery.records)]
    assert seen == expected["records"]
    assert str(delivery.next_offset) == expected["next_offset"]
    assert delivery.too_small == (expected["outcome"] == "too-small")
    assert (delivery.error.rule if delivery.error else None) == expected.get("rule")


@pytest.mark.parametrize("vector", of("assign"))
def test_the_reference_assigns_so(vector: dict[str, Any]) -> None:
    expected, topic = vector["expected"], vector["topic"]
    settings = topic | {"now": int(topic["now"]), "timestamp_type": int(topic["timestamp_type"] == "log_append_time")}
    data, first_offset = bytes.fromhex(vector["hex"]), int(vector["first_offset"])
    if vector["verdict"] == "invalid":
        with pytest.raises(FormatError) as caught:
            offsets.assign(data, first_offset, offsets.TopicState(**settings))
        assert caught.value.rule == expected["rule"]
        return
    assigned = offsets.assign(data, first_offset, offsets.TopicState(**settings))
    assert (str(assigned.last_offset), assigned.in_place) == (expected["last_offset"], expected["in_place"])
    assert_bytes(assigned.data, expected)


@pytest.mark.parametrize("vector", of("convert"))
def test_the_reference_converts_so(vector: dict[str, Any]) -> None:
    data, first_offset = bytes.fromhex(vector["hex"]), int(vector["first_offset"])
    if vector["verdict"] == "invalid":
        with pytest.raises(FormatError) as caught:
            conversion.down_convert(data, vector["magic"], first_offset)
        assert caught.value.rule == vector["expected"]["rule"]
        return
    converted = conversion.down_convert(data, vector["magic"], first_offset)
    assert [lost.loss for lost in converted.losses] == [loss for _, loss, _ in vector["expected"]["lost"]]
    assert_bytes(converted.data, vector["expected"])


def assert_bytes(data: bytes, expected: dict[str, Any]) -> None:
    """The pass condition: the very bytes, or the same bytes with their payloads decompressed."""
    if "hex" in expected:
        assert data.hex() == expected["hex"]
    else:
        assert decompress_entries(data).hex() == expected["unpacked"]
