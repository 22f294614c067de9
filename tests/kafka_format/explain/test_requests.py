"""Requests and responses, byte by byte: every byte has a line, and what bytes hold is read on."""

import struct

import pytest
from kafka_format import protocol, records
from kafka_format.explain.inside import How
from kafka_format.explain.requests import (
    SIZE,
    ExplainedFrame,
    explain_request,
    explain_response,
    is_framed,
    split,
)
from kafka_format.records import Record

API_VERSIONS_0 = bytes.fromhex("0012 0000 00000001 0001 78")
API_VERSIONS_3 = bytes.fromhex("0012 0003 00000001 0001 78 00 0261 0231 00")
BATCH = records.encode([Record(7, 1, key=b"k", value=b"v")])


def framed(data: bytes) -> bytes:
    return len(data).to_bytes(SIZE, "big") + data


def outside(found: ExplainedFrame) -> bytes:
    return b"".join(line.raw for line in found.lines if not line.payload)


def paths(found: ExplainedFrame) -> dict[str, tuple[int, str]]:
    return {line.path: (line.start, line.value) for line in found.lines}


def test_the_fields_of_a_request() -> None:
    explained = explain_request(API_VERSIONS_3)
    assert (explained.api, explained.version, explained.fault) == (18, 3, None)
    assert [(line.path, line.start, line.value) for line in explained.lines] == [
        ("header.request_api_key", 0, "18 (api_versions)"),
        ("header.request_api_version", 2, "3"),
        ("header.correlation_id", 4, "1"),
        ("header.client_id.length", 8, "1"),
        ("header.client_id", 10, "'x'"),
        ("header.unknown_tagged_fields.count", 11, "0"),
        ("body.client_software_name.length", 12, "1"),
        ("body.client_software_name", 13, "'a'"),
        ("body.client_software_version.length", 14, "1"),
        ("body.client_software_version", 15, "'1'"),
        ("body.unknown_tagged_fields.count", 16, "0"),
    ]


def test_a_size_in_front_moves_the_offsets() -> None:
    explained = explain_request(framed(API_VERSIONS_0), start=SIZE)
    assert paths(explained)["size"] == (0, "11")
    assert paths(explained)["header.client_id"] == (14, "'x'")
    assert outside(explained) == framed(API_VERSIONS_0)


@pytest.mark.parametrize("cut", range(len(API_VERSIONS_3)))
def test_a_cut_request_keeps_what_was_read(cut: int) -> None:
    explained = explain_request(API_VERSIONS_3[:cut])
    assert explained.fault is not None
    assert outside(explained) == API_VERSIONS_3[:cut]
    assert [line.fault for line in explained.lines if line.fault] == [explained.fault]


@pytest.mark.parametrize(
    ("text", "rule", "offset"),
    [
        ("7fff 0000 00000001 ffff", "protocol.header.known", 0),
        ("0012 7fff 00000001 ffff", "protocol.header.known", 2),
        ("0012 0000 00000001 0001 78 00", "protocol.body.exact", 11),
        ("0001 000c 00000001 ffff 00 ffffffff 00000000 00000000 00000000 00 00000000 00000000 7f", "count.within", 36),
    ],
)
def test_the_fault_stands_at_its_field(text: str, rule: str, offset: int) -> None:
    data = bytes.fromhex(text)
    for start, given in ((0, data), (SIZE, framed(data))):
        explained = explain_request(given, start=start)
        assert explained.fault is not None
        assert (explained.fault.rule, explained.fault.offset) == (rule, offset + start)
        assert outside(explained) == given


def produce(name: str, batch: bytes) -> bytes:
    body = {"topic_data": [{"name": name, "partition_data": [{"index": 0, "records": batch}]}]}
    return protocol.encode_request("produce", 9, body)


