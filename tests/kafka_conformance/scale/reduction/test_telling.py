"""What matters of a batch, in the paths and words of the layouts, and the batch without it."""

from typing import Any

import pytest
from kafka_conformance.scale.reduction import model
from kafka_conformance.scale.reduction.telling import fields, parts, telling, without
from kafka_format import sampler
from kafka_format.explain.lines import explain, explain_v07


def record(**values: Any) -> dict[str, Any]:
    return {
        "attributes": 0,
        "timestamp_delta": 0,
        "offset_delta": 0,
        "key": None,
        "value": b"",
        "headers": [],
        **values,
    }


def batch(*records: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {"attributes": 0, **values, "records": list(records)}


def message(magic: int = 1, **values: Any) -> dict[str, Any]:
    return {"message": {"magic": magic, "attributes": 0, "key": None, "value": b"", **values}}


def wrapper(attributes: int, *inner: dict[str, Any]) -> dict[str, Any]:
    return {"message": {"magic": 1, "attributes": attributes, "key": None}, "inner": list(inner)}


def old(payload: bytes) -> dict[str, Any]:
    return {"message": {"magic": 0, "payload": payload}}


ZIPPED = "codec = snappy"
APPENDED = "timestamp_type = log_append_time"


@pytest.mark.parametrize(
    ("tree", "told"),
    [
        ([batch()], ()),
        ([batch(record())], ("record_count = 1",)),
        ([batch(record(), record(key=b"\0"))], ("records[1].key = hex:00",)),
        ([batch(record(headers=[{"key": b"", "value": b""}]))], ("records[0].header_count = 1",)),
        ([batch(record(headers=[{"key": b"", "value": None}]))], ("records[0].headers[0].value = null",)),
        ([batch(record(value=bytes(30)))], (f"records[0].value = hex:{'00' * 24} and 6 more bytes",)),
        ([batch(record(key=b""))], ("records[0].key = empty",)),
        ([batch(attributes=-32768)], ("attributes.bit_15 = 1",)),
        ([batch(attributes=0x2A)], (f"attributes.{ZIPPED}", f"attributes.{APPENDED}", "attributes.is_control = 1")),
        ([batch(record(attributes=-127))], ("records[0].attributes.bit_0 = 1", "records[0].attributes.bit_7 = 1")),
        ([batch(), batch()], ("entries = 2",)),
        ([batch(), message()], ("entries = 2",)),
        ([batch(base_offset=1), batch()], ("[0].base_offset = 1", "entries = 2")),
        ([message(0, attributes=-8)], tuple(f"message.attributes.bit_{bit} = 1" for bit in range(3, 8))),
        ([wrapper(10, message())], (f"message.attributes.{ZIPPED}", f"message.attributes.{APPENDED}")),
        (
            [{"message": {"magic": 1, "attributes": 2}, "inner": [old(b"a"), old(b"")]}],
            (
                f"message.attributes.{ZIPPED}",
                "message.payload[0].message.payload = hex:61",
                "message.payload.messages = 2",
            ),
        ),
    ],
)
def test_parts_are_told_in_the_words_of_the_layouts(tree: model.Tree, told: tuple[str, ...]) -> None:
    assert telling(tree) == told


@pytest.mark.parametrize("profile", ["mixed", "compressed", "legacy", "v07"])
def test_every_path_is_one_that_explain_shows(profile: str) -> None:
    for index in range(25):
        block = sampler.one(11, index, profile)
        data, version = block.input(0), block.format_of(0)
        shown = {line.path for line in (explain_v07 if version == "v07" else explain)(data).lines}
        shown |= {path.removesuffix(".length") for path in shown}
        for part in parts(model.parse(data, version)):
            path = part.path.partition("].")[2] if part.path.startswith("[") else part.path
            owner = path.rpartition(".")[0]
            assert (
                path in shown
                or (owner in shown and owner.endswith("attributes"))
                or path.endswith(("messages", "entries"))
            )


@pytest.mark.parametrize("profile", ["mixed", "compressed", "legacy", "v07"])
def test_without_a_part_it_is_not_there_and_all_else_is(profile: str) -> None:
    for index in range(25):
        block = sampler.one(12, index, profile)
        tree = model.parse(block.input(0), block.format_of(0))
        for part in parts(tree):
            left = without(tree, part)
            assert left != tree
            if not part.path.endswith((".codec", "_count", "entries", "messages")):
                assert {one.text for one in parts(left)} >= {one.text for one in parts(tree)} - {part.text}
                assert part.text not in {one.text for one in parts(left)}


@pytest.mark.parametrize(
    ("told", "named"),
    [
        (("records[0].attributes.bit_1 = 1", "records[12].attributes.bit_1 = 1"), ("records.attributes.bit_1",)),
        (("[1].message.value[3].message.key = hex:00", "[2].offset = 4"), ("message.value.message.key", "offset")),
    ],
)
def test_fields_have_no_numbers(told: tuple[str, ...], named: tuple[str, ...]) -> None:
    assert fields(told) == named
