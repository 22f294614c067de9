import itertools
import struct

import lz4.block
import lz4.frame
import pytest
import xxhash
from kafka_format.compression import compress

from tests.kafka_format.compression.helpers import TEXT, decompress, fault, refusal

MAGIC = bytes.fromhex("04224d18")
STORED = 1 << 31

# Written by Kafka 4.3.0's Lz4Compression, format v2 and format v0.
KAFKA_TEXT = bytes.fromhex(
    "04224d186040822d000000f2097468652073616d6520776f72647320616761696e20616e640a002f2c2020004da0303132333435363738390000"
    "0000"
)
KAFKA_TEXT_V0 = bytes.fromhex(
    "04224d1860401a2d000000f2097468652073616d6520776f72647320616761696e20616e640a002f2c2020004da0303132333435363738390000"
    "0000"
)
KAFKA_HELLO = bytes.fromhex("04224d186040820500008068656c6c6f00000000")
KAFKA_EMPTY = bytes.fromhex("04224d1860408200000000")
KAFKA_EMPTY_V0 = bytes.fromhex("04224d1860401a00000000")

# Header checksums by FLG and BD, right and over the magic too: computed outside of this project.
CHECKSUMS = {
    "6050": "fb77",
    "6060": "51d6",
    "6070": "7310",
    "7040": "adec",
    "7050": "8434",
    "7060": "33d4",
    "7070": "7249",
}


def block(content: bytes, *, stored: bool = False, checksum: bool = False) -> bytes:
    data = content if stored else lz4.block.compress(content, store_size=False)
    size = struct.pack("<I", len(data) | (STORED if stored else 0))
    return size + data + (struct.pack("<I", xxhash.xxh32_intdigest(data)) if checksum else b"")


def frame(*blocks: bytes, flg: int = 0x60, bd: int = 0x40, size: bytes = b"", end: bytes = bytes(4)) -> bytes:
    """A frame with the right header checksum, made by the LZ4 frame format."""
    descriptor = bytes([flg, bd]) + size
    return MAGIC + descriptor + bytes([xxhash.xxh32_intdigest(descriptor) >> 8 & 0xFF]) + b"".join(blocks) + end


ONE = block(TEXT)
CHECKED = block(TEXT, checksum=True)
GOOD = frame(ONE)
END = len(GOOD) - 4
SUM = struct.pack("<I", xxhash.xxh32_intdigest(TEXT))


