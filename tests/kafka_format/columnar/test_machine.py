"""The layout machine does the same as numpy, step by step, and leaves no more in doubt."""

import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import columnar, sampler
from kafka_format.codec.readings import engine, load_machine
from kafka_format.columnar import entries, fallback, records_by_machine
from kafka_format.columnar.arrays import bounds
from kafka_format.primitives.checksums import crc32c
from kafka_format.primitives.varints import VARLONG, write_varint
from kafka_format.records import Header, Record, decode, encode

from tests.fuzz.mutator import Mutator
from tests.fuzz.seeds import seeds
from tests.kafka_format import wire

Inputs = Callable[[], list[bytes]]


pytestmark = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["machine"], indirect=True),
]


@cache
def vectors() -> list[bytes]:
    return seeds(("v0", "v1", "v2"))


@cache
def hostile() -> list[bytes]:
    block = sampler.block(7, 0, 2000, "hostile")
    return [block.input(index) for index in range(len(block))]


def short() -> list[bytes]:
    return [b"", b"\0", b"\0" * 7, wire.V2, b""]


def split(inputs: list[bytes], *, check_crc: bool) -> tuple[list[int], ...]:
    places = bounds(np.array([len(data) for data in inputs], np.int64))
    starts, ends, groups, wrong = entries.split(b"".join(inputs), places[:-1], places[1:], check_crc=check_crc)
    return starts.tolist(), ends.tolist(), groups.counts.tolist(), wrong.tolist()


