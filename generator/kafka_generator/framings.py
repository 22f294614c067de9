"""Compressed streams with hand-written framing: each header field at its edges, right and wrong.

Each is one mutation of what the codec's library writes, with the checksums around it right, so that
a reader that refuses has found that field. The content is stored, not compressed, wherever the
codec can do that.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Final

import lz4.block
import snappy
import xxhash

Stream = Callable[[bytes], bytes]

_FHCRC, _FEXTRA, _FNAME, _FCOMMENT = 2, 4, 8, 16
_GZIP_FIELDS: Final = {_FEXTRA: b"\x04\x00KFKA", _FNAME: b"records\x00", _FCOMMENT: b"comment\x00"}
_WINDOW: Final = b"\x38"  # 128 KiB


def _gzip(
    plain: bytes,
    *,
    head: bytes = b"\x1f\x8b\x08",
    flags: int = 0,
    rest: bytes = bytes(5) + b"\xff",
    header_crc: int = 0,
    body: bytes = b"",
) -> bytes:
    """Return one member.

    `rest` is time, extra flags and system; `header_crc` is what is wrong in the header's CRC-16.
    """
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    header = head + bytes([flags]) + rest
    header += b"".join(field for flag, field in _GZIP_FIELDS.items() if flags & flag)
    if flags & _FHCRC:
        header += struct.pack("<H", zlib.crc32(header) & 0xFFFF ^ header_crc)
    trailer = struct.pack("<II", zlib.crc32(plain), len(plain))
    return header + (body or packer.compress(plain) + packer.flush()) + trailer


def _xerial(plain: bytes, *blocks: bytes, versions: tuple[int, int] = (1, 1), length: int | None = None) -> bytes:
    """The xerial framing; `length` is what the first chunk says of itself."""
    chunks = blocks or (bytes(snappy.compress(plain)),)
    first = len(chunks[0]) if length is None else length
    lengths = [first, *(len(chunk) for chunk in chunks[1:])]
    body = b"".join(struct.pack(">i", size) + chunk for size, chunk in zip(lengths, chunks, strict=True))
    return b"\x82SNAPPY\x00" + struct.pack(">ii", *versions) + body


def _varint(number: int) -> bytes:
    """The unsigned varint with which a snappy block announces its size."""
    groups = bytearray()
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    return bytes([*groups, number])


def _snappy_literal(plain: bytes, size: int | None = None) -> bytes:
    """A snappy block of one literal that announces `size` bytes, or as many as it has."""
    announced = _varint(len(plain) if size is None else size)
    return announced + b"\xf0" + bytes([len(plain) - 1]) + plain


def _lz4(
    plain: bytes, flags: int = 0x60, descriptor: int = 0x40, extra: bytes = b"", block: bytes | None = None
) -> bytes:
    """Return one frame with these flags, block descriptor and fields, and the right checksum."""
    head = bytes([flags, descriptor]) + extra
    stored = struct.pack("<I", len(plain) | 1 << 31) + plain if block is None else block
    block_checksum = struct.pack("<I", xxhash.xxh32_intdigest(stored[4:])) if flags & 0x10 else b""
    checksum = struct.pack("<I", xxhash.xxh32_intdigest(plain)) if flags & 0x04 else b""
    start = b"\x04\x22\x4d\x18" + head + bytes([xxhash.xxh32_intdigest(head) >> 8 & 0xFF])
    return start + stored + block_checksum + bytes(4) + checksum


def _lz4_block(content: bytes) -> bytes:
    return struct.pack("<I", len(content)) + content


def _lz4_over_maximum(plain: bytes) -> bytes:
    block = lz4.block.compress(plain + bytes(65537 - len(plain)), store_size=False)
    return _lz4(plain, block=_lz4_block(block))


def _zstd(plain: bytes, descriptor: int = 0, fields: bytes = _WINDOW, block: bytes = b"", kind: int = 0) -> bytes:
    """One frame of one block, stored unless `block` has its bytes; `kind` is its type."""
    content = block or plain
    header = struct.pack("<I", len(content) << 3 | kind << 1 | 1)[:3]
    checksum = struct.pack("<Q", xxhash.xxh64_intdigest(plain))[:4] if descriptor & 4 else b""
    return b"\x28\xb5\x2f\xfd" + bytes([descriptor]) + fields + header + content + checksum


def _zstd_run(plain: bytes, size: int) -> bytes:
    """A run-length block of `size` bytes in place of the content."""
    header = struct.pack("<I", size << 3 | 1 << 1 | 1)[:3]
    return b"\x28\xb5\x2f\xfd\x00" + _WINDOW + header + plain[:1]


def _with_size(size: str, more: int = 0) -> Callable[[bytes], bytes]:
    return lambda plain: struct.pack(size, len(plain) + more)


def _zstd_sized(descriptor: int, size: Callable[[bytes], bytes], window: bytes = _WINDOW) -> Stream:
    return lambda plain: _zstd(plain, descriptor, window + size(plain))


_RIGHT: Final[dict[str, Stream]] = {
    "gzip/is-text": lambda plain: _gzip(plain, flags=1),
    "gzip/header-checksum": lambda plain: _gzip(plain, flags=_FHCRC),
    "gzip/extra-field": lambda plain: _gzip(plain, flags=_FEXTRA),
    "gzip/name": lambda plain: _gzip(plain, flags=_FNAME),
    "gzip/comment": lambda plain: _gzip(plain, flags=_FCOMMENT),
    "gzip/time-highest": lambda plain: _gzip(plain, rest=b"\xff\xff\xff\xff\x00\xff"),
    "gzip/time-1": lambda plain: _gzip(plain, rest=b"\x01\x00\x00\x00\x00\xff"),
    "gzip/extra-flags-highest": lambda plain: _gzip(plain, rest=bytes(4) + b"\xff\xff"),
    "gzip/extra-flags-2": lambda plain: _gzip(plain, rest=bytes(4) + b"\x02\xff"),
    "gzip/system-0": lambda plain: _gzip(plain, rest=bytes(6)),
    "gzip/system-3": lambda plain: _gzip(plain, rest=bytes(5) + b"\x03"),
    "gzip/extra-flags-1": lambda plain: _gzip(plain, rest=bytes(4) + b"\x01\xff"),
    "gzip/system-1": lambda plain: _gzip(plain, rest=bytes(5) + b"\x01"),
    "snappy/empty-block": lambda plain: _xerial(plain, b"\x00", _snappy_literal(plain)),
    "snappy/literal": lambda plain: _xerial(plain, _snappy_literal(plain)),
    "snappy/two-chunks": lambda plain: _xerial(plain, _snappy_literal(plain[:5]), _snappy_literal(plain[5:])),
    "lz4/maximum-256-kib": lambda plain: _lz4(plain, descriptor=0x50),
    "lz4/maximum-1-mib": lambda plain: _lz4(plain, descriptor=0x60),
    "lz4/maximum-4-mib": lambda plain: _lz4(plain, descriptor=0x70),
    "lz4/everything": lambda plain: _lz4(plain, 0x7C, extra=struct.pack("<Q", len(plain))),
    "zstd/stored": _zstd,
    "zstd/unused-bit": lambda plain: _zstd(plain, 0x10),
    "zstd/single-segment": _zstd_sized(0x20, _with_size("<B"), b""),
    "zstd/content-size-of-2-bytes": _zstd_sized(0x60, _with_size("<H", -256), b""),
    "zstd/content-size-of-4-bytes": _zstd_sized(0x80, _with_size("<I")),
    "zstd/content-size-of-8-bytes": _zstd_sized(0xC0, _with_size("<Q")),
    "zstd/dictionary-id-0": lambda plain: _zstd(plain, 0x01, _WINDOW + b"\x00"),
    "zstd/dictionary-id-0-of-2-bytes": lambda plain: _zstd(plain, 0x02, _WINDOW + bytes(2)),
    "zstd/dictionary-id-0-of-4-bytes": lambda plain: _zstd(plain, 0x03, _WINDOW + bytes(4)),
    "zstd/window-128-mib": lambda plain: _zstd(plain, fields=b"\x88"),
    "zstd/window-1-kib": lambda plain: _zstd(plain, fields=b"\x00"),
    "zstd/window-1152": lambda plain: _zstd(plain, fields=b"\x01"),
}

_WRONG: Final[dict[str, Stream]] = {
    "gzip/wrong-magic": lambda plain: _gzip(plain, head=b"\x1f\x8c\x08"),
    "gzip/method-7": lambda plain: _gzip(plain, head=b"\x1f\x8b\x07"),
    "gzip/reserved-bit-6": lambda plain: _gzip(plain, flags=0x40),
    "gzip/reserved-bit-7": lambda plain: _gzip(plain, flags=0x80),
    "gzip/wrong-header-checksum": lambda plain: _gzip(plain, flags=_FHCRC, header_crc=1),
    "gzip/header-cut": lambda plain: _gzip(plain)[:9],
    "gzip/name-cut": lambda plain: _gzip(plain, flags=_FNAME)[:14],
    "gzip/reserved-block-type": lambda plain: _gzip(plain, body=b"\x07"),
    "gzip/size-0": lambda plain: _gzip(plain)[:-4] + bytes(4),
    "gzip/second-member-cut": lambda plain: _gzip(plain[:5]) + _gzip(plain[5:])[:-8],
    "snappy/header-cut": lambda plain: _xerial(plain)[:15],
    "snappy/wrong-magic": lambda plain: b"\x82SNAPPZ" + _xerial(plain)[7:],
    "snappy/version-0": lambda plain: _xerial(plain, versions=(0, 1)),
    "snappy/version-2": lambda plain: _xerial(plain, versions=(2, 1)),
    "snappy/version-minus-1": lambda plain: _xerial(plain, versions=(-1, 1)),
    "snappy/version-lowest": lambda plain: _xerial(plain, versions=(-(1 << 31), 1)),
    "snappy/version-highest": lambda plain: _xerial(plain, versions=((1 << 31) - 1, 1)),
    "snappy/least-compatible-0": lambda plain: _xerial(plain, versions=(1, 0)),
    "snappy/least-compatible-2": lambda plain: _xerial(plain, versions=(1, 2)),
    "snappy/least-compatible-minus-1": lambda plain: _xerial(plain, versions=(1, -1)),
    "snappy/least-compatible-lowest": lambda plain: _xerial(plain, versions=(1, -(1 << 31))),
    "snappy/least-compatible-highest": lambda plain: _xerial(plain, versions=(1, (1 << 31) - 1)),
    "snappy/chunk-length-zero": lambda plain: _xerial(plain, length=0),
    "snappy/chunk-length-lowest": lambda plain: _xerial(plain, length=-(1 << 31)),
    "snappy/chunk-length-one-more": lambda plain: _xerial(plain, length=len(snappy.compress(plain)) + 1),
    "snappy/block-one-more": lambda plain: _xerial(plain, _snappy_literal(plain, len(plain) + 1)),
    "snappy/block-one-less": lambda plain: _xerial(plain, _snappy_literal(plain, len(plain) - 1)),
    "snappy/copy-from-before": lambda plain: _xerial(plain, b"\x04\x01\x09"),
    "snappy/size-of-six-bytes": lambda plain: _xerial(plain, b"\x80\x80\x80\x80\x80\x00" + plain),
    "lz4/wrong-magic": lambda plain: b"\x05" + _lz4(plain)[1:],
    "lz4/legacy-frame": lambda plain: b"\x02\x21\x4c\x18" + _lz4_block(lz4.block.compress(plain, store_size=False)),
    "lz4/skippable-frame": lambda plain: b"\x50\x2a\x4d\x18\x04\x00\x00\x00skip" + _lz4(plain),
    "lz4/header-cut": lambda plain: _lz4(plain)[:6],
    "lz4/version-0": lambda plain: _lz4(plain, 0x20),
    "lz4/version-2": lambda plain: _lz4(plain, 0xA0),
    "lz4/version-3": lambda plain: _lz4(plain, 0xE0),
    "lz4/reserved-flag": lambda plain: _lz4(plain, 0x62),
    "lz4/dictionary-id": lambda plain: _lz4(plain, 0x61, extra=bytes(4)),
    "lz4/dictionary-id-1": lambda plain: _lz4(plain, 0x61, extra=b"\x01\x00\x00\x00"),
    "lz4/dictionary-id-highest": lambda plain: _lz4(plain, 0x61, extra=b"\xff\xff\xff\xff"),
    "lz4/content-size-0": lambda plain: _lz4(plain, 0x68, extra=bytes(8)),
    "lz4/content-size-1": lambda plain: _lz4(plain, 0x68, extra=b"\x01" + bytes(7)),
    "lz4/content-size-highest": lambda plain: _lz4(plain, 0x68, extra=b"\xff" * 8),
    "lz4/reserved-descriptor-bit-0": lambda plain: _lz4(plain, descriptor=0x41),
    "lz4/reserved-descriptor-bit-1": lambda plain: _lz4(plain, descriptor=0x42),
    "lz4/reserved-descriptor-bit-2": lambda plain: _lz4(plain, descriptor=0x44),
    "lz4/reserved-descriptor-bit-3": lambda plain: _lz4(plain, descriptor=0x48),
    "lz4/reserved-descriptor-bit-7": lambda plain: _lz4(plain, descriptor=0xC0),
    "lz4/maximum-0": lambda plain: _lz4(plain, descriptor=0x00),
    "lz4/maximum-3": lambda plain: _lz4(plain, descriptor=0x30),
    "lz4/block-over-maximum": lambda plain: _lz4(plain, block=struct.pack("<I", 65537 | 1 << 31) + bytes(65537)),
    "lz4/block-beyond-the-end": lambda plain: _lz4(plain, block=struct.pack("<I", len(plain) + 99) + plain),
    "lz4/block-grows-over-maximum": _lz4_over_maximum,
    "lz4/block-without-last-literal": lambda plain: _lz4(plain, block=_lz4_block(b"\x10a\x00")),
    "lz4/copy-from-before": lambda plain: _lz4(plain, block=_lz4_block(b"\x10a\x09\x00\x00")),
    "lz4/no-content-checksum": lambda plain: _lz4(plain, 0x64)[:-4],
    "zstd/wrong-magic": lambda plain: b"\x27" + _zstd(plain)[1:],
    "zstd/header-cut": lambda plain: _zstd(plain)[:5],
    "zstd/reserved-bit": lambda plain: _zstd(plain, 0x08),
    "zstd/window-144-mib": lambda plain: _zstd(plain, fields=b"\x89"),
    "zstd/window-highest": lambda plain: _zstd(plain, fields=b"\xff"),
    "zstd/dictionary-id-5": lambda plain: _zstd(plain, 0x01, _WINDOW + b"\x05"),
    "zstd/dictionary-id-1": lambda plain: _zstd(plain, 0x01, _WINDOW + b"\x01"),
    "zstd/dictionary-id-255": lambda plain: _zstd(plain, 0x01, _WINDOW + b"\xff"),
    "zstd/dictionary-id-1-of-2-bytes": lambda plain: _zstd(plain, 0x02, _WINDOW + b"\x01\x00"),
    "zstd/dictionary-id-65535": lambda plain: _zstd(plain, 0x02, _WINDOW + b"\xff\xff"),
    "zstd/dictionary-id-1-of-4-bytes": lambda plain: _zstd(plain, 0x03, _WINDOW + b"\x01\x00\x00\x00"),
    "zstd/dictionary-id-highest": lambda plain: _zstd(plain, 0x03, _WINDOW + b"\xff\xff\xff\xff"),
    "zstd/block-type-3": lambda plain: _zstd(plain, kind=3),
    "zstd/block-over-128-kib": lambda plain: _zstd_run(plain, 131073),
    "zstd/block-over-the-window": lambda plain: _zstd(plain + bytes(1025 - len(plain)), fields=b"\x00"),
    "zstd/content-size-one-more": _zstd_sized(0x80, _with_size("<I", 1)),
    "zstd/content-size-one-less": _zstd_sized(0x80, _with_size("<I", -1)),
    "zstd/content-size-0-of-1-byte": lambda plain: _zstd(plain, 0x20, b"\x00"),
    "zstd/content-size-1-of-1-byte": lambda plain: _zstd(plain, 0x20, b"\x01"),
    "zstd/content-size-255": lambda plain: _zstd(plain, 0x20, b"\xff"),
    "zstd/content-size-256": lambda plain: _zstd(plain, 0x40, _WINDOW + b"\x00\x00"),
    "zstd/content-size-257": lambda plain: _zstd(plain, 0x40, _WINDOW + b"\x01\x00"),
    "zstd/content-size-65791": lambda plain: _zstd(plain, 0x40, _WINDOW + b"\xff\xff"),
    "zstd/content-size-0-of-4-bytes": lambda plain: _zstd(plain, 0x80, _WINDOW + bytes(4)),
    "zstd/content-size-1-of-4-bytes": lambda plain: _zstd(plain, 0x80, _WINDOW + b"\x01" + bytes(3)),
    "zstd/content-size-4-gib": lambda plain: _zstd(plain, 0x80, _WINDOW + b"\xff" * 4),
    "zstd/content-size-0-of-8-bytes": lambda plain: _zstd(plain, 0xC0, _WINDOW + bytes(8)),
    "zstd/content-size-1-of-8-bytes": lambda plain: _zstd(plain, 0xC0, _WINDOW + b"\x01" + bytes(7)),
    "zstd/content-size-8-eib": _zstd_sized(0xC0, lambda _: b"\xff" * 7 + b"\x7f"),
    "zstd/content-size-highest": _zstd_sized(0xC0, lambda _: b"\xff" * 8),
    "zstd/damaged-block": lambda plain: _zstd(plain, block=b"\xff" * 9, kind=2),
    "zstd/skippable-frame-cut": lambda plain: _zstd(plain) + b"\x50\x2a\x4d\x18\x04\x00\x00\x00ski",
}

FRAMINGS: Final[dict[str, Stream]] = _RIGHT | _WRONG
"""Every stream by codec and variant."""
