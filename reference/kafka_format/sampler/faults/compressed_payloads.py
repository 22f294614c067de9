"""Damage to compressed payloads, at places that each codec's format fixes.

The payloads are those that this package writes: one gzip member without extras, one snappy stream of whole chunks, one
LZ4 frame without checksums of blocks or content, one zstd frame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from kafka_format.sampler.faults.dice import Dice
from kafka_format.sampler.faults.edits import int32, overwritten

_XERIAL: Final = 16
"""Bytes of the header of a snappy stream."""

_LZ4_HEADER: Final = 7
_LZ4_BLOCK_MAXIMUM: Final = 64 << 10
_GZIP_TRAILER: Final = 8
_SHORTEST_FRAME: Final = 5
_ZSTD_SIZES: Final = (0, 2, 4, 8)


Make = Callable[[bytes, Dice], bytes | None]


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
    make: Make


def _bit(at: int, low: int, high: int) -> Callable[[bytes, Dice], bytes]:
    """Flip one of the bits `low` to `high` of the byte at `at`."""

    def make(data: bytes, dice: Dice) -> bytes:
        place = at % len(data)
        return overwritten(data, place, bytes([data[place] ^ 1 << low + dice.below(high - low + 1)]))

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
    return overwritten(data, _XERIAL, int32(lie))


def _chunk_cut(data: bytes, dice: Dice) -> bytes | None:
    """Cut within the first chunk, behind its length."""
    end = _XERIAL + 4 + int.from_bytes(data[_XERIAL : _XERIAL + 4], "big")
    return data[: _XERIAL + 4 + dice.below(end - _XERIAL - 4)] if len(data) == end else None


def _announced(data: bytes, _dice: Dice) -> bytes | None:
    """Have a block announce a byte more, where that is one byte to write."""
    at = _XERIAL + 4
    return overwritten(data, at, bytes([data[at] + 1])) if len(data) > at and data[at] & 0x7F < 0x7F else None


def _lz4_length(data: bytes, dice: Dice) -> bytes:
    left = len(data) - _LZ4_HEADER - 4
    lie = (left + 1 + dice.below(100), _LZ4_BLOCK_MAXIMUM + 1 + dice.below(1000), (1 << 31) - 1)[dice.below(3)]
    return overwritten(data, _LZ4_HEADER, lie.to_bytes(4, "little"))


def _lz4_maximum(data: bytes, dice: Dice) -> bytes:
    return overwritten(data, 5, bytes([dice.below(4) << 4]))


def _zstd_cut(data: bytes, dice: Dice) -> bytes | None:
    most = len(data) - _SHORTEST_FRAME
    return data[: -1 - dice.below(most)] if most > 0 else None


def _block_type(data: bytes, _dice: Dice) -> bytes:
    """Give the first block of a frame the reserved type; it stands behind descriptor, window and content size."""
    bits = data[4]
    single = bits >> 5 & 1
    at = 5 + (1 - single) + (_ZSTD_SIZES[bits >> 6] or single)
    return overwritten(data, at, bytes([data[at] | 6]))


def _lz4_cut(data: bytes, dice: Dice) -> bytes:
    return data[: -1 - dice.below(4)]


def _damage(codec: str, name: str, doc: str, make: Make, *, rule: str = "", flag: str = "") -> Damage:
    """Make a damage; its rule has its name unless another one is given."""
    return Damage(codec, name, f"compression.{codec}.{rule or name}", flag, doc, make)


DAMAGES: Final = (
    _damage("gzip", "magic", "a bit of the two bytes of magic is flipped", _any_bit(0, 2)),
    _damage("gzip", "method", "the method is another than deflate", _bit(2, 0, 7)),
    _damage("gzip", "reserved-flags", "a reserved bit of FLG is set", _bit(3, 5, 7), flag="gzip-reserved-flags"),
    _damage("gzip", "checksum", "a bit of the trailer's CRC is flipped", _any_bit(-8, -4)),
    _damage("gzip", "length", "a bit of the trailer's length is flipped", _any_bit(-4, 0)),
    _damage("gzip", "cut", "the end of the trailer is cut off", _gzip_cut, rule="complete"),
    _damage("gzip", "trailing-bytes", "zeros follow the member", _tail(1, 18, 0), flag="gzip-trailing-bytes"),
    _damage(
        "snappy",
        "version",
        "a bit of the least compatible version is flipped",
        _any_bit(12, 16),
        flag="snappy-xerial-version",
    ),
    _damage("snappy", "chunk-length", "the length of the first chunk is none, or beyond the payload", _chunk_length),
    _damage("snappy", "cut", "the only chunk is cut", _chunk_cut, rule="chunk-length"),
    _damage("snappy", "size", "the first block announces a byte more", _announced, rule="block"),
    _damage(
        "snappy",
        "trailing-bytes",
        "one to three bytes follow the last chunk",
        _tail(1, 3, 0xFF),
        flag="snappy-trailing-bytes",
    ),
    _damage("lz4", "magic", "a bit of the magic is flipped", _any_bit(0, 4)),
    _damage("lz4", "version", "the version of the frame is not 1", _bit(4, 6, 7)),
    _damage("lz4", "linked", "the blocks are said to be linked", _bit(4, 5, 5), rule="independent-blocks"),
    _damage("lz4", "reserved", "the reserved bit of FLG is set", _bit(4, 1, 1), rule="reserved-bits"),
    _damage("lz4", "maximum", "the block maximum is 0 to 3", _lz4_maximum, rule="block-maximum"),
    _damage("lz4", "header-checksum", "a bit of the header checksum is flipped", _bit(6, 0, 7)),
    _damage("lz4", "block-length", "the first block is longer than can be", _lz4_length),
    _damage("lz4", "cut", "one to four bytes of the end mark are missing", _lz4_cut, rule="end-mark"),
    _damage("lz4", "trailing-bytes", "bytes follow the frame", _tail(1, 20, 0x5A), flag="lz4-trailing-bytes"),
    _damage("zstd", "magic", "a bit of the last three bytes of magic is flipped", _any_bit(1, 4)),
    _damage("zstd", "reserved-bit", "the reserved bit of the descriptor is set", _bit(4, 3, 3)),
    _damage("zstd", "block-type", "the first block has the reserved type", _block_type),
    _damage("zstd", "cut", "the end of the frame is cut off", _zstd_cut, rule="complete"),
)
