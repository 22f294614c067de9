"""Control records, as the classes of Kafka 4.4.0 wrote them: LeaderChangeMessage and its like."""

import struct
from typing import Any

import pytest
from hypothesis import given
from kafka_format import strategies, structure
from kafka_format.errors import EncodeError, FormatError
from kafka_format.explain.lines import explain
from kafka_format.records import Record, control, decode, encode
from kafka_format.records.control import TRAILING, ControlRecord

from tests.kafka_format.examples import examples
from tests.kafka_format.wire import COMMIT

UUID = bytes(range(16))
ENDPOINT = {"name": b"CONTROLLER", "host": b"localhost", "port": 65535}
VOTER = {
    "voter_id": 1, "voter_directory_id": UUID, "endpoints": [ENDPOINT],
    "kraft_version_feature": {"min_supported_version": 0, "max_supported_version": 1},
}  # fmt: skip
OTHER = {
    "voter_id": 2, "voter_directory_id": UUID,
    "kraft_version_feature": {"min_supported_version": 0, "max_supported_version": 0},
}  # fmt: skip

WRITTEN_BY_KAFKA: dict[str, tuple[str, int, dict[str, Any], str]] = {
    "abort": ("abort", 0, {"coordinator_epoch": 3}, "0000 00000003"),
    "commit": ("commit", 1, {"coordinator_epoch": 3}, "0000 00000003"),
    "leader change": (
        "leader_change", 2,
        {"leader_id": 1, "voters": [{"voter_id": 1}, {"voter_id": 2}], "granting_voters": [{"voter_id": 1}]},
        "0000 00000001 03 00000001 00 00000002 00 02 00000001 00 00",
    ),
    "snapshot header": (
        "snapshot_header", 3, {"last_contained_log_timestamp": 1000}, "0000 00000000000003e8 00",
    ),
    "tagged snapshot header": (
        "snapshot_header", 3,
        {
            "last_contained_log_timestamp": 1000,
            "tagged_fields": {"fields": [{"tag": 0, "content": b"a"}, {"tag": 136, "content": b""}]},
        },
        "0000 00000000000003e8 02 00 01 61 8801 00",
    ),
    "snapshot footer": ("snapshot_footer", 4, {}, "0000 00"),
    "kraft version": ("kraft_version", 5, {"kraft_version": 1}, "0000 0001 00"),
    "kraft voters": (
        "kraft_voters", 6, {"voters": [VOTER, OTHER]},
        "0000 03 00000001" + UUID.hex() + "02 0b434f4e54524f4c4c4552 0a6c6f63616c686f7374 ffff 00 0000000100 00"
        "00000002" + UUID.hex() + "01 0000000000 00 00",
    ),
    "no kraft voters": ("kraft_voters", 6, {}, "0000 01 00"),
}  # fmt: skip


def key(number: int, version: int = 0) -> bytes:
    return struct.pack(">hh", version, number)


@pytest.mark.parametrize("case", WRITTEN_BY_KAFKA)
def test_kafkas_bytes(case: str) -> None:
    name, number, fields, text = WRITTEN_BY_KAFKA[case]
    value = bytes.fromhex(text)
    assert control.write(name, fields) == (key(number), value)
    found = control.read(key(number), value)
    assert found[:3] == (name, number, 0)
    assert control.write(name, found.fields) == (key(number), value)
    for field, given_value in fields.items():
        read = getattr(found.fields, field)
        assert read == given_value if isinstance(given_value, int) else read


def test_voters_by_kafka() -> None:
    found = control.read(key(6), bytes.fromhex(WRITTEN_BY_KAFKA["kraft voters"][3])).fields
    first, second = found.voters
    assert (first.voter_id, first.voter_directory_id) == (1, UUID)
    assert [(endpoint.name, endpoint.host, endpoint.port) for endpoint in first.endpoints] == [
        (b"CONTROLLER", b"localhost", 65535)
    ]
    assert first.kraft_version_feature[:2] == (0, 1)
    assert (second.voter_id, second.endpoints) == (2, [])


def test_schema_version_1_of_a_leader_change() -> None:
    """Kafka's classes write it on demand; no release asks them to."""
    voter = "000000{}" + UUID.hex() + "00"
    data = bytes.fromhex(
        "0001 00000001 03" + voter.format("01") + voter.format("02") + "02" + voter.format("01") + "00"
    )
    found = structure("leader_change_v1").decode(data)
    assert [(voter.voter_id, voter.voter_directory_id) for voter in found.voters] == [(1, UUID), (2, UUID)]
    assert structure("leader_change_v1").encode(found) == data
    with pytest.raises(FormatError):
        control.read(key(2), data)


