"""snappy as Kafka has it: one block, or many in snappy-java's framing, called xerial."""

import struct

import snappy
from reader import Reader

HEADER = struct.Struct(">8sii")
MAGIC = b"\x82SNAPPY\0"
SIZE = struct.Struct(">i")


def unsnappy(data: bytes) -> bytes:
    """Return the content."""
    if not data.startswith(MAGIC):
        return snappy.uncompress(data)
    reader = Reader(data)
    reader.take(HEADER.size)
    content = b""
    while reader.left:
        content += snappy.uncompress(reader.take(*reader.unpack(SIZE)))
    return content
