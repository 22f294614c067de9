"""What the batches hold: each edge is met often enough, and nothing goes beyond what is valid."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest
from kafka_format import sampler, structure
from kafka_format.compression import decompress
from kafka_format.primitives.varints import VARLONG, write_varint
from kafka_format.records import decode
from kafka_format.records.entries import split

from tests.kafka_format.wire import COMMIT

BATCHES = 10_000
OFTEN = 4
"""Times that an edge has to be met among these batches, so that a run of a million meets each in
many companies."""


def width(number: int) -> int:
    """How many bytes a number takes as a varint."""
    return len(write_varint(number, VARLONG))


def sort_of(content: bytes | None) -> str:
    if content is None:
        return "null"
    return f"length of {width(len(content))}" if content else "empty"


class Met:
    """Counts what is met in batches of v2."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[Any]] = {}

    def add(self, what: str, found: Iterable[Any]) -> None:
        self.counts.setdefault(what, Counter()).update(found)

    def add_batch(self, batch: Any) -> None:
        self.add("bit", (bit for bit in range(16) if batch.attributes >> bit & 1))
        self.add("records", [len(batch.records)])
        self.add("base_offset", [width(batch.base_offset)])
        self.add("base_timestamp", [width(batch.base_timestamp), batch.base_timestamp])
        self.add("producer_id", [batch.producer_id, width(batch.producer_id)])
        self.add("producer_epoch", [batch.producer_epoch])
        self.add("partition_leader_epoch", [batch.partition_leader_epoch])
        self.add("base_sequence", [batch.base_sequence, wraps(batch)])
        self.add("offset gaps", [offset_gaps(batch)])
        records = batch.records
        self.add("record attributes", (bool(record.attributes) for record in records))
        self.add("timestamp_delta", (width(record.timestamp_delta) for record in records))
        self.add("offset_delta", (width(record.offset_delta) for record in records))
        self.add("length", (width(record.length) for record in records))
        self.add("key", (sort_of(record.key) for record in records))
        self.add("value", (sort_of(record.value) for record in records))
        self.add("header_count", (min(len(record.headers), 4) * width(len(record.headers)) for record in records))
        headers = [header for record in records for header in record.headers]
        self.add("header key", (sort_of(header.key) for header in headers))
        self.add("header value", (sort_of(header.value) for header in headers))
        self.add("header key is ASCII", (header.key.isascii() for header in headers))

    def often(self, what: str) -> set[Any]:
        return {found for found, times in self.counts[what].items() if times >= OFTEN}


def wraps(batch: Any) -> str:
    return "wraps" if batch.base_sequence + batch.last_offset_delta > (1 << 31) - 1 else "does not wrap"


def offset_gaps(batch: Any) -> tuple[bool, bool, bool]:
    """Whether offsets are missing before the first record, between records, and after the last
    one."""
    deltas = [record.offset_delta for record in batch.records] or [0]
    between = any(later - earlier > 1 for earlier, later in pairwise(deltas))
    return deltas[0] > 0, between, batch.last_offset_delta > deltas[-1]


@pytest.fixture(scope="module")
def met() -> Met:
    found = Met()
    read = structure("record_batch").decode
    for start in range(0, BATCHES, 10_000):
        block = sampler.block(30, start, 10_000, "mixed")
        for index in range(10_000):
            found.add_batch(read(block.input(index)))
    return found


LENGTHS = {"empty", "length of 1", "length of 2"}
NULLABLE = {"null", *LENGTHS}

EDGES: dict[str, set[Any]] = {
    "bit": set(range(3, 16)),
    "records": set(range(21)),
    "base_offset": set(range(1, 11)),
    "base_timestamp": {*range(1, 11), -1, 0},
    "producer_id": {*range(1, 11), -1, 0, (1 << 63) - 1},
    "producer_epoch": {-1, 0, 127, 128, 32767},
    "partition_leader_epoch": {-1, 0, 127},
    "base_sequence": {-1, 0, (1 << 31) - 1, "wraps", "does not wrap"},
    "offset gaps": {(first, between, last) for first in (0, 1) for between in (0, 1) for last in (0, 1)},
    "record attributes": {True, False},
    "timestamp_delta": set(range(1, 11)),
    "offset_delta": {1, 2, 3, 4, 5},
    "length": {1, 2},
    "key": NULLABLE,
    "value": NULLABLE,
    "header_count": {0, 1, 2, 3, 4, 8},  # 4: four or more; 8: so many that their count takes two bytes
    "header key": LENGTHS,
    "header value": NULLABLE,
    "header key is ASCII": {True, False},
}


@pytest.mark.parametrize("what", EDGES)
def test_edges_are_met(met: Met, what: str) -> None:
    missing = EDGES[what] - met.often(what)
    assert missing == set()