def test_records_are_read_on() -> None:
    data = produce("t", BATCH)
    explained = explain_request(data)
    at = data.index(BATCH)
    place = "body.topic_data[0].partition_data[0].records"
    assert paths(explained)[f"{place}[0].base_offset"] == (at, "7")
    assert paths(explained)[f"{place}[0].records[0].key"] == (at + BATCH.index(b"\2k") + 1, "'k'")
    assert outside(explained) == data


def test_a_fault_inside_of_records_counts_from_the_start_of_the_request() -> None:
    data = produce("t", BATCH[:-2] + b"w" + BATCH[-1:])
    explained = explain_request(data)
    assert explained.fault is not None
    crc = data.index(BATCH[:17]) + 17
    path = "body.topic_data[0].partition_data[0].records[0].crc"
    assert (explained.fault.rule, explained.fault.offset, explained.fault.path_text) == (
        "v2.crc.covers-attributes-to-end", crc, path,
    )  # fmt: skip
    assert outside(explained) == data


def committed() -> bytes:
    """Return an offset commit as it stands in __consumer_offsets (KIP-211: version 3 of the
    value)."""
    key = struct.pack(">hh1sh1si", 1, 1, b"g", 1, b"t", 0)
    value = struct.pack(">hqihq", 3, 42, -1, 0, 1000)
    return records.encode([Record(0, 1, key=key, value=value)])


@pytest.mark.parametrize("topic", ["__consumer_offsets", "orders"])
def test_records_of_internal_topics_are_read_by_their_schemas(topic: str) -> None:
    explained = paths(explain_request(produce(topic, committed())))
    place = "body.topic_data[0].partition_data[0].records[0].records[0]"
    if topic == "orders":
        assert explained[f"{place}.value"][1] == "24 bytes"
    else:
        assert explained[f"{place}.key.number"][1] == "1"
        assert explained[f"{place}.key.group"][1] == "'g'"
        assert explained[f"{place}.value.offset"][1] == "42"


def test_a_topic_id_whose_name_is_known_says_what_the_records_are() -> None:
    uuid = bytes(range(16))
    body = {"responses": [{"topic_id": uuid, "partitions": [{"records": committed()}]}]}
    data = protocol.encode_response("fetch", 13, body)
    place = "body.responses[0].partitions[0].records[0].records[0].value.offset"
    named = explain_response(data, "fetch", 13, how=How(topics={uuid: "__consumer_offsets"}))
    assert paths(named)[place][1] == "42"
    assert place not in paths(explain_response(data, "fetch", 13))


SUBSCRIPTION = struct.pack(">hih1si", 0, 1, 1, b"t", -1)


@pytest.mark.parametrize(("metadata", "is_read"), [(SUBSCRIPTION, True), (b"connect", False), (b"", False)])
def test_what_consumers_tell_is_read_on_if_it_is_that(*, metadata: bytes, is_read: bool) -> None:
    body = {"group_id": "g", "protocol_type": "consumer", "protocols": [{"name": "range", "metadata": metadata}]}
    data = protocol.encode_request("join_group", 2, body)
    explained = explain_request(data)
    assert explained.fault is None
    assert ("body.protocols[0].metadata.topics[0]" in paths(explained)) == is_read
    assert outside(explained) == data


def test_a_forwarded_request_is_read_on() -> None:
    data = protocol.encode_request(
        "envelope", 0, {"request_data": API_VERSIONS_3, "client_host_address": b"\x7f\0\0\1"}
    )
    explained = explain_request(data)
    assert paths(explained)["body.request_data.body.client_software_name"][1] == "'a'"
    assert outside(explained) == data


def test_requests_inside_one_another_end() -> None:
    data = API_VERSIONS_0
    for _ in range(2000):
        data = protocol.encode_request("envelope", 0, {"request_data": data, "client_host_address": b""})
    explained = explain_request(data)
    assert explained.fault is None
    assert outside(explained) == data


def test_api_versions_may_be_answered_in_version_0() -> None:
    """KIP-511: error 35, and the versions of ApiVersions itself."""
    data = bytes.fromhex("00000001 0023 00000001 0012 0000 0002")
    explained = explain_response(data, "api_versions", 3)
    assert (explained.version, explained.fault) == (0, None)


