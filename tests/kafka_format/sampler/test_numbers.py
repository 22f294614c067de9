"""Numbers from words: always in range, down to and up to its ends."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from kafka_format.sampler.hashing import mix
from kafka_format.sampler.numbers import (
    LAST_TIMESTAMP,
    below,
    edges,
    one_in,
    pick,
    pick_signed,
    timestamp_deltas,
    timestamps,
    whole,
)

MOST = (1 << 64) - 1
WORDS = st.lists(st.integers(0, MOST), min_size=1, max_size=20)
MANY = mix(np.arange(100_000, dtype=np.uint64))


def words(numbers: list[int]) -> np.ndarray:
    return np.array(numbers, np.uint64)


@pytest.mark.parametrize("bits", [1, 7, 15, 31, 42, 63])
@given(drawn=WORDS)
@example(drawn=[0, MOST])
def test_numbers_stay_within_their_bits(bits: int, drawn: list[int]) -> None:
    assert all(0 <= number < 1 << bits for number in whole(words(drawn), bits).tolist())
    assert all(-(1 << bits) <= number < 1 << bits for number in pick_signed(words(drawn), bits).tolist())


@pytest.mark.parametrize("bits", [7, 15, 31, 42, 63])
def test_every_width_and_both_ends_are_met(bits: int) -> None:
    numbers = set(whole(MANY, bits).tolist())
    assert {0, (1 << bits) - 1} <= numbers
    assert {number.bit_length() for number in numbers} == set(range(bits + 1))
    assert {-(1 << bits), -1, 0, (1 << bits) - 1} <= set(pick_signed(MANY, bits).tolist())


def test_edges_are_where_encodings_change() -> None:
    border = {63, 64, 8191, 8192, (1 << 20) - 1, 1 << 20, (1 << 31) - 1, 1 << 31, (1 << 53) + 1, (1 << 63) - 1}
    assert border <= set(edges(63).tolist())
    assert max(edges(31).tolist()) == (1 << 31) - 1


@given(WORDS, st.integers(1, 1 << 40))
def test_a_number_below_a_limit_is_below_it(drawn: list[int], limit: int) -> None:
    assert all(0 <= number < limit for number in below(words(drawn), np.full(len(drawn), limit)).tolist())


def test_every_place_of_a_table_is_picked() -> None:
    assert set(pick(MANY, np.arange(1000)).tolist()) == set(range(1000))


@pytest.mark.parametrize("chances", [2, 4, 64, 256])
def test_one_in_so_many_is_about_that(chances: int) -> None:
    assert one_in(MANY, chances).mean() == pytest.approx(1 / chances, rel=0.15)


@given(WORDS, st.sampled_from([-1, 0, 1, 1 << 41, LAST_TIMESTAMP - 1, LAST_TIMESTAMP]), st.booleans())
@example(drawn=[MOST], base=-1, far=True)
@example(drawn=[0, MOST], base=LAST_TIMESTAMP, far=True)
def test_timestamps_are_valid_and_their_deltas_fit(drawn: list[int], base: int, far: bool) -> None:
    flags = np.full(len(drawn), far)
    for number in timestamp_deltas(words(drawn), np.full(len(drawn), base), flags).tolist():
        assert -1 <= base + number <= LAST_TIMESTAMP
        assert -(1 << 63) <= number < 1 << 63
    assert all(-1 <= number <= LAST_TIMESTAMP for number in timestamps(words(drawn), flags).tolist())


def test_near_timestamps_stay_where_nanoseconds_still_fit() -> None:
    near = np.zeros(MANY.size, np.bool_)
    base = timestamps(MANY, near)
    latest = base + timestamp_deltas(mix(MANY), base, near)
    assert max(base.tolist() + latest.tolist()) * 1_000_000 < 1 << 63
