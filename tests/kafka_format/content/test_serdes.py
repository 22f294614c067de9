"""Keys and values by the kind of their content: malformed ones first."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format.content import serdes
from kafka_format.errors import FormatError


@given(st.sampled_from(list(serdes.KINDS)), st.binary(max_size=60), st.binary(max_size=30))
def test_any_bytes_are_read_or_refused(kind: str, data: bytes, header: bytes) -> None:
    headers = [("__value_schema_id", header), ("content-type", header), ("ce_id", header)]
    with suppress(FormatError):
        assert set(serdes.read(kind, data, headers)) <= set(serdes.KINDS[kind].gives)


@pytest.mark.parametrize(
    ("kind", "text", "rule"),
    [
        ("list-long", "007fffffff00000000", "content.list.nulls"),
        ("list-string", "017fffffff", "content.list.size"),
        ("list-string", "01000000017fffffff61", "content.list.item"),
        ("list-long", "00000000007fffffff0000000000000001", "content.list.item"),
        ("confluent-protobuf", "000000002afeffffff0f", "content.indexes"),
        ("confluent-protobuf", "000000002a" + "80" * 40, "varint.length"),
        ("glue", "0305" + "00" * 16 + "789c", "content.glue.stream"),
    ],
)
def test_what_claims_to_be_huge_is_refused(kind: str, text: str, rule: str) -> None:
    with pytest.raises(FormatError) as refused:
        serdes.read(kind, bytes.fromhex(text))
    assert refused.value.rule == rule


def test_an_unknown_kind_is_no_fault_of_the_bytes() -> None:
    with pytest.raises(ValueError, match="no kind of content 'avro'"):
        serdes.read("avro", b"")


@pytest.mark.parametrize("kind", [kind for kind in serdes.KINDS if kind != "cloudevents"])
def test_null_is_null_whatever_its_schema(kind: str) -> None:
    assert serdes.read(kind, None) == {"value": None, "payload": None}


@pytest.mark.parametrize(
    ("kind", "text", "answer"),
    [
        # Written by kafka-clients 4.4.0 and kafka-streams 4.4.0.
        ("window", "6b0000018bcfe56800", {"value": {"key": "k", "start": "1700000000000"}}),
        (
            "session",
            "6b0000018bcfe56be80000018bcfe56800",
            {"value": {"key": "k", "end": "1700000001000", "start": "1700000000000"}},
        ),
        # Written by MessageIndexes.toByteArray, and by Apicurio's MessageIndexesUtil.
        ("confluent-protobuf", "000000002a000a0178", {"schema_id": 42, "indexes": [0], "payload": "0a0178"}),
        ("apicurio-protobuf", "000000002a02000a0178", {"schema_id": 42, "indexes": [0], "payload": "0a0178"}),
        ("confluent-protobuf", "000000002a0402000a0178", {"schema_id": 42, "indexes": [1, 0], "payload": "0a0178"}),
    ],
)
def test_what_others_wrote_is_read(kind: str, text: str, answer: serdes.Answer) -> None:
    assert serdes.read(kind, bytes.fromhex(text)) == answer


def test_the_last_header_of_a_name_counts() -> None:
    headers = [("__value_schema_id", b"\0\0\0\0\7"), ("__value_schema_id", b"\0\0\0\0\x2a")]
    assert serdes.read("confluent-header", b"x", headers) == {"schema_id": 42, "payload": "78"}
