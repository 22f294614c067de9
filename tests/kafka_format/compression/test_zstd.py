import itertools
import struct

import pytest
import xxhash
import zstandard
from kafka_format.compression import compress

from tests.kafka_format.compression.helpers import TEXT, decompress, fault

MAGIC = bytes.fromhex("28b52ffd")
WINDOW = b"\x58"  # 2 MiB

# Written by Kafka 4.3.0's ZstdCompression (zstd-jni 1.5.6-10).
KAFKA_TEXT = bytes.fromhex(
    "28b52ffd005874010044027468652073616d6520776f72647320616761696e20616e642c203031323334353637383902003dd4c4742863010000"
)
KAFKA_HELLO = bytes.fromhex("28b52ffd005828000068656c6c6f010000")
KAFKA_ZEROS = bytes.fromhex("28b52ffd005854000010000001006b1139c002010000")  # 70 000 bytes
KAFKA_EMPTY = bytes.fromhex("28b52ffd2000010000")


def raw(content: bytes, *, last: bool = True) -> bytes:
    return struct.pack("<I", len(content) << 3 | last)[:3] + content


def repeated(count: int, *, last: bool = True) -> bytes:
    return struct.pack("<I", count << 3 | 2 | last)[:3] + b"a"


def frame(descriptor: int, header: bytes, *blocks: bytes) -> bytes:
    """A frame made by RFC 8878."""
    return MAGIC + bytes([descriptor]) + header + b"".join(blocks)


HELLO = frame(0x00, WINDOW, raw(b"hello"))
SKIPPABLE = b"\x5a\x2a\x4d\x18\x04\0\0\0skip"
COMPRESSED = zstandard.ZstdCompressor(write_content_size=False).compress(TEXT * 10)
CHECKED = zstandard.ZstdCompressor(write_checksum=True).compress(TEXT)
END = len(HELLO)


@pytest.mark.parametrize(
    ("data", "rule", "offset"),
    [
        pytest.param(b"", "complete", 0, id="nothing"),
        pytest.param(b"hello", "magic", 0, id="no frame"),
        pytest.param(b"\x28\xb6", "magic", 0, id="two bytes that are no magic"),
        pytest.param(b"\x27\xb5\x2f\xfd" + HELLO[4:], "magic", 0, id="magic of zstd 0.7"),
        pytest.param(HELLO[4:], "magic", 0, id="frame without its magic"),
        pytest.param(HELLO[:3], "complete", 0, id="magic cut"),
        pytest.param(HELLO[:4], "complete", 4, id="no descriptor"),
        pytest.param(HELLO[:5], "complete", 5, id="no window"),
        pytest.param(frame(0xC0, WINDOW + bytes(7)), "complete", 5, id="content size cut"),
        pytest.param(HELLO[:6], "complete", 6, id="no block"),
        pytest.param(HELLO[:8], "complete", 6, id="block header cut"),
        pytest.param(HELLO[:-1], "complete", 9, id="block cut"),
        pytest.param(COMPRESSED[:-1], "complete", 9, id="compressed block cut"),
        pytest.param(frame(0x00, WINDOW, raw(b"hello", last=False)), "complete", 14, id="no last block"),
        pytest.param(CHECKED[:-1], "complete", len(CHECKED) - 4, id="checksum cut"),
        pytest.param(frame(0x08, WINDOW, raw(b"hello")), "reserved-bit", 4, id="reserved bit"),
        pytest.param(frame(0x01, WINDOW + b"\x05", raw(b"hello")), "dictionary", 6, id="dictionary id"),
        pytest.param(frame(0x00, b"\x89", raw(b"hello")), "window", 5, id="window of 144 MiB"),
        pytest.param(frame(0x00, b"\xff", raw(b"hello")), "window", 5, id="window of 3.75 TiB"),
        pytest.param(frame(0xE0, b"\xff" * 8, raw(b"hello")), "window", 5, id="single segment of 16 EiB"),
        pytest.param(frame(0x00, WINDOW, b"\x2f\0\0hello"), "block-type", 6, id="block type 3"),
        pytest.param(frame(0x00, WINDOW, repeated(131073)), "block-size", 6, id="block over 128 KiB"),
        pytest.param(frame(0x00, b"\0", raw(bytes(1025))), "block-size", 6, id="block over the window"),
        pytest.param(frame(0x20, b"\x04", raw(b"hello")), "block-size", 6, id="block over the single segment"),
        pytest.param(frame(0x20, b"\x06", raw(b"hello")), "content-size", 4, id="content size one too much"),
        pytest.param(frame(0xC0, WINDOW + b"\xff" * 8, raw(b"hello")), "content-size", 4, id="content size of 16 EiB"),
        pytest.param(frame(0x80, WINDOW + b"\4\0\0\0", raw(b"hello")), "data", 0, id="content size one too few"),
        pytest.param(frame(0x80, WINDOW + bytes(4), raw(b"hello")), "data", 0, id="content size 0"),
        pytest.param(COMPRESSED[:9] + b"\xff" + COMPRESSED[10:], "data", 0, id="damaged block"),
        pytest.param(CHECKED[:-1] + bytes([CHECKED[-1] ^ 1]), "checksum", len(CHECKED) - 4, id="wrong checksum"),
        pytest.param(frame(0x24, b"\0", raw(b""), bytes(4)), "checksum", 9, id="wrong checksum of no content"),
        pytest.param(HELLO + b"\0", "magic", END, id="a byte after the end"),
        pytest.param(HELLO + HELLO[:-1], "complete", END + 9, id="second frame cut"),
        pytest.param(HELLO + SKIPPABLE[:6], "complete", END + 4, id="size of a skippable frame cut"),
        pytest.param(HELLO + SKIPPABLE[:-1], "complete", END + 8, id="skippable frame cut"),
        pytest.param(SKIPPABLE[:2], "complete", 0, id="magic of a skippable frame cut"),
        pytest.param(HELLO + CHECKED[:-1] + b"?", "checksum", END + len(CHECKED) - 4, id="second checksum wrong"),
    ],
)
def test_refuses(data: bytes, rule: str, offset: int) -> None:
    assert fault("zstd", data) == (rule, offset)


