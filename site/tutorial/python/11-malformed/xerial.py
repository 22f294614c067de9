"""snappy as Kafka has it: one block, or many in snappy-java's framing, called xerial."""

import struct
from collections.abc import Iterator

import snappy
from entries import Malformed
from reader import Reader

HEADER = struct.Struct(">8sii")
MAGIC = b"\x82SNAPPY\0"
SIZE = struct.Struct(">i")


def unsnappy(data: bytes, limit: int) -> Iterator[bytes]:
    """Yield the content, a block at a time."""
    if not data.startswith(MAGIC):
        yield block(data, limit)
        return
    reader = Reader(data)
    reader.take(HEADER.size)
    while reader.left:
        yield block(reader.take(*reader.unpack(SIZE)), limit)


def block(data: bytes, limit: int) -> bytes:
    """Return the content of a block, unless the size at its start is more than may be."""
    size = shift = 0
    for byte in data:
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 or size > limit:
            break
    if size > limit:
        raise Malformed(f"a snappy block announces {size} bytes")
    return snappy.uncompress(data)
