"""Keys and values byte for byte: every byte is on one line, and a fault is where it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format.content.schemas import LAYOUTS
from kafka_format.content.serdes import KINDS, read
from kafka_format.errors import FormatError
from kafka_format.explain.contents import explain_content


@given(st.sampled_from(list(KINDS)), st.binary(max_size=60))
def test_every_byte_is_shown_once(kind: str, data: bytes) -> None:
    assert b"".join(line.raw for line in explain_content(kind, data).lines) == data


@pytest.mark.parametrize(
    ("kind", "text", "offset", "path"),
    [
        ("confluent-protobuf", "000000002a04", 5, "index_count"),
        ("confluent", "000000", 1, "schema_id"),
        ("glue", "0307" + "00" * 16, 1, "compression"),
    ],
)
def test_a_fault_is_at_its_byte(kind: str, text: str, offset: int, path: str) -> None:
    fault = explain_content(kind, bytes.fromhex(text)).fault
    assert fault is not None
    assert (fault.offset, fault.path_text) == (offset, path)


def test_indexes_stand_behind_the_id() -> None:
    lines = explain_content("confluent-protobuf", bytes.fromhex("000000002a02020a0178")).lines
    assert [(line.start, line.path, line.value) for line in lines] == [
        (0, "magic", "0"),
        (1, "schema_id", "42"),
        (5, "index_count", "1"),
        (6, "indexes[0]", "1"),
        (7, "payload", "3 bytes"),
    ]


def test_the_times_of_a_window_stand_behind_its_key() -> None:
    # Written by kafka-streams 4.4.0: the index key of a session.
    lines = explain_content("key-first-session-key", bytes.fromhex("016b0000018bcfe56be80000018bcfe56800")).lines
    assert [(line.start, line.path, line.value) for line in lines] == [
        (0, "prefix", "1"),
        (1, "key", "'k'"),
        (2, "end", "1700000001000"),
        (10, "start", "1700000000000"),
    ]


@pytest.mark.parametrize(
    ("kind", "text", "lines"),
    [
        # Written by kafka-clients 4.4.0 and connect-runtime 4.4.0.
        ("sticky-user-data", "00000001000161000000010000000200000004", (15, "generation", "4")),
        ("sticky-user-data", "000000010001610000000100000002", (11, "previous_assignment[0].partitions[0]", "2")),
        ("connect-worker-metadata", "0000000161ffffffffffffffff", (5, "config_offset", "-1")),
    ],
)
def test_what_members_of_groups_tell_is_shown_by_fields(kind: str, text: str, lines: tuple[int, str, str]) -> None:
    explained = explain_content(kind, bytes.fromhex(text))
    last = explained.lines[-1]
    assert (explained.fault, (last.start, last.path, last.value)) == (None, lines)


@given(st.sampled_from(list(LAYOUTS)), st.binary(max_size=40))
def test_groups_are_explained_as_they_are_read(kind: str, data: bytes) -> None:
    found = None
    try:
        read(kind, data)
    except FormatError as error:
        found = error.facts()
    fault = explain_content(kind, data).fault
    assert (None if fault is None else fault.facts()) == found
