"""Compressed streams of all kinds for vectors: right ones as libraries write them, and wrong ones.

Made with the libraries, not with the project's codecs, so that they judge those. The plain bytes
are a v2 payload or a message set.
"""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Callable
from typing import Final

import lz4.block
import lz4.frame
import snappy
import xxhash
import zstandard

from kafka_generator.framings import FRAMINGS

Stream = Callable[[bytes], bytes]

_XERIAL: Final = b"\x82SNAPPY\x00"
_LZ4_MAGIC: Final = bytes.fromhex("04224d18")


def _gzip(plain: bytes, level: int = 6) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, 31)
    return packer.compress(plain) + packer.flush()


def _gzip_members(plain: bytes) -> bytes:
    half = len(plain) // 2
    return _gzip(plain[:half]) + _gzip(plain[half:])


def _gzip_fields(plain: bytes) -> bytes:
    """Return a stream with extra field, name, comment and header checksum: FEXTRA to FHCRC."""
    body = _gzip(plain)
    head = b"\x1f\x8b\x08\x1e" + body[4:10] + struct.pack("<H", 4) + b"KFKA" + b"records\x00" + b"comment\x00"
    return head + struct.pack("<H", zlib.crc32(head) & 0xFFFF) + body[10:]


def _raw_snappy(plain: bytes) -> bytes:
    return bytes(snappy.compress(plain))


def _xerial(plain: bytes, size: int = 32 * 1024, versions: bytes = b"\x00\x00\x00\x01" * 2) -> bytes:
    chunks = [_raw_snappy(plain[start : start + size]) for start in range(0, len(plain), size)]
    return _XERIAL + versions + b"".join(struct.pack(">i", len(chunk)) + chunk for chunk in chunks)


def _lz4_frame(plain: bytes, flags: int = 0x60, checksum: int = 0x82, extra: bytes = b"") -> bytes:
    """Return one frame of one block.

    `checksum` fits flags 0x60 and blocks of 64 KiB.
    """
    block = bytes(lz4.block.compress(plain, store_size=False))
    head = _LZ4_MAGIC + bytes([flags, 0x40]) + extra + bytes([checksum])
    return head + struct.pack("<I", len(block)) + block + bytes(4)


def _lz4(plain: bytes, **options: bool) -> bytes:
    return bytes(lz4.frame.compress(plain, store_size=options.pop("store_size", False), block_linked=False, **options))


def _lz4_stored(plain: bytes) -> bytes:
    return _LZ4_MAGIC + b"\x60\x40\x82" + struct.pack("<I", len(plain) | 1 << 31) + plain + bytes(4)


def _lz4_blocks(plain: bytes) -> bytes:
    """Several small blocks; all but their sizes as Kafka writes them."""
    blocks = [plain[start : start + 10] for start in range(0, len(plain), 10)]
    body = b"".join(struct.pack("<I", len(block) | 1 << 31) + block for block in blocks)
    return _LZ4_MAGIC + b"\x60\x40\x82" + body + bytes(4)


def _lz4_sized(plain: bytes, size: int) -> bytes:
    """A frame that announces its content size, right or wrong."""
    announced = struct.pack("<Q", size)
    return _lz4_frame(plain, 0x68, xxhash.xxh32(b"\x68\x40" + announced).intdigest() >> 8 & 0xFF, announced)


def _zstd(plain: bytes, *, size: bool = False, checksum: bool = False) -> bytes:
    return zstandard.ZstdCompressor(level=3, write_content_size=size, write_checksum=checksum).compress(plain)


def _zstd_frames(plain: bytes) -> bytes:
    half = len(plain) // 2
    return _zstd(plain[:half]) + _zstd(plain[half:])


def _flip(stream: bytes, at: int) -> bytes:
    changed = bytearray(stream)
    changed[at] ^= 1
    return bytes(changed)


_SKIPPABLE: Final = struct.pack("<II", 0x184D2A50, 4) + b"skip"

