import gzip
import zlib

import pytest
from kafka_format.compression import compress

from tests.kafka_format.compression.helpers import TEXT, decompress, fault, refusal

MEMBER = gzip.compress(TEXT, mtime=0)  # 10 bytes of header, deflate data, 8 bytes of trailer
DEFLATED = MEMBER[10:-8]
TRAILER = MEMBER[-8:]
EMPTY_MEMBER = gzip.compress(b"", mtime=0)

# Written by Kafka 4.3.0's GzipCompression on JDK 17.
KAFKA_TEXT = bytes.fromhex(
    "1f8b08000000000000ff2bc94855284ecc4d5528cf2f4a2956484c4fcccc5348cc4b81b074144a682c6f6068646c626a666e6109009d64462b8a"
    "000000"
)
KAFKA_HELLO = bytes.fromhex("1f8b08000000000000ffcb48cdc9c9070086a6103605000000")
KAFKA_EMPTY = bytes.fromhex("1f8b08000000000000ff03000000000000000000")


def member(bits: int, optional: bytes = b"", *, header_checksum: int | None = None) -> bytes:
    """A member with the FLG byte `bits` and optional header fields, made by RFC 1952."""
    header = b"\x1f\x8b\x08" + bytes([bits]) + b"\0\0\0\0\0\xff" + optional
    if bits & 2:
        checksum = zlib.crc32(header) & 0xFFFF if header_checksum is None else header_checksum
        header += checksum.to_bytes(2, "little")
    return header + DEFLATED + TRAILER


def broken(data: bytes, place: int, byte: int) -> bytes:
    out = bytearray(data)
    out[place] = byte
    return bytes(out)


@pytest.mark.parametrize(
    ("data", "rule", "offset"),
    [
        pytest.param(b"", "magic", 0, id="nothing"),
        pytest.param(b"\x1f", "magic", 0, id="half a magic"),
        pytest.param(zlib.compress(TEXT), "magic", 0, id="zlib stream"),
        pytest.param(DEFLATED, "magic", 0, id="raw deflate"),
        pytest.param(MEMBER[:9], "complete", 0, id="header cut"),
        pytest.param(broken(MEMBER, 2, 7), "method", 2, id="method 7"),
        pytest.param(broken(MEMBER, 3, 0x20), "reserved-flags", 3, id="reserved bit 5"),
        pytest.param(broken(MEMBER, 3, 0x80), "reserved-flags", 3, id="reserved bit 7"),
        pytest.param(member(4)[:11], "complete", 10, id="length of the extra field cut"),
        pytest.param(member(4, b"\xff\xff")[:30], "complete", 10, id="extra field longer than the input"),
        pytest.param(member(8)[:10] + b"name", "complete", 10, id="name without an end"),
        pytest.param(member(24)[:10] + b"name\0comment", "complete", 15, id="comment without an end"),
        pytest.param(member(2)[:11], "complete", 10, id="header checksum cut"),
        pytest.param(member(2, header_checksum=1), "header-checksum", 10, id="wrong header checksum"),
        pytest.param(MEMBER[:10], "complete", 10, id="no deflate data"),
        pytest.param(MEMBER[:-9], "complete", len(MEMBER) - 9, id="deflate data cut"),
        pytest.param(MEMBER[:10] + b"\x07" + MEMBER[11:], "data", 10, id="reserved deflate block type"),
        pytest.param(MEMBER[:-8], "complete", len(MEMBER) - 8, id="no trailer"),
        pytest.param(MEMBER[:-1], "complete", len(MEMBER) - 8, id="trailer cut"),
        pytest.param(MEMBER[:-8] + bytes(4) + MEMBER[-4:], "checksum", len(MEMBER) - 8, id="wrong CRC-32"),
        pytest.param(MEMBER[:-4] + bytes(4), "length", len(MEMBER) - 4, id="wrong length"),
        pytest.param(MEMBER + b"\0", "trailing-bytes", len(MEMBER), id="a zero byte after the end"),
        pytest.param(MEMBER + b"garbage", "trailing-bytes", len(MEMBER), id="garbage after the end"),
        pytest.param(MEMBER + b"\x1f\x8b", "complete", len(MEMBER), id="second member of two bytes"),
        pytest.param(MEMBER + MEMBER[:-1], "complete", 2 * len(MEMBER) - 8, id="second member cut"),
        pytest.param(MEMBER + broken(MEMBER, 2, 7), "method", len(MEMBER) + 2, id="second member of method 7"),
        pytest.param(
            MEMBER + MEMBER[:-4] + bytes(4), "length", 2 * len(MEMBER) - 4, id="second member of a wrong length"
        ),
    ],
)
def test_refuses(data: bytes, rule: str, offset: int) -> None:
    assert fault("gzip", data) == (rule, offset)


