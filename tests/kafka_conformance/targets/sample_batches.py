"""Bytes that Kafka itself wrote, and bytes put together by hand from the layouts, with the answers to both.

The samples with their checksums were written by Apache Kafka's record classes (trunk of October 2024). `batch`,
`message` and `entry` put bytes together by hand for the cases that Kafka's own writer never makes.
"""

import struct
import zlib

from crc32c import crc32c

from tests.kafka_conformance.targets.adapter_client import AnswerRecord

KEY, VALUE = b"key", b"value"

V07 = bytes.fromhex("0000000a 00 3610a686 68656c6c6f")  # magic 0, which the older of the clients of 0.7 read best
V0 = bytes.fromhex("0000000000000000 00000016 2356c137 00 00 00000003 6b6579 00000005 76616c7565")
V1 = bytes.fromhex("0000000000000000 0000001e c94318c5 01 00 00000000000003e8 00000003 6b6579 00000005 76616c7565")
RECORD = bytes.fromhex("1c 00 00 00 06 6b6579 0a 76616c7565 00")
V2 = (
    bytes.fromhex(
        "0000000000000000 00000040 ffffffff 02 44c98e4f 0000 00000000 00000000000003e8 00000000000003e8"
        "ffffffffffffffff ffff ffffffff 00000001"
    )
    + RECORD
)
THREE = bytes.fromhex(
    "0000000000000000 0000005b ffffffff 02 f7ee610e 0000 00000002 00000000000003e8 00000000000003ed"
    "ffffffffffffffff ffff ffffffff 00000003"
    "1c000000066b65790a76616c756500 1c000a02066b65790a76616c756500 16000404010a76616c756500"
)
EMPTY = bytes.fromhex(
    "0000000000000064 00000031 00000003 02 2d216116 0000 00000009 ffffffffffffffff 00000000000004d2"
    "0000000000000007 0000 00000005 00000000"
)
COMMIT = bytes.fromhex(
    "000000000000000a 00000042 ffffffff 02 cb1738a7 0030 00000000 00000000000003e8 00000000000003e8"
    "0000000000000007 0000 ffffffff 00000001 20 00 00 00 08 00000001 0c 000000000003 00"
)

V07_ANSWER = [AnswerRecord(14, value=b"hello")]
V0_ANSWER = [AnswerRecord(key=KEY, value=VALUE)]
V1_ANSWER = V2_ANSWER = [AnswerRecord(timestamp=1000, timestamp_type=0, key=KEY, value=VALUE)]
THREE_ANSWER = [
    AnswerRecord(0, 1000, 0, KEY, VALUE),
    AnswerRecord(1, 1005, 0, KEY, VALUE),
    AnswerRecord(2, 1002, 0, None, VALUE),
]
COMMIT_ANSWER = [
    AnswerRecord(
        10, 1000, 0, bytes.fromhex("00000001"), bytes.fromhex("000000000003"), producer_id=7, producer_epoch=0, flags=3
    )
]

# RECORD as each codec's stream. Snappy's and LZ4's are as Kafka writes them; zstd's is one raw block.
SNAPPY = bytes.fromhex("82534e4150505900 00000001 00000001 00000011 0f38") + RECORD
LZ4 = bytes.fromhex("04224d18 60 40 82 0f000080") + RECORD + bytes(4)
ZSTD = bytes.fromhex("28b52ffd 00 58 790000") + RECORD
GZIP = (
    bytes.fromhex("1f8b08000000000000ff")
    + zlib.compress(RECORD, wbits=-15)
    + struct.pack("<2I", zlib.crc32(RECORD), 15)
)
STREAMS = {1: GZIP, 2: SNAPPY, 3: LZ4, 4: ZSTD}


def batch(
    payload: bytes,
    *,
    attributes: int = 0,
    count: int = 1,
    last_offset_delta: int = 0,
    max_timestamp: int = 1000,
    producer: tuple[int, int, int] = (-1, -1, -1),
    magic: int = 2,
) -> bytes:
    """A record batch at offset 0 with base timestamp 1000 and a checksum that is right for what is in it."""
    head = struct.pack(">hiqqqhii", attributes, last_offset_delta, 1000, max_timestamp, *producer, count)
    checked = head + payload
    return struct.pack(">qiibI", 0, len(checked) + 9, -1, magic, crc32c(checked)) + checked


def message(value: bytes | None, *, attributes: int = 0, timestamp: int = 1000, key: bytes | None = None) -> bytes:
    """A v1 message with the right checksum."""
    checked = struct.pack(">bbq", 1, attributes, timestamp) + _bytes(key) + _bytes(value)
    return struct.pack(">I", zlib.crc32(checked)) + checked


def entry(offset: int, content: bytes) -> bytes:
    """A v0 or v1 message as an entry of a log."""
    return struct.pack(">qi", offset, len(content)) + content


def damaged(data: bytes, place: int = -1) -> bytes:
    """The same bytes with one bit wrong."""
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


def _bytes(data: bytes | None) -> bytes:
    return struct.pack(">i", -1) if data is None else struct.pack(">i", len(data)) + data
