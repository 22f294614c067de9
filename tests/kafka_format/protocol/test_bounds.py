"""What lies in requests and responses costs no more memory and time than their bytes are worth."""

import gc
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pytest
from kafka_format import protocol
from kafka_format.codec.interpreter import Reader
from kafka_format.errors import FormatError
from kafka_format.explain.requests import explain_request, explain_response
from kafka_format.primitives.varints import UVARINT, write_varint

pytestmark = pytest.mark.usefixtures("engine")

MOST = b"\xff\xff\xff\xff\x07"
"""The largest unsigned varint of 31 bits."""

PER_BYTE = 1200
"""Bytes of memory that a byte may cost: an empty structure is one byte on the wire, and an object
of Python."""

SLACK = 4 << 20
"""Layouts and compiled code that the first use of an API keeps."""


def read(api: str, version: int) -> Callable[[bytes], object]:
    return protocol.request(api, version).decode


def peak(call: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        with suppress(FormatError):
            call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


LIES = {
    "count of topics": ("metadata", 1, bytes.fromhex("7fffffff")),
    "compact count of topics": ("metadata", 12, MOST),
    "length of a string": ("metadata", 1, bytes.fromhex("00000001 7fff")),
    "compact length of a string": ("metadata", 12, b"\x02" + bytes(16) + MOST),
    "length of records": (
        "produce", 3, bytes.fromhex("ffff 0001 00000000 00000001 0001 61 00000001 00000000 7fffffff")),
    "count of structures": (
        "fetch", 7, bytes.fromhex("ffffffff 00000000 00000000 00000000 00 00000000 00000000 7fffffff")),
    "count of tags": ("api_versions", 3, b"\x02a\x02b" + MOST),
    "size of a tag": ("api_versions", 3, b"\x02a\x02b\x01\x63" + MOST),
    "number of a tag": ("api_versions", 3, b"\x02a\x02b\x01" + MOST + b"\x00"),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_takes_no_memory(lie: str) -> None:
    api, version, data = LIES[lie]
    data += bytes(1000)
    protocol.request(api, version)
    assert peak(lambda: read(api, version)(data)) < SLACK
    layout = protocol.request(api, version).layout
    assert peak(lambda: Reader(data).read(layout, 0, len(data))) < SLACK


SIZE = 200_000
"""Bytes whose time is measured. Memory takes long to measure: a quarter is enough."""


def _tags(front: bytes, count: int) -> bytes:
    """Return so many unknown tagged fields without content, each of four bytes."""
    first = 16_384
    numbers = range(first, first + count)
    fields = (bytes((n & 127 | 128, n >> 7 & 127 | 128, n >> 14, 0)) for n in numbers)
    return front + _count(count) + b"".join(fields)


HOSTILE = {
    # Empty names of topics, each of 18 bytes; forgotten topics of three bytes; unknown tagged
    # fields of four.
    "empty structures": ("metadata", 9, lambda size: _count(size // 2 + 1) + b"\x01\x00" * (size // 2) + bytes(4)),
    "empty strings": ("delete_groups", 2, lambda size: _count(size + 1) + b"\x01" * size + b"\x00"),
    "tags": ("api_versions", 3, lambda size: _tags(b"\x02a\x02b", size // 4)),
    "tags beside known ones": ("fetch", 12, lambda size: _tags(FETCH, size // 4)),
}
FETCH = bytes.fromhex("ffffffff 00000000 00000000 00000000 00 00000000 00000000 01 01 01")


def _count(number: int) -> bytes:
    return write_varint(number, UVARINT)


@pytest.mark.parametrize("name", HOSTILE)
def test_many_small_things_cost_what_they_are_worth(name: str) -> None:
    api, version, make = HOSTILE[name]
    data = make(SIZE // 4)
    decode = read(api, version)
    decode(data)
    assert peak(lambda: decode(data)) < PER_BYTE * len(data)


def seconds(call: Callable[[], object]) -> float:
    """The processor's seconds of a call, the best of five, without collections of garbage."""
    best = float("inf")
    gc.disable()
    try:
        for _ in range(5):
            start = time.process_time()
            call()
            best = min(best, time.process_time() - start)
    finally:
        gc.enable()
    return best


@pytest.mark.parametrize("name", HOSTILE)
def test_time_follows_the_bytes(name: str) -> None:
    """Eight times the bytes take about eight times as long, and not 64 times."""
    api, version, make = HOSTILE[name]
    small, large = make(SIZE // 8), make(SIZE)
    decode = read(api, version)
    decode(large)
    assert seconds(lambda: decode(large)) < seconds(lambda: decode(small)) * 40  # a cache holds the small one


def test_many_partitions_are_explained_in_time_that_follows_them() -> None:
    def fetched(count: int) -> Callable[[], object]:
        partitions = [{"partition_index": number, "records": b""} for number in range(count)]
        data = protocol.encode_response("fetch", 11, {"responses": [{"topic": "t", "partitions": partitions}]})
        return lambda: explain_response(data, "fetch", 11)

    fetched(10)()
    assert seconds(fetched(1600)) < seconds(fetched(200)) * 24


def test_forwarded_requests_inside_one_another_end() -> None:
    data = bytes.fromhex("0012 0000 00000001 0001 78")
    for _ in range(3000):
        data = protocol.encode_request("envelope", 0, {"request_data": data, "client_host_address": b""})
    assert explain_request(data).fault is None
