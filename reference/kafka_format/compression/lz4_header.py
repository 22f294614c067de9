"""The header of an LZ4 frame: magic, FLG, BD, the optional content size, the checksum HC.

`lz4` says what Kafka accepts of it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kafka_format.compression.errors import payload_error
from kafka_format.compression.library import library
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import default_bytes, places
from kafka_format.spec.layout.model import minimum_size

HEADER_CHECKSUM_IGNORED: Final = "lz4-header-checksum-ignored"

_LAYOUT: Final = find("lz4_frame_header")
_DESCRIPTOR: Final = default_bytes(_LAYOUT)
_FLG, _BD = places(_LAYOUT)["flags"], places(_LAYOUT)["block_descriptor"]
MAGIC: Final = _DESCRIPTOR[:_FLG]
CONTENT_SIZE_AT: Final = len(_DESCRIPTOR)
"""Where the content size stands, if there is one."""
WRITTEN: Final = _DESCRIPTOR + b"\x82"
"""The header that Kafka writes in formats v1 and v2."""
WRITTEN_V0: Final = _DESCRIPTOR + b"\x1a"
"""The header that Kafka writes in format v0."""

_FLAGS: Final = _LAYOUT.field("flags")
_VERSION: Final = _FLAGS.part("version")
_BLOCK_MAXIMUM: Final = _LAYOUT.field("block_descriptor").part("block_maximum")
_DICTIONARY, _CHECKSUM, _SIZE, _BLOCK_CHECKSUM, _INDEPENDENT = (
    _FLAGS.part(name).in_place
    for name in (
        "has_dictionary_id",
        "has_content_checksum",
        "has_content_size",
        "has_block_checksums",
        "independent_blocks",
    )
)
_RESERVED_FLG: Final = ~_FLAGS.known_bits
_RESERVED_BD: Final = ~_BLOCK_MAXIMUM.in_place
_CONTENT_SIZE_SIZE: Final = minimum_size(_LAYOUT.field("content_size").type)


class Header(NamedTuple):
    """The fields of a frame header.

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
    return _AS_WRITTEN if data.startswith(WRITTEN) else _check_header(data, magic, flags)


def _check_header(data: bytes, magic: int, flags: frozenset[str]) -> Header:
    if not data.startswith(MAGIC):
        raise payload_error(
            0,
            "compression.lz4.magic",
            f"a frame starts with 04 22 4d 18, this starts with {data[:_FLG].hex(' ') or 'nothing'}",
        )
    if len(data) < len(WRITTEN):
        raise payload_error(len(MAGIC), "compression.lz4.header", f"a frame header has {len(WRITTEN)} bytes or more")
    bits, descriptor = data[_FLG], data[_BD]
    _check_flg(bits)
    _check_bd(descriptor)
    end = _descriptor_end(bits)
    if len(data) <= end:
        raise payload_error(CONTENT_SIZE_AT, "compression.lz4.header", "the input ends inside the content size")
    if not (magic == 0 and HEADER_CHECKSUM_IGNORED in flags):
        _check_checksum(data, end, magic)
    size = int.from_bytes(data[CONTENT_SIZE_AT:end], "little") if bits & _SIZE else None
    maximum = 1 << (8 + 2 * (descriptor >> _BLOCK_MAXIMUM.low))
    return Header(end + 1, maximum, bool(bits & _BLOCK_CHECKSUM), size, bool(bits & _CHECKSUM))


def _check_flg(bits: int) -> None:
    version = bits >> _VERSION.low
    if version != 1:
        raise payload_error(_FLG, "compression.lz4.version", f"frame format version {version}, must be 1")
    if not bits & _INDEPENDENT:
        raise payload_error(
            _FLG, "compression.lz4.independent-blocks", "the blocks are linked", "Kafka reads independent blocks only."
        )
    if bits & _RESERVED_FLG:
        raise payload_error(_FLG, "compression.lz4.reserved-bits", f"the reserved bit 1 is set in FLG {bits:#04x}")
    if bits & _DICTIONARY:
        raise payload_error(
            _FLG, "compression.lz4.dictionary", "the frame needs a dictionary", "Kafka reads frames without one only."
        )


def _check_bd(descriptor: int) -> None:
    if descriptor & _RESERVED_BD:
        raise payload_error(_BD, "compression.lz4.reserved-bits", f"reserved bits are set in BD {descriptor:#04x}")
    maximum = descriptor >> _BLOCK_MAXIMUM.low
    if not 4 <= maximum <= 7:
        detail = f"block maximum {maximum}, must be 4 to 7 (64 KiB to 4 MiB)"
        raise payload_error(_BD, "compression.lz4.block-maximum", detail)


def _descriptor_end(bits: int) -> int:
    """Return where the checksum of the header stands: after the content size, if it is there."""
    return CONTENT_SIZE_AT + (_CONTENT_SIZE_SIZE if bits & _SIZE else 0)


def _check_checksum(data: bytes, end: int, magic: int) -> None:
    if data[end] not in _checksums(data[_FLG:end], magic):
        raise payload_error(end, "compression.lz4.header-checksum", *_wrong_checksum(data, end, magic))


def _checksums(descriptor: bytes, magic: int) -> tuple[int, ...]:
    hashed = (descriptor, MAGIC + descriptor) if magic == 0 else (descriptor,)
    return tuple(library("xxhash", "xxhash").xxh32_intdigest(part) >> 8 & 0xFF for part in hashed)


def _wrong_checksum(data: bytes, end: int, magic: int) -> tuple[str, str]:
    right, legacy = _checksums(data[_FLG:end], 0)
    hint = (
        "This checksum covers the frame magic too (KAFKA-3160), which is for format v0 only."
        if data[end] == legacy
        else ""
    )
    expected = f"{right:02x}, or {legacy:02x} as Kafka wrote it" if magic == 0 else f"{right:02x}"
    return f"stored {data[end]:02x}, the header gives {expected}", hint
