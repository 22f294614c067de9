import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_conformance.judging.difference import first_difference, visible
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.vectors import json_answers
from kafka_format.errors import FormatError
from kafka_format.records import Header, Record

from tests.kafka_conformance.toys import record

INT64 = st.integers(-(2**63), 2**63 - 1)
BYTES = st.none() | st.binary(max_size=40)
RECORDS = st.builds(
    Record,
    offset=INT64,
    timestamp=INT64,
    timestamp_type=st.sampled_from([-1, 0, 1]),
    key=BYTES,
    value=BYTES,
    headers=st.lists(st.builds(Header, st.binary(max_size=9), BYTES), max_size=3).map(tuple),
    producer_id=INT64,
    producer_epoch=st.integers(-(2**15), 2**15 - 1),
    sequence=st.integers(-(2**31), 2**31 - 1),
    transactional=st.booleans(),
    control=st.booleans(),
    codec=st.integers(0, 4),
)


@given(st.lists(RECORDS, max_size=4))
def test_bytes_give_the_records_back(records: list[Record]) -> None:
    assert answers.from_bytes(answers.to_bytes(records)) == records


@given(st.lists(RECORDS, max_size=4))
def test_json_gives_the_records_back(records: list[Record]) -> None:
    assert json_answers.from_json(json_answers.to_json(records)) == records


def test_bytes_are_those_of_the_protocol() -> None:
    """Written out by hand from the description of the protocol."""
    full = Record(
        1, 2, 1, b"k", None, (Header(b"h", None), Header(b"", b"v")), 3, 4, 5, transactional=True, control=True, codec=4
    )
    parts = [
        struct.pack(">i", 1),
        struct.pack(">qqb", 1, 2, 1),
        struct.pack(">i", 1) + b"k" + struct.pack(">i", -1),
        struct.pack(">i", 2) + struct.pack(">i", 1) + b"h" + struct.pack(">i", -1) + struct.pack(">ii", 0, 1) + b"v",
        struct.pack(">qhibb", 3, 4, 5, 3, 4),
    ]
    assert answers.to_bytes([full]) == b"".join(parts)


@pytest.mark.parametrize(
    "data", [b"", b"\0\0\0\1", bytes(4) + b"x", b"\x7f\xff\xff\xff" + bytes(60), b"\xff\xff\xff\xff"]
)
def test_bytes_that_are_no_answer_are_a_format_error(data: bytes) -> None:
    with pytest.raises(FormatError):
        answers.from_bytes(data)


def test_json_keeps_integers_beyond_2_to_53_as_strings() -> None:
    [document] = json_answers.to_json([record(2**53 + 1, timestamp=-(2**63), producer_id=2**62)])
    assert (document["offset"], document["timestamp"], document["producer_id"]) == (
        "9007199254740993",
        "-9223372036854775808",
        "4611686018427387904",
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"offset": "seven"}, r"records\[1\]\.offset: 'seven' is not an integer"),
        ({"key": "0g"}, r"records\[1\]\.key: '0g' is not hex digits or null"),
        ({"timestamp_type": "created"}, r"records\[1\]\.timestamp_type: 'created' is not one of none, create_time"),
        ({"headers": [["00"]]}, r"records\[1\]\.headers: \[\['00'\]\] is not a list of pairs"),
        ({"headers": None}, r"records\[1\]\.headers: None is not a list of pairs"),
        ({"transactional": "false"}, r"records\[1\]\.transactional: 'false' is not true or false"),
        ({"codec": "brotli"}, r"records\[1\]\.codec: 'brotli' is not one of none, gzip"),
        ({"ofset": "1"}, r"records\[1\]\.ofset: there is no such field"),
    ],
)
def test_json_that_is_wrong_is_named_by_record(change: dict[str, object], words: str) -> None:
    [good] = json_answers.to_json([record(1)])
    with pytest.raises(ValueError, match=words):
        json_answers.from_json([good, {**good, **change}])


def test_json_without_a_field_names_it() -> None:
    [good] = json_answers.to_json([record(1)])
    del good["sequence"]
    with pytest.raises(ValueError, match=r"records\[0\] has no field 'sequence'"):
        json_answers.from_json([good])


@pytest.mark.parametrize(
    ("field", "expected", "got", "difference"),
    [
        ("offset", 5, 6, ("records[0].offset", "5", "6")),
        ("timestamp", -1, 0, ("records[0].timestamp", "-1", "0")),
        ("key", None, b"", ("records[0].key", "null", "empty")),
        ("value", b"ab", b"ac", ("records[0].value", "6162", "6163")),
        ("headers", (Header(b"h", None),), (Header(b"h", b""),), ("records[0].headers[0].value", "null", "empty")),
        ("headers", (Header(b"h", None),), (Header(b"H", None),), ("records[0].headers[0].key", "68", "48")),
        ("headers", (Header(b"h", None),), (), ("records[0].headers", "1 headers", "0 headers")),
        ("transactional", True, False, ("records[0].transactional", "True", "False")),
        ("codec", 0, 2, ("records[0].codec", "0", "2")),
    ],
)
def test_first_difference_has_path_and_both_values(
    field: str, expected: object, got: object, difference: tuple[str, str, str]
) -> None:
    left, right = record(1)._replace(**{field: expected}), record(1)._replace(**{field: got})
    assert first_difference([left], [right], FIELDS) == difference
    assert first_difference([left], [right], [name for name in FIELDS if name != field]) is None


def test_long_values_are_shown_where_they_differ() -> None:
    left, right = record(1, value=bytes(1000)), record(1, value=bytes(600) + b"\xab" + bytes(399))
    difference = first_difference([left], [right], FIELDS)
    assert difference is not None
    assert difference.got.startswith("00000000ab00")
    assert difference.got.endswith("(from byte 596 of 1000)")
    assert not any(byte in difference.expected.split()[0] for byte in "ab")


def test_a_record_that_differs_says_more_than_their_number() -> None:
    assert first_difference([record(1), record(2)], [record(2)], ["offset"]) == ("records[0].offset", "1", "2")
    assert first_difference([record(1)], [record(1), record(2)], ["offset"]) == (
        "records",
        "1 record",
        "2 records",
    )
    assert first_difference([record(1)], [], ["offset"]) == ("records", "1 record", "0 records")


def test_control_records_are_visible_only_to_those_who_declare_them() -> None:
    both = [record(1), record(2, control=True)]
    assert visible(both, ["offset"]) == [record(1)]
    assert visible(both, ["offset", "control"]) == both


def test_what_no_record_can_have_is_told_all_the_same() -> None:
    """A target may accept a null header key, a codec that there is not, or a timestamp type of its own."""
    odd = record(1)._replace(headers=(Header(None, b"v"),), codec=5, timestamp_type=-2)  # type: ignore[arg-type]
    [told] = json_answers.to_json([odd])
    assert (told["headers"], told["codec"], told["timestamp_type"]) == ([[None, "76"]], "5", "-2")