@pytest.mark.parametrize("number", [7, 337, -1, -2, 32767, -32768])
@pytest.mark.parametrize("value", [None, b"", b"whatever"])
def test_the_value_of_an_unknown_type_is_not_looked_at(number: int, value: bytes | None) -> None:
    assert control.read(key(number), value) == ControlRecord("unknown", number, 0, None)


@pytest.mark.parametrize("version", [1, 32767])
def test_higher_versions_are_read_as_0(version: int) -> None:
    value = struct.pack(">hi", version, 3)
    assert control.read(key(1, version), value) == ("commit", 1, version, (version, 3))


BROKEN: dict[str, tuple[bytes | None, bytes | None, str, str, int]] = {
    "no key": (None, b"", "control.key.size", "key.version", 0),
    "empty key": (b"", b"", "control.key.size", "key.version", 0),
    "key of one byte": (b"\0", b"", "control.key.size", "key.version", 0),
    "key of two bytes": (b"\0\0", b"", "control.key.size", "key.type", 2),
    "key of three bytes": (b"\0\0\0", b"", "control.key.size", "key.type", 2),
    "negative version of the key": (key(1, -1), b"", "control.key.version", "key.version", 0),
    "more than the key": (key(1) + b"\0", bytes(6), "control.key.exact", "key", 4),
    "no value": (key(1), None, "field.truncated", "value.version", 0),
    "value of five bytes": (key(1), bytes(5), "field.truncated", "value.coordinator_epoch", 2),
    "negative version of the value": (key(0), b"\xff\xff" + bytes(4), "control.marker.version", "value.version", 0),
    "more than the value": (key(0), bytes(7), "control.value.exact", "value", 6),
    "null voters": (key(6), bytes.fromhex("0000 00 00"), "compact.not-null", "value.voter_count", 2),
    "too many voters": (key(6), bytes.fromhex("0000 ffffffff0f 00"), "count.within", "value.voter_count", 2),
}


@pytest.mark.parametrize("case", BROKEN)
def test_faults(case: str) -> None:
    broken_key, value, rule, path, offset = BROKEN[case]
    with pytest.raises(FormatError) as caught:
        control.read(broken_key, value)
    assert (caught.value.rule, caught.value.path_text, caught.value.offset) == (rule, path, offset)


def test_the_flag_lets_bytes_follow() -> None:
    flags = frozenset({TRAILING})
    assert control.read(key(1) + b"x", bytes(6) + b"y", flags=flags) == ("commit", 1, 0, (0, 0))
    with pytest.raises(FormatError):
        control.read(key(1), bytes(5), flags=flags)


@pytest.mark.parametrize("name", ["unknown", "comit", ""])
def test_a_type_that_cannot_be_written(name: str) -> None:
    with pytest.raises(EncodeError, match=r"there is no type .*; there are abort, commit, leader_change"):
        control.write(name)


def test_a_field_that_is_missing() -> None:
    with pytest.raises(EncodeError, match="cannot encode coordinator_epoch: needs a value"):
        control.write("commit")


@given(strategies.control_records())
@examples()
def test_what_is_drawn_is_read(pair: tuple[bytes, bytes]) -> None:
    found = control.read(*pair)
    if found.type != "unknown":
        assert control.write(found.type, found.fields)[1] == pair[1]


# Control records where they stand: in batches.

MARKER = Record(10, 1000, 0, key(1), bytes(6), producer_id=7, producer_epoch=0, transactional=True, control=True)
KRAFT = Record(10, 1000, 0, key(4), bytes(3), control=True)
UNREAD = frozenset({"control-records-unread"})


def fault_of(*records: Record, codec: str = "none", **options: Any) -> FormatError:
    with pytest.raises(FormatError) as caught:
        decode(encode([Record(0)]) + encode(records, codec=codec), **options)
    return caught.value


