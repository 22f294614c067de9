"""A few bytes cannot ask for much memory: both limits hold, for refused and accepted input."""

import contextlib
import gc
import struct
import tracemalloc
from collections.abc import Callable

import pytest
from kafka_format import compression, structure
from kafka_format.errors import FormatError, Stage
from kafka_format.records import Record, decode, encode, iterate
from kafka_format.spec.flags import flags

from tests.fuzz.mutator import whole

pytestmark = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["machine", "python"], indirect=True),
]

LIMIT = 1 << 18
SLACK = 200_000
"""What a first call keeps: compiled structures, contexts of codecs, small objects."""

SMALLEST = bytes.fromhex("0c 00 00 00 01 01 00")
CODECS = compression.NAMES[1:]
ALL = frozenset(flags())


def batch(payload: bytes, count: int, codec: str = "none") -> bytes:
    number = compression.NAMES.index(codec)
    head = struct.pack(">hiqqqhii", number, 0, 0, 0, -1, -1, -1, count)
    return whole(bytes(16) + b"\x02" + bytes(4) + head + payload, 2)


def compressed(plain: bytes, count: int, codec: str) -> bytes:
    return batch(compression.compress(codec, plain), count, codec)


def rle_bomb(blocks: int) -> bytes:
    """A zstd frame whose blocks say in 4 bytes what makes 128 KiB."""
    block = struct.pack("<I", 128 << 10 << 3 | 1 << 1)[:3] + b"\x00"
    last = struct.pack("<I", 128 << 10 << 3 | 1 << 1 | 1)[:3] + b"\x00"
    return bytes.fromhex("28b52ffd 00 58") + block * (blocks - 1) + last


def peak(call: Callable[[], object]) -> int:
    """Bytes that a call takes at its highest, its result included."""
    gc.collect()
    tracemalloc.start()
    with contextlib.suppress(FormatError):
        call()
    highest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return highest


def refusal(data: bytes, **limits: int) -> FormatError:
    with pytest.raises(FormatError) as caught:
        decode(data, **limits)
    return caught.value


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    for codec in CODECS:
        decode(compressed(SMALLEST, 1, codec))
        decode(compressed(SMALLEST, 1, codec), flags=ALL)
    decode(encode([Record(0)], magic=1, codec="gzip"))


@pytest.mark.parametrize("lenient", [frozenset(), ALL], ids=["strict", "all flags"])
@pytest.mark.parametrize("codec", CODECS)
def test_a_bomb_costs_the_limit(codec: str, lenient: frozenset[str]) -> None:
    bomb = compressed(bytes(16 * LIMIT), 1, codec)
    error = refusal(bomb, limit=LIMIT)
    assert (error.rule, error.stage, error.path_text) == ("compression.limit", Stage.RESOURCE, "records")
    assert peak(lambda: decode(bomb, limit=LIMIT, flags=lenient)) < len(bomb) + 4 * LIMIT + SLACK


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4"])
def test_a_bomb_in_a_wrapper_costs_the_limit(codec: str) -> None:
    bomb = encode([Record(0, timestamp=1, value=bytes(16 * LIMIT))], magic=1, codec=codec)
    assert refusal(bomb, limit=LIMIT).path_text == "message.value"
    assert peak(lambda: decode(bomb, limit=LIMIT)) < 3 * len(bomb) + 4 * LIMIT + SLACK


def test_a_bomb_of_100_bytes_costs_no_more() -> None:
    bomb = batch(rle_bomb(8), 1, "zstd")
    assert len(bomb) <= 100
    assert refusal(bomb, limit=1 << 16).rule == "compression.limit"
    assert peak(lambda: decode(bomb, limit=1 << 16)) < 4 * (1 << 16) + SLACK


def test_all_payloads_of_a_call_share_the_limit() -> None:
    record = structure("record").encode({"value": bytes(LIMIT // 4)})
    run = compressed(record, 1, "zstd") * 100
    error = refusal(run, limit=LIMIT)
    assert (error.rule, error.entry) == ("compression.limit", 3)
    assert peak(lambda: decode(run, limit=LIMIT)) < len(run) + 4 * LIMIT + SLACK


def test_entry_by_entry_each_has_the_limit() -> None:
    record = structure("record").encode({"value": bytes(LIMIT // 4)})
    run = compressed(record, 1, "zstd") * 8
    assert sum(1 for _ in iterate(run, limit=LIMIT // 2)) == 8


@pytest.mark.parametrize("codec", compression.NAMES)
def test_more_records_than_allowed_are_refused_before_they_are_made(codec: str) -> None:
    flood = compressed(SMALLEST * 3_000, 3_000, codec)
    error = refusal(flood, max_records=2_999)
    assert (error.rule, error.stage, error.offset, error.path_text) == (
        "compression.limit", Stage.RESOURCE, 57, "record_count",
    )  # fmt: skip
    assert "max_records" in str(error)
    assert peak(lambda: decode(flood, max_records=2_999)) < 2 * len(flood) + SLACK
    assert len(decode(flood, max_records=3_000)) == 3_000


@pytest.mark.parametrize("codec", ["none", "gzip", "lz4"])
def test_more_messages_than_allowed_are_refused(codec: str) -> None:
    flood = encode([Record(offset, timestamp=1) for offset in range(2_000)], magic=1, codec=codec)
    assert refusal(flood, max_records=1_999).rule == "compression.limit"
    assert len(decode(flood, max_records=2_000)) == 2_000


def test_records_of_several_entries_are_counted_together() -> None:
    run = batch(SMALLEST * 4, 4) * 3
    assert refusal(run, max_records=11).entry == 2
    assert len(decode(run, max_records=12)) == 12
    assert len(list(iterate(run, max_records=4))) == 12


def test_a_count_that_no_payload_holds_is_a_wrong_count_first() -> None:
    assert refusal(batch(SMALLEST, 2_000_000_000)).rule == "v2.record-count.within"
    assert refusal(compressed(SMALLEST, 2_000_000_000, "gzip")).rule == "v2.record-count.within"


FLOODS: dict[str, tuple[Callable[[], bytes], int]] = {
    "smallest records": (lambda: SMALLEST * 2_000, 2_000),
    "records that differ": (lambda: b"".join(map(_record, range(2_000))), 2_000),
    "smallest headers": (lambda: _headers([{"key": b"", "value": None}] * 4_000), 1),
    "headers that differ": (lambda: _headers([{"key": b"%d" % n, "value": b"%d" % n} for n in range(4_000)]), 1),
}
"""What makes payloads, and how many records they hold."""


def _record(number: int) -> bytes:
    text = b"%d" % number
    deltas = {"timestamp_delta": 300 + 1000 * number, "offset_delta": 300 + number}
    return structure("record").encode({**deltas, "key": text, "value": text})


def _headers(headers: list[dict[str, bytes | None]]) -> bytes:
    return structure("record").encode({"headers": headers})


@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("codec", compression.NAMES)
def test_what_is_accepted_costs_what_is_stated(codec: str, flood: str) -> None:
    make, count = FLOODS[flood]
    payload = make()
    data = compressed(payload, count, codec)
    limit = 0 if codec == "none" else len(payload)
    assert len(decode(data, limit=limit, max_records=count)) == count
    assert peak(lambda: decode(data, limit=limit, max_records=count)) < 3 * limit + 80 * (len(data) + limit) + SLACK


def test_records_without_headers_cost_600_bytes_each() -> None:
    make, count = FLOODS["records that differ"]
    data = batch(make(), count)
    assert peak(lambda: decode(data)) < len(data) + 600 * count + SLACK
