"""The header of an LZ4 frame: magic, FLG, BD, the optional content size, and the header checksum HC.

`lz4` says what Kafka accepts of it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kafka_format.compression.faults import fault
from kafka_format.compression.library import library

HEADER_CHECKSUM_IGNORED: Final = "lz4-header-checksum-ignored"
MAGIC: Final = bytes.fromhex("04224d18")
WRITTEN: Final = MAGIC + bytes.fromhex("6040 82")
"""The header that Kafka writes in formats v1 and v2."""
WRITTEN_V0: Final = MAGIC + bytes.fromhex("6040 1a")
"""The header that Kafka writes in format v0."""

_FLG, _BD, _CONTENT_SIZE = 4, 5, 6  # offsets in the frame
_DICTIONARY, _RESERVED_FLG, _CHECKSUM, _SIZE, _BLOCK_CHECKSUM, _INDEPENDENT = (1 << bit for bit in range(6))
_RESERVED_BD: Final = 0x8F


class Header(NamedTuple):
    """What a frame header says.

    Attributes:
        end: offset of the first block.
        block_maximum: most bytes of a block, compressed or not.
        block_checksums: each block is followed by its xxh32.
        content_size: bytes of content that the header announces, if it does.
        content_checksum: the end mark is followed by the xxh32 of the content.
    """

    end: int
    block_maximum: int
    block_checksums: bool
    content_size: int | None
    content_checksum: bool


_AS_WRITTEN: Final = Header(len(WRITTEN), 64 << 10, block_checksums=False, content_size=None, content_checksum=False)


def read_header(data: bytes, magic: int, flags: frozenset[str]) -> Header:
    """Read and check the header; `magic` is that of the Kafka format."""
    return _AS_WRITTEN if data.startswith(WRITTEN) else _checked_header(data, magic, flags)


def _checked_header(data: bytes, magic: int, flags: frozenset[str]) -> Header:
    if data[:4] != MAGIC:
        raise fault(
            0,
            "compression.lz4.magic",
            f"a frame starts with 04 22 4d 18, this starts with {data[:4].hex(' ') or 'nothing'}",
        )
    if len(data) < 7:
        raise fault(len(MAGIC), "compression.lz4.header", "a frame header has 7 bytes or more")
    bits, descriptor = data[_FLG], data[_BD]
    _check_flg(bits)
    _check_bd(descriptor)
    end = _descriptor_end(bits)
    if len(data) <= end:
        raise fault(_CONTENT_SIZE, "compression.lz4.header", "the input ends inside the content size")
    if not (magic == 0 and HEADER_CHECKSUM_IGNORED in flags):
        _check_checksum(data, end, magic)
    size = int.from_bytes(data[_CONTENT_SIZE:end], "little") if bits & _SIZE else None
    maximum = 1 << (8 + 2 * (descriptor >> 4))
    return Header(end + 1, maximum, bool(bits & _BLOCK_CHECKSUM), size, bool(bits & _CHECKSUM))


def _check_flg(bits: int) -> None:
    if bits >> 6 != 1:
        raise fault(_FLG, "compression.lz4.version", f"frame format version {bits >> 6}, must be 1")
    if not bits & _INDEPENDENT:
        raise fault(
            _FLG, "compression.lz4.independent-blocks", "the blocks are linked", "Kafka reads independent blocks only."
        )
    if bits & _RESERVED_FLG:
        raise fault(_FLG, "compression.lz4.reserved-bits", f"the reserved bit 1 is set in FLG {bits:#04x}")
    if bits & _DICTIONARY:
        raise fault(
            _FLG, "compression.lz4.dictionary", "the frame needs a dictionary", "Kafka reads frames without one only."
        )


def _check_bd(descriptor: int) -> None:
    if descriptor & _RESERVED_BD:
        raise fault(_BD, "compression.lz4.reserved-bits", f"reserved bits are set in BD {descriptor:#04x}")
    if not 4 <= descriptor >> 4 <= 7:
        raise fault(
            _BD, "compression.lz4.block-maximum", f"block maximum {descriptor >> 4}, must be 4 to 7 (64 KiB to 4 MiB)"
        )


def _descriptor_end(bits: int) -> int:
    """Return where the checksum of the header stands: behind the content size, if it is there."""
    return _CONTENT_SIZE + (8 if bits & _SIZE else 0)


def _check_checksum(data: bytes, end: int, magic: int) -> None:
    if data[end] not in _checksums(data[4:end], magic):
        raise fault(end, "compression.lz4.header-checksum", *_wrong_checksum(data, end, magic))


def _checksums(descriptor: bytes, magic: int) -> tuple[int, ...]:
    hashed = (descriptor, MAGIC + descriptor) if magic == 0 else (descriptor,)
    return tuple(library("xxhash", "xxhash").xxh32_intdigest(part) >> 8 & 0xFF for part in hashed)


def _wrong_checksum(data: bytes, end: int, magic: int) -> tuple[str, str]:
    right, legacy = _checksums(data[4:end], 0)
    hint = (
        "This checksum covers the frame magic too (KAFKA-3160), which is for format v0 only."
        if data[end] == legacy
        else ""
    )
    expected = f"{right:02x}, or {legacy:02x} as Kafka wrote it" if magic == 0 else f"{right:02x}"
    return f"stored {data[end]:02x}, the header gives {expected}", hint
