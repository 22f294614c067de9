"""Messages and the wrappers around them: the formats v0 and v1."""

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from compression import CODECS, decompress
from entries import Malformed, entries
from python_adapter import Record
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
    """Yield the record of a message, or those of a wrapper."""
    outer = message(data)
    inside = inner_messages(outer) if outer.codec else [outer]
    shift = offset_shift(outer, inside[-1])
    for one in inside:
        yield Record(
            offset=one.offset + shift,
            timestamp=outer.timestamp if outer.timestamp_type == 1 else one.timestamp,
            timestamp_type=outer.timestamp_type,
            key=one.key,
            value=one.value,
            codec=outer.codec,
        )


def inner_messages(wrapper: Message) -> list[Message]:
    """Return the messages inside a wrapper: one or more, all whole and of its magic."""
    if wrapper.value is None:
        raise Malformed("a wrapper without a value")
    payload = decompress(wrapper.codec, wrapper.value, wrapper.magic)
    inside = list(entries(payload))
    if not inside or sum(len(entry.data) for entry in inside) < len(payload):
        raise Malformed("a wrapper whose messages are not whole, or that has none")
    if any(entry.magic != wrapper.magic for entry in inside):
        raise Malformed("a wrapper with messages of another magic")
    found = [message(entry.data) for entry in inside]
    if any(one.codec for one in found):
        raise Malformed("a wrapper inside of a wrapper")
    return found


def offset_shift(outer: Message, last: Message) -> int:
    """Return what makes the offsets inside a wrapper absolute; outer may be plain."""
    if outer.magic == 0 or outer.offset == 0:
        return 0
    if outer.offset < last.offset:
        raise Malformed(
            f"a wrapper at offset {outer.offset}, and inside of it {last.offset}"
        )
    return outer.offset - last.offset
