"""All readers of bytes keep to their limits: consumers, brokers, conversions, explanations."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from kafka_format import compression, structure
from kafka_format.broker.consumer import deliver
from kafka_format.broker.conversion import down_convert
from kafka_format.broker.offsets import TopicState, assign, assign_positions
from kafka_format.errors import FormatError, Stage
from kafka_format.explain.lines import explain, explain_v07
from kafka_format.records import Record, encode, encode_v07

from tests.kafka_format.records.test_limits import CODECS, LIMIT, SLACK, SMALLEST, batch, compressed, peak, rle_bomb

Reader = Callable[..., Any]

READERS: dict[str, Reader] = {
    "deliver": lambda data, **limits: deliver(data, 0, **limits),
    "assign": lambda data, **limits: assign(data, 0, TopicState(magic=data[16]), **limits),
    "convert down": lambda data, **limits: down_convert(data, 0, **limits),
    "convert up": lambda data, **limits: assign(data, 0, TopicState(magic=2), **limits),
    "explain": explain,
}
READERS_OF_0_7: dict[str, Reader] = {
    "assign": lambda data, **limits: assign_positions(data, 0, **limits),
    "explain": explain_v07,
}
NONE = Record(0, -1, -1, None, b"")


def nested(entries: bytes) -> bytes:
    """A wrapper of 0.7 around these entries."""
    payload = compression.compress("gzip", entries, magic=0)
    return structure("v07_entry").encode({"message": {"magic": 1, "attributes": 1, "payload": payload}})


MANY = 10_000
"""Messages in a wrapper: to read them all costs more than a test allows."""

HOSTILE: dict[str, Callable[[], bytes]] = {
    **{f"{codec} bomb": lambda codec=codec: compressed(bytes(16 * LIMIT), 1, codec) for codec in CODECS},
    "wrapper": lambda: encode([Record(1, timestamp=1, value=bytes(16 * LIMIT))], magic=1, codec="gzip"),
    "wrapper of many": lambda: encode(
        [Record(offset, timestamp=1) for offset in range(1, MANY)], magic=1, codec="gzip"
    ),
    "100 bytes": lambda: batch(rle_bomb(8), 1, "zstd"),
    "record count": lambda: batch(SMALLEST, (1 << 31) - 1),
    "record count, compressed": lambda: compressed(SMALLEST, (1 << 31) - 1, "gzip"),
    "header count": lambda: batch(bytes.fromhex("14 00 00 00 01 01 feffffff0f"), 1),
    "last offset delta": lambda: structure("record_batch").encode(
        {"records": [{}], "last_offset_delta": (1 << 31) - 1}
    ),
}
HOSTILE_OF_0_7: dict[str, Callable[[], bytes]] = {
    "bomb": lambda: encode_v07([NONE._replace(value=bytes(16 * LIMIT))], codec="gzip"),
    "wrapper of many": lambda: encode_v07([NONE] * MANY, codec="gzip"),
    "wrapper in a wrapper": lambda: nested(nested(encode_v07([NONE] * MANY))),
}


def fault(reader: Reader, data: bytes, **limits: int) -> FormatError | None:
    """The error that a reader raises, or tells."""
    try:
        found = reader(data, **limits)
    except FormatError as error:
        return error
    told = getattr(found, "fault", None) or getattr(found, "error", None)
    assert told is None or isinstance(told, FormatError)
    return told


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("reader", READERS)
def test_hostile_bytes_cost_the_limits(reader: str, name: str) -> None:
    _costs_the_limits(READERS[reader], HOSTILE[name]())


@pytest.mark.parametrize("name", HOSTILE_OF_0_7)
@pytest.mark.parametrize("reader", READERS_OF_0_7)
def test_hostile_bytes_of_0_7_cost_the_limits(reader: str, name: str) -> None:
    _costs_the_limits(READERS_OF_0_7[reader], HOSTILE_OF_0_7[name]())


def _costs_the_limits(reader: Reader, data: bytes) -> None:
    def call() -> None:
        with contextlib.suppress(FormatError):
            reader(data, limit=LIMIT, max_records=500)

    call()
    assert peak(call) < 8 * len(data) + 4 * LIMIT + 500 * 3000 + SLACK


@pytest.mark.parametrize("reader", READERS)
def test_records_are_counted(reader: str) -> None:
    data = encode([Record(offset, 5) for offset in range(3)], magic=1, codec="gzip")
    assert fault(READERS[reader], data, max_records=3) is None
    found = fault(READERS[reader], data, max_records=2)
    assert found is not None
    assert found.stage is Stage.RESOURCE


@pytest.mark.parametrize("reader", ["deliver", "convert down"])
def test_payloads_of_a_call_share_the_limit(reader: str) -> None:
    one = encode([Record(0, 5, value=bytes(1000))], codec="gzip")
    assert fault(READERS[reader], one * 3, limit=4000) is None
    found = fault(READERS[reader], one * 4, limit=4000)
    assert found is not None
    assert (found.stage, found.entry) == (Stage.RESOURCE, 3)
