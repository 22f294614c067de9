import pytest
from kafka_conformance.judging.difference import Difference, first_difference, visible
from kafka_conformance.protocol.hello import FIELDS
from kafka_format.records import Header

from tests.kafka_conformance.miniature_targets import record


@pytest.mark.parametrize(
    ("field", "expected", "got", "difference"),
    [
        ("offset", 5, 6, ("records[0].offset", "5", "6")),
        ("timestamp", -1, 0, ("records[0].timestamp", "-1", "0")),
        ("key", None, b"", ("records[0].key", "null", "empty")),
        ("value", b"ab", b"ac", ("records[0].value", "6162", "6163")),
        ("headers", (Header(b"h", None),), (Header(b"h", b""),), ("records[0].headers[0].value", "null", "empty")),
        ("headers", (Header(b"h", None),), (Header(b"H", None),), ("records[0].headers[0].key", "68", "48")),
        ("headers", (Header(b"h", None),), (), ("records[0].headers", "1 header", "0 headers")),
        ("transactional", True, False, ("records[0].transactional", "True", "False")),
        ("codec", 0, 2, ("records[0].codec", "0", "2")),
    ],
)
def test_first_difference_has_path_and_both_values(
    field: str, expected: object, got: object, difference: tuple[str, str, str]
) -> None:
    left, right = record(1)._replace(**{field: expected}), record(1)._replace(**{field: got})
    assert first_difference([left], [right], FIELDS) == Difference(*difference)
    assert first_difference([left], [right], [name for name in FIELDS if name != field]) is None


def test_long_values_are_shown_where_they_differ() -> None:
    left, right = record(1, value=bytes(1000)), record(1, value=bytes(600) + b"\xab" + bytes(399))
    difference = first_difference([left], [right], FIELDS)
    assert difference is not None
    assert difference.got.startswith("00000000ab00")
    assert difference.got.endswith("(from byte 596 of 1000)")
    assert not any(byte in difference.expected.split()[0] for byte in "ab")


def test_a_record_that_differs_says_more_than_their_number() -> None:
    assert first_difference([record(1), record(2)], [record(2)], ["offset"]) == Difference(
        "records[0].offset", "1", "2"
    )
    assert first_difference([record(1)], [record(1), record(2)], ["offset"]) == Difference(
        "records",
        "1 record",
        "2 records",
    )
    assert first_difference([record(1)], [], ["offset"]) == Difference("records", "1 record", "0 records")


def test_control_records_are_visible_only_to_those_who_declare_them() -> None:
    both = [record(1), record(2, control=True)]
    assert visible(both, ["offset"]) == [record(1)]
    assert visible(both, ["offset", "control"]) == both
