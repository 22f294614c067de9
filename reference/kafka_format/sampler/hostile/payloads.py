"""Damage to compressed payloads, at places that each codec's format fixes.

The payloads are those that this package writes: one gzip member without extras, one snappy stream of whole chunks, one
LZ4 frame without checksums of blocks or content, one zstd frame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from kafka_format.sampler.hostile.model import Dice, int32, put

_XERIAL: Final = 16
"""Bytes of the header of a snappy stream."""

_LZ4_HEADER: Final = 7
_LZ4_BLOCK_MAXIMUM: Final = 64 << 10
_GZIP_TRAILER: Final = 8
_SHORTEST_FRAME: Final = 5
_ZSTD_SIZES: Final = (0, 2, 4, 8)


class Damage(NamedTuple):
    """One damage to the payloads of one codec.

    Attributes:
        codec: which.
        name: what is done, in a word.
        rule: the rule that it breaks.
        flag: the leniency that accepts it, with the same answer; empty for none.
        doc: what is done.
        make: does it; None where it cannot be done.
    """

    codec: str
    name: str
    rule: str
    flag: str
    doc: str
    make: Callable[[bytes, Dice], bytes | None]


def _bit(at: int, low: int, high: int) -> Callable[[bytes, Dice], bytes]:
    """Flip one of the bits `low` to `high` of the byte at `at`."""

    def make(data: bytes, dice: Dice) -> bytes:
        place = at % len(data)
        return put(data, place, bytes([data[place] ^ 1 << low + dice.below(high - low + 1)]))

    return make


def _any_bit(first: int, last: int) -> Callable[[bytes, Dice], bytes]:
    """Flip a bit in a range of bytes; negative places count from the end."""

    def make(data: bytes, dice: Dice) -> bytes:
        return _bit(first + dice.below(last - first), 0, 7)(data, dice)

    return make


def _tail(least: int, most: int, octet: int) -> Callable[[bytes, Dice], bytes]:
    """Put bytes behind."""
    return lambda data, dice: data + bytes([octet]) * (least + dice.below(most - least + 1))


def _gzip_cut(data: bytes, dice: Dice) -> bytes:
    return data[: -1 - dice.below(_GZIP_TRAILER)]


def _chunk_length(data: bytes, dice: Dice) -> bytes | None:
    if len(data) < _XERIAL + 4:
        return None
    left = len(data) - _XERIAL - 4
    lie = (0, -1, -(1 << 31), left + 1, left + 1 + dice.below(1000), (1 << 31) - 1)[dice.below(6)]
    return put(data, _XERIAL, int32(lie))


def _chunk_cut(data: bytes, dice: Dice) -> bytes | None:
    """Cut within the first chunk, behind its length."""
    end = _XERIAL + 4 + int.from_bytes(data[_XERIAL : _XERIAL + 4], "big")
    return data[: _XERIAL + 4 + dice.below(end - _XERIAL - 4)] if len(data) == end else None


def _announced(data: bytes, _dice: Dice) -> bytes | None:
    """Have a block announce a byte more, where that is one byte to write."""
    at = _XERIAL + 4
    return put(data, at, bytes([data[at] + 1])) if len(data) > at and data[at] & 0x7F < 0x7F else None


def _lz4_length(data: bytes, dice: Dice) -> bytes:
    left = len(data) - _LZ4_HEADER - 4
    lie = (left + 1 + dice.below(100), _LZ4_BLOCK_MAXIMUM + 1 + dice.below(1000), (1 << 31) - 1)[dice.below(3)]
    return put(data, _LZ4_HEADER, lie.to_bytes(4, "little"))


def _lz4_maximum(data: bytes, dice: Dice) -> bytes:
    return put(data, 5, bytes([dice.below(4) << 4]))


def _zstd_cut(data: bytes, dice: Dice) -> bytes | None:
    most = len(data) - _SHORTEST_FRAME
    return data[: -1 - dice.below(most)] if most > 0 else None


def _block_type(data: bytes, _dice: Dice) -> bytes:
    """Give the first block of a frame the reserved type; it stands behind descriptor, window and content size."""
    bits = data[4]
    single = bits >> 5 & 1
    at = 5 + (1 - single) + (_ZSTD_SIZES[bits >> 6] or single)
    return put(data, at, bytes([data[at] | 6]))


_ZSTD_MAGIC_SAFE: Final = _any_bit(1, 4)

DAMAGES: Final = (
    Damage("gzip", "magic", "compression.gzip.magic", "", "a bit of the two bytes of magic is flipped", _any_bit(0, 2)),
    Damage("gzip", "method", "compression.gzip.method", "", "the method is another than deflate", _bit(2, 0, 7)),
    Damage(
        "gzip",
        "reserved-flags",
        "compression.gzip.reserved-flags",
        "gzip-reserved-flags",
        "a reserved bit of FLG is set",
        _bit(3, 5, 7),
    ),
    Damage(
        "gzip", "checksum", "compression.gzip.checksum", "", "a bit of the trailer's CRC is flipped", _any_bit(-8, -4)
    ),
    Damage(
        "gzip", "length", "compression.gzip.length", "", "a bit of the trailer's length is flipped", _any_bit(-4, 0)
    ),
    Damage("gzip", "cut", "compression.gzip.complete", "", "the end of the trailer is cut off", _gzip_cut),
    Damage(
        "gzip",
        "trailing-bytes",
        "compression.gzip.trailing-bytes",
        "gzip-trailing-bytes",
        "zeros follow the member",
        _tail(1, 18, 0),
    ),
    Damage(
        "snappy",
        "version",
        "compression.snappy.version",
        "snappy-xerial-version",
        "a bit of the least compatible version is flipped",
        _any_bit(12, 16),
    ),
    Damage(
        "snappy",
        "chunk-length",
        "compression.snappy.chunk-length",
        "",
        "the length of the first chunk is none, or beyond the payload",
        _chunk_length,
    ),
    Damage("snappy", "cut", "compression.snappy.chunk-length", "", "the only chunk is cut", _chunk_cut),
    Damage("snappy", "size", "compression.snappy.block", "", "the first block announces a byte more", _announced),
    Damage(
        "snappy",
        "trailing-bytes",
        "compression.snappy.trailing-bytes",
        "snappy-trailing-bytes",
        "one to three bytes follow the last chunk",
        _tail(1, 3, 0xFF),
    ),
    Damage("lz4", "magic", "compression.lz4.magic", "", "a bit of the magic is flipped", _any_bit(0, 4)),
    Damage("lz4", "version", "compression.lz4.version", "", "the version of the frame is not 1", _bit(4, 6, 7)),
    Damage(
        "lz4", "linked", "compression.lz4.independent-blocks", "", "the blocks are said to be linked", _bit(4, 5, 5)
    ),
    Damage("lz4", "reserved", "compression.lz4.reserved-bits", "", "the reserved bit of FLG is set", _bit(4, 1, 1)),
    Damage("lz4", "maximum", "compression.lz4.block-maximum", "", "the block maximum is 0 to 3", _lz4_maximum),
    Damage(
        "lz4",
        "header-checksum",
        "compression.lz4.header-checksum",
        "",
        "a bit of the header checksum is flipped",
        _bit(6, 0, 7),
    ),
    Damage(
        "lz4", "block-length", "compression.lz4.block-length", "", "the first block is longer than can be", _lz4_length
    ),
    Damage(
        "lz4",
        "cut",
        "compression.lz4.end-mark",
        "",
        "one to four bytes of the end mark are missing",
        lambda data, dice: data[: -1 - dice.below(4)],
    ),
    Damage(
        "lz4",
        "trailing-bytes",
        "compression.lz4.trailing-bytes",
        "lz4-trailing-bytes",
        "bytes follow the frame",
        _tail(1, 20, 0x5A),
    ),
    Damage(
        "zstd",
        "magic",
        "compression.zstd.magic",
        "",
        "a bit of the last three bytes of magic is flipped",
        _ZSTD_MAGIC_SAFE,
    ),
    Damage(
        "zstd",
        "reserved-bit",
        "compression.zstd.reserved-bit",
        "",
        "the reserved bit of the descriptor is set",
        _bit(4, 3, 3),
    ),
    Damage(
        "zstd", "block-type", "compression.zstd.block-type", "", "the first block has the reserved type", _block_type
    ),
    Damage("zstd", "cut", "compression.zstd.complete", "", "the end of the frame is cut off", _zstd_cut),
)
