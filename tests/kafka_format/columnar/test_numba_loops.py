"""The numba loops do the same as numpy, step by step, and leave no more to the scalar decoder."""

import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import columnar, sampler
from kafka_format.columnar import entries, fallback, numba_loader, records_by_numba
from kafka_format.columnar.arrays import bounds
from kafka_format.columnar.buffer import Buffer
from kafka_format.columnar.slices import Slices
from kafka_format.columnar.utf8 import not_utf8
from kafka_format.columnar.varints import FAR, read_varints
from kafka_format.primitives.checksums import crc32c
from kafka_format.primitives.varints import VARINT, VARLONG, VarintKind, write_varint
from kafka_format.records import Header, Record, decode, encode

from tests.fuzz.mutator import Mutator
from tests.fuzz.seeds import seeds
from tests.kafka_format import wire

Inputs = Callable[[], list[bytes]]


@pytest.fixture(scope="module", autouse=True)
def _numba() -> None:
    if not numba_loader.load_numba():
        pytest.skip("numba is not here: pip install 'kafka-format-conformance[numba]'")


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
        with numba_loader.numpy_only():
            assert split(inputs(), check_crc=check_crc) == found

    @given(st.integers(0, 2**32))
    def test_they_are_those_of_numpy_in_mutated_vectors(self, number: int) -> None:
        inputs = list(islice(iter(Mutator(vectors(), number).next, None), 60))
        found = split(inputs, check_crc=True)
        with numba_loader.numpy_only():
            assert split(inputs, check_crc=True) == found

    def test_checksums_of_all_sizes_are_those_of_the_library(self) -> None:
        batches = [bytearray(wire.batch(bytes(place * 37 & 0xFF for place in range(size)))) for size in range(200)]
        for batch in batches:
            batch[17:21] = crc32c(batch[21:]).to_bytes(4)
        assert split([bytes(batch) for batch in batches], check_crc=True)[3] == []
        for batch in batches:
            batch[-1] ^= 0x10
        assert split([bytes(batch) for batch in batches], check_crc=True)[3] == list(range(200))

    @pytest.mark.parametrize("way", ["_crc32c_by_tables", "_crc32c_by_instruction"])
    def test_both_ways_to_a_checksum_are_those_of_the_library(self, way: str) -> None:
        loops = import_module("kafka_format.columnar.numba_entries")
        if way.endswith("instruction") and not loops._HAS_INSTRUCTION:
            pytest.skip("this processor has no instruction for CRC-32C")
        data = np.frombuffer(bytes(place * 37 & 0xFF for place in range(300)), np.uint8)
        words = np.ndarray((data.size - 7,), "<u8", data, 0, (1,))
        for start in range(9):
            for end in range(start, 90):
                assert getattr(loops, way)(data, words, start, end) == crc32c(data[start:end])


def varints() -> Iterator[bytes]:
    """Varints of all lengths, right and wrong, at the edges of what fits."""
    for bits in range(63):
        for number in (1 << bits, (1 << bits) - 1, -(1 << bits), -(1 << bits) - 1):
            yield write_varint(number, VARLONG)
    for count in range(12):
        yield from (b"\x80" * count + last for last in (b"\0", b"\1"))
        yield from (b"\xff" * count + last for last in (b"\0", b"\1", b"\2", b"\x0f", b"\x10", b"\x7f"))


class TestRecords:
    @pytest.mark.parametrize("kind", [VARINT, VARLONG])
    def test_varints_are_those_of_numpy(self, kind: VarintKind) -> None:
        data, at = b"".join(varints()), np.cumsum([0, *map(len, varints())])
        at = np.concatenate([at, np.arange(len(data) - 12, len(data) + 3), [FAR, FAR + 5]])
        numbers, ends = read_varints(Buffer(data), at, kind)
        beyond = at >= len(data)
        ends[beyond], numbers[beyond] = FAR, 0  # numpy reads the last byte there
        octets, read_varint = (
            np.frombuffer(data, np.uint8),
            import_module("kafka_format.columnar.numba_records").read_varint,
        )
        found = [read_varint(octets, place, kind.bits) for place in at.tolist()]
        assert found == list(zip(numbers.tolist(), np.minimum(ends, FAR).tolist(), strict=True))

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

    def test_texts_beyond_their_record_are_not_looked_at(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Else many of them would take time that grows with the square of their number."""
        seen: list[int] = []

        def remember(buffer: Buffer, contents: Slices, rows: Any, limits: int) -> Any:
            seen.extend(contents.lengths.tolist())
            return not_utf8(buffer, contents, rows, limits)

        monkeypatch.setattr(records_by_numba, "not_utf8", remember)
        sound, lying = (wire.batch(wire.record(f"00 00 00 01 01 02 {size} c3a9 01")) for size in ("04", "70"))
        found = columnar.decode_many([lying, lying, sound, lying])
        assert (seen, list(found.refusals)) == ([2], [0, 1, 3])

    @pytest.mark.parametrize("inputs", [vectors, hostile])
    def test_numba_leaves_no_more_in_doubt_than_numpy(self, inputs: Inputs, monkeypatch: pytest.MonkeyPatch) -> None:
        found = by_scalar(inputs(), monkeypatch)
        with numba_loader.numpy_only():
            assert found <= by_scalar(inputs(), monkeypatch)
