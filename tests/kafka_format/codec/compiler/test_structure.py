"""Compiled structures: Kafka's own bytes in and out, what the encoder fills, the readable text."""

import copy
import inspect
import linecache
import pickle
import traceback
import zlib
from typing import Any

import kafka_format
import pytest
from crc32c import crc32c
from hypothesis import given
from kafka_format import strategies, structure
from kafka_format.codec import interpreter
from kafka_format.codec.compiler import Structure
from kafka_format.errors import EncodeError, FormatError, LayoutError
from kafka_format.spec.layout import find, specification

from tests.kafka_format.examples import examples
from tests.kafka_format.wire import COMMIT, EMPTY, LZ4, RECORD, SNAPPY, THREE, V0, V1, V2, batch, gzip, message

SAMPLES: dict[str, tuple[str, bytes]] = {
    "v0": ("message_set_entry", V0),
    "v1": ("message_set_entry", V1),
    "v2": ("record_batch", V2),
    "three records": ("record_batch", THREE),
    "empty batch": ("record_batch", EMPTY),
    "commit marker": ("record_batch", COMMIT),
    "record": ("record", RECORD),
}


@pytest.mark.parametrize("case", SAMPLES)
def test_kafkas_bytes_are_read_and_written_back(case: str) -> None:
    name, data = SAMPLES[case]
    value = structure(name).decode(data)
    assert structure(name).encode(value) == data
    assert interpreter.encode(find(name), interpreter.as_mappings(value)) == data


def test_kafkas_batch() -> None:
    value = structure("record_batch").decode(THREE)
    fields = value._asdict()
    records = fields.pop("records")
    assert fields == {
        "base_offset": 0, "batch_length": 0x5B, "partition_leader_epoch": -1, "magic": 2, "crc": 0xF7EE610E,
        "attributes": 0, "last_offset_delta": 2, "base_timestamp": 1000, "max_timestamp": 1005, "producer_id": -1,
        "producer_epoch": -1, "base_sequence": -1, "record_count": 3,
    }  # fmt: skip
    assert [tuple(record) for record in records] == [
        (14, 0, 0, 0, b"key", b"value", 0, []),
        (14, 0, 5, 1, b"key", b"value", 0, []),
        (11, 0, 2, 2, None, b"value", 0, []),
    ]


def test_kafkas_messages() -> None:
    v0, v1 = (structure("message_set_entry").decode(data) for data in (V0, V1))
    assert tuple(v0) == (0, 22, (0x2356C137, 0, 0, b"key", b"value"))
    assert tuple(v1) == (0, 30, (0xC94318C5, 1, 0, 1000, b"key", b"value"))
    assert (type(v0.message).__name__, type(v1.message).__name__) == ("MessageV0", "MessageV1")


@pytest.mark.parametrize(("codec", "stream"), [(1, gzip(RECORD)), (2, SNAPPY), (3, LZ4)])
def test_compressed_batches(codec: int, stream: bytes) -> None:
    value = structure("record_batch").decode(batch(stream, attributes=codec))
    assert [tuple(record) for record in value.records] == [(14, 0, 0, 0, b"key", b"value", 0, [])]


@pytest.mark.parametrize(
    ("attributes", "views"),
    [
        (0, ("none", "create_time", False, False, False)),
        (0b1111_1000, ("none", "log_append_time", True, True, True)),
        (0b0101_0100, ("zstd", "create_time", True, False, True)),
        (0b0010_0001, ("gzip", "create_time", False, True, False)),
        (-32768, ("none", "create_time", False, False, False)),
    ],
)
def test_the_bits_of_attributes_have_names(attributes: int, views: tuple[Any, ...]) -> None:
    value = structure("record_batch").type(attributes=attributes)
    names = ("codec", "timestamp_type", "is_transactional", "is_control", "has_delete_horizon")
    assert tuple(getattr(value, name) for name in names) == views


def test_a_codec_without_a_name_shows_its_number() -> None:
    assert structure("record_batch").type(attributes=6).codec == "6"


SIZES = [
    ("record", {"key": b"key", "value": b"value"}, 15),
    ("record", {"offset_delta": 99, "timestamp_delta": 99, "value": b"value"}, 14),
    ("message_v0", {"key": b"key", "value": b"value"}, 22),
    ("message_v1", {"key": b"key", "value": b"value"}, 30),
    ("message_v1", {"value": b"value"}, 27),
    ("message_set_entry", {"message": {"magic": 1, "key": b"key", "value": b"value"}}, 42),
    ("message_set_entry", {"message": {"magic": 1, "value": b"value"}}, 39),
    ("record_batch", {"records": [{"key": b"key", "value": b"value"}]}, 76),
    ("record_batch", {}, 61),
]


@pytest.mark.parametrize(("name", "value", "size"), SIZES)
def test_sizes_that_kafka_documents(name: str, value: dict[str, Any], size: int) -> None:
    assert len(structure(name).encode(value)) == size


@given(strategies.encoded("record_batch"))
@examples()
def test_what_is_computed_for_a_batch(data: bytes) -> None:
    """Each by its definition, on the bytes alone."""
    assert int.from_bytes(data[8:12], "big") == len(data) - 12
    assert int.from_bytes(data[17:21], "big") == crc32c(data[21:])