@pytest.mark.parametrize(
    ("written", "content"),
    [(KAFKA_TEXT, TEXT), (KAFKA_HELLO, b"hello"), (KAFKA_ZEROS, bytes(70_000)), (KAFKA_EMPTY, b"")],
    ids=["text", "hello", "zeros", "empty"],
)
def test_reads_what_kafka_writes(written: bytes, content: bytes) -> None:
    assert decompress("zstd", written) == content


@pytest.mark.parametrize(
    ("data", "content"),
    [
        pytest.param(frame(0x10, WINDOW, raw(b"hello")), b"hello", id="unused bit"),
        pytest.param(frame(0x01, WINDOW + b"\0", raw(b"hello")), b"hello", id="dictionary id 0"),
        pytest.param(frame(0x00, b"\x88", raw(b"hello")), b"hello", id="window of 128 MiB"),
        pytest.param(frame(0x20, b"\x05", raw(b"hello")), b"hello", id="single segment"),
        pytest.param(frame(0x60, b"\0\0", raw(bytes(256))), bytes(256), id="content size of two bytes"),
        pytest.param(frame(0xC0, WINDOW + b"\5" + bytes(7), raw(b"hello")), b"hello", id="content size of eight bytes"),
        pytest.param(frame(0x00, WINDOW, repeated(131072)), b"a" * 131072, id="run of 128 KiB"),
        pytest.param(frame(0x00, WINDOW, repeated(5, last=False), raw(b"")), b"a" * 5, id="empty last block"),
        pytest.param(frame(0x00, WINDOW, repeated(0)), b"", id="run of no bytes"),
        pytest.param(frame(0x80, WINDOW + bytes(4), raw(b"")), b"", id="content size 0"),
        pytest.param(
            frame(0x04, WINDOW, raw(b"hello"), struct.pack("<Q", xxhash.xxh64_intdigest(b"hello"))[:4]),
            b"hello",
            id="checksum",
        ),
        pytest.param(SKIPPABLE, b"", id="skippable frame only"),
        pytest.param(SKIPPABLE + HELLO + b"\x50" + SKIPPABLE[1:] + HELLO, b"hellohello", id="skippable frames between"),
        pytest.param(HELLO + COMPRESSED + KAFKA_EMPTY + CHECKED, b"hello" + TEXT * 11, id="several frames"),
    ],
)
def test_reads_every_form_of_frame(data: bytes, content: bytes) -> None:
    assert decompress("zstd", data) == content


@pytest.mark.parametrize("level", [-5, 1, 3, pytest.param(19, marks=pytest.mark.whole), 22])
@pytest.mark.parametrize("options", list(itertools.product([False, True], repeat=2)), ids=str)
def test_reads_what_the_library_writes(level: int, options: tuple[bool, bool]) -> None:
    content = b"".join(b"%d," % (number * 7919) for number in range(40_000))
    compressor = zstandard.ZstdCompressor(level, write_checksum=options[0], write_content_size=options[1])
    assert decompress("zstd", compressor.compress(content)) == content
    stream = compressor.compressobj()
    flushed = stream.compress(content[:1000]) + stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    assert decompress("zstd", flushed + stream.compress(content[1000:]) + stream.flush()) == content