def test_lengths_of_three_bytes_are_met_in_large_batches() -> None:
    found = Met()
    block = sampler.block(31, 0, 600, "large")
    for index in range(len(block)):
        found.add_batch(structure("record_batch").decode(block.input(index)))
    assert 3 in found.often("length")
    assert all("length of 3" in found.often(what) for what in ("key", "value", "header value"))
    assert found.counts["header_count"][4 * 3] > 0  # 8192 headers
    assert max(found.counts["records"]) == 1000


SMALLEST = {"tiny": 61, "mixed": 61, "large": 61, "compressed": 61, "legacy": 26, "v07": 9, "hostile": 1}
LARGEST = {
    "tiny": 140,
    "mixed": 4095,
    "large": 1_200_000,
    "compressed": 600_000,
    "legacy": 600_000,
    "v07": 600_000,
    "hostile": 4000,
}


@pytest.mark.parametrize("profile", LARGEST)
def test_sizes_are_bounded(profile: str) -> None:
    block = sampler.block(32, 0, 300 if profile == "large" else 5000, profile)
    sizes = [later - earlier for earlier, later in pairwise(block.bounds.tolist())]
    assert SMALLEST[profile] <= min(sizes)
    assert max(sizes) <= LARGEST[profile]


@pytest.mark.parametrize("profile", ["tiny", "mixed", "compressed", "legacy"])
def test_offsets_and_timestamps_stay_within_what_is_valid(profile: str) -> None:
    block = sampler.block(33, 0, 2000, profile)
    greatest = least = 0
    for index in range(len(block)):
        records = decode(block.input(index))
        offsets = [record.offset for record in records]
        assert offsets == sorted(set(offsets))
        greatest = max(greatest, *offsets, 0)
        least = min(least, *(record.timestamp for record in records), 0)
    assert greatest == (1 << 63) - 2
    assert least == -1


def test_control_batches_are_transaction_markers_as_kafka_writes_them() -> None:
    (model,) = structure("record_batch").decode(COMMIT).records
    read, counts = structure("record_batch").decode, Counter[bytes]()
    block = sampler.block(34, 0, 20_000)
    for batch in (read(block.input(index)) for index in range(len(block))):
        if batch.is_control:
            (record,) = batch.records
            assert batch.is_transactional
            assert min(batch.producer_id, batch.producer_epoch) >= 0 > batch.base_sequence
            assert (batch.codec, batch.last_offset_delta, record.headers) == ("none", 0, [])
            assert (len(record.value), record.value[:2]) == (len(model.value), model.value[:2])
            counts[record.key] += 1
    abort = bytes(4)
    assert set(counts) == {abort, model.key}
    assert 200 < counts.total() < 400  # one in 64


def test_empty_batches_are_as_the_log_cleaner_leaves_them() -> None:
    block = sampler.block(35, 0, 10_000)
    batches = [structure("record_batch").decode(block.input(index)) for index in range(len(block))]
    empty = [batch for batch in batches if not batch.records]
    assert len(empty) > OFTEN
    assert {batch.base_timestamp for batch in empty} == {-1}
    assert not any(batch.is_control or batch.has_delete_horizon for batch in empty)


def test_payloads_go_over_the_block_sizes_of_the_codecs() -> None:
    block = sampler.block(36, 0, 4000, "compressed")
    longest: Counter[str] = Counter()
    for index in range(len(block)):
        codec = block.codec_of(index)
        longest[codec] = max(longest[codec], len(decompress(codec, block.input(index)[61:])))
    assert longest["snappy"] > 32 << 10
    assert longest["lz4"] > 64 << 10
    assert longest["zstd"] > 128 << 10


def test_wrappers_have_what_readers_must_put_up_with() -> None:
    block = sampler.block(37, 0, 5000, "legacy")
    counts: Counter[str] = Counter()
    for index in range(len(block)):
        data = block.input(index)
        first = next(iter(split(data)))
        entry, _ = structure("message_set_entry").read(data, first.start, first.end)
        counts[f"{block.format_of(index)} {'plain' if entry.message.codec == 'none' else 'wrapper'}"] += 1
        if entry.message.codec != "none":
            last = decode(data)[-1].offset
            counts[f"key of {block.format_of(index)}"] += entry.message.key is not None
            counts["v0 other offset"] += entry.message.magic == 0 and entry.offset != last
            counts["v1 offset 0"] += entry.message.magic == 1 and entry.offset == 0 < last
            counts["append time"] += entry.message.magic == 1 and entry.message.timestamp_type == "log_append_time"
    expected = {f"{version} {kind}" for version in ("v0", "v1") for kind in ("plain", "wrapper")}
    expected |= {"key of v0", "key of v1", "v0 other offset", "v1 offset 0", "append time"}
    assert {what for what, times in counts.items() if times >= OFTEN} == expected
