"""Messages of 0.7: bytes and positions worked out by hand, or from a log file of Kafka's tests."""

import gzip
import struct
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import compression
from kafka_format.errors import EncodeError, FormatError, Stage
from kafka_format.records import Header, Record, decode_v07, encode_v07, iterate_v07

from tests.kafka_format.examples import examples

# core/src/test/resources/test-kafka-logs/MagicByte0-0 of Kafka 0.7.2 holds a hundred of these and
# nothing else.
KAFKAS_OWN = bytes.fromhex("00000069 00 5e0e5d8f") + b"x" * 100

DROP = frozenset({"partial-inner-message-is-dropped"})


def message(payload: bytes, attributes: int = 0) -> bytes:
    """Write an entry of magic 1 by hand."""
    return struct.pack(">ibbI", 6 + len(payload), 1, attributes, zlib.crc32(payload)) + payload


def wrapper(inner: bytes) -> bytes:
    return message(gzip.compress(inner, mtime=0), attributes=1)


def positions(data: bytes, fetch_offset: int = 0) -> list[tuple[int, bytes | None]]:
    return [(record.offset, record.value) for record in decode_v07(data, fetch_offset)]


def fault_of(data: bytes, **options: frozenset[str]) -> FormatError:
    with pytest.raises(FormatError) as caught:
        decode_v07(data, **options)
    return caught.value


def test_the_log_file_of_kafkas_own_tests() -> None:
    records = decode_v07(KAFKAS_OWN * 100)
    assert records == [Record(109 * number, -1, -1, None, b"x" * 100) for number in range(1, 101)]
    assert encode_v07(records, magic=0) == KAFKAS_OWN * 100


def test_an_offset_is_the_position_behind_the_entry() -> None:
    data = message(b"a") + message(b"bb") + message(b"ccc")
    assert positions(data) == [(11, b"a"), (23, b"bb"), (36, b"ccc")]
    assert positions(data, 1 << 40) == [((1 << 40) + 11, b"a"), ((1 << 40) + 23, b"bb"), ((1 << 40) + 36, b"ccc")]


def test_messages_of_a_wrapper_have_its_position_and_the_last_one_the_position_behind() -> None:
    held = wrapper(message(b"b") + message(b"c") + message(b"d"))
    end = 11 + len(held)
    expected = [(11, b"a"), (11, b"b"), (11, b"c"), (end, b"d"), (end + 11, b"e")]
    assert positions(message(b"a") + held + message(b"e")) == expected


def test_of_nested_wrappers_the_outermost_gives_the_offsets() -> None:
    data = wrapper(message(b"a") + wrapper(message(b"b") + wrapper(message(b"c"))) + message(b"d"))
    assert positions(data, 100) == [(100, b"a"), (100, b"b"), (100, b"c"), (100 + len(data), b"d")]
    assert {record.codec for record in decode_v07(data)} == {1}


def test_a_fault_tells_through_which_wrappers_it_is_reached() -> None:
    broken = bytearray(message(b"cc"))
    broken[-1] ^= 1
    data = message(b"z") + wrapper(message(b"a") + wrapper(message(b"b") + bytes(broken)))
    fault = fault_of(data)
    assert (fault.rule, fault.stage, fault.entry) == ("v07.crc.covers-payload", Stage.CHECKSUM, 1)
    assert fault.path_text == "message.payload[1].message.payload[1].message.crc"
    assert (fault.offset, fault.payload) == (11 + 6, True)


def test_a_codec_s_fault_counts_from_the_start_of_the_set() -> None:
    packed = gzip.compress(message(b"a"), mtime=0)
    data = message(b"z") + message(packed[:-8] + bytes(8), attributes=1)
    fault = fault_of(data)
    assert (fault.rule, fault.path_text) == ("compression.gzip.checksum", "message.payload")
    assert (fault.offset, fault.payload, fault.entry) == (11 + 10 + len(packed) - 8, False, 1)


def test_messages_before_a_fault_are_yielded() -> None:
    coming = iterate_v07(message(b"a") + message(b"b") + bytes(4))
    assert [next(coming).value, next(coming).value] == [b"a", b"b"]
    with pytest.raises(FormatError, match=r"entry 2, size: is 0, the smallest message has 5 bytes"):
        next(coming)


@pytest.mark.parametrize("cut", range(4))
def test_less_than_a_size_is_no_entry(cut: int) -> None:
    assert positions(message(b"a")[:cut]) == []


@pytest.mark.parametrize("cut", range(4, 11))
def test_a_first_entry_that_is_cut_is_larger_than_the_fetch(cut: int) -> None:
    fault = fault_of(message(b"a")[:cut])
    assert (fault.rule, fault.offset) == ("v07.first-entry.whole", 0)
    assert str(fault).endswith("Fetch more bytes at once.")


@pytest.mark.parametrize("cut", range(11))
def test_a_later_entry_that_is_cut_is_left_out(cut: int) -> None:
    assert positions(message(b"a") + message(b"b")[:cut]) == [(11, b"a")]


@pytest.mark.parametrize("cut", range(1, 11))
def test_a_message_that_is_cut_in_a_wrapper(cut: int) -> None:
    data = wrapper(message(b"a") + message(b"b")[:cut])
    fault = fault_of(data)
    assert (fault.rule, fault.offset, fault.payload) == ("v07.wrapper.inner.whole", 11, True)
    assert decode_v07(data, flags=DROP) == [Record(len(data), -1, -1, None, b"a", codec=1)]


