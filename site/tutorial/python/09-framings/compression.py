"""What is compressed, made plain again."""

import gzip

import zstandard
from lz4_frame import unlz4
from xerial import unsnappy

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


def decompress(codec: int, data: bytes, magic: int) -> bytes:
    """Return the content; the codec is not 0, and `magic` is that of the entry."""
    match CODECS[codec]:
        case "gzip":
            return gzip.decompress(data)
        case "snappy":
            return unsnappy(data)
        case "lz4":
            return unlz4(data, magic)
        case _:
            return zstandard.ZstdDecompressor().decompressobj().decompress(data)
