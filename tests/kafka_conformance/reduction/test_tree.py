"""A tree has all that the bytes have, can always be written again, and names what is special."""

from typing import Any

import pytest
from kafka_conformance.reduction import tree
from kafka_format import records, sampler
from kafka_format.explain.lines import explain, explain_v07
from kafka_format.records import v07


@pytest.mark.parametrize("profile", ["tiny", "mixed", "compressed", "legacy", "v07"])
def test_writing_a_tree_gives_the_batch_back(profile: str) -> None:
    for index in range(60):
        block = sampler.single(5, index, profile)
        data, version = block.input(0), block.format_of(0)
        written = tree.write(tree.parse(data, version))
        if block.codec_of(0) == "none":
            assert written == data
        elif version != "v07":  # whose offsets count compressed bytes
            assert records.decode(written) == records.decode(data)
        else:
            assert len(v07.decode(written)) == len(v07.decode(data))


def test_what_is_left_out_follows_from_the_rest() -> None:
    record = {"timestamp_delta": 5, "offset_delta": 3, "value": b"v"}
    written = tree.write([{"base_offset": 10, "base_timestamp": 100, "records": [record]}])
    [record] = records.decode(written)
    assert (record.offset, record.timestamp) == (13, 105)
    [batch] = tree.parse(written, "v2")
    assert (batch["last_offset_delta"], batch["max_timestamp"]) == (3, 105)


def test_a_wrapper_is_written_from_its_messages() -> None:
    inner = [{"offset": 0, "message": {"magic": 1, "attributes": 0, "timestamp": 8, "key": None, "value": b"a"}}]
    written = tree.write([{"message": {"magic": 1, "attributes": 1, "key": None}, "inner": inner}])
    [record] = records.decode(written)
    assert (record.timestamp, record.value, record.codec) == (8, b"a", 1)


@pytest.mark.parametrize("attributes", [0, 1, 4])
def test_a_batch_may_have_no_records(attributes: int) -> None:
    assert records.decode(tree.write([{"attributes": attributes, "records": []}])) == []


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
    ("entries", "texts"),
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
def test_parts_are_named_as_in_the_layouts(entries: tree.Tree, texts: tuple[str, ...]) -> None:
    assert tuple(part.text for part in tree.parts(entries)) == texts


@pytest.mark.parametrize("profile", ["mixed", "compressed", "legacy", "v07"])
def test_every_path_is_one_that_explain_shows(profile: str) -> None:
    for index in range(25):
        block = sampler.single(11, index, profile)
        data, version = block.input(0), block.format_of(0)
        shown = {line.path for line in (explain_v07 if version == "v07" else explain)(data).lines}
        shown |= {path.removesuffix(".length") for path in shown}
        for part in tree.parts(tree.parse(data, version)):
            path = part.name.partition("].")[2] if part.name.startswith("[") else part.name
            owner = path.rpartition(".")[0]
            assert (
                path in shown
                or (owner in shown and owner.endswith("attributes"))
                or path.endswith(("messages", "entries"))
            )


@pytest.mark.parametrize("profile", ["mixed", "compressed", "legacy", "v07"])
def test_without_a_part_it_is_not_there_and_all_else_is(profile: str) -> None:
    for index in range(8):
        block = sampler.single(12, index, profile)
        entries = tree.parse(block.input(0), block.format_of(0))
        for part in tree.parts(entries):
            left = tree.without(entries, part)
            assert left != entries
            if not part.name.endswith((".codec", "_count", "entries", "messages")):
                before, after = ({each.text for each in tree.parts(each)} for each in (entries, left))
                assert after >= before - {part.text}
                assert part.text not in after


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (("records[0].attributes.bit_1 = 1", "records[12].attributes.bit_1 = 1"), ("records.attributes.bit_1",)),
        (("[1].message.value[3].message.key = hex:00", "[2].offset = 4"), ("message.value.message.key", "offset")),
    ],
)
def test_field_names_have_no_numbers(texts: tuple[str, ...], names: tuple[str, ...]) -> None:
    assert tree.field_names(texts) == names
