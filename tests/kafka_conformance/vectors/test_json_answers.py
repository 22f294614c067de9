import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_conformance.vectors import json_answers
from kafka_format.records import Header, Record

from tests.kafka_conformance.answer_records import RECORDS
from tests.kafka_conformance.miniature_targets import record


@given(st.lists(RECORDS, max_size=4))
def test_json_gives_the_records_back(records: list[Record]) -> None:
    assert json_answers.from_json(json_answers.to_json(records)) == records


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


def test_what_no_record_can_have_is_told_all_the_same() -> None:
    """A target may accept a null header key, a codec that there is not, or a timestamp type of its
    own."""
    odd = record(1)._replace(headers=(Header(None, b"v"),), codec=5, timestamp_type=-2)
    [told] = json_answers.to_json([odd])
    assert (told["headers"], told["codec"], told["timestamp_type"]) == ([[None, "76"]], "5", "-2")
