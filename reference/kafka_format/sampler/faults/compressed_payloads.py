"""Damage to compressed payloads, at places that each codec's format fixes.

The payloads are those that this package writes: one gzip member without extras, one snappy stream
of whole chunks, one LZ4 frame without checksums of blocks or content, one zstd frame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from kafka_format.sampler.faults.dice import Dice
from kafka_format.sampler.faults.edits import int32, overwritten
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import packer, places
from kafka_format.spec.layout.model import Nested, minimum_size

_GZIP_METHOD_AT: Final = places(find("gzip_header"))["method"]
_GZIP_TRAILER: Final = packer(find("gzip_trailer")).size

_XERIAL: Final = packer(find("xerial_header")).size
"""Bytes of the header of a snappy stream, after which the first chunk begins."""

_CHUNK_LENGTH: Final = packer(find("xerial_chunk")).size
_BLOCK: Final = _XERIAL + _CHUNK_LENGTH
"""Where the block of the first chunk begins."""

_LZ4: Final = find("lz4_frame_header")
_LZ4_HEADER: Final = minimum_size(Nested(_LZ4))
_LZ4_FLAGS_AT, _LZ4_DESCRIPTOR_AT = places(_LZ4)["flags"], places(_LZ4)["block_descriptor"]
_LZ4_MAXIMUM: Final = _LZ4.field("block_descriptor").part("block_maximum")
_LZ4_BLOCK_HEADER: Final = packer(find("lz4_block_header")).size
_LZ4_BLOCK_MAXIMUM: Final = 64 << 10

_ZSTD: Final = find("zstd_frame_header")
_SHORTEST_FRAME: Final = packer(_ZSTD).size
_ZSTD_DESCRIPTOR_AT: Final = places(_ZSTD)["descriptor"]
_ZSTD_SINGLE: Final = _ZSTD.field("descriptor").part("is_single_segment")
_ZSTD_SIZE_CODE: Final = _ZSTD.field("descriptor").part("content_size_code")
_ZSTD_SIZES: Final = (0, 2, 4, 8)
"""Bytes of the content size by its code; one more of a single segment whose code is 0 (RFC 8878
3.1.1.1)."""


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


def _bits(layout: str, field: str, part: str) -> Callable[[bytes, Dice], bytes]:
    """Flip a bit of some bits that have a name, in a byte of the header."""
    bits = find(layout).field(field).part(part)
    return _bit(places(find(layout))[field], bits.low, bits.high)


def _octets(layout: str, field: str, *, skip: int = 0, at_end: bool = False) -> Callable[[bytes, Dice], bytes]:
    """Flip a bit of a field of the header, after its first `skip` bytes, or of the trailer."""
    model = find(layout)
    first = places(model)[field] - (packer(model).size if at_end else 0)
    return _any_bit(first + skip, first + minimum_size(model.field(field).type))


def _tail(least: int, most: int, octet: int) -> Callable[[bytes, Dice], bytes]:
    """Put bytes after."""
    return lambda data, dice: data + bytes([octet]) * (least + dice.below(most - least + 1))


def _gzip_cut(data: bytes, dice: Dice) -> bytes:
    return data[: -1 - dice.below(_GZIP_TRAILER)]


def _chunk_length(data: bytes, dice: Dice) -> bytes | None:
    if len(data) < _BLOCK:
        return None
    left = len(data) - _BLOCK
    lie = (0, -1, -(1 << 31), left + 1, left + 1 + dice.below(1000), (1 << 31) - 1)[dice.below(6)]
    return overwritten(data, _XERIAL, int32(lie))


def _chunk_cut(data: bytes, dice: Dice) -> bytes | None:
    """Cut within the first chunk, after its length."""
    end = _BLOCK + int.from_bytes(data[_XERIAL:_BLOCK], "big")
    return data[: _BLOCK + dice.below(end - _BLOCK)] if len(data) == end else None


def _announce_more(data: bytes, _dice: Dice) -> bytes | None:
    """Have a block announce a byte more, where that is one byte to write."""
    if len(data) <= _BLOCK or data[_BLOCK] & 0x7F == 0x7F:
        return None
    return overwritten(data, _BLOCK, bytes([data[_BLOCK] + 1]))


def _lz4_length(data: bytes, dice: Dice) -> bytes:
    left = len(data) - _LZ4_HEADER - _LZ4_BLOCK_HEADER
    lie = (left + 1 + dice.below(100), _LZ4_BLOCK_MAXIMUM + 1 + dice.below(1000), (1 << 31) - 1)[dice.below(3)]
    return overwritten(data, _LZ4_HEADER, lie.to_bytes(_LZ4_BLOCK_HEADER, "little"))


def _lz4_maximum(data: bytes, dice: Dice) -> bytes:
    return overwritten(data, _LZ4_DESCRIPTOR_AT, bytes([dice.below(4) << _LZ4_MAXIMUM.low]))


def _zstd_cut(data: bytes, dice: Dice) -> bytes | None:
    most = len(data) - _SHORTEST_FRAME
    return data[: -1 - dice.below(most)] if most > 0 else None


def _block_type(data: bytes, _dice: Dice) -> bytes:
    """Give a frame's first block the reserved type.

    It stands after descriptor, window and content size.
    """
    bits = data[_ZSTD_DESCRIPTOR_AT]
    single = bits >> _ZSTD_SINGLE.low & _ZSTD_SINGLE.mask
    at = _SHORTEST_FRAME + (1 - single) + (_ZSTD_SIZES[bits >> _ZSTD_SIZE_CODE.low] or single)
    return overwritten(data, at, bytes([data[at] | 6]))


def _lz4_cut(data: bytes, dice: Dice) -> bytes:
    return data[: -1 - dice.below(4)]


def _damage(codec: str, name: str, doc: str, make: Make, *, rule: str = "", flag: str = "") -> Damage:
    """Make a damage; its rule has its name unless another one is given."""
    return Damage(codec, name, f"compression.{codec}.{rule or name}", flag, doc, make)


DAMAGES: Final = (
    _damage("gzip", "magic", "a bit of the two bytes of magic is flipped", _octets("gzip_header", "magic")),
    _damage("gzip", "method", "the method is another than deflate", _bit(_GZIP_METHOD_AT, 0, 7)),
    _damage(
        "gzip",
        "reserved-flags",
        "a reserved bit of FLG is set",
        _bits("gzip_header", "flags", "reserved"),
        flag="gzip-reserved-flags",
    ),
    _damage("gzip", "checksum", "a bit of the trailer's CRC is flipped", _octets("gzip_trailer", "crc", at_end=True)),
    _damage(
        "gzip",
        "length",
        "a bit of the trailer's length is flipped",
        _octets("gzip_trailer", "content_size", at_end=True),
    ),
    _damage("gzip", "cut", "the end of the trailer is cut off", _gzip_cut, rule="complete"),
    _damage("gzip", "trailing-bytes", "zeros follow the member", _tail(1, 18, 0), flag="gzip-trailing-bytes"),
    _damage(
        "snappy",
        "version",
        "a bit of the least compatible version is flipped",
        _octets("xerial_header", "least_compatible_version"),
        flag="snappy-xerial-version",
    ),
    _damage("snappy", "chunk-length", "the length of the first chunk is none, or beyond the payload", _chunk_length),
    _damage("snappy", "cut", "the only chunk is cut", _chunk_cut, rule="chunk-length"),
    _damage("snappy", "size", "the first block announces a byte more", _announce_more, rule="block"),
    _damage(
        "snappy",
        "trailing-bytes",
        "one to three bytes follow the last chunk",
        _tail(1, 3, 0xFF),
        flag="snappy-trailing-bytes",
    ),
    _damage("lz4", "magic", "a bit of the magic is flipped", _octets("lz4_frame_header", "magic")),
    _damage("lz4", "version", "the version of the frame is not 1", _bits("lz4_frame_header", "flags", "version")),
    _damage(
        "lz4",
        "linked",
        "the blocks are said to be linked",
        _bits("lz4_frame_header", "flags", "independent_blocks"),
        rule="independent-blocks",
    ),
    _damage("lz4", "reserved", "the reserved bit of FLG is set", _bit(_LZ4_FLAGS_AT, 1, 1), rule="reserved-bits"),
    _damage("lz4", "maximum", "the block maximum is 0 to 3", _lz4_maximum, rule="block-maximum"),
    _damage("lz4", "header-checksum", "a bit of the header checksum is flipped", _bit(_LZ4_HEADER - 1, 0, 7)),
    _damage("lz4", "block-length", "the first block is longer than can be", _lz4_length),
    _damage("lz4", "cut", "one to four bytes of the end mark are missing", _lz4_cut, rule="end-mark"),
    _damage("lz4", "trailing-bytes", "bytes follow the frame", _tail(1, 20, 0x5A), flag="lz4-trailing-bytes"),
    _damage(
        "zstd",
        "magic",
        "a bit of the last three bytes of magic is flipped",
        _octets("zstd_frame_header", "magic", skip=1),
    ),
    _damage(
        "zstd",
        "reserved-bit",
        "the reserved bit of the descriptor is set",
        _bits("zstd_frame_header", "descriptor", "reserved"),
    ),
    _damage("zstd", "block-type", "the first block has the reserved type", _block_type),
    _damage("zstd", "cut", "the end of the frame is cut off", _zstd_cut, rule="complete"),
)
