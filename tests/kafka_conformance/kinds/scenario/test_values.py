"""Placeholders in requests, and again in answers."""

import pytest
from kafka_conformance.kinds.scenario.values import Values, at
from kafka_format import records


@pytest.fixture
def values():
    made = Values()
    made.name("t", "run-1")
    made.name("t.id", "ab" * 16)
    made.name("u.id", "00" * 16)
    made.keep("p", "rows.0.producerId", {"rows": [{"producerId": "42"}]})
    made.keep("e", "producerEpoch", {"producerEpoch": 3})
    made.keep("nothing", "rows.5.memberId", {"rows": []})
    return made


@pytest.mark.parametrize(
    ("written", "filled"),
    [
        ("$t", "run-1"),
        ("$t.id", "ab" * 16),
        ("${t} blank", "run-1 blank"),
        ("$e+1", 4),
        ("$p", "42"),
        ("$nothing", None),
        ("costs $5", "costs $5"),
        ({"repeat": ["n", 3], "after": "$t"}, "run-1nnn"),
        ([{"a": "$t"}, 5, None], [{"a": "run-1"}, 5, None]),
    ],
)
def test_a_placeholder_stands_for_its_value(values, written, filled):
    assert values.fill(written) == filled


def test_a_placeholder_of_nothing_is_an_error(values):
    with pytest.raises(KeyError):
        values.fill("$never")


@pytest.mark.parametrize(
    ("came", "put_back"),
    [
        ({"name": "run-1"}, {"name": "$t"}),
        ({"name": "run-1 blank"}, {"name": "${t} blank"}),
        ({"topicId": "ab" * 16}, {"topicId": "$t.id"}),
        ({"topicId": "00" * 16}, {"topicId": "00" * 16}),
        ({"producerId": "42", "offset": "42"}, {"producerId": "$p", "offset": "42"}),
        ({"producerEpoch": 3, "leaderEpoch": 3}, {"producerEpoch": "$e", "leaderEpoch": 3}),
        ({"memberId": None}, {"memberId": None}),
    ],
)
def test_a_value_is_put_back_where_it_stands(values, came, put_back):
    assert values.put_back(came) == put_back


@pytest.mark.parametrize(
    ("path", "value"),
    [("a.0.b", 1), ("a.1.b", None), ("a.0.x", None), ("a", [{"b": 1}]), ("a.0.b.c", None), ("x.0", None)],
)
def test_a_path_leads_to_a_value_or_to_nothing(path, value):
    assert at(path, {"a": [{"b": 1}]}) == value


def test_records_are_a_batch_of_their_producer(values):
    batch = {"batch": {"values": ["a", "b"], "timestamps": [7, 9], "producer": ["$p", "$e", 5], "transactional": True}}
    first, second = records.decode(bytes.fromhex(values.fill(batch)))
    assert (first.value, first.timestamp, first.sequence, first.producer_id) == (b"a", 7, 5, 42)
    assert (second.value, second.timestamp, second.sequence, second.producer_epoch) == (b"b", 9, 6, 3)
    assert first.transactional
