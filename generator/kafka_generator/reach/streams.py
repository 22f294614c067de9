"""The shape of a compressed stream: what its library chose in the framing, whatever the content.

Two streams of one shape are written alike, so a stream is what producers write if one that we ran
wrote its shape.
"""

from __future__ import annotations

import zlib

import snappy
from kafka_format import compression

Shape = tuple[str | int | bool, ...]

_XERIAL = b"\x82SNAPPY\x00"
_XERIAL_HEADER = 16
_LZ4_BLOCK_SIZE_AT = 5
_ZSTD_DESCRIPTOR_AT = 4


def shape(codec: str, stream: bytes) -> Shape:
    """Return the shape of a stream that can be decompressed."""
    return (codec, *{"gzip": _gzip, "snappy": _snappy, "lz4": _lz4, "zstd": _zstd}[codec](stream))


def _gzip(stream: bytes) -> Shape:
    """Flags, modification time, extra flags, operating system, and whether one member is all."""
    inflater = zlib.decompressobj(31)
    inflater.decompress(stream)
    flags, time, extra, system = stream[3], stream[4:8], stream[8], stream[9]
    return flags, any(time), extra, system, not inflater.unused_data


def _snappy(stream: bytes) -> Shape:
    """Return raw, or the xerial framing's versions and the plain size of chunks but the last."""
    if not stream.startswith(_XERIAL):
        return ("raw",)
    versions, sizes, place = stream[8:_XERIAL_HEADER].hex(), [], _XERIAL_HEADER
    while place < len(stream):
        length = int.from_bytes(stream[place : place + 4], "big")
        sizes.append(len(snappy.decompress(stream[place + 4 : place + 4 + length])))
        place += 4 + length
    return "xerial", versions, max(sizes[:-1], default=0)


def _lz4(stream: bytes) -> Shape:
    """The flags, the largest block, and whether one frame is all."""
    return stream[4], stream[_LZ4_BLOCK_SIZE_AT], stream.count(stream[:4]) == 1


def _zstd(stream: bytes) -> Shape:
    """Return the flags, whether there is a content size (of any width), whether it is one frame."""
    descriptor = stream[_ZSTD_DESCRIPTOR_AT]
    has_size = bool(descriptor & 0xE0)
    return descriptor & 0x1F, has_size, stream.count(stream[:4]) == 1


def can_be_read(codec: str, stream: bytes, magic: int) -> bool:
    """Tell whether a stream is sound, so that it has a shape."""
    try:
        return bool(compression.decompress(codec, stream, magic=magic))
    except ValueError:
        return False
