"""Answers compared: rows in any order, fields that both have, errors first."""

import pytest
from kafka_conformance.kinds.scenario.comparison import difference, errors, has, masked

TWO = {"topics": [{"name": "a", "errorCode": 0, "offset": "1"}, {"name": "b", "errorCode": 3, "offset": "2"}]}


@pytest.mark.parametrize(
    ("got", "unlike"),
    [
        (TWO, None),
        ({"topics": TWO["topics"][::-1]}, None),
        ({"topics": TWO["topics"], "more": 1}, None),
        ({"topics": [{**row, "id": "x"} for row in TWO["topics"]]}, None),
        ({"topics": TWO["topics"][:1]}, ("s.topics[b]", "a row", "missing")),
        ({"topics": [*TWO["topics"], {"name": "c"}]}, ("s.topics[c]", "no such row", "a row")),
        (
            {"topics": [TWO["topics"][0], {"name": "b", "errorCode": 6, "offset": "9"}]},
            ("s.topics[b].errorCode", "UNKNOWN_TOPIC_OR_PARTITION", "NOT_LEADER_OR_FOLLOWER"),
        ),
        ({"topics": [TWO["topics"][0], {**TWO["topics"][1], "offset": "9"}]}, ("s.topics[b].offset", "2", "9")),
        ({"topics": None}, ("s.topics", None, "null")),
    ],
)
def test_differences(got, unlike):
    found = difference(TWO, got, "s")
    if unlike is None:
        assert found is None
    else:
        path, expected, came = unlike
        assert (found.path, found.got) == (path, came)
        assert expected in (None, found.expected)


@pytest.mark.parametrize(
    ("field", "due", "came", "is_unlike"),
    [
        ("baseOffset", "-1", "0", False),
        ("epoch", -1, 0, False),
        ("name", None, "x", False),
        ("rows", [], None, False),
        ("name", "t", "u", True),
        ("errorCode", 3, 0, True),
    ],
)
def test_beside_an_error_what_kafka_leaves_empty_may_be_anything(field, due, came, is_unlike):
    failed = {"errorCode": 3}
    assert (difference({**failed, field: due}, {**failed, field: came}, "s") is not None) is is_unlike
    if field != "errorCode":
        assert difference({"errorCode": 0, field: due}, {"errorCode": 0, field: came}, "s") is not None


def test_rows_that_are_alike_but_for_a_field_are_compared_with_each_other():
    """And not the first expected row with the first that came."""
    rows = [{"partitionIndex": index, "offset": str(index)} for index in range(3)]
    wrong = [{**rows[1], "offset": "7"}, rows[2], rows[0]]
    found = difference({"rows": rows}, {"rows": wrong}, "s")
    assert (found.path, found.got) == ("s.rows[1].offset", "7")


def test_lists_of_numbers_have_an_order():
    assert difference({"a": [1, 2]}, {"a": [2, 1]}, "s").got == "[2, 1]"


def test_masked_fields_go_wherever_they_stand():
    assert masked({"a": [{"b": 1, "c": 2}], "b": 3}, {"b"}) == {"a": [{"c": 2}]}


def test_errors_are_found_at_any_depth():
    assert sorted(errors({"errorCode": 1, "rows": [{"errorCode": 2}, {"x": {"errorCode": 3}}]})) == [1, 2, 3]


@pytest.mark.parametrize(
    ("wanted", "is_there"),
    [
        ({}, True),
        ({"topics": [{"name": "a"}]}, True),
        ({"topics": [{"name": "b"}]}, False),
        ({"topics": [{}, {"errorCode": 3}]}, True),
        ({"topics": [{}, {}, {}]}, False),
        ({"other": 1}, False),
        ({"topics": []}, False),
    ],
)
def test_what_is_waited_for(wanted, is_there):
    assert has(TWO, wanted) is is_there
