"""Runs of entries to records: what Kafka's own consumer gets of the same bytes."""

import itertools

import pytest
from kafka_format.records import Header, Record, decode, iterate

from tests.kafka_format.wire import (
    COMMIT,
    EMPTY,
    LZ4,
    OVERFLOW,
    RECORD,
    SNAPPY,
    THREE,
    V0,
    V1,
    V2,
    batch,
    entry,
    gzip,
    message,
    record,
    wrapper,
)

pytestmark = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["machine", "python"], indirect=True),
]

KEY, VALUE = b"key", b"value"
LARGEST = (1 << 63) - 1
SMALLEST = -(1 << 63)

SAMPLES: dict[str, tuple[bytes, list[Record]]] = {
    "nothing": (b"", []),
    "v0": (V0, [Record(0, -1, -1, KEY, VALUE)]),
    "v1": (V1, [Record(0, 1000, 0, KEY, VALUE)]),
    "v2": (V2, [Record(0, 1000, 0, KEY, VALUE)]),
    "three records": (
        THREE,
        [Record(0, 1000, 0, KEY, VALUE), Record(1, 1005, 0, KEY, VALUE), Record(2, 1002, 0, None, VALUE)],
    ),
    "empty batch": (EMPTY, []),
    "commit marker": (
        COMMIT,
        [
            Record(
                10, 1000, 0, bytes([0, 0, 0, 1]), bytes([0, 0, 0, 0, 0, 3]), producer_id=7, producer_epoch=0,
                transactional=True, control=True,
            )
        ],
    ),
    "snappy": (batch(SNAPPY, attributes=2), [Record(0, 1000, 0, KEY, VALUE, codec=2)]),
    "lz4": (batch(LZ4, attributes=3), [Record(0, 1000, 0, KEY, VALUE, codec=3)]),
    "gzip": (batch(gzip(RECORD), attributes=1), [Record(0, 1000, 0, KEY, VALUE, codec=1)]),
    "null and empty": (
        batch(record("00 00 00 01 00 00") + record("00 00 02 00 01 00"), count=2),
        [Record(0, 1000, 0, None, b""), Record(1, 1000, 0, b"", None)],
    ),
    "null and empty in v0": (
        entry(0, message(0, b"")) + entry(1, message(0, None, key=b"")),
        [Record(0, -1, -1, None, b""), Record(1, -1, -1, b"", None)],
    ),
    "headers": (
        batch(record("00 00 00 01 01 08 0261 0262 0261 01 0261 00 00 0263")),
        [
            Record(
                0, 1000, 0,
                headers=(Header(b"a", b"b"), Header(b"a", None), Header(b"a", b""), Header(b"", b"c")),
            )
        ],
    ),
    "unused bits": (batch(RECORD, attributes=-128), [Record(0, 1000, 0, KEY, VALUE)]),
    "unused bits of v1": (entry(0, message(1, VALUE, attributes=-16)), [Record(0, 1000, 0, None, VALUE)]),
    "timestamp bit of v0": (entry(0, message(0, VALUE, attributes=8)), [Record(0, -1, -1, None, VALUE)]),
    "append time of v1": (entry(0, message(1, VALUE, attributes=8)), [Record(0, 1000, 1, None, VALUE)]),
    "append time": (
        batch(record("00 0a 00 01 01 00"), attributes=8, max_timestamp=2000), [Record(0, 2000, 1)],
    ),
    "delete horizon": (
        batch(record("00 13 00 01 01 00"), attributes=64, base_timestamp=5000), [Record(0, 4990, 0)],
    ),
    "negative delta": (batch(record("00 01 00 01 01 00")), [Record(0, 999, 0)]),
    "no timestamp": (batch(record("00 00 00 01 01 00"), base_timestamp=-1), [Record(0, -1, 0)]),
    "gaps": (
        batch(
            record("00 00 06 01 01 00") + record("00 00 12 01 01 00"), count=2, last_offset_delta=20, base_offset=100,
        ),
        [Record(103, 1000, 0), Record(109, 1000, 0)],
    ),
    "ten-byte timestamp delta": (
        batch(record("00 feffffffffffffffff01 00 01 01 00"), base_timestamp=0), [Record(0, LARGEST, 0)],
    ),
    "timestamp past int64": (
        batch(record("00 02 00 01 01 00"), base_timestamp=LARGEST), [Record(0, SMALLEST, 0)],
    ),
    "timestamp below int64": (
        batch(record("00 01 00 01 01 00"), base_timestamp=SMALLEST), [Record(0, LARGEST, 0)],
    ),
    "offset past int64": (batch(record("00 00 04 01 01 00"), base_offset=LARGEST), [Record(SMALLEST + 1, 1000, 0)]),
}  # fmt: skip


