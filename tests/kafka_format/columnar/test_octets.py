"""Bytes at many places at once, against the same done one by one."""

import numpy as np
import pytest
from kafka_format.columnar.octets import copy, octets, varint_sizes, window, write_rows, write_varints, zigzag
from kafka_format.primitives import VARLONG, write_varint

LENGTHS = [-1, 0, *range(1, 40), 63, 64, 65, 127, 128, 129, 1000, 4095, 4096, 4097]
NUMBERS = sorted(
    {sign * (1 << bits) + step for bits in range(63) for sign in (1, -1) for step in (-1, 0, 1)}
    | {(1 << 63) - 1, -(1 << 63)}
)


def test_copies_have_the_length_that_was_asked_for_and_spare_the_neighbours() -> None:
    source = octets(bytes(range(1, 251)) * 40)
    lengths = np.array(LENGTHS, np.int64)
    starts = np.arange(len(LENGTHS)) * 7
    sizes = np.maximum(lengths, 0) + 3  # two untouched bytes before each copy, one behind
    at = np.cumsum(sizes) - sizes + 2
    out = np.zeros(int(sizes.sum()), np.uint8)
    copy(out, at, source, starts, lengths)
    expected = [
        b"\0\0" + source.tobytes()[start : start + max(length, 0)] + b"\0"
        for start, length in zip(starts, LENGTHS, strict=True)
    ]
    assert out.tobytes() == b"".join(expected)


def test_copies_at_the_very_ends_of_both_buffers() -> None:
    out = np.zeros(13, np.uint8)
    copy(out, np.array([0]), octets(b"x" * 4 + b"thirteen byte"), np.array([4]), np.array([13]))
    assert out.tobytes() == b"thirteen byte"


def test_nothing_is_copied_where_there_is_nothing() -> None:
    none = np.zeros(0, np.int64)
    copy(np.zeros(0, np.uint8), none, octets(b""), none, none)
    write_rows(np.zeros(0, np.uint8), none, np.zeros(0, ">i8"))
    write_varints(np.zeros(0, np.uint8), none, np.zeros(0, np.uint64))


def test_rows_are_written_at_any_byte() -> None:
    out = np.zeros(11, np.uint8)
    write_rows(out, np.array([7, 1]), np.array([0x01020304, 0x0A0B0C0D], ">u4"))
    assert out.tobytes().hex(" ") == "00 0a 0b 0c 0d 00 00 01 02 03 04"


@pytest.mark.parametrize("width", [1, 5, 9])
def test_a_window_sees_each_byte_as_a_start(width: int) -> None:
    assert [item.tobytes() for item in window(octets(b"123456789"), width)] == [
        b"123456789"[start : start + width] for start in range(10 - width)
    ]


def test_varints_are_those_of_the_reference() -> None:
    expected = [write_varint(number, VARLONG) for number in NUMBERS]
    words = zigzag(np.array(NUMBERS, np.int64))
    sizes = varint_sizes(words)
    assert sizes.tolist() == [len(one) for one in expected]
    out = np.zeros(int(sizes.sum()), np.uint8)
    write_varints(out, np.cumsum(sizes) - sizes, words)
    assert out.tobytes() == b"".join(expected)
