"""False lengths and counts cost nothing: neither memory nor time follows what bytes only claim."""

import struct
import time
import tracemalloc
from collections.abc import Callable

import pytest
from kafka_format import compression, structure
from kafka_format.errors import FormatError
from kafka_format.records import decode

from tests.kafka_format.wire import RECORD, batch, checked, entry, gzip, message, nullable, record, wrapper

HUGE = (1 << 31) - 1
VARINT = "feffffff0f"  # HUGE
ENOUGH = 1 << 20
"""Bytes that refusing a small input may take, whatever it claims: tracebacks, the error, and small
tables."""


def refuse(read: Callable[[bytes], object], data: bytes) -> None:
    with pytest.raises(FormatError):
        read(data)


def peak(read: Callable[[bytes], object], data: bytes) -> int:
    """The most memory that refusing takes; once before, so that nothing is compiled meanwhile."""
    refuse(read, data)
    tracemalloc.start()
    try:
        refuse(read, data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


LIES: dict[str, tuple[str, bytes]] = {
    "records of a batch": ("record_batch", batch(RECORD, count=HUGE)),
    "records of a compressed batch": ("record_batch", batch(gzip(RECORD), attributes=1, count=HUGE)),
    "records that are there, and one more": ("record_batch", batch(RECORD * 1000, count=1001)),
    "length of a batch": ("record_batch", struct.pack(">qi", 0, HUGE) + batch(RECORD)[12:]),
    "length of a record": ("record", bytes.fromhex(VARINT) + RECORD),
    "length of a key": ("record", record(f"00 00 00 {VARINT}")),
    "length of a value": ("record", record(f"00 00 00 01 {VARINT}")),
    "headers": ("record", record(f"00 00 00 01 01 {VARINT}")),
    "length of a header key": ("record", record(f"00 00 00 01 01 02 {VARINT}")),
    "length of a legacy key": ("message_v0", checked(b"\0\0" + struct.pack(">i", HUGE) + nullable(b""))),
    "length of a legacy value": ("message_v1", checked(b"\1\0" + bytes(8) + nullable(b"") + struct.pack(">i", HUGE))),
    "inputs of a block": ("decode_request", struct.pack(">bibi", 68, 0, 0, HUGE)),
    "records of an answer": ("answer", struct.pack(">i", HUGE)),
}


@pytest.mark.parametrize("case", LIES)
def test_a_lie_takes_no_memory(case: str) -> None:
    name, data = LIES[case]
    assert peak(structure(name).decode, data) < ENOUGH


RUNS: dict[str, bytes] = {
    "records of a batch": batch(RECORD, count=HUGE),
    "size 13 after a batch": batch(RECORD) + struct.pack(">qi", 0, 13),
    "length of an inner message": wrapper(1, 5, struct.pack(">qi", 0, HUGE) + message(1, b"")),
    "xerial chunk": batch(bytes.fromhex("82534e4150505900 00000001 00000001 7fffffff 00"), attributes=2),
    "snappy block": entry(0, message(0, bytes.fromhex("ffffffff0f 00"), attributes=2)),
}


@pytest.mark.parametrize("case", RUNS)
def test_a_lie_in_a_run_takes_no_memory(case: str) -> None:
    assert peak(decode, RUNS[case]) < ENOUGH


@pytest.mark.parametrize("codec", compression.NAMES[1:])
def test_a_payload_that_grows_is_stopped_at_the_limit(codec: str) -> None:
    """50 MB of zeros; what is allowed is a megabyte, what it takes is not much more."""
    limit = 1 << 20
    data = batch(compression.compress(codec, bytes(50 << 20)), attributes=compression.NAMES.index(codec))
    assert peak(lambda data: decode(data, limit=limit), data) < len(data) * 4 + 16 * limit


def took(data: bytes) -> float:
    """Seconds that refusing takes, the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        refuse(structure("record").decode, data)
        best = min(best, time.perf_counter() - start)
    return best


@pytest.mark.parametrize("tail", [b"\x80", b"\xff"])
def test_a_hundred_thousand_bytes_that_go_on(tail: bytes) -> None:
    """A varint ends after ten bytes, so the others are never looked at: refusing is as fast as for
    a hundred."""
    refuse(structure("record").decode, tail * 100)
    assert took(tail * 100_000) < took(tail * 100) * 20 + 0.001


def test_time_follows_the_bytes() -> None:
    """Eight times as many records, with a fault in the last, take about eight times as long, and
    not 64 times."""

    def faulty(count: int) -> bytes:
        return batch(RECORD * (count - 1) + record("00 00 00 03 01 00"), count=count)

    def seconds(data: bytes) -> float:
        best = float("inf")
        for _ in range(5):
            start = time.process_time()
            refuse(decode, data)
            best = min(best, time.process_time() - start)
        return best

    seconds(faulty(10))
    assert seconds(faulty(8000)) < seconds(faulty(1000)) * 24