@pytest.mark.parametrize("case", SAMPLES)
def test_samples(case: str) -> None:
    data, expected = SAMPLES[case]
    assert decode(data) == expected


SEQUENCES = [
    (-1, 0, -1),
    (-1, 5, -1),
    (-2, 5, -1),
    (0, 0, 0),
    (7, 5, 12),
    (2147483647, 0, 2147483647),
    (2147483647, 1, 0),
    (2147483645, 5, 2),
    (2147483647, 2147483647, 2147483646),
    (5, -1, -2147483644),
    (0, -2147483648, 0),
]


@pytest.mark.parametrize(("base", "delta", "sequence"), SEQUENCES)
def test_sequences_wrap_as_kafkas(base: int, delta: int, sequence: int) -> None:
    """After 2147483647 comes 0.

    A negative delta, which nobody writes, was put to Kafka's own class.
    """
    zigzag = 2 * delta if delta >= 0 else -2 * delta - 1
    groups = bytes((zigzag >> shift & 0x7F) | (0x80 if zigzag >> shift + 7 else 0) for shift in range(0, 35, 7))
    written = groups[: next(end for end, group in enumerate(groups, 1) if group < 0x80)].hex()
    data = batch(record(f"00 00 {written} 01 01 00"), producer=(7, 3, base))
    (decoded,) = decode(data)
    assert (decoded.producer_id, decoded.producer_epoch, decoded.sequence) == (7, 3, sequence)


def messages(magic: int, *offsets: int) -> bytes:
    """A message set: the value of each message is its place."""
    return b"".join(
        entry(offset, message(magic, bytes([place]), timestamp=100 + place)) for place, offset in enumerate(offsets)
    )


WRAPPERS: dict[str, tuple[bytes, list[int]]] = {
    "v0 is absolute": (wrapper(0, 12, messages(0, 10, 11, 12)), [10, 11, 12]),
    "v0 is absolute whatever its wrapper says": (wrapper(0, 99, messages(0, 10, 11)), [10, 11]),
    "v0 of a producer that numbers nothing": (wrapper(0, 2, messages(0, 0, 0, 0)), [0, 0, 0]),
    "v1 is relative": (wrapper(1, 12, messages(1, 0, 1, 2)), [10, 11, 12]),
    "v1 with gaps": (wrapper(1, 20, messages(1, 0, 3, 10)), [10, 13, 20]),
    "v1 whose first is gone": (wrapper(1, 12, messages(1, 1, 2)), [11, 12]),
    "v1 that is absolute": (wrapper(1, 12, messages(1, 10, 11, 12)), [10, 11, 12]),
    "v1 at offset 0": (wrapper(1, 0, messages(1, 0, 1, 2)), [0, 1, 2]),
    "v1 of one message at offset 0": (wrapper(1, 0, messages(1, 0)), [0]),
    "v1 at its own last offset": (wrapper(1, 2, messages(1, 0, 1, 2)), [0, 1, 2]),
    "v1 out of order": (wrapper(1, 10, messages(1, 5, 0)), [15, 10]),
    "v1 past int64": (wrapper(1, LARGEST, messages(1, 1, 0)), [SMALLEST, LARGEST]),
    "v1 with an inner offset below zero": (wrapper(1, LARGEST, messages(1, -1)), [LARGEST]),
}


@pytest.mark.parametrize("case", WRAPPERS)
def test_offsets_of_wrappers(case: str) -> None:
    data, offsets = WRAPPERS[case]
    decoded = decode(data)
    assert [one.offset for one in decoded] == offsets
    assert [one.value for one in decoded] == [bytes([place]) for place in range(len(offsets))]
    assert {one.codec for one in decoded} == {1}


