"""Fields that an encoder writes wrong are named, whatever a reader stumbles over first."""

import struct
import zlib
from collections.abc import Callable

import crc32c
import pytest
from kafka_conformance.judging import miswritten
from kafka_format import records, structure
from kafka_format.errors import FormatError
from kafka_format.records import Record

RECORDS = [Record(7 + index, 5, key=b"k" * 40, value=b"v" * 40) for index in range(3)]
PLAIN = records.encode(RECORDS)
LENGTH, CRC, ATTRIBUTES, RECORDS_AT = 8, 17, 21, 61


def is_right(data: bytes) -> bool:
    try:
        return [(record.offset, record.value) for record in records.decode(data)] == [
            (record.offset, record.value) for record in RECORDS
        ]
    except FormatError:
        return False


def is_exact(data: bytes) -> bool:
    if not is_right(data):
        return False
    batch = structure("record_batch").decode(data)
    return (batch.last_offset_delta, batch.max_timestamp, batch.producer_id) == (2, 5, -1)


def with_crc(number: int, batch: bytes = PLAIN) -> bytes:
    return batch[:CRC] + struct.pack(">I", number) + batch[ATTRIBUTES:]


def with_length(delta: int) -> bytes:
    return PLAIN[:LENGTH] + struct.pack(">i", len(PLAIN) - 12 + delta) + PLAIN[LENGTH + 4 :]


def sealed(batch: bytes) -> bytes:
    sized = batch[:LENGTH] + struct.pack(">i", len(batch) - 12) + batch[LENGTH + 4 :]
    return with_crc(crc32c.crc32c(sized[ATTRIBUTES:]), sized)


def with_codec(codec: str, number: int) -> bytes:
    packed = records.encode(RECORDS, codec=codec)
    return sealed(packed[: ATTRIBUTES + 1] + bytes([number]) + packed[ATTRIBUTES + 2 :])


CASES: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: with_crc(0), "writes 0 for the checksum"),
    "the old checksum": (lambda: with_crc(zlib.crc32(PLAIN[ATTRIBUTES:])), "writes CRC-32 where batches have CRC-32C"),
    "the other end": (
        lambda: with_crc(int.from_bytes(struct.pack("<I", crc32c.crc32c(PLAIN[ATTRIBUTES:])), "big")), "little-endian",
    ),
    "no last step": (lambda: with_crc(crc32c.crc32c(PLAIN[ATTRIBUTES:]) ^ 0xFFFFFFFF), "inverts all bits"),
    "without attributes": (lambda: with_crc(crc32c.crc32c(PLAIN[ATTRIBUTES + 2 :])), "from last_offset_delta on"),
    "of records": (lambda: with_crc(crc32c.crc32c(PLAIN[RECORDS_AT:])), "from records on"),
    "of all, the checksum as 0": (
        lambda: with_crc(crc32c.crc32c(PLAIN[:CRC] + bytes(4) + PLAIN[ATTRIBUTES:])), "from base_offset on",
    ),
    "the old one, of the magic on": (lambda: with_crc(zlib.crc32(PLAIN[16:CRC] + PLAIN[21:])), "CRC-32 and from magic"),
    "any number": (lambda: with_crc(12345), "no CRC from any field on"),
    "a length of all": (lambda: with_length(12), "counts base_offset and itself"),
    "a length with itself": (lambda: with_length(4), "counts itself, too"),
    "a short length": (lambda: with_length(-4), "leaves four bytes out"),
    "a length of its own": (lambda: with_length(3), "writes a batch_length that is 3 too high"),
    "zstd as lz4": (lambda: with_codec("zstd", 3), "the codec 3 (lz4) into the attributes of batches that"),
    "gzip as none": (lambda: with_codec("gzip", 0), "the codec 0 (none)"),
    "a codec of nobody": (lambda: with_codec("none", 5), "the codec 5 (5) into the attributes of batches that are not"),
    "narrow attributes": (
        lambda: sealed(PLAIN[:ATTRIBUTES] + PLAIN[ATTRIBUTES + 1 :]), "attributes of batches with 1 byte, not 2",
    ),
    "wide attributes": (
        lambda: sealed(PLAIN[:ATTRIBUTES] + bytes(2) + PLAIN[ATTRIBUTES:]), "attributes of batches with 4 bytes, not 2",
    ),
    "a wide epoch": (
        lambda: sealed(PLAIN[:51] + b"\xff" * 2 + PLAIN[51:]), "producer_epoch of batches with 4 bytes, not 2",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_field_is_named(case: str) -> None:
    write, words = CASES[case]
    written = write()
    assert not is_right(written)
    assert words in miswritten.what(written, is_right, is_exact)


@pytest.mark.parametrize(
    "written",
    [b"", PLAIN[:30], PLAIN[:-1], bytes(len(PLAIN)), PLAIN[:16] + b"\1" + PLAIN[17:], records.encode(RECORDS[:2])],
    ids=["nothing", "a cut header", "a cut batch", "zeros", "another magic", "other records"],
)
def test_what_no_field_explains_is_not_named(written: bytes) -> None:
    assert miswritten.what(written, is_right, is_exact) == ""


def test_several_batches_are_mended_alike() -> None:
    batches = [records.encode([record]) for record in RECORDS]
    assert is_right(b"".join(batches))
    written = b"".join(with_crc(zlib.crc32(batch[ATTRIBUTES:]), batch) for batch in batches)
    assert miswritten.what(written, is_right, is_exact) == "writes CRC-32 where batches have CRC-32C"
