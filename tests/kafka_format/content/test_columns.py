"""What lies in keys or values, as columns."""

import pytest
from kafka_format.content import columns

pytest.importorskip("pyarrow")

# What Confluent's and Apicurio's serializers write of the first and the second message, and others.
VALUES = [bytes.fromhex("000000002a000a0178"), bytes.fromhex("000000002a02020a0178"), None, b"abc", b""]


def test_values_that_are_not_of_the_kind_have_their_rule_and_nothing_else() -> None:
    table = columns.to_arrow("confluent-protobuf", VALUES)
    assert table.column("broken_rule").to_pylist() == [None, None, None, "content.magic", "content.magic"]
    assert table.column("schema_id").to_pylist() == [42, 42, None, None, None]
    assert table.column("message_indexes").to_pylist() == [[0], [1], None, None, None]
    assert table.column("payload").to_pylist() == [b"\n\x01x", b"\n\x01x", None, None, None]


def test_no_value_has_the_columns_all_the_same() -> None:
    table = columns.to_arrow("glue", [])
    assert (table.num_rows, table.column_names[-1]) == (0, "broken_rule")
    assert {str(field.type) for field in table.schema} == {"int64", "string", "list<item: int32>", "binary"}


def test_windows_have_their_times() -> None:
    keys = [bytes.fromhex("6b0000018bcfe56be80000018bcfe56800"), None, b"k"]
    table = columns.to_arrow("session", keys)
    assert table.column("key").to_pylist() == ["k", None, None]
    assert table.column("window_end").to_pylist() == [1_700_000_001_000, None, None]
    assert table.column("window_start").to_pylist() == [1_700_000_000_000, None, None]
    assert table.column("broken_rule").to_pylist() == [None, None, "content.window"]


def test_headers_are_those_of_each_record() -> None:
    named = [[("__value_schema_id", bytes.fromhex(f"000000000{number}"))] for number in (1, 2)]
    table = columns.to_arrow("confluent-header", [b"a", b"b"], named)
    assert table.column("schema_id").to_pylist() == [1, 2]


@pytest.mark.parametrize("kind", ["long", "azure", "none", "timestamped-value", "cloudevents"])
def test_a_kind_without_columns_is_told(kind: str) -> None:
    with pytest.raises(ValueError, match="has no columns"):
        columns.columns_of(kind)


def test_keys_of_window_stores_have_the_number_of_the_duplicate() -> None:
    # Written by kafka-streams 4.4.0.
    table = columns.to_arrow("window-store-key", [bytes.fromhex("6b0000018bcfe5680000000002"), b"k"])
    assert table.column("window_start").to_pylist() == [1_700_000_000_000, None]
    assert table.column("number").to_pylist() == [2, None]
