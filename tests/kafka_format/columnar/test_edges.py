"""Inputs at the edges: none, cut, empty, huge, mixed, lying; and what columns hold of them."""

import tracemalloc

import numpy as np
import pytest
from kafka_format import columnar, compression, structure
from kafka_format.errors import FormatError
from kafka_format.primitives.varints import VARLONG, write_varint
from kafka_format.records import Header, Record, encode

from tests.kafka_format import wire
from tests.kafka_format.columnar.agreement import alone, disagreements, scalar, together

pytestmark = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["machine", "python"], indirect=True),
]

CODECS = compression.NAMES[1:]
SMALLEST = bytes.fromhex("0c 00 00 00 01 01 00")


def run(count: int) -> bytes:
    return encode([Record(offset, 1000 + offset, key=b"k", value=b"v" * (offset % 90)) for offset in range(count)])


def record(*, length: int | None = None, **parts: bytes) -> bytes:
    """A record of which some fields are other bytes than usual."""
    usual = {"attributes": b"\0", "timestamp": b"\0", "offset": b"\0", "key": b"\1", "value": b"\1", "headers": b"\0"}
    body = b"".join((usual | parts).values())
    return write_varint(len(body) if length is None else length) + body


def test_nothing_gives_no_rows() -> None:
    for found in (columnar.decode(b""), columnar.decode_many([]).columns, columnar.decode_many([b"", b""]).columns):
        assert len(found) == 0
        assert found.records() == []


def test_inputs_do_not_touch_one_another() -> None:
    good, bad = run(3), wire.V2[:-1] + b"\1"
    found = columnar.decode_many([b"", good, bad, good, b"", good[:20], wire.V0 + good])
    assert found.bounds.tolist() == [0, 0, 3, 3, 6, 6, 6, 10]
    assert list(found.refusals) == [2]
    assert found.records(3) == scalar(good)
    assert found.columns.entry.tolist() == [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]
    with pytest.raises(FormatError) as caught:
        found.records(2)
    assert (caught.value.rule, caught.value.entry) == ("v2.crc.covers-attributes-to-end", 0)


def test_parts_of_a_buffer_count_from_their_own_start() -> None:
    bad = wire.V2[:-1] + b"\1"
    found = columnar.decode_within(
        b"junk" + bad + b"more" + wire.V1, [4, 8 + len(bad)], [4 + len(bad), 8 + len(bad + wire.V1)]
    )
    assert (str(found.refusals[0]), found.records(1)) == (scalar(bad)[5], scalar(wire.V1))


@pytest.mark.parametrize(("starts", "ends"), [([0], [9]), ([-1], [3]), ([3], [2]), ([0, 2], [4, 6])])
def test_parts_that_do_not_lie_in_the_buffer(starts: list[int], ends: list[int]) -> None:
    with pytest.raises(ValueError, match="one after the other in 8 bytes; see input"):
        columnar.decode_within(bytes(8), starts, ends)


def test_every_cut_of_a_run() -> None:
    data = wire.V1 + run(2) + wire.COMMIT + wire.EMPTY + wire.THREE
    cuts = [data[:end] for end in range(len(data) + 1)]
    assert disagreements(cuts) == []
    assert [alone(cut) for cut in cuts[::7]] == [scalar(cut) for cut in cuts[::7]]


@pytest.mark.parametrize("tail", [bytes(1), bytes(12), bytes(17), bytes(100), wire.OVERFLOW, b"\xff" * 30])
def test_what_stands_behind_the_last_entry(tail: bytes) -> None:
    assert disagreements([wire.THREE + tail, tail, wire.V0 + tail]) == []


def test_batches_without_records_and_of_control_records() -> None:
    data = wire.EMPTY + wire.COMMIT + wire.EMPTY + wire.THREE + wire.COMMIT
    found = columnar.decode(data)
    assert found.records() == scalar(data)
    assert found.control.tolist() == [True, False, False, False, True]
    assert found.entry.tolist() == [1, 3, 3, 3, 4]


