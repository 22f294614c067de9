"""Varints at many places at once, against those of the reference, one by one."""

import numpy as np
from kafka_format.columnar.buffer import Buffer
from kafka_format.columnar.varints import FAR, read_varints, varint_sizes, write_varints, zigzag
from kafka_format.primitives.varints import VARINT, VARLONG, write_varint

NUMBERS = sorted(
    {sign * (1 << bits) + step for bits in range(63) for sign in (1, -1) for step in (-1, 0, 1)}
    | {(1 << 63) - 1, -(1 << 63)}
)


def test_varints_are_those_of_the_reference() -> None:
    expected = [write_varint(number, VARLONG) for number in NUMBERS]
    words = zigzag(np.array(NUMBERS, np.int64))
    sizes = varint_sizes(words)
    assert sizes.tolist() == [len(sample) for sample in expected]
    out = np.zeros(int(sizes.sum()), np.uint8)
    write_varints(out, np.cumsum(sizes) - sizes, words)
    assert out.tobytes() == b"".join(expected)


def test_varints_are_read_as_they_were_written() -> None:
    expected = [write_varint(number, VARLONG) for number in NUMBERS]
    ends = np.cumsum([len(varint) for varint in expected])
    starts = ends - [len(varint) for varint in expected]
    numbers, behind = read_varints(Buffer(b"".join(expected)), starts, VARLONG)
    assert (numbers.tolist(), behind.tolist()) == (NUMBERS, ends.tolist())


def test_what_does_not_fit_32_bits_is_far() -> None:
    small = [number for number in NUMBERS if -(1 << 31) <= number < 1 << 31]
    for number in NUMBERS:
        (read,), (behind,) = read_varints(Buffer(write_varint(number, VARLONG) + bytes(8)), np.zeros(1, int), VARINT)
        assert (read, behind == FAR) == ((number, False) if number in small else (0, True))


def test_nothing_is_written_where_there_is_nothing() -> None:
    write_varints(np.zeros(0, np.uint8), np.zeros(0, np.int64), np.zeros(0, np.uint64))
