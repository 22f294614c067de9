"""The start of a payload that is cut short or damaged: what there is of it, and no verdict.

Nothing here judges; `decompress` does that. What a codec gives before it has to stop is returned.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Final

from kafka_format.compression.library import library
from kafka_format.compression.lz4_header import HEADER_CHECKSUM_IGNORED, read_header

_CHUNK: Final = 4096
_GZIP_WINDOW: Final = 31
"""zlib's word for the largest window, behind the header of gzip."""

_XERIAL: Final = b"\x82SNAPPY\0"
_XERIAL_HEADER: Final = 16
_LARGEST_WINDOW: Final = 128 << 20
_SIZE: Final = 4
"""Bytes of the sizes of blocks."""

_STORED: Final = 1 << 31
"""The bit in the size of a block of LZ4 that is stored as it is."""

_ANY_MAGIC: Final = 0
_ANY_HEADER: Final = frozenset({HEADER_CHECKSUM_IGNORED})


def decompress_start(codec: str, data: bytes, limit: int) -> bytes:
    """Return what can be decompressed of a payload, `limit` bytes at most.

    Args:
        codec: one of `compression.NAMES`.
        data: the compressed bytes as far as they are there.
        limit: most bytes that the result may have.

    Raises:
        ImportError: the codec's library is not installed.
    """
    if codec == "none":
        return data[:limit]
    made = bytearray()
    broken: tuple[type[Exception], ...] = (ValueError, RuntimeError, EOFError, zlib.error)
    if codec == "zstd":
        broken = (*broken, library("zstandard", "zstandard").ZstdError)
    pieces = _PIECES[codec](data, limit)
    try:
        for piece in pieces:
            made += piece[: limit - len(made)]
            if len(made) >= limit:
                break
    except broken:
        pass  # what came before counts
    return bytes(made)


def _gzip(data: bytes, limit: int) -> Iterator[bytes]:
    """Yield what the members of gzip give, one after the other."""
    rest = memoryview(data)
    while rest:
        inflater = zlib.decompressobj(_GZIP_WINDOW)
        for start in range(0, len(rest), _CHUNK):
            yield inflater.decompress(rest[start : start + _CHUNK], limit)
            if inflater.eof:
                rest = rest[min(start + _CHUNK, len(rest)) - len(inflater.unused_data) :]
                break
        else:
            return


def _zstd(data: bytes, _limit: int) -> Iterator[bytes]:
    zstandard = library("zstandard", "zstandard")
    stream = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW).decompressobj()
    for start in range(0, len(data), _CHUNK):
        yield stream.decompress(data[start : start + _CHUNK])


def _lz4(data: bytes, limit: int) -> Iterator[bytes]:
    """Yield the blocks of a frame, the last one as far as it is there."""
    header = read_header(data, _ANY_MAGIC, _ANY_HEADER)
    position = header.end
    while position + _SIZE <= len(data):
        size = int.from_bytes(data[position : position + _SIZE], "little")
        length = size & ~_STORED
        block = data[position + _SIZE : position + _SIZE + length]
        if not length:
            return
        yield block if size & _STORED else lz4_block(block, limit)
        position += _SIZE + length + (_SIZE if header.block_checksums else 0)


def lz4_block(block: bytes, limit: int) -> bytes:
    """Return what a block of LZ4 that may be cut decompresses to (lz4_Block_format.md)."""
    made, position = bytearray(), 0
    while position < len(block) and len(made) < limit:
        token = block[position]
        literals, position = _lz4_length(block, position + 1, token >> 4)
        made += block[position : position + literals]
        position += literals
        if position + 2 > len(block):
            break
        distance = int.from_bytes(block[position : position + 2], "little")
        length, position = _lz4_length(block, position + 2, token & 15)
        if not _copy(made, distance, length + 4, limit):
            break
    return bytes(made[:limit])


def _lz4_length(block: bytes, position: int, length: int) -> tuple[int, int]:
    if length < 15:
        return length, position
    while position < len(block):
        octet = block[position]
        position, length = position + 1, length + octet
        if octet < 255:
            break
    return length, position


def _copy(made: bytearray, distance: int, length: int, limit: int) -> bool:
    """Append bytes that are there already; return whether there are any so far back."""
    if not 0 < distance <= len(made):
        return False
    length = min(length, limit - len(made))
    run = bytes(made[-distance:][:length])
    made += (run * (length // len(run) + 1))[:length] if length > 0 else b""
    return True


def _snappy(data: bytes, limit: int) -> Iterator[bytes]:
    """Yield the chunks of xerial's framing, or one block; the last as far as it is there."""
    if not data.startswith(_XERIAL):
        yield snappy_block(data, limit)
        return
    position = _XERIAL_HEADER
    while position + _SIZE <= len(data):
        end = position + _SIZE + int.from_bytes(data[position : position + _SIZE], "big")
        yield snappy_block(data[position + _SIZE : end], limit)
        position = end


def snappy_block(block: bytes, limit: int) -> bytes:
    """Return what a block of snappy that may be cut decompresses to (format_description.txt)."""
    made, position = bytearray(), next((at + 1 for at, octet in enumerate(block[:5]) if octet < 0x80), len(block))
    while position < len(block) and len(made) < limit:
        tag = block[position]
        kind, position = tag & 3, position + 1
        if kind == 0:
            length, more = (tag >> 2) + 1, max(0, (tag >> 2) - 59)
            if more:
                length = int.from_bytes(block[position : position + more], "little") + 1
            made += block[position + more : position + more + length]
            position += more + length
            continue
        size = (1, 2, 4)[kind - 1]
        distance = int.from_bytes(block[position : position + size], "little") | ((tag >> 5) << 8 if kind == 1 else 0)
        length = ((tag >> 2) & 7) + 4 if kind == 1 else (tag >> 2) + 1
        position += size
        if position > len(block) or not _copy(made, distance, length, limit):
            break
    return bytes(made[:limit])


_PIECES: Final[dict[str, Callable[[bytes, int], Iterator[bytes]]]] = {
    "gzip": _gzip,
    "snappy": _snappy,
    "lz4": _lz4,
    "zstd": _zstd,
}