STREAMS: Final[dict[str, Stream]] = {
    "gzip/plain": _gzip,
    "gzip/stored": lambda plain: _gzip(plain, 0),
    "gzip/two-members": _gzip_members,
    "gzip/all-header-fields": _gzip_fields,
    "gzip/with-time": lambda plain: gzip.compress(plain, mtime=1_700_000_000),
    "gzip/trailing-bytes": lambda plain: _gzip(plain) + b"\x00\x01\x02",
    "gzip/cut": lambda plain: _gzip(plain)[:-9],
    "gzip/no-trailer": lambda plain: _gzip(plain)[:-8],
    "gzip/wrong-crc": lambda plain: _flip(_gzip(plain), -8),
    "gzip/wrong-size": lambda plain: _flip(_gzip(plain), -4),
    "gzip/zlib": zlib.compress,
    "gzip/reserved-flags": lambda plain: _gzip(plain)[:3] + b"\x20" + _gzip(plain)[4:],
    "gzip/empty": lambda _plain: b"",
    "snappy/plain": _xerial,
    "snappy/chunks-of-10": lambda plain: _xerial(plain, 10),
    "snappy/chunks-of-1024": lambda plain: _xerial(plain, 1024),
    "snappy/raw-block": _raw_snappy,
    "snappy/little-endian-versions": lambda plain: _xerial(plain, versions=b"\x01\x00\x00\x00" * 2),
    "snappy/trailing-bytes": lambda plain: _xerial(plain) + b"\x00\x00\x00",
    "snappy/cut": lambda plain: _xerial(plain)[:-1],
    "snappy/chunk-length-too-long": lambda plain: _xerial(plain)[:16] + b"\x7f\xff\xff\xff" + _xerial(plain)[20:],
    "snappy/chunk-length-negative": lambda plain: _xerial(plain)[:16] + b"\xff\xff\xff\xff" + _xerial(plain)[20:],
    "snappy/damaged-second-header": lambda plain: _xerial(plain[:4]) + b"\x82SNA" + bytes(12) + _xerial(plain[4:])[16:],
    "snappy/two-streams": lambda plain: _xerial(plain[:4]) + _xerial(plain[4:]),
    "snappy/official-framing": lambda plain: bytes(snappy.StreamCompressor().compress(plain)),
    "snappy/size-lie": lambda _plain: (
        _XERIAL + b"\x00\x00\x00\x01" * 2 + b"\x00\x00\x00\x08" + b"\xff\xff\xff\xff\x0f\x00\x61\x00"
    ),
    "lz4/plain": _lz4_frame,
    "lz4/broken-header-checksum": lambda plain: _lz4_frame(plain, checksum=0x1A),
    "lz4/wrong-header-checksum": lambda plain: _lz4_frame(plain, checksum=0x55),
    "lz4/stored-block": _lz4_stored,
    "lz4/blocks-of-10": _lz4_blocks,
    "lz4/library": _lz4,
    "lz4/content-checksum": lambda plain: _lz4(plain, content_checksum=True),
    "lz4/block-checksums": lambda plain: _lz4(plain, block_checksum=True),
    "lz4/content-size": lambda plain: _lz4(plain, store_size=True),
    "lz4/wrong-content-checksum": lambda plain: _flip(_lz4(plain, content_checksum=True), -1),
    "lz4/wrong-block-checksum": lambda plain: _flip(_lz4(plain, block_checksum=True), -5),
    "lz4/linked-blocks": lambda plain: _lz4_frame(
        plain, flags=0x40, checksum=xxhash.xxh32(b"\x40\x40").intdigest() >> 8 & 0xFF
    ),
    "lz4/no-end-mark": lambda plain: _lz4_frame(plain)[:-4],
    "lz4/cut": lambda plain: _lz4_frame(plain)[:-5],
    "lz4/trailing-bytes": lambda plain: _lz4_frame(plain) + b"\x00",
    "lz4/two-frames": lambda plain: _lz4_frame(plain[: len(plain) // 2]) + _lz4_frame(plain[len(plain) // 2 :]),
    "lz4/wrong-content-size": lambda plain: _lz4_sized(plain, len(plain) + 1),
    "lz4/stored-end-mark": lambda plain: _lz4_frame(plain)[:-1] + b"\x80",
    "lz4/raw-block": lambda plain: lz4.block.compress(plain, store_size=False),
    "zstd/plain": _zstd,
    "zstd/content-size": lambda plain: _zstd(plain, size=True),
    "zstd/checksum": lambda plain: _zstd(plain, checksum=True),
    "zstd/two-frames": _zstd_frames,
    "zstd/skippable-frame": lambda plain: _SKIPPABLE + _zstd(plain),
    "zstd/wrong-checksum": lambda plain: _flip(_zstd(plain, checksum=True), -1),
    "zstd/cut": lambda plain: _zstd(plain)[:-1],
    "zstd/trailing-bytes": lambda plain: _zstd(plain) + b"\x00",
    "zstd/five-bytes-behind": lambda plain: _zstd(plain) + bytes(5),
    "zstd/cut-second-frame": lambda plain: _zstd(plain) + _zstd(plain)[:3],
    **FRAMINGS,
}
"""Every stream by codec and variant. `plain` is what the codec's library writes when asked for
Kafka's kind of stream."""
