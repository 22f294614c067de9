"""The bytes of `tests.kafka_format.wire` with the answers that a target must give, and a few
more."""

import struct
import zlib

from tests.kafka_conformance.targets.adapter_client import AnswerRecord
from tests.kafka_format import wire
from tests.kafka_format.wire import COMMIT, EMPTY, LZ4, RECORD, SNAPPY, THREE, V0, V1, V2, batch, damaged, entry

__all__ = ["COMMIT", "EMPTY", "LZ4", "RECORD", "SNAPPY", "THREE", "V0", "V1", "V2", "batch", "damaged", "entry"]

KEY, VALUE = b"key", b"value"

V07 = bytes.fromhex("0000000a 00 3610a686 68656c6c6f")  # magic 0, which the older of the clients of 0.7 read best

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

# RECORD as one raw block of zstd, and as a gzip member.
ZSTD = bytes.fromhex("28b52ffd 00 58 790000") + RECORD
GZIP = (
    bytes.fromhex("1f8b08000000000000ff")
    + zlib.compress(RECORD, wbits=-15)
    + struct.pack("<2I", zlib.crc32(RECORD), 15)
)
STREAMS = {1: GZIP, 2: SNAPPY, 3: LZ4, 4: ZSTD}


def message(value: bytes | None, *, attributes: int = 0, timestamp: int = 1000, key: bytes | None = None) -> bytes:
    """A v1 message with the right checksum."""
    return wire.message(1, value, attributes=attributes, timestamp=timestamp, key=key)
