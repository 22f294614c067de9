import struct

import pytest
import snappy
from kafka_format.compression import compress

from tests.kafka_format.compression.helpers import TEXT, decompress, fault, refusal

MAGIC = bytes.fromhex("82534e4150505900")
BLOCK = snappy.compress(TEXT)

# Written by Kafka 4.3.0's SnappyCompression (snappy-java 1.1.10.7).
KAFKA_TEXT = bytes.fromhex(
    "82534e41505059000000000100000001000000318a015c7468652073616d6520776f72647320616761696e20616e64090a042c20fe20007e2000"
    "2430313233343536373839"
)
KAFKA_HELLO = bytes.fromhex("82534e4150505900000000010000000100000007051068656c6c6f")
KAFKA_EMPTY = bytes.fromhex("82534e41505059000000000100000001")


def stream(*blocks: bytes, versions: tuple[int, int] = (1, 1)) -> bytes:
    chunks = b"".join(struct.pack(">i", len(block)) + block for block in blocks)
    return MAGIC + struct.pack(">ii", *versions) + chunks


def raw_block_starting_with_82() -> bytes:
    """A block of 258 bytes, whose size is the varint 82 02."""
    block = snappy.compress(bytes(range(256)) + b"ab")
    assert block[:2] == b"\x82\x02"
    return block


ONE = stream(BLOCK)


@pytest.mark.parametrize(
    ("data", "rule", "offset"),
    [
        pytest.param(b"", "magic", 0, id="nothing"),
        pytest.param(b"\x82", "block-size", 0, id="first byte of the magic"),
        pytest.param(b"\x82SNAPPY\x01" + ONE[8:], "block-size", 0, id="last byte of the magic"),
        pytest.param(snappy.StreamCompressor().compress(TEXT), "magic", 0, id="official framing"),
        pytest.param(ONE[:8], "header", 0, id="magic only"),
        pytest.param(ONE[:15], "header", 0, id="header cut"),
        pytest.param(stream(BLOCK, versions=(2, 1)), "version", 8, id="version 2"),
        pytest.param(stream(BLOCK, versions=(1, 9)), "version", 8, id="least compatible version 9"),
        pytest.param(ONE + b"\0", "trailing-bytes", len(ONE), id="one byte after the end"),
        pytest.param(ONE + b"xyz", "trailing-bytes", len(ONE), id="three bytes after the end"),
        pytest.param(ONE + bytes(4), "chunk-length", len(ONE), id="chunk of no bytes after the end"),
        pytest.param(stream(b"", BLOCK), "chunk-length", 16, id="chunk of no bytes before"),
        pytest.param(stream() + struct.pack(">i", -5) + BLOCK, "chunk-length", 16, id="negative chunk length"),
        pytest.param(stream() + b"\x7f\xff\xff\xff" + b"x" * 10, "chunk-length", 16, id="chunk of 2 GiB"),
        pytest.param(ONE[:-1], "chunk-length", 16, id="chunk cut"),
        pytest.param(ONE + ONE, "chunk-length", len(ONE), id="second stream"),
        pytest.param(stream(BLOCK, b"\xff\xff\xff\xff\x07abc"), "block-size", len(ONE) + 4, id="block announces 2 GiB"),
        pytest.param(stream(b"\xff\xff\xff\xff\x0fabc"), "block-size", 20, id="block announces 4 GiB"),
        pytest.param(stream(b"\x80\x80\x80\x80\x80\x00"), "block-size", 20, id="size of six bytes"),
        pytest.param(stream(b"\x80"), "block-size", 20, id="size cut"),
        pytest.param(stream(bytes([BLOCK[0] + 1]) + BLOCK[1:]), "block", 20, id="block announces a byte too much"),
        pytest.param(stream(bytes([BLOCK[0] - 1]) + BLOCK[1:]), "block", 20, id="block announces a byte too few"),
        pytest.param(stream(BLOCK + b"\0"), "block", 20, id="a byte too much in the chunk"),
        pytest.param(stream(b"\x04\x01\x09"), "block", 20, id="copy from before the start"),
        pytest.param(stream(BLOCK, BLOCK[:-1]), "block", len(ONE) + 4, id="second block cut inside its chunk"),
    ],
)
def test_refuses(data: bytes, rule: str, offset: int) -> None:
    assert fault("snappy", data) == (rule, offset)


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        pytest.param(snappy.StreamCompressor().compress(TEXT), "xerial framing", id="official framing"),
        pytest.param(ONE + ONE, "snappy-concatenated-streams", id="second stream"),
    ],
)
def test_a_refusal_says_what_to_do(data: bytes, hint: str) -> None:
    assert hint in refusal("snappy", data).hint


@pytest.mark.parametrize(
    ("written", "content"),
    [(KAFKA_TEXT, TEXT), (KAFKA_HELLO, b"hello"), (KAFKA_EMPTY, b"")],
    ids=["text", "hello", "empty"],
)
def test_reads_what_kafka_writes(written: bytes, content: bytes) -> None:
    assert decompress("snappy", written) == content


