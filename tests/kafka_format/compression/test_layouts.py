"""Layouts of compression framing read what libraries wrote, and the codecs agree with them."""

import gzip
import struct
import zlib
from typing import Any

import lz4.frame
import pytest
import snappy
import xxhash
import zstandard
from kafka_format import compression, structure
from kafka_format.codec import interpreter
from kafka_format.compression import gzip as gzip_codec
from kafka_format.compression import lz4 as lz4_codec
from kafka_format.compression import lz4_header, zstd_frame
from kafka_format.compression import snappy as snappy_codec
from kafka_format.errors import FormatError
from kafka_format.spec.layout import find

from tests.kafka_format.compression.helpers import TEXT

CONTENT = TEXT * 1000


def read(name: str, data: bytes, start: int = 0) -> tuple[Any, int]:
    """Read a structure at the start of bytes that go on, with the compiler and with the
    interpreter."""
    value, end = structure(name).read(data, start, len(data))
    walked, walked_end = interpreter.Reader(data).read(find(name), start, len(data))
    assert (interpreter.as_mappings(value), end) == (walked, walked_end)
    assert structure(name).encode(value) == data[start:end]
    return value, end


# gzip


@pytest.mark.parametrize(("level", "extra"), [(9, 2), (1, 4), (6, 0)])
def test_a_gzip_member(level: int, extra: int) -> None:
    data = gzip.compress(CONTENT, compresslevel=level, mtime=1_700_000_000)
    header, end = read("gzip_header", data)
    assert (header.method, header.flags, header.modification_time, header.extra_flags) == (8, 0, 1_700_000_000, extra)
    trailer, last = read("gzip_trailer", data, len(data) - 8)
    assert (trailer.crc, trailer.content_size, last) == (zlib.crc32(CONTENT), len(CONTENT), len(data))
    assert zlib.decompress(data[end:-8], wbits=-15) == CONTENT


def test_a_gzip_header_that_announces_a_name() -> None:
    header, end = read("gzip_header", bytes.fromhex("1f8b0808 00000000 0003") + b"records\0")
    assert (header.has_name, header.has_comment, header.has_extra_field, end) == (True, False, False, 10)


# snappy


def test_a_xerial_stream() -> None:
    data = snappy_codec.compress(CONTENT, 2)
    header, position = read("xerial_header", data)
    assert (header.version, header.least_compatible_version) == (1, 1)
    found = b""
    while position < len(data):
        chunk, position = structure("xerial_chunk").read(data, position, len(data))
        assert chunk.length == len(chunk.block)
        found += snappy.decompress(chunk.block)
    assert found == CONTENT


def test_a_xerial_header_of_redpanda_is_read_and_says_so() -> None:
    """Its version fields were little-endian (redpanda-data/redpanda#25091)."""
    header, _ = read("xerial_header", b"\x82SNAPPY\0" + struct.pack("<ii", 1, 1))
    assert header.version == 1 << 24


# lz4


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({}, {"independent_blocks": False}),
        ({"block_linked": False}, {"independent_blocks": True}),
        ({"content_checksum": True}, {"has_content_checksum": True}),
        ({"block_checksum": True}, {"has_block_checksums": True}),
        ({"block_size": lz4.frame.BLOCKSIZE_MAX256KB}, {"block_maximum": 5}),
    ],
    ids=str,
)
def test_an_lz4_frame(options: dict[str, Any], named: dict[str, Any]) -> None:
    settings = {"store_size": False, "block_size": lz4.frame.BLOCKSIZE_MAX64KB, **options}
    data = lz4.frame.compress(CONTENT, **settings)
    header, position = read("lz4_frame_header", data)
    assert (header.version, header.content_size, header.dictionary_id) == (1, None, None)
    assert {name: getattr(header, name) for name in named} == named
    assert header.header_checksum == xxhash.xxh32(data[4 : position - 1]).intdigest() >> 8 & 0xFF
    assert follow_blocks(data, position, checksums=header.has_block_checksums) == (
        len(data) - 4 * header.has_content_checksum
    )


def follow_blocks(data: bytes, position: int, *, checksums: bool) -> int:
    """Go from block to block; return where the end mark ends."""
    while True:
        block, position = read("lz4_block_header", data, position)
        if not block.length:
            return position
        assert not block.is_stored
        position += block.length + 4 * checksums


def test_an_lz4_frame_with_its_content_size() -> None:
    header, end = read("lz4_frame_header", lz4.frame.compress(CONTENT, store_size=True))
    assert (header.content_size, end) == (len(CONTENT), 15)


def test_a_block_that_is_stored() -> None:
    block, _ = read("lz4_block_header", struct.pack("<I", 5 | 1 << 31))
    assert (block.length, block.is_stored) == (5, True)


# zstd


@pytest.mark.parametrize("size", [0, 200, 255, 256, 65791, 65792, 70000])
def test_zstd_frames_with_their_content_size(size: int) -> None:
    data = zstandard.ZstdCompressor(write_content_size=True).compress(bytes(size))
    header, _ = read("zstd_frame_header", data)
    told = [
        header.content_size_1, None if header.content_size_2 is None else header.content_size_2 + 256,
        header.content_size_4, header.content_size_8,
    ]  # fmt: skip
    assert [one for one in told if one is not None] == [size]
    assert (header.window_descriptor is None) == header.is_single_segment