@pytest.mark.parametrize("magic", [0, 1])
@given(key=strategies.contents(), value=strategies.contents())
@examples(50)
def test_what_is_computed_for_a_message(magic: int, key: bytes, value: bytes) -> None:
    data = structure("message_set_entry").encode({"message": {"magic": magic, "key": key, "value": value}})
    assert int.from_bytes(data[8:12], "big") == len(data) - 12
    assert int.from_bytes(data[12:16], "big") == zlib.crc32(data[16:])


@pytest.mark.parametrize("deltas", [[], [0], [0, 1, 7], [5, 3]])
def test_the_last_offset_delta_is_that_of_the_last_record(deltas: list[int]) -> None:
    record = structure("record").type
    for records in ([{"offset_delta": delta} for delta in deltas], [record(offset_delta=delta) for delta in deltas]):
        value = {"records": records}
        data = structure("record_batch").encode(value)
        assert structure("record_batch").encode(structure("record_batch").type(**value)) == data
        read = structure("record_batch").decode(data)
        assert (read.last_offset_delta, read.record_count) == (deltas[-1] if deltas else 0, len(deltas))


@pytest.mark.parametrize(
    ("name", "field", "wrong"),
    [
        ("record_batch", "batch_length", 0),
        ("record_batch", "crc", 0),
        ("record_batch", "magic", 1),
        ("record_batch", "record_count", -1),
        ("record", "length", -5),
        ("record", "header_count", 8),
        ("message_v1", "magic", 5),
        ("message_v1", "crc", 1),
    ],
)
def test_a_value_that_is_given_is_written_even_where_it_is_wrong(name: str, field: str, wrong: int) -> None:
    """So a test case states what it distorts, and nothing else."""
    data = structure(name).encode({field: wrong})
    assert structure(name).encode(structure(name).type(**{field: wrong})) == data
    reader = interpreter.SpanReader(data)
    with pytest.raises(FormatError):
        reader.read(find(name), 0, len(data))
    written = {span.path_text: span.value for span in reader.spans}
    assert written[field] == wrong


def test_items_may_be_given_as_their_bytes() -> None:
    value = {"records": RECORD * 2, "record_count": 2, "last_offset_delta": 0}
    data = structure("record_batch").encode(value)
    assert data[61:] == RECORD * 2
    assert structure("record_batch").encode(structure("record_batch").type(**value)) == data


def test_items_that_are_given_as_their_bytes_are_not_counted() -> None:
    value = structure("record_batch").type(records=RECORD * 2, last_offset_delta=0)
    with pytest.raises(EncodeError) as caught:
        structure("record_batch").encode(value)
    assert caught.value.path_text == "record_count"


def test_content_may_be_any_kind_of_bytes() -> None:
    expected = message(0, b"value", key=b"key")
    for kind in (bytes, bytearray, memoryview):
        value = {"key": kind(b"key"), "value": kind(b"value")}
        assert structure("message_v0").encode(value) == expected
        assert structure("message_v0").encode(structure("message_v0").type(**value)) == expected


def test_bits_may_be_given_by_name() -> None:
    named = {
        "attributes": {"codec": "gzip", "timestamp_type": 1, "is_control": True},
        "records": b"",
        "record_count": 0,
    }
    data = structure("record_batch").encode(named)
    assert data[21:23] == bytes([0, 0b0010_1001])
    value = structure("record_batch").type(**named)
    assert structure("record_batch").encode(value) == data


@pytest.mark.parametrize(("start", "end"), [(-1, 15), (0, 16), (16, 16), (5, 4)])
def test_a_place_that_is_not_in_the_bytes(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=f"start {start} and end {end} do not lie in 15 bytes"):
        structure("record").read(RECORD, start, end)


@pytest.mark.parametrize("case", SAMPLES)
def test_values_go_through_pickle_and_copy(case: str) -> None:
    name, data = SAMPLES[case]
    value = structure(name).decode(data)
    for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):  # noqa: S301 - our own
        assert type(again) is structure(name).type
        assert again == value
        assert structure(name).encode(again) == data


def test_a_structure_is_compiled_once() -> None:
    assert structure("record") is kafka_format.structure("record")


def test_a_structure_that_is_not_there_suggests_a_near_one() -> None:
    with pytest.raises(LayoutError, match=r"no layout `recrod`.*did you mean `record`"):
        structure("recrod")


@pytest.mark.parametrize("name", sorted(specification().layouts))
def test_the_words_of_the_layout_are_the_documentation(name: str) -> None:
    layout, kind = find(name), structure(name).type
    words = kind.__doc__ or ""
    assert layout.title in words
    assert layout.doc in words
    for field in layout.fields:
        assert f"{field.name}: {field.type.name}" in words
        assert field.doc in words
        for bits in field.bits:
            assert bits.doc in (getattr(kind, bits.name).__doc__ or "")


def test_debuggers_and_tracebacks_show_the_compiled_text() -> None:
    compiled = Structure(find("record"))  # the text that is shown is the one that was compiled last
    assert inspect.getsource(compiled.python.read) in compiled.source
    assert inspect.getsource(compiled.python.read).startswith("def read(data, position, end, limit")
    linecache.checkcache()
    with pytest.raises(TypeError) as caught:
        compiled.python.read(None, 0, 0, 0)  # no bytes are given
    shown = "".join(traceback.format_exception(caught.value))
    assert '<compiled from spec/layouts/batch/record.yaml>", line' in shown
    assert "length_0 = data[position]" in shown
