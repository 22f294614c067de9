"""Compressed payloads as `explain` shows them: their framing as fields, and every byte once."""

import struct

import lz4.frame
import pytest
import xxhash
from kafka_format import compression
from kafka_format.explain.lines import Line, explain
from kafka_format.records import Record, encode

from tests.kafka_format.wire import batch

RECORDS = [Record(number, 1000, 0, b"key", b"the same words again and again") for number in range(50)]


def outside(data: bytes) -> list[Line]:
    """The lines of a batch or wrapper, without those of what it decompresses to; they must have
    every byte."""
    explained = [line for line in explain(data).lines if not line.payload]
    assert b"".join(line.raw for line in explained) == data
    assert all(data[line.start : line.start + len(line.raw)] == line.raw for line in explained)
    return explained


@pytest.mark.parametrize("magic", [0, 1, 2])
@pytest.mark.parametrize(
    ("codec", "ends"),
    [
        ("gzip", {"header.magic": "0x8b1f", "header.method": "8", "header.operating_system": "255"}),
        ("snappy", {"header.magic": "0x82534e4150505900", "header.version": "1"}),
        ("lz4", {"header.magic": "0x184d2204", "blocks[1].size": "0"}),
    ],
)
def test_the_framing_is_shown(codec: str, ends: dict[str, str], magic: int) -> None:
    records = RECORDS if magic else [record._replace(timestamp=-1, timestamp_type=-1) for record in RECORDS]
    whole = "records" if magic == 2 else "message.value"
    shown = {line.path: line.value for line in outside(encode(records, magic=magic, codec=codec))}
    assert {end: shown[f"{whole}.{end}"] for end in ends} == ends


def test_the_framing_of_zstd_is_shown() -> None:
    shown = {line.path: line.value for line in outside(encode(RECORDS, codec="zstd"))}
    assert shown["records.header.magic"] == "0xfd2fb528"
    assert "records.header.window_descriptor" in shown


def test_the_checksums_of_lz4_are_shown() -> None:
    record = bytes.fromhex("0e 00 00 00 01 02 61 00")
    frame = lz4.frame.compress(record, block_linked=False, store_size=False, content_checksum=True, block_checksum=True)
    data = batch(frame, attributes=3)
    shown = {line.path: line.raw for line in explain(data).lines if not line.payload}
    assert shown["records.content_checksum"] == struct.pack("<I", xxhash.xxh32_intdigest(record))
    assert len(shown["records.blocks[0].checksum"]) == 4
    assert b"".join(shown.values()) == data


def test_chunks_are_numbered() -> None:
    big = [Record(0, 1000, 0, None, bytes(80_000))]
    paths = [line.path for line in outside(encode(big, codec="snappy"))]
    assert [path for path in paths if path.endswith(".block")] == [
        f"records.chunks[{number}].block" for number in range(3)
    ]


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4", "zstd"])
@pytest.mark.parametrize("cut", [0, 1, 5, 17, 30])
def test_what_is_cut_is_shown_to_its_end(codec: str, cut: int) -> None:
    payload = compression.compress(codec, bytes(1000))[:cut]
    data = batch(payload, attributes=compression.NAMES.index(codec))
    explained = explain(data)
    assert explained.fault is not None
    assert b"".join(line.raw for line in explained.lines if not line.payload) == data


def test_a_fault_of_the_codec_stands_where_the_framing_is_wrong() -> None:
    payload = bytearray(compression.compress("snappy", bytes(100)))
    payload[16:20] = struct.pack(">i", 5000)
    explained = explain(batch(bytes(payload), attributes=2))
    (line,) = [line for line in explained.lines if line.fault]
    assert (line.start, line.raw[:4]) == (61 + 16, payload[16:20])


def test_a_version_of_the_framing_that_is_wrong() -> None:
    payload = b"\x82SNAPPY\0" + struct.pack(">ii", 0, 1) + compression.compress("snappy", b"")[16:]
    (line,) = [line for line in explain(batch(payload, attributes=2)).lines if line.fault]
    assert line.path == "records.header.version"


def test_an_uncompressed_payload_has_no_framing() -> None:
    assert not [line for line in outside(encode(RECORDS)) if line.path.startswith("records.")]
