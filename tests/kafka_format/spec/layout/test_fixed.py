import struct

import pytest
from kafka_format.errors import LayoutError
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import default_bytes, fixed_fields, head_packer, order_mark, packer, places


def test_places_of_a_batch_are_those_of_kafka() -> None:
    """The offsets in clients DefaultRecordBatch: MAGIC_OFFSET, CRC_OFFSET, ATTRIBUTES_OFFSET,
    RECORDS_COUNT_OFFSET."""
    batch = places(find("record_batch"))
    named = {name: batch[name] for name in ("magic", "crc", "attributes", "record_count")}
    assert named == {"magic": 16, "crc": 17, "attributes": 21, "record_count": 57}
    assert packer(find("record_batch")).size == 61  # RECORD_BATCH_OVERHEAD


def test_the_fixed_part_ends_before_a_field_that_may_be_absent() -> None:
    """Content size and dictionary id of an LZ4 frame are there only if a flag says so (frame format
    1.6)."""
    assert [field.name for field in fixed_fields(find("lz4_frame_header"))] == ["magic", "flags", "block_descriptor"]


def test_the_fixed_part_ends_before_a_field_of_another_type() -> None:
    assert list(places(find("record"))) == []
    assert list(places(find("xerial_chunk"))) == ["length"]


@pytest.mark.parametrize(
    ("layout", "mark", "octets"),
    [
        ("gzip_header", "<", "1f 8b 08 00 00 00 00 00 00 ff"),  # RFC 1952 2.3, as JDK 16 and newer write it
        ("xerial_header", ">", "82 53 4e 41 50 50 59 00 00 00 00 01 00 00 00 01"),  # snappy-java SnappyCodec
        ("lz4_frame_header", "<", "04 22 4d 18 60 40"),  # LZ4 frame format 1.6, as Lz4BlockOutputStream writes it
        ("zstd_frame_header", "<", "28 b5 2f fd 00"),  # RFC 8878 3.1.1
    ],
)
def test_what_is_written_are_constants_and_defaults(layout: str, mark: str, octets: str) -> None:
    assert order_mark(find(layout).endian) == mark
    assert default_bytes(find(layout)) == bytes.fromhex(octets)


def test_a_field_without_constant_and_default_is_told() -> None:
    with pytest.raises(struct.error):
        default_bytes(find("gzip_trailer"))


def test_the_length_of_the_content_behind_it() -> None:
    """docs/adapter-protocol.md: int8 status, int32 length."""
    assert head_packer(find("block_result")).format == ">bi"
    with pytest.raises(LayoutError, match="no length of fixed size follows"):
        head_packer(find("block_reply"))
