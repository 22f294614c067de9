"""Codecs that are wrong in arrays of one type of item alone."""

import pytest
from kafka_conformance.kinds.message.wrong_codecs import OF_ITEMS
from kafka_conformance.kinds.message.wrong_codecs.plain import UNREADABLE, PlainCodec
from kafka_format.spec.layout import find

CODECS = {codec.id: codec for codec in OF_ITEMS}
NUMBERS = (
    find("offset_fetch_request", 6),
    {
        "group_id": "g",
        "topics": [{"name": "t", "partition_indexes": [1, 2], "unknown_tagged_fields": []}],
        "unknown_tagged_fields": [],
    },
)
STRINGS = (
    find("describe_groups_request", 5),
    {
        "groups": ["a", "b"],
        "include_authorized_operations": False,
        "unknown_tagged_fields": [],
    },
)


@pytest.mark.parametrize(
    ("name", "is_wrong", "is_right"),
    [
        ("writes/compact-count/of-int32", NUMBERS, STRINGS),
        ("writes/compact-count/of-numbers", NUMBERS, STRINGS),
        ("writes/string-not-compact/of-strings", STRINGS, NUMBERS),
        ("writes/count-too-high/of-strings", STRINGS, NUMBERS),
    ],
)
def test_what_is_written_is_wrong_in_arrays_of_that_alone(name, is_wrong, is_right):
    for (layout, values), expected in ((is_wrong, False), (is_right, True)):
        assert (CODECS[name].codec().write(layout, values) == PlainCodec().write(layout, values)) is expected


@pytest.mark.parametrize("name", ["reads/compact-count/of-int32", "reads/compact-count-but-null/of-numbers"])
def test_a_count_that_is_read_wrong_in_arrays_of_numbers_alone(name):
    layout, values = STRINGS
    data = PlainCodec().write(layout, values)
    assert CODECS[name].codec().read(layout, data, 0) == PlainCodec().read(layout, data, 0)
    layout, values = NUMBERS
    with pytest.raises(UNREADABLE):
        CODECS[name].codec().read(layout, PlainCodec().write(layout, values), 0)


def test_lengths_of_strings_are_of_arrays_of_strings():
    ends = {name.rpartition("/")[2] for name in CODECS if "size" in name}
    assert ends == {"of-strings"}