@pytest.mark.parametrize("codec", CODECS)
def test_compressed_batches_are_read_with_the_others(codec: str) -> None:
    some = [Record(offset, 5, key=None, value=bytes(offset), codec=0) for offset in range(40)]
    data = run(2) + encode(some, codec=codec) + run(3) + encode(some[:1], codec=codec)
    assert alone(data) == scalar(data)
    assert disagreements([data[:-1], data + data, encode(some, magic=1, codec=codec) if codec != "zstd" else b""]) == []


@pytest.mark.parametrize("counts", [[100_000], [1, 30_000, 2], [700] * 150, [1] * 20_000, [0, 3, 0]])
def test_batches_of_all_sizes(counts: list[int]) -> None:
    data = b"".join(run(count) if count else wire.EMPTY for count in counts)
    found = columnar.decode(data)
    assert np.array_equal(found.offset, np.concatenate([np.arange(count) for count in counts]))
    assert found.records(0, 500) == scalar(data)[:500]
    assert found.records(len(found) - 50) == scalar(data)[-50:]


def test_many_headers_in_few_records_and_in_many() -> None:
    some = [Header(b"\xc3\xa9%d" % number if number % 3 else b"k" * number, None) for number in range(90)]
    for records in (2, 60):
        data = encode([Record(offset, headers=tuple(some[offset:])) for offset in range(records)])
        assert alone(data) == scalar(data)


def test_numbers_wrap_as_those_of_java() -> None:
    far = (1 << 63) - 1
    payload = record(timestamp=write_varint(far, VARLONG), offset=write_varint((1 << 31) - 1))
    payload += record(timestamp=write_varint(-far - 1, VARLONG), offset=write_varint(-(1 << 31)))
    marks = [(far, far, 2**31 - 1), (-far - 1, -far - 1, 0), (0, -1, -2)]
    data = [
        wire.batch(payload, count=2, base_offset=base, base_timestamp=time, producer=(9, 1, sequence), attributes=kind)
        for base, time, sequence in marks
        for kind in (0, 8, 16, 0x7FC0)
    ]
    assert disagreements(data) == []


VARINTS = [
    *(
        write_varint(sign * (1 << bits) + step, VARLONG)
        for bits in range(63)
        for sign in (1, -1)
        for step in (-1, 0, 1)
    ),
    *(b"\x80" * zeros + b"\0" for zeros in range(1, 11)),
    *(b"\xff" * ones + last for ones in range(1, 11) for last in (b"\1", b"\2", b"\x0f", b"\x10", b"\x7f")),
]


@pytest.mark.parametrize("field", ["timestamp", "offset", "key", "value", "headers"])
def test_every_kind_of_varint_in_every_field(field: str) -> None:
    batches = [wire.batch(record(**{field: number})) for number in VARINTS]
    assert disagreements(batches) == []
    assert disagreements([wire.batch(record(**{field: number}) + SMALLEST, count=2) for number in VARINTS]) == []


def test_every_kind_of_varint_as_a_length() -> None:
    bodies = [number + record()[1:] for number in VARINTS]
    assert disagreements([wire.batch(body) for body in bodies]) == []
    assert disagreements([wire.batch(SMALLEST + body + SMALLEST, count=3) for body in bodies]) == []


@pytest.mark.parametrize("length", range(-3, 14))
def test_lengths_of_records_that_lie(length: int) -> None:
    faulty = record(length=length, value=b"\2x")
    assert disagreements([wire.batch(faulty + SMALLEST * more, count=1 + more) for more in range(3)]) == []


@pytest.mark.parametrize("count", [-(1 << 31), -1, 0, 1, 2, 3, 1 << 20, (1 << 31) - 1])
def test_counts_of_records_that_lie(count: int) -> None:
    plain = wire.batch(SMALLEST * 2, count=count)
    packed = [
        wire.batch(compression.compress(codec, SMALLEST * 2), count=count, attributes=compression.NAMES.index(codec))
        for codec in CODECS
    ]
    assert disagreements([plain, *packed]) == []
    assert disagreements([run(1) + data + run(1) for data in (plain, *packed)], max_records=3) == []


