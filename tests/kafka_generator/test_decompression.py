"""Two encoders' bytes are the same once decompressed, and differ if anything else does."""

import zlib

import pytest
from kafka_format.errors import FormatError
from kafka_format.records import Record, encode
from kafka_generator.decompression import decompress_entries, is_packed

from tests.kafka_conformance.targets.sample_batches import GZIP, RECORD, THREE, V0, V1, V2, batch, entry, message

RECORDS = [Record(0, 1000, value=b"a" * 50), Record(1, 1000, value=b"b")]


@pytest.mark.parametrize("data", [b"", V0, V1 + V2, THREE, V2 + V1[:20]])
def test_uncompressed_entries_stay_as_they_are(data: bytes) -> None:
    whole = data[: len(data) - 20] if data.endswith(V1[:20]) else data
    assert decompress_entries(data) == whole
    assert not is_packed(data)


def test_a_batch_holds_its_records_plain() -> None:
    plain = decompress_entries(batch(GZIP, attributes=1))
    assert plain[61:] == RECORD
    assert plain[8:12] == (49 + len(RECORD)).to_bytes(4, "big")
    assert plain[17:23] == bytes(4) + b"\0\1"


def test_a_wrapper_holds_its_messages_plain() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    payload = packer.compress(V1) + packer.flush()
    plain = decompress_entries(entry(7, message(payload, attributes=1, timestamp=1000)))
    assert plain[-4 - len(V1) :] == len(V1).to_bytes(4, "big") + V1
    assert plain[:8] == (7).to_bytes(8, "big")
    assert plain[8:16] == (len(plain) - 12).to_bytes(4, "big") + bytes(4)


@pytest.mark.parametrize("level", [0, 1, 9])
def test_what_the_codec_wrote_makes_no_difference(level: int) -> None:
    packer = zlib.compressobj(level, zlib.DEFLATED, 31)
    other = batch(packer.compress(RECORD) + packer.flush(), attributes=1)
    assert decompress_entries(other) == decompress_entries(batch(GZIP, attributes=1))


@pytest.mark.parametrize("change", [{"value": b"c"}, {"timestamp": 999}, {"key": b""}])
@pytest.mark.parametrize("magic", [1, 2])
def test_every_other_difference_stays(change: dict[str, object], magic: int) -> None:
    changed = [RECORDS[0], RECORDS[1]._replace(**change)]
    assert decompress_entries(encode(RECORDS, magic=magic, codec="gzip")) != decompress_entries(
        encode(changed, magic=magic, codec="gzip")
    )


def test_what_cannot_be_decompressed_is_an_error() -> None:
    with pytest.raises(FormatError):
        decompress_entries(batch(b"no gzip", attributes=1))
