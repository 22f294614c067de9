"""Bytes moved at many places at once, against the same done one by one."""

import random
from itertools import accumulate

import numpy as np
import pytest
from kafka_format.columnar.byte_moves import SPILL, copy, join, octets, window, write_rows

LENGTHS = [-1, 0, *range(1, 40), 63, 64, 65, 127, 128, 129, 1000, 4095, 4096, 4097]


@pytest.mark.parametrize("gap", [0, 1, 5, 300])
def test_copies_put_right_what_copies_before_them_overwrote(gap: int) -> None:
    """There are more of them than numpy has in its buffers (8192)."""
    chance = random.Random(gap)  # noqa: S311 - chance, not secrets
    source = octets(chance.randbytes(10_000))
    lengths = chance.choices(LENGTHS, (10 if length < 40 else 1 for length in LENGTHS), k=20_000)
    starts = [chance.randrange(source.size - max(length, 0) + 1) for length in lengths]
    ends = [*accumulate(max(length, 0) + gap for length in lengths)]
    at = [end - max(length, 0) for end, length in zip(ends, lengths, strict=True)]
    out = np.full(ends[-1] + SPILL, 0xEE, np.uint8)
    copy(out, np.array(at), source, np.array(starts), np.array(lengths))
    data, written = source.tobytes(), out.tobytes()
    for place, start, length in zip(at, starts, lengths, strict=True):
        assert written[place : place + length] == data[start : start + length]
    assert written[:gap] == b"\xee" * gap


def test_joined_slices_stand_one_behind_the_other() -> None:
    data = bytes(range(1, 251)) * 40
    starts = range(0, 7 * len(LENGTHS), 7)
    text, places = join(octets(data), np.array(starts), np.array(LENGTHS))
    expected = [data[start : start + max(length, 0)] for start, length in zip(starts, LENGTHS, strict=True)]
    assert text.tobytes() == b"".join(expected)
    assert places.tolist() == [0, *accumulate(map(len, expected))]


def test_joined_slices_end_at_the_very_end_of_a_buffer() -> None:
    text, _ = join(octets(b"x" * 4 + b"thirteen byte"), np.array([17, 4, 17]), np.array([-1, 13, 0]))
    assert text.tobytes() == b"thirteen byte"


def test_nothing_is_copied_where_there_is_nothing() -> None:
    none = np.zeros(0, np.int64)
    text, places = join(octets(b""), none, none)
    assert (text.size, places.tolist()) == (0, [0])
    write_rows(np.zeros(0, np.uint8), none, np.zeros(0, ">i8"))


def test_rows_are_written_at_any_byte() -> None:
    out = np.zeros(11, np.uint8)
    write_rows(out, np.array([7, 1]), np.array([0x01020304, 0x0A0B0C0D], ">u4"))
    assert out.tobytes().hex(" ") == "00 0a 0b 0c 0d 00 00 01 02 03 04"


@pytest.mark.parametrize("width", [1, 5, 9])
def test_a_window_sees_each_byte_as_a_start(width: int) -> None:
    assert [item.tobytes() for item in window(octets(b"123456789"), width)] == [
        b"123456789"[start : start + width] for start in range(10 - width)
    ]