@pytest.mark.parametrize(
    ("data", "rule", "offset"),
    [
        pytest.param(b"", "magic", 0, id="nothing"),
        pytest.param(GOOD[:3], "magic", 0, id="magic cut"),
        pytest.param(ONE[4:], "magic", 0, id="raw block"),
        pytest.param(b"\x02\x21\x4c\x18" + ONE, "magic", 0, id="legacy frame"),
        pytest.param(b"\x50\x2a\x4d\x18\4\0\0\0abcd" + GOOD, "magic", 0, id="skippable frame first"),
        pytest.param(GOOD[:4], "header", 4, id="magic only"),
        pytest.param(GOOD[:6], "header", 4, id="no header checksum"),
        pytest.param(frame(flg=0x68, size=bytes(8))[:14], "header", 6, id="content size cut"),
        pytest.param(frame(ONE, flg=0x20), "version", 4, id="version 0"),
        pytest.param(frame(ONE, flg=0xA0), "version", 4, id="version 2"),
        pytest.param(frame(ONE, ONE, flg=0x40), "independent-blocks", 4, id="linked blocks"),
        pytest.param(frame(ONE, flg=0x62), "reserved-bits", 4, id="FLG bit 1"),
        pytest.param(frame(ONE, flg=0x61, size=bytes(4)), "dictionary", 4, id="dictionary id"),
        pytest.param(frame(ONE, bd=0x41), "reserved-bits", 5, id="BD bit 0"),
        pytest.param(frame(ONE, bd=0x48), "reserved-bits", 5, id="BD bit 3"),
        pytest.param(frame(ONE, bd=0xC0), "reserved-bits", 5, id="BD bit 7"),
        pytest.param(frame(ONE, bd=0x00), "block-maximum", 5, id="block maximum 0"),
        pytest.param(frame(ONE, bd=0x30), "block-maximum", 5, id="block maximum 3"),
        pytest.param(GOOD[:6] + b"\x55" + GOOD[7:], "header-checksum", 6, id="header checksum of neither kind"),
        pytest.param(KAFKA_TEXT_V0, "header-checksum", 6, id="header checksum of v0"),
        pytest.param(frame(struct.pack("<I", 65537) + bytes(65537)), "block-length", 7, id="block over the maximum"),
        pytest.param(frame(block(bytes(65537), stored=True)), "block-length", 7, id="stored block over the maximum"),
        pytest.param(frame(b"\xff\xff\xff\xff" + ONE), "block-length", 7, id="block of 2 GiB"),
        pytest.param(GOOD[:30], "block-length", 7, id="block cut"),
        pytest.param(frame(ONE, struct.pack("<I", 9), end=b"12345678"), "block-length", END, id="second block cut"),
        pytest.param(frame(block(bytes(65537))), "block", 11, id="block decompresses to over the maximum"),
        pytest.param(frame(b"\4\0\0\0\xff\xff\xff\xff"), "block", 11, id="endless literals"),
        pytest.param(frame(b"\3\0\0\0\x10a\0"), "block", 11, id="block without a last literal"),
        pytest.param(frame(CHECKED[:-1], flg=0x70, end=b""), "block-checksum", END, id="block checksum cut"),
        pytest.param(frame(ONE, flg=0x70), "block-checksum", END, id="no block checksum"),
        pytest.param(
            frame(CHECKED, block(TEXT), bytes(4), flg=0x70), "block-checksum", 2 * END - 3, id="second one wrong"
        ),
        pytest.param(GOOD[:-4], "end-mark", END, id="no end mark"),
        pytest.param(GOOD[:-1], "end-mark", END, id="end mark cut"),
        pytest.param(GOOD[:7], "end-mark", 7, id="header only"),
        pytest.param(frame(ONE, end=b"\0\0\0\x80"), "end-mark", END, id="end mark with the stored bit"),
        pytest.param(frame(ONE, flg=0x68, size=struct.pack("<Q", 137)), "content-size", 6, id="content size too small"),
        pytest.param(frame(ONE, flg=0x68, size=b"\xff" * 8), "content-size", 6, id="content size of 16 EiB"),
        pytest.param(frame(ONE, flg=0x64), "content-checksum", END + 4, id="no content checksum"),
        pytest.param(frame(ONE, flg=0x64) + SUM[:3], "content-checksum", END + 4, id="content checksum cut"),
        pytest.param(frame(ONE, flg=0x64) + bytes(4), "content-checksum", END + 4, id="wrong content checksum"),
        pytest.param(GOOD + b"\0", "trailing-bytes", END + 4, id="a byte after the end"),
        pytest.param(GOOD + GOOD, "trailing-bytes", END + 4, id="second frame"),
    ],
)
def test_refuses(data: bytes, rule: str, offset: int) -> None:
    assert fault("lz4", data) == (rule, offset)


def test_a_refusal_says_what_to_do() -> None:
    assert "KAFKA-3160" in refusal("lz4", KAFKA_TEXT_V0).hint
    assert "second frame" in refusal("lz4", GOOD + GOOD).hint
    assert "independent blocks" in refusal("lz4", frame(ONE, flg=0x40)).hint


@pytest.mark.parametrize("checksums", CHECKSUMS.items(), ids=CHECKSUMS)
@pytest.mark.parametrize("magic", [0, 1, 2])
def test_header_checksums_by_format(checksums: tuple[str, str], magic: int) -> None:
    descriptor = bytes.fromhex(checksums[0])
    right, legacy = (MAGIC + descriptor + bytes([byte]) + bytes(4) for byte in bytes.fromhex(checksums[1]))
    assert decompress("lz4", right, magic=magic) == b""
    if magic == 0:
        assert decompress("lz4", legacy, magic=0) == b""
    else:
        assert fault("lz4", legacy, magic=magic) == ("header-checksum", 6)


def test_v0_refuses_a_header_checksum_of_neither_kind() -> None:
    assert fault("lz4", GOOD[:6] + b"\x55" + GOOD[7:], magic=0) == ("header-checksum", 6)