def by_scalar(inputs: list[bytes], monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The entries that are left to the scalar decoder."""
    left: set[int] = set()
    read = fallback.Scalar.read

    def remember(self: Any, owner: int, index: int, budget: Any) -> Any:
        left.add(index)
        return read(self, owner, index, budget)

    with monkeypatch.context() as patched:
        patched.setattr(fallback.Scalar, "read", remember)
        columnar.decode_many(inputs)
    return left


class TestEntries:
    @pytest.mark.parametrize("check_crc", [True, False])
    @pytest.mark.parametrize("inputs", [vectors, hostile, short])
    def test_they_are_those_of_numpy(self, inputs: Inputs, check_crc: bool) -> None:
        found = split(inputs(), check_crc=check_crc)
        with engine("python"):
            assert split(inputs(), check_crc=check_crc) == found

    @given(st.integers(0, 2**32))
    def test_they_are_those_of_numpy_in_mutated_vectors(self, number: int) -> None:
        inputs = list(islice(iter(Mutator(vectors(), number).next, None), 60))
        found = split(inputs, check_crc=True)
        with engine("python"):
            assert split(inputs, check_crc=True) == found

    def test_checksums_of_all_sizes_are_those_of_the_library(self) -> None:
        batches = [bytearray(wire.batch(bytes(place * 37 & 0xFF for place in range(size)))) for size in range(200)]
        for batch in batches:
            batch[17:21] = crc32c(batch[21:]).to_bytes(4)
        assert split([bytes(batch) for batch in batches], check_crc=True)[3] == []
        for batch in batches:
            batch[-1] ^= 0x10
        assert split([bytes(batch) for batch in batches], check_crc=True)[3] == list(range(200))

    @pytest.mark.parametrize("by_tables", [True, False])
    def test_both_ways_to_a_checksum_are_those_of_the_library(self, by_tables: bool) -> None:
        checksum = load_machine().crc32c
        data = bytes(place * 37 & 0xFF for place in range(2000))
        for start in range(9):
            for end in (*range(start, 90), *range(760, 790), 1530, 1540, 2000):
                assert checksum(data[start:end], by_tables) == crc32c(data[start:end])


def varints() -> Iterator[bytes]:
    """Varints of all lengths, right and wrong, at the edges of what fits."""
    for bits in range(63):
        for number in (1 << bits, (1 << bits) - 1, -(1 << bits), -(1 << bits) - 1):
            yield write_varint(number, VARLONG)
    for count in range(12):
        yield from (b"\x80" * count + last for last in (b"\0", b"\1"))
        yield from (b"\xff" * count + last for last in (b"\0", b"\1", b"\2", b"\x0f", b"\x10", b"\x7f"))


class TestRecords:
    @pytest.mark.parametrize("place", [3, 4, 5, 6])
    def test_varints_are_taken_or_left_as_by_numpy(self, place: int) -> None:
        """As deltas of timestamp and offset, as the length of a key and the count of headers."""
        fields = ["00", "00", "00", "01", "01", "00"]
        batches = []
        for varint in varints():
            fields[place - 2] = varint.hex()
            batches.append(wire.batch(wire.record(" ".join(fields))))
        found = columnar.decode_many(batches)
        with engine("python"):
            expected = columnar.decode_many(batches)
        assert [str(error) for error in found.refusals.values()] == [str(error) for error in expected.refusals.values()]
        assert found.columns.records() == expected.columns.records()

    @pytest.mark.parametrize("count", [40, 600, 4000])
    def test_headers_take_as_many_blocks_as_they_need(self, count: int) -> None:
        one, none = Record(0, headers=(Header(b"k", None),) * count), Record(0)
        data = b"".join(encode([record]) for record in (one, one, none, one, none))
        assert columnar.decode(data).records() == decode(data)

    def test_headers_that_are_not_there_take_no_memory(self) -> None:
        data = encode([Record(0, value=bytes(4 << 20))])
        columnar.decode(data)
        tracemalloc.start()
        columnar.decode(data)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < len(data)

    @pytest.mark.parametrize("inputs", [vectors, hostile])
    def test_it_leaves_no_more_in_doubt_than_numpy(self, inputs: Inputs, monkeypatch: pytest.MonkeyPatch) -> None:
        found = by_scalar(inputs(), monkeypatch)
        with engine("python"):
            assert found <= by_scalar(inputs(), monkeypatch)


class TestArrays:
    """Whatever is handed over, nothing is read or written beyond it."""

    def call(self, **other: Any) -> Any:
        program = records_by_machine.program()
        assert program is not None
        ints, few, flags = np.int64, np.int32, np.bool_
        given = {
            "data": wire.V2, "starts": np.array([61], ints), "ends": np.array([len(wire.V2)], ints),
            "counts": np.ones(1, ints), "firsts": np.zeros(1, ints), "bases": np.zeros((2, 1), ints),
            "sound": np.ones(1, flags), "numbers": np.zeros((2, 1), ints), "begins": np.zeros((2, 1), ints),
            "lengths": np.zeros((2, 1), few), "header_counts": np.zeros(1, few), "owners": np.zeros(1, few),
            "header_begins": np.zeros((2, 4), ints), "header_lengths": np.zeros((2, 4), few), "first": 0,
        }  # fmt: skip
        return program.columns(*(given | other).values())

    def test_they_are_taken(self) -> None:
        assert self.call()[0] == 1

    @pytest.mark.parametrize(
        "other",
        [
            {"starts": np.array([-1])}, {"starts": np.array([1 << 40])}, {"ends": np.array([1 << 40])},
            {"ends": np.array([60])}, {"counts": np.array([-1])}, {"counts": np.array([2])},
            {"counts": np.array([1 << 62])}, {"firsts": np.array([-1])}, {"firsts": np.array([1])},
            {"firsts": np.array([1 << 62])}, {"bases": np.zeros(1, np.int64)}, {"sound": np.ones(0, np.bool_)},
            {"begins": np.zeros(1, np.int64)}, {"lengths": np.zeros(1, np.int32)}, {"first": -1}, {"first": 2},
            {"header_counts": np.zeros(0, np.int32)}, {"owners": np.zeros(0, np.int32)}, {"first": "0"}, {"data": 5},
            {"header_lengths": np.zeros(7, np.int32)}, {"sound": b"\1"}, {"starts": np.zeros((4, 4), np.int64)[:, 1]},
        ],
        ids=str,
    )  # fmt: skip
    def test_what_does_not_fit_is_refused(self, other: dict[str, Any]) -> None:
        with pytest.raises((ValueError, TypeError, BufferError)):
            self.call(**other)