def test_reads_8_mib_of_zeros_without_a_content_size() -> None:
    written = zstandard.ZstdCompressor(write_content_size=False).compress(bytes(8 << 20))
    assert decompress("zstd", written) == bytes(8 << 20)


@pytest.mark.parametrize("content", [b"", b"x", TEXT, bytes(1 << 20)])
def test_the_library_reads_what_we_write(content: bytes) -> None:
    assert zstandard.ZstdDecompressor().decompressobj().decompress(compress("zstd", content)) == content


@pytest.mark.parametrize("content", [b"", b"x", TEXT, bytes(1 << 20)])
def test_writes_a_header_without_size_and_checksum(content: bytes) -> None:
    """A descriptor of 0, as Kafka writes it (but for an empty payload, whose size the library puts
    in)."""
    parameters = zstandard.get_frame_parameters(compress("zstd", content))
    unknown = (zstandard.CONTENTSIZE_UNKNOWN, False, 0)
    assert (parameters.content_size, parameters.has_checksum, parameters.dict_id) == unknown or not content


def test_flag_empty_input() -> None:
    assert decompress("zstd", b"", "zstd-empty-input") == b""


@pytest.mark.parametrize(
    ("tail", "content"),
    [
        pytest.param(HELLO[:2], b"", id="half a magic"),
        pytest.param(HELLO[:9], b"", id="header only"),
        pytest.param(HELLO[:-2], b"hel", id="raw block cut"),
        pytest.param(COMPRESSED[:-1], b"", id="compressed block cut"),
        pytest.param(CHECKED[:-4], TEXT, id="no checksum"),
        pytest.param(frame(0x00, WINDOW, repeated(1000, last=False)), b"a" * 1000, id="no last block"),
        pytest.param(SKIPPABLE[:-1], b"", id="skippable frame cut"),
    ],
)
def test_flag_truncated_tail_keeps_what_could_be_decompressed(tail: bytes, content: bytes) -> None:
    assert decompress("zstd", HELLO + tail, "zstd-truncated-tail") == b"hello" + content


def test_flag_truncated_tail_is_for_cut_frames_behind_a_whole_one() -> None:
    flag = "zstd-truncated-tail"
    assert fault("zstd", HELLO[:-1], flag) == ("complete", 9)
    assert fault("zstd", b"", flag) == ("complete", 0)
    assert fault("zstd", HELLO + b"\0", flag) == ("magic", END)
    damaged = COMPRESSED[:9] + b"\xff" + COMPRESSED[10:]
    assert fault("zstd", HELLO + damaged + HELLO[:-1], flag) == ("data", END)
    unfinished = damaged[:6] + bytes([damaged[6] & ~1]) + damaged[7:]
    assert fault("zstd", HELLO + unfinished, flag) == ("data", END)


@pytest.mark.parametrize("tail", [b"A", b"AB", b"ABC", b"ABCD", MAGIC[:2]], ids=repr)
def test_a_short_tail_is_ignored_where_it_is_allowed(tail: bytes) -> None:
    assert decompress("zstd", HELLO + tail, "zstd-short-tail") == b"hello"


def test_a_tail_of_five_bytes_is_none_that_is_short() -> None:
    assert fault("zstd", HELLO + b"ABCDE", "zstd-short-tail") == ("magic", END)
    assert fault("zstd", b"ABCD", "zstd-short-tail") == ("magic", 0)


HEAD_OF_HIGHEST = MAGIC + b"\xc0\x58" + b"\xff" * 8
"""A frame header with a window of 2 MiB and a content size of eight bytes ff."""


def test_the_highest_content_size_is_none_where_it_is_allowed() -> None:
    sized = HEAD_OF_HIGHEST + b"\x29\0\0hello"  # one stored block of 5 bytes, the last
    assert fault("zstd", sized) == ("content-size", 4)
    assert decompress("zstd", sized, "zstd-unknown-content-size") == b"hello"
    below = sized.replace(b"\xff", b"\xfe", 1)
    assert fault("zstd", below, "zstd-unknown-content-size") == ("content-size", 4)
    single = bytes([*MAGIC, 0xE0]) + sized[6:]  # the window is the content size then, and too large
    assert fault("zstd", single, "zstd-unknown-content-size")[0] == "window"
