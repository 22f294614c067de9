"""lz4 (codec 3, since 0.8.2): one LZ4 frame (format version 01), as Kafka reads the frame format.

Written as Kafka does: FLG 60 (independent blocks, no checksums, no content size), BD 40 (blocks of
64 KiB), a block stored as it is where compressing does not make it smaller, the end mark.

The header checksum HC is byte 1 of xxh32 over FLG, BD and the content size. Kafka 0.8.2 and 0.9
hashed the 4 bytes of the frame magic too, and verified that (KAFKA-3160). Since 0.10.0 (KIP-57) the
wrong checksum is written for format v0 only, and v1 and v2 use and enforce the right one. Here both
are right in v0.

Linked blocks and dictionaries are part of the frame format, but no Kafka reads them; a second frame
is not read either.

Kafka's Lz4BlockInputStream (once KafkaLZ4BlockInputStream) was run as 0.8.2.2, 0.10.0.0, 0.10.2.2,
0.11.0.3, 3.9.1, 4.3.0 and 4.4.0. It accepts more:

- `lz4-header-checksum-ignored`: format v0 with any header checksum, since 0.10.0 (0.8.2.2: only the
  wrong one, in every format).
- `lz4-content-checksum-ignored`: the content checksum is skipped, since 0.10.0 (before: refused
  where announced; KAFKA-20528).
- `lz4-content-size-ignored`: the content size is skipped, since 0.10.0 (before: refused where
  announced).
- `lz4-end-mark-stored-bit`: 00000080, a stored block of no bytes, ends the frame, since 0.10.2.2
  (before: a block; KAFKA-5150).
- `lz4-trailing-bytes`: bytes after the frame are ignored, in all of these.

A limit: the block format has no match at distance 0, yet the LZ4 library copies zeros for one, and
so do Kafka 2.1 to 4.4 and this module. Kafka 0.10.0 to 2.0 copy other bytes, so that there the
checksum of an inner message fails.
"""

from __future__ import annotations

from typing import Final

from kafka_format.compression.errors import over_limit, payload_error
from kafka_format.compression.library import library
from kafka_format.compression.lz4_header import (
    CONTENT_SIZE_AT,
    HEADER_CHECKSUM_IGNORED,
    MAGIC,
    WRITTEN,
    WRITTEN_V0,
    Header,
    read_header,
)
from kafka_format.primitives.counts import byte_count
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import packer

CONTENT_CHECKSUM_IGNORED: Final = "lz4-content-checksum-ignored"
CONTENT_SIZE_IGNORED: Final = "lz4-content-size-ignored"
END_MARK_STORED_BIT: Final = "lz4-end-mark-stored-bit"
TRAILING_BYTES: Final = "lz4-trailing-bytes"
FLAGS: Final = frozenset(
    {HEADER_CHECKSUM_IGNORED, CONTENT_CHECKSUM_IGNORED, CONTENT_SIZE_IGNORED, END_MARK_STORED_BIT, TRAILING_BYTES}
)

_BLOCK: Final = 64 << 10
_BLOCK_HEADER: Final = find("lz4_block_header")
_SIZE: Final = packer(_BLOCK_HEADER)
_STORED: Final = _BLOCK_HEADER.field("size").part("is_stored").in_place
_END_MARK: Final = bytes(4)
_GROWTH: Final = 255  # a byte of a match length stands for at most 255 bytes


def compress(data: bytes, magic: int) -> bytes:
    """Compress in blocks of 64 KiB; the header checksum depends on the Kafka format."""
    block = library("lz4.block", "lz4")
    out = [WRITTEN_V0 if magic == 0 else WRITTEN]
    for start in range(0, len(data), _BLOCK):
        content = data[start : start + _BLOCK]
        packed = block.compress(content, store_size=False)
        out += (
            (_SIZE.pack(len(packed)), packed)
            if len(packed) < len(content)
            else (_SIZE.pack(len(content) | _STORED), content)
        )
    out.append(_END_MARK)
    return b"".join(out)


