"""What is compressed, made plain again."""

import gzip

import zstandard
from python_adapter import NotSupported

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


def decompress(codec: int, data: bytes) -> bytes:
    """Return the content; the codec is not 0."""
    match CODECS[codec]:
        case "gzip":
            return gzip.decompress(data)
        case "zstd":
            return zstandard.ZstdDecompressor().decompressobj().decompress(data)
        case name:
            raise NotSupported(f"it does not read {name} yet")
