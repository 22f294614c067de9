"""Records to the bytes that Kafka would write; what a format cannot hold is refused, never lost."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import compression, strategies
from kafka_format.errors import EncodeError
from kafka_format.records import Header, Record, decode, encode

from tests.kafka_format.examples import examples
from tests.kafka_format.wire import COMMIT, THREE, V0, V1, V2, entry, message

ONE = Record(0, 1000, 0, b"key", b"value")
KEYLESS = ONE._replace(key=None)
LEGACY_CODECS = ["none", "gzip", "snappy", "lz4"]

SAMPLES: dict[str, tuple[int, list[Record], bytes]] = {
    "nothing": (2, [], b""),
    "v0": (0, [ONE._replace(timestamp=-1, timestamp_type=-1)], V0),
    "v0 at another offset": (0, [ONE._replace(offset=5, timestamp=-1)], b"\0\0\0\0\0\0\0\x05" + V0[8:]),
    "v1": (1, [ONE], V1),
    "v1 of append time": (
        1, [ONE._replace(timestamp_type=1)], entry(0, message(1, b"value", attributes=8, key=b"key")),
    ),
    "a run of v1": (1, [ONE, ONE._replace(offset=7)], V1 + b"\0\0\0\0\0\0\0\x07" + V1[8:]),
    "v2": (2, [ONE], V2),
    "three records": (2, [ONE, Record(1, 1005, 0, b"key", b"value"), Record(2, 1002, 0, None, b"value")], THREE),
    "commit marker": (
        2,
        [
            Record(
                10, 1000, 0, bytes([0, 0, 0, 1]), bytes([0, 0, 0, 0, 0, 3]), producer_id=7, producer_epoch=0,
                transactional=True, control=True,
            )
        ],
        COMMIT,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SAMPLES)
def test_kafkas_bytes(case: str) -> None:
    magic, records, data = SAMPLES[case]
    assert encode(records, magic=magic) == data


SIZES = [(0, ONE._replace(timestamp=-1), 34), (1, ONE, 42), (1, KEYLESS, 39), (2, ONE, 76), (2, KEYLESS, 73)]


@pytest.mark.parametrize(("magic", "record", "size"), SIZES)
def test_sizes_that_kafka_documents(magic: int, record: Record, size: int) -> None:
    assert len(encode([record], magic=magic)) == size


def test_the_hundredth_record_without_a_key_takes_14_bytes() -> None:
    """Of a batch with one record a millisecond: both deltas take two bytes by then."""
    records = [KEYLESS._replace(offset=number, timestamp=1000 + number) for number in range(100)]
    assert len(encode(records)) - len(encode(records[:99])) == 14


@pytest.mark.parametrize("codec", compression.NAMES)
@given(records=strategies.records())
@examples(50)
def test_batches_come_back(codec: str, records: list[Record]) -> None:
    data = encode(records, codec=codec)
    number = compression.NAMES.index(codec)
    assert decode(data) == [record._replace(codec=number) for record in records]


@pytest.mark.parametrize("codec", LEGACY_CODECS)
@pytest.mark.parametrize("magic", [0, 1])
@given(data=st.data())
@examples(25)
def test_messages_come_back(magic: int, codec: str, data: st.DataObject) -> None:
    records = data.draw(strategies.records(magic))
    number = compression.NAMES.index(codec)
    assert decode(encode(records, magic=magic, codec=codec)) == [record._replace(codec=number) for record in records]


def test_a_wrapper_has_relative_offsets_and_the_largest_timestamp() -> None:
    records = [Record(100, 7, value=b"a"), Record(103, 9, value=b"b"), Record(104, 8, value=b"c")]
    data = encode(records, magic=1, codec="gzip")
    assert int.from_bytes(data[:8], "big") == 104
    assert int.from_bytes(data[18:26], "big") == 9
    inner = compression.decompress("gzip", data[34:], magic=1)
    expected = [(0, 7, b"a"), (3, 9, b"b"), (4, 8, b"c")]
    assert inner == b"".join(entry(offset, message(1, value, timestamp=stamp)) for offset, stamp, value in expected)


def test_a_wrapper_of_v0_has_absolute_offsets() -> None:
    data = encode([Record(100, value=b"a"), Record(103, value=b"b")], magic=0, codec="gzip")
    inner = compression.decompress("gzip", data[26:], magic=0)
    assert (data[:8], inner[:8]) == (b"\0\0\0\0\0\0\0\x67", b"\0\0\0\0\0\0\0\x64")


WITH_HEADER = ONE._replace(headers=(Header(b"a", b"b"),))
APPENDED = ONE._replace(timestamp_type=1)
SECOND = ONE._replace(offset=1)

REFUSED: dict[str, tuple[list[Record], dict[str, Any], str, str]] = {
    "unknown codec": ([ONE], {"codec": "brotli"}, "codec", "no codec `brotli`; there are none, gzip"),
    "unknown magic": ([ONE], {"magic": 3}, "magic", "is 3; there are 0, 1, 2"),
    "zstd in v1": ([ONE], {"magic": 1, "codec": "zstd"}, "codec", "zstd is not allowed in v1"),
    "headers in v1": ([ONE, WITH_HEADER], {"magic": 1}, "[1].headers", "v1 has no headers"),
    "producer in v1": ([ONE._replace(producer_id=5)], {"magic": 1}, "[0].producer_id", "v1 has no producers"),
    "sequence in v0": ([Record(0, sequence=5)], {"magic": 0}, "[0].producer_id", "v0 has no producers"),
    "transaction in v1": ([ONE._replace(transactional=True)], {"magic": 1}, "[0].transactional", "no transactions"),
    "control record in v1": ([ONE._replace(control=True)], {"magic": 1}, "[0].transactional", "no control records"),
    "timestamp in v0": ([ONE], {"magic": 0}, "[0].timestamp", "v0 has no timestamps"),
    "append time in v0": ([Record(0, -1, 1)], {"magic": 0}, "[0].timestamp", "v0 has no timestamps"),
    "two producers": ([ONE, SECOND._replace(producer_id=5)], {}, "[1].producer_id", "cannot share a batch"),
    "two epochs": ([ONE, SECOND._replace(producer_epoch=5)], {}, "[1].producer_epoch", "cannot share a batch"),
    "two types": ([ONE, SECOND._replace(timestamp_type=1)], {}, "[1].timestamp_type", "cannot share a batch"),
    "control and data": ([ONE, SECOND._replace(control=True)], {}, "[1].control", "cannot share a batch"),
    "part of a transaction": ([ONE, SECOND._replace(transactional=True)], {}, "[1].transactional", "cannot share"),
    "two append times": (
        [APPENDED, SECOND._replace(timestamp_type=1, timestamp=7)], {}, "[1].timestamp", "one for all",
    ),
    "two append times in a wrapper": (
        [APPENDED, SECOND._replace(timestamp_type=1, timestamp=7)], {"magic": 1, "codec": "gzip"}, "[1].timestamp",
        "one for all",
    ),
    "two types in a wrapper": (
        [ONE, SECOND._replace(timestamp_type=1)], {"magic": 1, "codec": "gzip"}, "[1].timestamp_type", "cannot share",
    ),
    "wrapper that would be absolute": (
        [SECOND, ONE], {"magic": 1, "codec": "gzip"}, "[-1].offset", "inner offsets are absolute (KAFKA-5365)",
    ),
    "sequence that jumps": (
        [ONE._replace(sequence=5), SECOND._replace(sequence=7)], {}, "[1].sequence", "does not follow",
    ),
    "sequence that stands": (
        [ONE._replace(sequence=5), SECOND._replace(sequence=5)], {}, "[1].sequence", "does not follow",
    ),
    "offsets too far apart": (
        [ONE, ONE._replace(offset=1 << 31)], {}, "records[1].offset_delta", "does not fit varint",
    ),
    "timestamps too far apart": (
        [ONE._replace(timestamp=-(1 << 63)), SECOND], {}, "records[1].timestamp_delta", "does not fit varlong",
    ),
    "offset too large": ([ONE._replace(offset=1 << 63)], {}, "base_offset", "does not fit int64"),
    "timestamp too large": ([ONE._replace(timestamp=1 << 63)], {"magic": 1}, "message.timestamp", "does not fit int64"),
    "epoch too large": ([ONE._replace(producer_epoch=1 << 15)], {}, "producer_epoch", "does not fit int16"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_format_cannot_hold(case: str) -> None:
    records, options, path, detail = REFUSED[case]
    with pytest.raises(EncodeError) as caught:
        encode(records, **options)
    assert (caught.value.path_text, detail in caught.value.detail) == (path, True), str(caught.value)


MISFITS = [
    ("offset", "1", "a whole number, not str"),
    ("offset", None, "a whole number, not NoneType"),
    ("timestamp", 1.5, "a whole number, not float"),
    ("timestamp_type", "create_time", "a whole number, not str"),
    ("key", "key", "bytes or None, not str"),
    ("value", 5, "bytes or None, not int"),
    ("headers", 5, "a tuple of headers, not int"),
    ("headers", (5,), "a Header, not int"),
    ("headers", (("a", b"b"),), "a Header, not tuple"),
    ("headers", (Header("a", b"b"),), "bytes, not str"),
    ("headers", (Header(None, b"b"),), "bytes, not NoneType"),
    ("headers", (Header(b"a", "b"),), "bytes or None, not str"),
    ("producer_id", None, "a whole number, not NoneType"),
    ("sequence", "1", "a whole number, not str"),
    ("transactional", "yes", "True or False, not str"),
    ("control", None, "True or False, not NoneType"),
]


@pytest.mark.parametrize(("name", "value", "words"), MISFITS)
@pytest.mark.parametrize("place", [0, 1])
def test_values_of_a_wrong_type(name: str, value: Any, words: str, place: int) -> None:
    """The error names the record and the attribute, whatever it was that failed first."""
    records = [ONE, SECOND]
    records[place] = records[place]._replace(**{name: value})
    with pytest.raises(EncodeError) as caught:
        encode(records)
    assert caught.value.path_text.startswith(f"[{place}].{name}")
    assert caught.value.detail == f"takes {words}"


@pytest.mark.parametrize(
    ("records", "path", "detail"),
    [
        (None, "", "takes a list of records, not NoneType"),
        (5, "", "takes a list of records, not int"),
        (b"bytes", "", "takes a list of records, not bytes"),
        (iter([ONE]), "", "takes a list of records, not list_iterator"),
        ([ONE, {"offset": 1}], "[1]", "takes a Record, not dict"),
        ([None], "[0]", "takes a Record, not NoneType"),
    ],
)
@pytest.mark.parametrize("magic", [0, 1, 2])
def test_what_is_no_record(records: Any, path: str, detail: str, magic: int) -> None:
    if magic == 0 and isinstance(records, list):
        records = [record._replace(timestamp=-1) if isinstance(record, Record) else record for record in records]
    with pytest.raises(EncodeError) as caught:
        encode(records, magic=magic)
    assert (caught.value.path_text, caught.value.detail) == (path, detail)