@pytest.mark.parametrize(
    "key", [b"\xff", b"ok\x80", b"\xc3\xa9", b"a" * 7 + b"\xc3", b"a" * 8 + b"\xc3\xa9", b"a" * 200]
)
def test_keys_of_headers_are_utf8(key: bytes) -> None:
    headers = write_varint(2) + (write_varint(len(key)) + key + b"\1") + (b"\2k" + b"\0")
    data = wire.batch(record(headers=headers))
    assert disagreements([data, data + data, run(300) + data]) == []


def test_a_checksum_may_be_left_out() -> None:
    broken = bytearray(wire.THREE)
    broken[17] ^= 1
    wrong = wire.batch(record(length=9))
    data = [bytes(broken), wire.V2 + bytes(broken) + wire.COMMIT, wrong[:17] + bytes(4) + wrong[21:]]
    found = together(data, check_crc=False)
    assert found[:2] == [scalar(wire.THREE), scalar(wire.V2 + wire.THREE + wire.COMMIT)]
    assert found[2] == scalar(wrong)
    assert [said[0] for said in together(data)] == ["v2.crc.covers-attributes-to-end"] * 3


def test_anything_with_a_buffer_will_do() -> None:
    data = run(5)
    assert columnar.decode(memoryview(data)).records() == columnar.decode(bytearray(data)).records() == scalar(data)


def test_a_part_of_the_rows() -> None:
    data = run(9)
    found = columnar.decode(data)
    assert found.records(2, 5) == scalar(data)[2:5]
    assert found.records(9) == []


LIES = {
    "records": wire.batch(bytes(400), count=57),
    "headers": wire.batch(record(headers=write_varint((1 << 31) - 1) + bytes(300))),
    "a key": wire.batch(record(headers=write_varint(2) + write_varint((1 << 31) - 1) + b"\xff" * 300)),
    "a value": wire.batch(record(value=write_varint((1 << 31) - 1)) + SMALLEST * 40, count=41),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_lies_take_no_memory(lie: bytes) -> None:
    inputs = [lie] * 50
    columnar.decode_many(inputs)
    tracemalloc.start()
    columnar.decode_many(inputs)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 * len(lie) * len(inputs) + (5 << 20)
    assert disagreements(inputs[:3]) == []


def test_bombs_take_the_limit() -> None:
    bomb = wire.batch(compression.compress("gzip", bytes(1 << 24)), attributes=1)
    tracemalloc.start()
    (said,) = together([bomb], limit=1 << 18)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert said[0] == "compression.limit"
    assert peak < 4 << 20


@pytest.mark.parametrize("codec", [0, 1, 4])
def test_more_records_than_there_may_be_take_no_memory(codec: int) -> None:
    """Kilobytes hold millions of records: the first batch that is too much is refused before others
    are unpacked."""
    count, times = 5000, 60
    batch = wire.batch(compression.compress(compression.NAMES[codec], SMALLEST * count), attributes=codec, count=count)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError) as caught:
            columnar.decode(batch * times, max_records=count)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.path_text == "record_count"
    assert peak < count * times * 30
    assert disagreements([batch * times, batch], max_records=count) == []


def test_a_negative_offset_delta_gives_the_sequence_of_java() -> None:
    """1 and a delta of -1 give -2147483648 (clients DefaultRecordBatch.incrementSequence), alone
    and among others."""
    batch = structure("record_batch").encode({"base_sequence": 1, "records": [{"offset_delta": -1}]})
    wrapper = encode([Record(1, 5)], magic=1, codec="gzip")
    for data in (batch, batch + wrapper, wrapper + batch):
        found = columnar.decode(data).records()
        assert found == scalar(data)
        assert -(1 << 31) in {one.sequence for one in found}