def decompress(data: bytes, magic: int, limit: int, flags: frozenset[str]) -> bytes:
    """Read one frame; see the module for the flags."""
    content, position = _frame(data, magic, limit, flags)
    if position < len(data) and TRAILING_BYTES not in flags:
        raise payload_error(position, "compression.lz4.trailing-bytes", *_trailing(data, position))
    return content


def check_start(data: bytes, magic: int, _limit: int, flags: frozenset[str]) -> None:
    """Read the header of the frame."""
    read_header(data, magic, flags)


def _frame(data: bytes, magic: int, limit: int, flags: frozenset[str]) -> tuple[bytes, int]:
    """Read the frame at the start: its content, and where it ends."""
    header = read_header(data, magic, flags)
    pieces, position = _blocks(data, header, limit, flags)
    content = b"".join(pieces)
    if header.content_size not in (None, len(content)) and CONTENT_SIZE_IGNORED not in flags:
        detail = f"the header announces {byte_count(header.content_size)} of content, the blocks have {len(content)}"
        raise payload_error(CONTENT_SIZE_AT, "compression.lz4.content-size", detail)
    if header.content_checksum:
        hashed = None if CONTENT_CHECKSUM_IGNORED in flags else content
        position = _checksum_end(data, position, hashed, "compression.lz4.content-checksum")
    return content, position


def _blocks(data: bytes, header: Header, limit: int, flags: frozenset[str]) -> tuple[list[bytes], int]:
    pieces: list[bytes] = []
    position, size = header.end, 0
    while (length := _block_size(data, position, header, flags)) is not None:
        start = position + _SIZE.size
        end = start + (length & ~_STORED)
        block = data[start:end]
        position = _checksum_end(data, end, block, "compression.lz4.block-checksum") if header.block_checksums else end
        pieces.append(block if length & _STORED else _decode(block, start, header.block_maximum))
        size += len(pieces[-1])
        if size > limit:
            raise over_limit(start, limit)
    return pieces, position + _SIZE.size


def _block_size(data: bytes, position: int, header: Header, flags: frozenset[str]) -> int | None:
    """Read the size field of a block, with its stored bit; None for the end mark."""
    left = len(data) - position - _SIZE.size
    if left < 0:
        raise payload_error(position, "compression.lz4.end-mark", "the input ends without an end mark")
    size: int = _SIZE.unpack_from(data, position)[0]
    length = size & ~_STORED
    if size == 0 or (length == 0 and END_MARK_STORED_BIT in flags):
        return None
    if length == 0:
        raise payload_error(
            position, "compression.lz4.end-mark", "a stored block of no bytes is neither a block nor the end mark"
        )
    if length > header.block_maximum:
        detail = f"block of {byte_count(length)}, the header allows {header.block_maximum}"
        raise payload_error(position, "compression.lz4.block-length", detail)
    if length > left:
        raise payload_error(
            position,
            "compression.lz4.block-length",
            f"block of {byte_count(length)}, {left} {'is' if left == 1 else 'are'} left",
        )
    return size


def _decode(block: bytes, start: int, maximum: int) -> bytes:
    lz4_block = library("lz4.block", "lz4")
    room = min(maximum, _GROWTH * len(block))
    try:
        content: bytes = lz4_block.decompress(block, uncompressed_size=room)
    except lz4_block.LZ4BlockError as error:
        detail = f"not a valid LZ4 block of at most {maximum} bytes of content ({error})"
        raise payload_error(start, "compression.lz4.block", detail) from None
    return content


def _checksum_end(data: bytes, start: int, hashed: bytes | None, rule: str) -> int:
    """Check the xxh32 at `start`, if there is something to hash; return the offset after it."""
    end = start + _SIZE.size
    if len(data) < end:
        raise payload_error(start, rule, "the input ends inside this checksum")
    if hashed is not None:
        stored = int.from_bytes(data[start:end], "little")
        computed = library("xxhash", "xxhash").xxh32_intdigest(hashed)
        if stored != computed:
            raise payload_error(start, rule, f"stored {stored:08x}, the bytes give {computed:08x}")
    return end


def _trailing(data: bytes, position: int) -> tuple[str, str]:
    hint = "This is a second frame; Kafka reads only one." if data.startswith(MAGIC, position) else ""
    return f"bytes after the frame: {len(data) - position}", hint