def test_inner_messages_keep_their_own_timestamps() -> None:
    """The wrapper's own is not looked at, and neither is the inner type bit (put to Kafka)."""
    inner = messages(1, 0) + entry(1, message(1, b"x", timestamp=-1, attributes=8))
    decoded = decode(wrapper(1, 1, inner, timestamp=7))
    assert [(one.timestamp, one.timestamp_type) for one in decoded] == [(100, 0), (-1, 0)]


def test_the_append_time_of_a_wrapper_is_that_of_all() -> None:
    decoded = decode(wrapper(1, 1, messages(1, 0, 1), timestamp=7, attributes=9))
    assert [(one.timestamp, one.timestamp_type) for one in decoded] == [(7, 1), (7, 1)]


def test_wrappers_of_v0_have_no_timestamps() -> None:
    decoded = decode(wrapper(0, 1, messages(0, 0, 1), attributes=9))
    assert [(one.timestamp, one.timestamp_type) for one in decoded] == [(-1, -1), (-1, -1)]


def test_the_key_of_a_wrapper_means_nothing() -> None:
    (decoded,) = decode(wrapper(1, 5, messages(1, 0), key=b"ignored"))
    assert (decoded.offset, decoded.key) == (5, None)


ENTRIES = {"v0": V0, "v1": V1, "v2": V2, "three": THREE, "empty": EMPTY, "wrapper": wrapper(1, 5, messages(1, 0, 1))}


@pytest.mark.parametrize("last", ENTRIES)
def test_an_entry_that_is_cut_anywhere_is_left_out(last: str) -> None:
    first = decode(THREE)
    for cut in range(len(ENTRIES[last])):
        assert decode(ENTRIES[last][:cut]) == [], cut
        assert decode(THREE + ENTRIES[last][:cut]) == first, cut
    assert len(decode(THREE + ENTRIES[last])) > len(first) or last == "empty"


@pytest.mark.parametrize("zeros", [0, 1, 5, 48])
def test_the_filler_of_a_converted_response_is_left_out(zeros: int) -> None:
    """Brokers fill it up with an entry that is never whole, at offset -1 and with a magic of 0."""
    assert decode(V1 + OVERFLOW + bytes(zeros)) == decode(V1)


@pytest.mark.parametrize("order", list(itertools.permutations(["v0", "v1", "v2", "wrapper"])), ids="-".join)
def test_formats_may_be_mixed(order: tuple[str, ...]) -> None:
    """Each entry by its own magic."""
    data = b"".join(ENTRIES[name] for name in order)
    assert decode(data) == [one for name in order for one in decode(ENTRIES[name])]


def test_records_are_given_out_one_by_one() -> None:
    """Before a fault come all records of the entries before it."""
    found = iterate(THREE + bytes(12))
    assert [next(found).offset for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match=r"byte 111, entry 1, size: is 0.*\[entry.size.minimum\]"):
        next(found)


def test_any_kind_of_bytes_is_read() -> None:
    assert decode(bytearray(THREE)) == decode(memoryview(THREE)) == decode(THREE)


def test_headers_are_the_packages_own() -> None:
    (decoded,) = decode(SAMPLES["headers"][0])
    assert {type(header) for header in decoded.headers} == {Header}


FOUND_BY_FUZZING = bytes.fromhex(
    "00000000000000000000004505634d7a010100000000000003e8ffffffff0000002f"
    "1f8b08000000000000fffbcfc0c06023dfcd01a4249e3c56dcc3c80001cc2f80046336882803005cfed55224000000"
)


@pytest.mark.parametrize(("as_kafka", "offset"), [("", -72057593029227768), ("4.4", -72057593029227768), ("0.10.1", 0)])
def test_a_wrapper_at_0_around_a_negative_offset(as_kafka: str, offset: int) -> None:
    """As Kafka 4.4.0 and 0.10.1.1 have it; the latter came before KAFKA-5365 made the offset 0 a
    special one."""
    (decoded,) = decode(FOUND_BY_FUZZING, as_kafka=as_kafka)
    assert (decoded.offset, decoded.value) == (offset, b"v")