def test_a_zstd_frame_as_kafka_writes_it() -> None:
    """zstd-jni 1.5.6-4: no content size, no checksum, a window of 2 MiB."""
    header, end = read("zstd_frame_header", bytes.fromhex("28b52ffd 00 58 280000") + b"hello" + bytes.fromhex("010000"))
    assert (header.has_checksum, header.content_size_code, header.dictionary_id_code, end) == (False, 0, 0, 6)
    assert header.window_descriptor is not None
    assert 1 << 10 + (header.window_descriptor >> 3) == 2 << 20


def test_a_zstd_frame_with_a_checksum() -> None:
    header, _ = read("zstd_frame_header", zstandard.ZstdCompressor(write_checksum=True).compress(CONTENT))
    assert header.has_checksum


@pytest.mark.parametrize(
    ("code", "field", "size"), [(1, "dictionary_id_1", 1), (2, "dictionary_id_2", 2), (3, "dictionary_id_4", 4)]
)
def test_dictionary_ids_of_every_width(code: int, field: str, size: int) -> None:
    data = bytes.fromhex("28b52ffd") + bytes([code, 0x58]) + bytes([*range(1, size + 1)])
    header, end = read("zstd_frame_header", data)
    assert (getattr(header, field), end) == (int.from_bytes(data[6:], "little"), 6 + size)


# What all of them refuse, and what the codecs know by heart.


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("gzip_header", "compression.gzip.magic"),
        ("xerial_header", "compression.snappy.magic"),
        ("lz4_frame_header", "compression.lz4.magic"),
        ("zstd_frame_header", "compression.zstd.magic"),
    ],
)
def test_another_magic(name: str, rule: str) -> None:
    with pytest.raises(FormatError) as caught:
        structure(name).decode(bytes(16))
    assert (caught.value.rule, str(caught.value.stage)) == (rule, "decompression")


@pytest.mark.parametrize(
    ("name", "codec", "magic", "size"),
    [
        ("gzip_header", "gzip", gzip_codec._MAGIC, 10),
        ("xerial_header", "snappy", snappy_codec._MAGIC, 16),
        ("lz4_frame_header", "lz4", lz4_header.MAGIC, 7),
        ("zstd_frame_header", "zstd", zstd_frame.MAGIC, 6),
    ],
)
def test_the_codecs_know_the_same_magic_and_write_headers_of_that_size(
    name: str, codec: str, magic: bytes, size: int
) -> None:
    kind = find(name).field("magic").type
    number = find(name).field("magic").const
    assert number is not None
    assert number.to_bytes(len(magic), getattr(kind, "order", "big")) == magic
    written = compression.compress(codec, CONTENT)
    assert written[: len(magic)] == magic
    _, end = read(name, written)
    assert end == size


def test_the_codecs_write_the_headers_that_the_layouts_give_by_themselves() -> None:
    assert structure("gzip_header").encode({}) == gzip_codec._HEADER
    assert structure("xerial_header").encode({}) == snappy_codec._HEADER
    assert structure("lz4_frame_header").encode({"header_checksum": 0x82}) == lz4_header.WRITTEN
    assert structure("lz4_frame_header").encode({"header_checksum": 0x1A}) == lz4_header.WRITTEN_V0


def test_the_codecs_know_the_same_bits() -> None:
    def bits(layout: str, field: str) -> dict[str, int]:
        return {bit.name: bit.mask << bit.low for bit in find(layout).field(field).bits}

    gzip_flags = bits("gzip_header", "flags")
    assert (gzip_flags["has_header_checksum"], gzip_flags["has_extra_field"]) == (gzip_codec._FHCRC, gzip_codec._FEXTRA)
    assert (gzip_flags["has_name"], gzip_flags["has_comment"]) == (gzip_codec._FNAME, gzip_codec._FCOMMENT)
    assert gzip_flags["reserved"] == gzip_codec._RESERVED
    lz4_flags = bits("lz4_frame_header", "flags")
    assert lz4_flags["has_dictionary_id"] == lz4_header._DICTIONARY
    assert lz4_flags["has_content_checksum"] == lz4_header._CHECKSUM
    assert lz4_flags["has_content_size"] == lz4_header._SIZE
    assert lz4_flags["has_block_checksums"] == lz4_header._BLOCK_CHECKSUM
    assert lz4_flags["independent_blocks"] == lz4_header._INDEPENDENT
    assert bits("lz4_frame_header", "block_descriptor")["block_maximum"] == 0xFF & ~lz4_header._RESERVED_BD
    assert bits("lz4_block_header", "size")["is_stored"] == lz4_codec._STORED
    zstd_bits = bits("zstd_frame_header", "descriptor")
    assert (zstd_bits["has_checksum"], zstd_bits["reserved"]) == (zstd_frame._CHECKSUM, zstd_frame._RESERVED)
    assert zstd_bits["is_single_segment"] == zstd_frame._SINGLE_SEGMENT
