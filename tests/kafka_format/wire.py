"""Bytes put together by hand, with nothing of the project, for its readers and writers.

The samples were written by Apache Kafka's own record classes (trunk of October 2024): the key is
`key`, the value `value`.
"""

import gzip as python_gzip
import struct
import zlib

from crc32c import crc32c

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
SNAPPY = bytes.fromhex("82534e4150505900 00000001 00000001 00000011 0f38") + RECORD
LZ4 = bytes.fromhex("04224d18 60 40 82 0f000080") + RECORD + bytes(4)
"""RECORD as Kafka's streams of these codecs have it."""

OVERFLOW = struct.pack(">qi", -1, 61)
"""How a broker fills up a response that it converted to an older format: an entry that is never
whole."""


def batch(
    payload: bytes,
    *,
    base_offset: int = 0,
    attributes: int = 0,
    count: int = 1,
    last_offset_delta: int = 0,
    base_timestamp: int = 1000,
    max_timestamp: int = 1000,
    producer: tuple[int, int, int] = (-1, -1, -1),
    magic: int = 2,
) -> bytes:
    """A record batch whose length and checksum are right for what is in it."""
    head = struct.pack(">hiqqqhii", attributes, last_offset_delta, base_timestamp, max_timestamp, *producer, count)
    checked = head + payload
    return struct.pack(">qiibI", base_offset, len(checked) + 9, -1, magic, crc32c(checked)) + checked


def record(body: str) -> bytes:
    """A record of less than 64 bytes: its length before the bytes given in hexadecimal."""
    content = bytes.fromhex(body)
    return bytes([2 * len(content)]) + content


def message(
    magic: int,
    value: bytes | None,
    *,
    attributes: int = 0,
    timestamp: int = 1000,
    key: bytes | None = None,
    tail: bytes = b"",
) -> bytes:
    """A message of v0 or v1 whose checksum is right; `tail` stands after the value."""
    stamp = struct.pack(">q", timestamp) if magic else b""
    return checked(struct.pack(">bb", magic, attributes) + stamp + nullable(key) + nullable(value) + tail)


def checked(content: bytes) -> bytes:
    """The bytes after their CRC-32, as a message of v0 or v1 has it."""
    return struct.pack(">I", zlib.crc32(content)) + content


def entry(offset: int, content: bytes) -> bytes:
    """A message as an entry of a log."""
    return struct.pack(">qi", offset, len(content)) + content


def nullable(data: bytes | None) -> bytes:
    """Bytes after their int32 length, -1 for null."""
    return struct.pack(">i", -1) if data is None else struct.pack(">i", len(data)) + data


def gzip(data: bytes) -> bytes:
    """A gzip member as Python's library makes it."""
    return python_gzip.compress(data, mtime=0)


def wrapper(
    magic: int, offset: int, inner: bytes, *, attributes: int = 1, timestamp: int = 1000, key: bytes | None = None
) -> bytes:
    """An entry whose value is a message set, compressed by gzip."""
    content = message(magic, gzip(inner), attributes=attributes, timestamp=timestamp, key=key)
    return entry(offset, content)


def damaged(data: bytes, place: int = -1) -> bytes:
    """The same bytes with one bit wrong."""
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


def put(data: bytes, place: int, text: str) -> bytes:
    """The same bytes with others, given in hexadecimal, at one place."""
    patch = bytes.fromhex(text)
    return data[:place] + patch + data[place + len(patch) :]
