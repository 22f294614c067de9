"""What is looked at in a batch without records: the start of its stream, and no more."""

import pytest
from kafka_format import compression
from kafka_format.compression import check_start
from kafka_format.errors import FormatError

DAMAGED = {
    "none": b"anything",
    "gzip": compression.compress("gzip", b"text")[:10] + b"no deflate data",
    "snappy": compression.compress("snappy", b"text")[:16] + b"\xff\xff\xff\xffno chunk",
    "lz4": compression.compress("lz4", b"text")[:7] + b"\xff\xff\xff\x0fno block",
    "zstd": b"no frame at all",
}


@pytest.mark.parametrize("codec", DAMAGED)
def test_what_follows_the_start_is_not_looked_at(codec: str) -> None:
    check_start(codec, DAMAGED[codec])


@pytest.mark.parametrize(
    ("codec", "data", "rule", "offset"),
    [
        ("gzip", b"", "compression.gzip.magic", 0),
        ("gzip", bytes.fromhex("1f8b07"), "compression.gzip.complete", 0),
        ("gzip", bytes.fromhex("1f8b0700000000000000"), "compression.gzip.method", 2),
        ("snappy", b"", "compression.snappy.magic", 0),
        ("snappy", bytes.fromhex("82534e41505059000000"), "compression.snappy.header", 0),
        ("lz4", bytes.fromhex("04224d19604082"), "compression.lz4.magic", 0),
        ("lz4", bytes.fromhex("04224d18604083"), "compression.lz4.header-checksum", 6),
    ],
)
def test_a_wrong_start_is_refused(codec: str, data: bytes, rule: str, offset: int) -> None:
    with pytest.raises(FormatError) as caught:
        check_start(codec, data)
    assert (caught.value.rule, caught.value.offset) == (rule, offset)


def test_a_raw_snappy_block_is_read_at_once() -> None:
    raw = frozenset({"snappy-raw-block"})
    check_start("snappy", b"\x04\x0ctext", flags=raw)
    with pytest.raises(FormatError):
        check_start("snappy", b"\x04\x0ctex", flags=raw)