def test_a_response_is_guessed_by_what_reads_to_the_end() -> None:
    body = {"responses": [{"topic": "t", "partitions": [{"records": BATCH}]}]}
    data = protocol.encode_response("fetch", 12, body, correlation_id=5)
    explained = explain_response(data)
    assert [(guess.api, guess.version) for guess in explained.guesses] == [(1, 12)]
    assert (explained.api, explained.version, explained.fault) == (1, 12, None)
    assert outside(explained) == data


def test_what_no_api_answers_has_a_header_at_most() -> None:
    explained = explain_response(bytes.fromhex("00000001") + bytes(range(200, 256)))
    assert (explained.api, explained.guesses, explained.values["header"]["correlation_id"]) == (None, (), 1)


def test_a_stream_is_cut_by_its_sizes() -> None:
    stream = framed(API_VERSIONS_0) + framed(API_VERSIONS_3) + framed(API_VERSIONS_0)[:-3]
    explained = [explain_request(frame, start=4) for frame in split(stream)]
    assert [one.version for one in explained] == [0, 3, 0]
    assert [one.fault is None for one in explained] == [True, True, False]
    assert b"".join(map(outside, explained)) == stream


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (API_VERSIONS_3, False), (framed(API_VERSIONS_3), True), (framed(API_VERSIONS_3) * 2, True),
        (framed(API_VERSIONS_3)[:-1], True), (framed(API_VERSIONS_0) + framed(API_VERSIONS_3)[:9], True), (b"", False),
    ],
)  # fmt: skip
def test_whether_sizes_stand_in_front(*, data: bytes, expected: bool) -> None:
    assert is_framed(data, "request") == expected


def test_zeros_are_not_frames() -> None:
    request = bytes.fromhex("0000000b 0012 0000 00000001 0001 78")
    assert not is_framed(bytes(1 << 20), "request")
    assert is_framed(request * 2, "request")


def test_a_negative_size_takes_all_that_is_left() -> None:
    (frame,) = split(bytes.fromhex("ffffffff 00120000"))
    explained = explain_request(frame, start=4)
    assert explained.fault is not None
    assert outside(explained) == bytes.fromhex("ffffffff 00120000")


def test_bytes_that_librdkafka_leaves_behind_are_named() -> None:
    explained = explain_request(API_VERSIONS_0 + bytes(4))
    last = explained.lines[-1]
    assert (explained.fault, last.start, last.raw) == (None, len(API_VERSIONS_0), bytes(4))
    assert last.value == "ignored, as all releases do; from librdkafka 0.9.2 to 1.3"


def test_other_bytes_behind_are_an_error() -> None:
    explained = explain_request(API_VERSIONS_0 + b"\1")
    assert explained.fault is not None
    assert (explained.fault.rule, explained.lines[-1].value) == ("protocol.body.exact", "not read")


@pytest.mark.parametrize(
    ("position", "part", "is_wrong"),
    [
        (0, BATCH, False),
        (0, BATCH[:-1] + b"w", True),
        (0, BATCH[30:], True),
        (70, BATCH[30:], False),
        (70, BATCH[:-1] + b"w", True),
        (70, BATCH + BATCH[:40], False),
        (70, BATCH + BATCH[:-1] + b"w" + BATCH, True),
    ],
)
def test_a_part_of_a_snapshot_is_wrong_where_it_is_known_to_begin_a_batch(
    position: int, part: bytes, *, is_wrong: bool
) -> None:
    partition = {"index": 0, "position": position, "size": 900, "unaligned_records": part}
    body = {"topics": [{"name": "__cluster_metadata", "partitions": [partition]}]}
    explained = explain_response(protocol.encode_response("fetch_snapshot", 0, body), "fetch_snapshot", 0)
    assert (explained.fault is not None) == is_wrong
    if explained.fault is not None and explained.fault.rule.startswith("v2.crc"):
        assert "unaligned_records" in explained.fault.path_text
