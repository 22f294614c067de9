"""Fields that no record shows: what is wrong in one is found, and what means nothing is left alone.

The bytes are put together by hand; what is due is what the rules of spec/rules/encoding.yaml say of
them.
"""

import struct

import pytest
from kafka_conformance.judging import encoded_fields
from kafka_conformance.judging.difference import Difference
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import CODECS
from kafka_conformance.protocol.messages import EncodeInput
from kafka_format import compression
from kafka_format.records import Record

from tests.kafka_format import wire

ASKED = [Record(7, 1000, 0, None, b"a"), Record(8, 1009, 0, None, b"b"), Record(10, 1004, 0, None, b"c")]
WITHOUT_TIME = [Record(7, -1, -1, None, b"a"), Record(8, -1, -1, None, b"b")]
RECORDS = [wire.record(body) for body in ("00 00 00 01 02 61 00", "00 12 02 01 02 62 00", "00 08 06 01 02 63 00")]
SHIFTED = [wire.record(body) for body in ("00 01 00 01 02 61 00", "00 10 02 01 02 62 00", "00 06 06 01 02 63 00")]
"""The same records, for a base timestamp of 1001."""

GZIP = 1


def found(data: bytes, magic: int, codec: str = "gzip", wanted: list[Record] = ASKED) -> tuple[str, str, str] | None:
    number = CODECS.index(codec)
    asked = answers.to_bytes([record._replace(codec=number) for record in wanted])
    return encoded_fields.difference(EncodeInput(magic, number, asked), data)


def batch(
    records: list[bytes] = RECORDS, *, last_offset_delta: int = 3, max_timestamp: int = 1009, **other: int
) -> bytes:
    fields = {"base_offset": 7, "count": len(records), **other}
    return wire.batch(b"".join(records), last_offset_delta=last_offset_delta, max_timestamp=max_timestamp, **fields)


def inner(offsets: tuple[int, ...] = (0, 1, 3), *, attributes: int = 0, magic: int = 1) -> bytes:
    messages = zip(offsets, (b"a", b"b", b"c"), (1000, 1009, 1004), strict=False)
    return b"".join(
        wire.entry(offset, wire.message(magic, value, attributes=attributes, timestamp=timestamp))
        for offset, value, timestamp in messages
    )


def wrapper(content: bytes, *, offset: int = 10, timestamp: int = 1009, **other: int) -> bytes:
    return wire.wrapper(1, offset, content, timestamp=timestamp, **other)


@pytest.mark.parametrize(
    ("data", "path", "due", "got"),
    [
        (batch(last_offset_delta=2), "last_offset_delta", "3", "2"),
        (batch(last_offset_delta=0), "last_offset_delta", "3", "0"),
        (batch(max_timestamp=1000), "max_timestamp", "1009", "1000"),
        (batch(max_timestamp=1004), "max_timestamp", "1009", "1004"),
        (batch(max_timestamp=-1), "max_timestamp", "1009", "-1"),
        (batch(attributes=64), "attributes", "0", "64"),
        (batch(attributes=0x4000), "attributes", "0", "16384"),
        (batch([*RECORDS[:2], b"\x0e\x01" + RECORDS[2][2:]]), "records[2].attributes", "0", "1"),
        (wrapper(inner()), "magic", "2", "1"),
    ],
)
def test_batch_that_no_record_shows_to_be_wrong(data: bytes, path: str, due: str, got: str) -> None:
    assert found(data, 2, "none") == Difference(path, due, got)