def test_a_fault_is_told_where_it_stands_in_the_run() -> None:
    second = MARKER._replace(offset=11, key=key(0), value=bytes(5))
    fault = fault_of(MARKER, second)
    whole = encode([Record(0)]) + encode([MARKER, second])
    assert fault.path_text == "records[1].value.coordinator_epoch"
    assert (fault.entry, fault.offset, fault.payload) == (1, len(whole) - 1 - 3, False)


@pytest.mark.parametrize("broken", [None, b""])
def test_the_fault_of_a_key_that_is_not_there_is_behind_its_length(broken: bytes | None) -> None:
    fault = fault_of(KRAFT._replace(key=broken))
    assert (fault.path_text, fault.offset) == ("records[0].key.version", len(encode([Record(0)])) + 61 + 4 + 1)


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4", "zstd"])
def test_a_fault_in_a_compressed_batch_counts_in_its_payload(codec: str) -> None:
    fault = fault_of(MARKER._replace(key=b"\0\0\0"), codec=codec)
    assert (fault.path_text, fault.offset, fault.payload) == ("records[0].key.type", 5 + 2, True)


def test_clients_look_at_the_first_key_of_a_producer_only() -> None:
    short = {"key": b"\0\0\0", "value": b""}
    for records in ([KRAFT._replace(**short)], [MARKER, MARKER._replace(offset=11, **short)]):
        assert fault_of(*records).rule == "control.key.size"
        assert decode(encode(records), flags=UNREAD) == records
    assert fault_of(MARKER._replace(**short), flags=UNREAD).rule == "control.key.size"
    assert fault_of(MARKER._replace(key=key(1, -1)), flags=UNREAD).rule == "control.key.version"
    longer = [MARKER._replace(key=key(1) + b"x", value=None)]
    assert decode(encode(longer), flags=UNREAD) == longer


def test_who_reads_them_by_himself_gets_all() -> None:
    records = [MARKER._replace(key=None, value=None)]
    assert decode(encode(records), read_control=False) == records


def test_data_records_are_no_control_records() -> None:
    records = [MARKER._replace(key=None, control=False)]
    assert decode(encode(records)) == records


# What is shown of them.


def lines(data: bytes) -> list[tuple[str, int, bytes, str]]:
    return [(line.path, line.start, line.raw, line.value) for line in explain(data).lines]


def test_fields_of_a_marker_are_shown() -> None:
    assert lines(COMMIT)[-7:] == [
        ("records[0].key.length", 65, b"\x08", "4"),
        ("records[0].key.version", 66, b"\0\0", "0"),
        ("records[0].key.type", 68, b"\0\x01", "1 (commit)"),
        ("records[0].value.length", 70, b"\x0c", "6"),
        ("records[0].value.version", 71, b"\0\0", "0"),
        ("records[0].value.coordinator_epoch", 73, b"\0\0\0\x03", "3"),
        ("records[0].header_count", 77, b"\0", "0"),
    ]


def test_an_unknown_type_is_shown_without_a_name() -> None:
    text_lines = lines(encode([KRAFT._replace(key=key(337), value=b"abc")]))
    assert ("records[0].key.type", 68, b"\x01\x51", "337 (no name)") in text_lines
    assert ("records[0].value", 71, b"abc", "'abc'") in text_lines


def test_every_byte_is_shown_once_whatever_is_wrong() -> None:
    broken = [
        KRAFT._replace(key=b"\0\0\0", value=b"abc"),
        KRAFT._replace(key=key(6), value=bytes.fromhex("0000 02 00000001")),
        KRAFT._replace(key=key(1) + b"more", value=bytes(9)),
        KRAFT._replace(key=None, value=None),
    ]
    for record in broken:
        data = encode([record])
        shown = explain(data)
        assert shown.fault is not None
        (marked,) = [line for line in shown.lines if line.fault]
        assert shown.fault.path_text.startswith(marked.path)
        assert marked.start == shown.fault.offset
        assert b"".join(line.raw for line in shown.lines) == data


def test_a_directory_id_is_shown_as_kafkas_tools_show_it() -> None:
    """Uuid.toString: base64 for addresses, without padding."""
    record = KRAFT._replace(key=key(6), value=bytes.fromhex(WRITTEN_BY_KAFKA["kraft voters"][3]))
    found = {path: text for path, _, _, text in lines(encode([record]))}
    assert found["records[0].value.voters[0].voter_directory_id"] == "AAECAwQFBgcICQoLDA0ODw"
    assert found["records[0].value.voters[0].endpoints[0].host"] == "'localhost'"
