"""What is compressed, made plain again, up to a limit."""

import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

import zstandard
from entries import Malformed
from lz4_frame import unlz4
from reader import Reader
from xerial import unsnappy

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
LIMIT = 64 << 20
PIECE = 1 << 10


class Decompressor(Protocol):
    """What the libraries of gzip and zstd have in common."""

    eof: bool
    unused_data: bytes

    def decompress(self, data: bytes, /) -> bytes:
        """Return what these bytes add to the content."""


def decompress(codec: int, data: bytes, magic: int) -> bytes:
    """Return the content; the codec is not 0, and `magic` is that of the entry."""
    content = bytearray()
    for piece in pieces(codec, data, magic):
        content += piece
        if len(content) > LIMIT:
            raise Malformed(f"it decompresses to more than {LIMIT} bytes")
    return bytes(content)


def pieces(codec: int, data: bytes, magic: int) -> Iterator[bytes]:
    """Return the content piece by piece."""
    match CODECS[codec]:
        case "gzip":
            return streams(data, lambda: zlib.decompressobj(wbits=31))
        case "snappy":
            return unsnappy(data, LIMIT)
        case "lz4":
            return unlz4(data, magic)
        case _:
            return streams(data, zstandard.ZstdDecompressor().decompressobj)


def streams(data: bytes, start: Callable[[], Decompressor]) -> Iterator[bytes]:
    """Yield the content of gzip members or zstd frames: one or more, all whole."""
    reader = Reader(data)
    while True:
        stream = start()
        while not stream.eof:
            if not reader.left:
                raise Malformed("what is compressed is cut off")
            yield stream.decompress(reader.take(min(PIECE, reader.left)))
        reader.place -= len(stream.unused_data)
        if not reader.left:
            return