@pytest.mark.parametrize(
    ("data", "path", "due", "got"),
    [
        (wrapper(inner(), timestamp=0), "message.timestamp", "1009", "0"),
        (wrapper(inner(), timestamp=1000), "message.timestamp", "1009", "1000"),
        (wrapper(inner(), timestamp=1004), "message.timestamp", "1009", "1004"),
        (wrapper(inner(), timestamp=1010), "message.timestamp", "1009", "1010"),
        (wrapper(inner((7, 8, 10))), "message.value[0].offset", "0", "7"),
        (wrapper(inner((0, 1, 2))), "message.value[2].offset", "3", "2"),
        (wrapper(inner(), offset=0), "offset", "10", "0"),
        (wrapper(inner(), attributes=GZIP | 16), "message.attributes", "0", "16"),
        (wrapper(inner(attributes=-128)), "message.value[0].message.attributes", "0", "128"),
        (batch(), "magic", "1", "2"),
    ],
)
def test_wrapper_that_no_record_shows_to_be_wrong(data: bytes, path: str, due: str, got: str) -> None:
    assert found(data, 1) == Difference(path, due, got)


def test_wrapper_of_messages_without_a_timestamp_has_none() -> None:
    content = b"".join(wire.entry(at, wire.message(1, b"ab"[at : at + 1], timestamp=-1)) for at in range(2))
    untimed = [record._replace(timestamp_type=0) for record in WITHOUT_TIME]
    unlike = found(wrapper(content, offset=8, timestamp=0), 1, wanted=untimed)
    assert unlike == Difference("message.timestamp", "-1", "0")
    assert found(wrapper(content, offset=8, timestamp=-1), 1, wanted=untimed) is None


@pytest.mark.parametrize(
    ("data", "path", "due", "got"),
    [
        (wire.wrapper(0, 7, inner((7, 8), magic=0)), "offset", "8", "7"),
        (wire.wrapper(0, 8, inner((0, 1), magic=0)), "message.value[0].offset", "7", "0"),
        (wire.wrapper(0, 8, inner((7, 8), magic=0), attributes=GZIP | 8), "message.attributes", "0", "8"),
    ],
)
def test_wrapper_of_v0_that_no_record_shows_to_be_wrong(data: bytes, path: str, due: str, got: str) -> None:
    assert found(data, 0, wanted=WITHOUT_TIME) == Difference(path, due, got)


def test_each_of_several_entries_is_held_against_its_own_records() -> None:
    first = batch(RECORDS[:2], last_offset_delta=1)
    second = batch([RECORDS[0]], base_offset=10, base_timestamp=1004, last_offset_delta=0, max_timestamp=1004)
    assert found(first + second, 2, "none") is None
    wrong = batch([RECORDS[0]], base_offset=10, base_timestamp=1004, last_offset_delta=0, max_timestamp=1009)
    assert found(first + wrong, 2, "none") == Difference("max_timestamp", "1004", "1009")


def test_codec_is_the_one_that_was_asked_for_or_none() -> None:
    assert found(wrapper(inner()), 1, "snappy") == Difference("attributes.codec", "snappy", "gzip")
    assert found(wrapper(inner()), 1, "none") == Difference("attributes.codec", "none", "gzip")
    assert found(inner((7, 8, 10)), 1) is None


def right_wrapper_of(codec: str) -> bytes:
    payload = compression.compress(codec, inner(), magic=1)
    return wire.entry(10, wire.message(1, payload, attributes=CODECS.index(codec), timestamp=1009))


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4"])
def test_right_wrapper_of_every_codec(codec: str) -> None:
    assert found(right_wrapper_of(codec), 1, codec) is None


@pytest.mark.parametrize(
    ("data", "magic"),
    [
        (batch(producer=(-1, -1, 0)), 2),
        (struct.pack(">qii", 7, len(batch()) - 12, 5) + batch()[16:], 2),
        (batch(SHIFTED, base_timestamp=1001), 2),
        (wire.wrapper(1, 10, inner(), timestamp=1009, key=b"k"), 1),
        (wrapper(inner(attributes=8)), 1),
        (wire.wrapper(0, 8, inner((7, 8), magic=0)), 0),
    ],
    ids=["base-sequence", "leader-epoch", "base-timestamp", "key", "inner-timestamp-type", "v0"],
)
def test_what_means_nothing_is_left_alone(data: bytes, magic: int) -> None:
    codec, wanted = ("none", ASKED) if magic == 2 else ("gzip", ASKED if magic else WITHOUT_TIME)
    assert found(data, magic, codec, wanted) is None