def test_a_zlib_stream_is_called_by_its_name() -> None:
    assert "zlib stream" in refusal("gzip", zlib.compress(TEXT)).hint


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(MEMBER, id="the gzip module's"),
        pytest.param(gzip.compress(TEXT, 1, mtime=1_700_000_000), id="with a time and XFL"),
        pytest.param(KAFKA_TEXT, id="Kafka's"),
        pytest.param(member(1), id="FTEXT"),
        pytest.param(member(2), id="header checksum"),
        pytest.param(member(4, b"\0\0"), id="empty extra field"),
        pytest.param(member(4, b"\x05\0a\0\x01\0x"), id="extra field"),
        pytest.param(member(8, b"name\0"), id="name"),
        pytest.param(member(16, b"\0"), id="empty comment"),
        pytest.param(member(31, b"\x03\0abcname\0comment\0"), id="all optional fields"),
        pytest.param(EMPTY_MEMBER + MEMBER + EMPTY_MEMBER, id="between empty members"),
    ],
)
def test_reads_every_form_of_header(data: bytes) -> None:
    assert decompress("gzip", data) == TEXT


def test_reads_several_members_as_one_stream() -> None:
    assert decompress("gzip", MEMBER + member(8, b"name\0") + KAFKA_HELLO) == TEXT + TEXT + b"hello"


def test_reads_a_member_of_many_windows_and_deflate_blocks() -> None:
    content = b"".join(b"%d," % (number * 7919) for number in range(100_000))
    assert decompress("gzip", gzip.compress(content, 1) + gzip.compress(content[:1000])) == content + content[:1000]


@pytest.mark.parametrize(("written", "content"), [(KAFKA_HELLO, b"hello"), (KAFKA_EMPTY, b"")])
def test_reads_what_kafka_writes(written: bytes, content: bytes) -> None:
    assert decompress("gzip", written) == content


def test_writes_the_header_of_a_recent_jdk() -> None:
    assert compress("gzip", TEXT)[:10] == KAFKA_TEXT[:10]
    assert compress("gzip", TEXT) == compress("gzip", TEXT)


@pytest.mark.parametrize("content", [b"", b"x", TEXT, bytes(100_000)])
def test_the_gzip_module_reads_what_we_write(content: bytes) -> None:
    assert gzip.decompress(compress("gzip", content)) == content


@pytest.mark.parametrize(
    "tail",
    [
        pytest.param(b"\0", id="one byte"),
        pytest.param(b"garbage that is longer than 18 bytes", id="garbage"),
        pytest.param(MEMBER[:18], id="18 bytes of a member"),
        pytest.param(EMPTY_MEMBER[:18], id="18 bytes of an empty member"),
        pytest.param(broken(MEMBER, 2, 7), id="member of method 7"),
        pytest.param(member(2, header_checksum=1), id="member with a wrong header checksum"),
    ],
)
def test_flag_trailing_bytes_ignores_what_is_no_member(tail: bytes) -> None:
    assert decompress("gzip", MEMBER + tail, "gzip-trailing-bytes") == TEXT


def test_flag_trailing_bytes_still_reads_further_members() -> None:
    assert decompress("gzip", MEMBER + EMPTY_MEMBER + MEMBER + b"\0", "gzip-trailing-bytes") == TEXT + TEXT


def test_flag_trailing_bytes_refuses_a_damaged_further_member() -> None:
    flag = "gzip-trailing-bytes"
    assert fault("gzip", MEMBER + EMPTY_MEMBER[:19], flag) == ("complete", len(MEMBER) + 12)
    assert fault("gzip", MEMBER + MEMBER[:-4] + bytes(4), flag) == ("length", 2 * len(MEMBER) - 4)


def test_flag_trailing_bytes_does_not_excuse_the_first_member() -> None:
    assert fault("gzip", b"garbage", "gzip-trailing-bytes") == ("magic", 0)
    assert fault("gzip", MEMBER[:-1], "gzip-trailing-bytes") == ("complete", len(MEMBER) - 8)


@pytest.mark.parametrize("bit", [0x20, 0x40, 0x80])
def test_flag_reserved_flags_ignores_them(bit: int) -> None:
    assert decompress("gzip", broken(MEMBER, 3, bit), "gzip-reserved-flags") == TEXT
