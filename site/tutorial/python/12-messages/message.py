"""Messages: the formats v0 and v1."""

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from compression import CODECS
from entries import Malformed
from python_adapter import NotSupported, Record
from reader import Reader

START = struct.Struct(">qiIbb")
UP_TO_CRC = struct.Struct(">qiI")
TIMESTAMP = struct.Struct(">q")
SIZE = struct.Struct(">i")


class Message(NamedTuple):
    """One message and its offset."""

    offset: int
    magic: int
    attributes: int
    timestamp: int
    key: bytes | None
    value: bytes | None

    @property
    def codec(self) -> int:
        """0, unless it is a wrapper."""
        return self.attributes & 0b111

    @property
    def timestamp_type(self) -> int:
        """0 and 1 as in a batch; -1 in v0, where there are no timestamps."""
        return self.attributes >> 3 & 1 if self.magic else -1


def message(data: bytes) -> Message:
    """Read one message."""
    reader = Reader(data)
    offset, _size, crc, magic, attributes = reader.unpack(START)
    if crc != zlib.crc32(data[UP_TO_CRC.size :]):
        raise Malformed(f"the checksum {crc:08x} does not fit the bytes")
    (timestamp,) = reader.unpack(TIMESTAMP) if magic else [-1]
    key = reader.nullable(*reader.unpack(SIZE))
    value = reader.nullable(*reader.unpack(SIZE))
    reader.end()
    found = Message(offset, magic, attributes, timestamp, key, value)
    if found.codec >= CODECS.index("zstd"):
        raise Malformed(f"there is no codec {found.codec} in messages")
    return found


def records(data: bytes) -> Iterator[Record]:
    """Yield the record of a message."""
    one = message(data)
    if one.codec:
        raise NotSupported("it opens no wrappers yet")
    yield Record(one.offset, one.timestamp, one.timestamp_type, one.key, one.value)