@pytest.mark.parametrize(
    ("written", "content", "magic"),
    [
        pytest.param(KAFKA_TEXT, TEXT, 2, id="text, v2"),
        pytest.param(KAFKA_TEXT, TEXT, 1, id="text, v1"),
        pytest.param(KAFKA_TEXT_V0, TEXT, 0, id="text, v0"),
        pytest.param(KAFKA_HELLO, b"hello", 2, id="stored block"),
        pytest.param(KAFKA_EMPTY, b"", 1, id="empty, v1"),
        pytest.param(KAFKA_EMPTY_V0, b"", 0, id="empty, v0"),
    ],
)
def test_reads_what_kafka_writes(written: bytes, content: bytes, magic: int) -> None:
    assert decompress("lz4", written, magic=magic) == content


@pytest.mark.parametrize("block_size", [4, 5, 6, 7])
@pytest.mark.parametrize("options", list(itertools.product([False, True], repeat=3)), ids=str)
def test_reads_every_frame_of_independent_blocks_that_the_library_writes(
    block_size: int, options: tuple[bool, bool, bool]
) -> None:
    names = "content_checksum", "block_checksum", "store_size"
    content = b"".join(b"%d," % number for number in range(60_000))
    data = lz4.frame.compress(
        content, block_size=block_size, block_linked=False, **dict(zip(names, options, strict=True))
    )
    assert decompress("lz4", data) == content


def test_reads_stored_blocks_full_blocks_and_empty_blocks() -> None:
    full = block(b"x" * 65536, stored=True)
    assert decompress("lz4", frame(block(b""), full, ONE, block(TEXT, stored=True))) == b"x" * 65536 + TEXT + TEXT


def test_reads_the_densest_block() -> None:
    assert decompress("lz4", frame(block(bytes(4 << 20)), bd=0x70)) == bytes(4 << 20)


@pytest.mark.parametrize("content", [b"", b"x", TEXT, bytes(200_000), bytes(range(256)) * 256])
def test_the_library_reads_what_we_write(content: bytes) -> None:
    assert lz4.frame.decompress(compress("lz4", content)) == content


@pytest.mark.parametrize("magic", [0, 1, 2])
def test_writes_the_header_checksum_of_the_format(magic: int) -> None:
    assert compress("lz4", b"", magic=magic) == (KAFKA_EMPTY_V0 if magic == 0 else KAFKA_EMPTY)


def test_stores_a_block_that_does_not_get_smaller() -> None:
    assert compress("lz4", b"hello") == KAFKA_HELLO


def test_flag_header_checksum_ignored_is_for_v0_only() -> None:
    flag, data = "lz4-header-checksum-ignored", GOOD[:6] + b"\x55" + GOOD[7:]
    assert decompress("lz4", data, flag, magic=0) == TEXT
    assert fault("lz4", data, flag, magic=1) == ("header-checksum", 6)
    assert fault("lz4", data, flag, magic=2) == ("header-checksum", 6)


def test_flag_content_checksum_ignored_still_wants_four_bytes() -> None:
    flag = "lz4-content-checksum-ignored"
    assert decompress("lz4", frame(ONE, flg=0x64) + bytes(4), flag) == TEXT
    assert fault("lz4", frame(ONE, flg=0x64) + SUM[:3], flag) == ("content-checksum", END + 4)


def test_flag_content_size_ignored() -> None:
    assert decompress("lz4", frame(ONE, flg=0x68, size=b"\xff" * 8), "lz4-content-size-ignored") == TEXT


def test_flag_end_mark_stored_bit_ends_the_frame() -> None:
    flag = "lz4-end-mark-stored-bit"
    assert decompress("lz4", frame(ONE, end=b"\0\0\0\x80"), flag) == TEXT
    assert fault("lz4", frame(ONE, b"\0\0\0\x80", ONE), flag) == ("trailing-bytes", END + 4)


@pytest.mark.parametrize("tail", [b"\0", b"garbage", GOOD], ids=["a byte", "garbage", "second frame"])
def test_flag_trailing_bytes(tail: bytes) -> None:
    assert decompress("lz4", GOOD + tail, "lz4-trailing-bytes") == TEXT