def test_the_flag_does_not_let_a_first_message_be_cut() -> None:
    assert fault_of(wrapper(message(b"a")[:10]), flags=DROP).rule == "v07.first-entry.whole"


@pytest.mark.parametrize("size", [-(1 << 31), -1, 0, 1, 4])
def test_sizes_that_no_message_has(size: int) -> None:
    assert fault_of(struct.pack(">i", size) + bytes(10)).rule == "v07.size.minimum"


def test_bytes_and_views_are_read_alike() -> None:
    data = message(b"a") + wrapper(message(b"b"))
    assert decode_v07(bytearray(data)) == decode_v07(memoryview(data)) == decode_v07(data)


def onion(depth: int) -> bytes:
    data = message(b"a")
    for _ in range(depth):
        data = message(compression.compress("snappy", data), attributes=2)
    return data


def test_depth_has_no_bound_of_its_own() -> None:
    data = onion(1500)
    assert positions(data) == [(len(data), b"a")]


def test_all_wrappers_of_an_entry_share_one_limit() -> None:
    """Ten copies of a megabyte in wrappers of their own, in one wrapper: none is over the limit,
    all together are."""
    inner = wrapper(message(bytes(1 << 20))) * 10
    assert len(decode_v07(wrapper(inner), limit=11 << 20)) == 10
    with pytest.raises(FormatError) as caught:
        decode_v07(wrapper(inner), limit=10 << 20)
    assert (caught.value.rule, caught.value.stage) == ("compression.limit", Stage.RESOURCE)
    assert caught.value.path_text == "message.payload[9].message.payload"


def test_messages_are_counted_too() -> None:
    data = message(b"z") + wrapper(message(b"a") + wrapper(message(b"b") + message(b"c")))
    assert len(decode_v07(data, max_records=4)) == 4
    with pytest.raises(FormatError) as caught:
        decode_v07(data, max_records=3)
    assert (caught.value.stage, caught.value.entry) == (Stage.RESOURCE, 1)
    assert (caught.value.path_text, caught.value.offset) == ("message.payload[1].message.payload[1]", 11)
    assert len(list(iterate_v07(data, max_records=3))) == 4


def test_a_writer_of_0_7() -> None:
    """Magic 1 and attributes 0, also where nothing is compressed."""
    assert encode_v07([Record(0, value=b"hello")]) == bytes.fromhex("0000000b 01 00 3610a686") + b"hello"


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy"])
def test_no_records_give_no_bytes(codec: str) -> None:
    assert encode_v07([], codec=codec) == b""


@given(st.lists(st.binary(max_size=40), max_size=5), st.sampled_from(["none", "gzip", "snappy"]))
@examples()
def test_what_is_written_is_read(payloads: list[bytes], codec: str) -> None:
    data = encode_v07([Record(7, value=payload) for payload in payloads], codec=codec)
    found = decode_v07(data)
    assert [record.value for record in found] == payloads
    assert [record.codec for record in found] == [("none", "gzip", "snappy").index(codec)] * len(payloads)
    assert not found or found[-1].offset == len(data)


@pytest.mark.parametrize(
    ("change", "path", "detail"),
    [
        ({"key": b"k"}, "[1].key", "0.7 has no place for key"),
        ({"key": b""}, "[1].key", "0.7 has no place for key"),
        ({"value": None}, "[1].value", "0.7 has no null"),
        ({"timestamp": 5}, "[1].timestamp", "0.7 has no place for timestamp"),
        ({"headers": (Header(b"h", None),)}, "[1].headers", "0.7 has no place for headers"),
        ({"producer_id": 1}, "[1].producer_id", "0.7 has no place for producer_id"),
        ({"control": True}, "[1].control", "0.7 has no place for control"),
        ({"value": "text"}, "[1].value", "takes bytes or None, not str"),
    ],
)
def test_what_0_7_has_no_place_for(change: dict[str, object], path: str, detail: str) -> None:
    records = [Record(0, value=b"a"), Record(1, value=b"b")._replace(**change)]
    with pytest.raises(EncodeError) as caught:
        encode_v07(records)
    assert (caught.value.path_text, caught.value.detail) == (path, detail)


@pytest.mark.parametrize(
    ("options", "detail"),
    [
        ({"codec": "lz4"}, "magic 1 of 0.7 has no codec `lz4`; it has none, gzip, snappy"),
        ({"codec": "gzip", "magic": 0}, "magic 0 of 0.7 has no codec `gzip`; it has none"),
        ({"magic": 2}, "is 2; 0.7 knows 0 and 1"),
    ],
)
def test_what_0_7_does_not_know(options: dict[str, object], detail: str) -> None:
    with pytest.raises(EncodeError) as caught:
        encode_v07([Record(0, value=b"a")], **options)
    assert caught.value.detail == detail


@given(st.lists(st.binary(max_size=20), max_size=3), st.integers(0, 80), st.binary(max_size=3))
@examples()
def test_any_bytes_give_records_or_a_format_error(payloads: list[bytes], place: int, patch: bytes) -> None:
    data = wrapper(b"".join(map(message, payloads))) + message(b"z")
    with suppress(FormatError):
        decode_v07(data[:place] + patch + data[place + len(patch) :])