def test_reads_the_chunks_of_1_kib_of_old_producers() -> None:
    content = b"".join(b"%d," % number for number in range(20_000))
    blocks = [snappy.compress(content[start : start + 1024]) for start in range(0, len(content), 1024)]
    assert len(blocks) > 100
    assert decompress("snappy", stream(*blocks)) == content


def test_reads_a_chunk_of_more_than_32_kib_and_an_empty_block() -> None:
    content = TEXT * 1000
    assert decompress("snappy", stream(snappy.compress(content), b"\0", BLOCK)) == content + TEXT


def test_reads_the_densest_block() -> None:
    """Copies of 64 bytes in 3, the most that snappy can do; just over the bound it must not be
    refused."""
    block = b"\x81\x80\x08" + b"\x00x" + b"\xfe\x01\x00" * 2048
    assert decompress("snappy", stream(block)) == b"x" * (1 + 64 * 2048)


def test_writes_chunks_of_32_kib() -> None:
    written = compress("snappy", bytes(100_000))
    assert written[:16] == KAFKA_EMPTY
    sizes, position = [], 16
    while position < len(written):
        (length,) = struct.unpack_from(">i", written, position)
        sizes.append(len(snappy.uncompress(written[position + 4 : position + 4 + length])))
        position += 4 + length
    assert sizes == [32768, 32768, 32768, 1696]


def test_writes_only_the_header_for_no_bytes() -> None:
    assert compress("snappy", b"") == KAFKA_EMPTY


@pytest.mark.parametrize(
    ("block", "content"),
    [(BLOCK, TEXT), (b"\0", b""), (raw_block_starting_with_82(), bytes(range(256)) + b"ab")],
    ids=["text", "empty", "starts with 82"],
)
def test_reads_a_raw_block_as_librdkafka_writes_it(block: bytes, content: bytes) -> None:
    assert decompress("snappy", block) == content


def test_checks_a_raw_block() -> None:
    assert fault("snappy", b"") == ("magic", 0)
    assert fault("snappy", BLOCK + b"\0") == ("block", 0)
    assert fault("snappy", b"\xff\xff\xff\xff\x0fabc") == ("block-size", 0)


def test_reads_little_endian_versions_as_redpanda_wrote_them() -> None:
    assert decompress("snappy", stream(BLOCK, versions=(1 << 24, 1 << 24))) == TEXT


@pytest.mark.parametrize("versions", [(2, 1), (1, 9), (0, 1), (-1, -1)])
def test_flag_xerial_version(versions: tuple[int, int]) -> None:
    assert decompress("snappy", stream(BLOCK, versions=versions), "snappy-xerial-version") == TEXT


@pytest.mark.parametrize("tail", [b"\0", b"xy", b"\0\0\0"])
def test_flag_trailing_bytes(tail: bytes) -> None:
    assert decompress("snappy", ONE + tail, "snappy-trailing-bytes") == TEXT


def test_flag_trailing_bytes_ignores_no_more_than_three() -> None:
    assert fault("snappy", ONE + bytes(4), "snappy-trailing-bytes") == ("chunk-length", len(ONE))


def test_flag_concatenated_streams() -> None:
    flag = "snappy-concatenated-streams"
    assert decompress("snappy", stream() + ONE + stream() + ONE, flag) == TEXT + TEXT
    assert fault("snappy", ONE + ONE[:9], flag) == ("header", len(ONE))
    assert fault("snappy", ONE + stream(BLOCK, versions=(2, 2)), flag) == ("version", len(ONE) + 8)


def test_a_further_header_needs_version_1_or_more() -> None:
    flags = "snappy-concatenated-streams", "snappy-xerial-version"
    assert decompress("snappy", ONE + stream(BLOCK, versions=(2, 2)), *flags) == TEXT + TEXT
    assert fault("snappy", ONE + stream(BLOCK, versions=(0, 0)), *flags) == ("version", len(ONE) + 8)


DAMAGED = b"\x82SNA" + bytes(12)
CHUNK = ONE[16:]


@pytest.mark.parametrize(
    ("data", "content"),
    [
        pytest.param(ONE + DAMAGED + CHUNK, TEXT * 2, id="between two chunks"),
        pytest.param(ONE + DAMAGED, TEXT, id="at the end"),
        pytest.param(ONE + DAMAGED * 2 + CHUNK, TEXT, id="two in a row end the payload"),
        pytest.param(ONE[:16] + DAMAGED + CHUNK, b"", id="before any chunk"),
        pytest.param(ONE + DAMAGED + CHUNK + DAMAGED + CHUNK, TEXT * 3, id="two with a chunk between them"),
    ],
)
def test_a_second_header_with_a_wrong_magic(data: bytes, content: bytes) -> None:
    assert decompress("snappy", data, "snappy-concatenated-streams") == content


def test_a_second_header_that_is_cut() -> None:
    assert fault("snappy", ONE + DAMAGED[:15], "snappy-concatenated-streams") == ("header", len(ONE))
