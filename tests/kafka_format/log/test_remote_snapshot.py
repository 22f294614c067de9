"""remote_log_snapshot, by the bytes of KIP-405 and RemoteLogMetadataSnapshotFile of 3.1 to 3.7."""

import pytest
from kafka_format.errors import FormatError
from kafka_format.log.remote_snapshot import decode

HEAD = "0000 00000003 000000000000002a 0000000{}"
"""Version 0, partition 3, offset 42, and a count."""


def content(count: int, *records: str) -> bytes:
    return bytes.fromhex(HEAD.format(count) + "".join(records))


def test_head_and_records() -> None:
    decoded = decode(content(2, "00000003 010200", "00000000"))
    assert (decoded.metadata_partition, decoded.metadata_offset) == (3, 42)
    assert (decoded.records, decoded.places) == ((bytes.fromhex("010200"), b""), (22, 29))


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (content(0)[:-1], "field.truncated"),
        (bytes.fromhex("0001") + content(0)[2:], "log.remote-snapshot.version"),
        (content(1), "field.truncated"),
        (content(1, "00000003 0102"), "field.truncated"),
        (content(1, "ffffffff"), "field.truncated"),
        (content(1, "7fffffff"), "field.truncated"),
        (content(9, "00000001 01"), "field.truncated"),
    ],
)
def test_what_breaks_a_rule(data: bytes, rule: str) -> None:
    with pytest.raises(FormatError) as caught:
        decode(data)
    assert caught.value.rule == rule


def test_a_count_that_is_too_large_ends_with_the_bytes() -> None:
    with pytest.raises(FormatError):
        decode(bytes.fromhex("0000 00000003 000000000000002a 7fffffff") + bytes(400))
