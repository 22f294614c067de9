"""LZ4 frames as Kafka has them: independent blocks, no dictionary."""

import lz4.block
from entries import Malformed
from reader import Reader
from xxhash import xxh32_intdigest

MAGIC = b"\x04\x22\x4d\x18"
HAS_BLOCK_CHECKSUMS, HAS_SIZE, HAS_CHECKSUM = 1 << 4, 1 << 3, 1 << 2
VERSION_1_OF_INDEPENDENT_BLOCKS = 0b0110_0000
IS_STORED = 1 << 31


def unlz4(data: bytes, magic: int) -> bytes:
    """Return the content; `magic` is that of the entry."""
    reader = Reader(data)
    if reader.take(len(MAGIC)) != MAGIC:
        raise Malformed("an LZ4 frame starts with its magic")
    flags, descriptor = reader.take(2)
    most = block_maximum(flags, descriptor)
    size = number(reader, 8) if flags & HAS_SIZE else None
    check_header(data[len(MAGIC) : reader.place], magic, *reader.take(1))
    content = b""
    while word := number(reader, 4):
        length = word & ~IS_STORED
        if not 0 < length <= most:
            raise Malformed(f"a block of {length} bytes, where {most} are the most")
        block = reader.take(length)
        if flags & HAS_BLOCK_CHECKSUMS:
            check(block, reader)
        content += (
            block
            if word & IS_STORED
            else lz4.block.decompress(block, uncompressed_size=most)
        )
    if size not in {None, len(content)}:
        raise Malformed(f"the frame announces {size} bytes and has {len(content)}")
    if flags & HAS_CHECKSUM:
        check(content, reader)
    if reader.left:
        raise Malformed(f"{reader.left} bytes follow the frame")
    return content


def block_maximum(flags: int, descriptor: int) -> int:
    """Return how large a block may be, if this is a frame that Kafka reads."""
    known = HAS_BLOCK_CHECKSUMS | HAS_SIZE | HAS_CHECKSUM
    if flags & ~known != VERSION_1_OF_INDEPENDENT_BLOCKS:
        raise Malformed(f"Kafka reads no LZ4 frame with the flags {flags:08b}")
    code = descriptor >> 4
    if descriptor & 0b1111 or not 4 <= code <= 7:
        raise Malformed(f"there is no block descriptor {descriptor:08b}")
    return 1 << 8 + 2 * code


def check_header(header: bytes, magic: int, stored: int) -> None:
    """Compare the checksum; Kafka's for v0 covers the frame's magic, too (KAFKA-3160)."""
    hashed = [header, MAGIC + header] if magic == 0 else [header]
    if stored not in {xxh32_intdigest(one) >> 8 & 0xFF for one in hashed}:
        raise Malformed(
            f"the checksum {stored:02x} does not fit the header of the LZ4 frame"
        )


def check(data: bytes, reader: Reader) -> None:
    """Compare the checksum that comes next."""
    if number(reader, 4) != xxh32_intdigest(data):
        raise Malformed("a checksum does not fit its LZ4 block or frame")


def number(reader: Reader, size: int) -> int:
    """Return the next integer; LZ4 writes the lowest byte first, and has no signs."""
    return int.from_bytes(reader.take(size), "little")
