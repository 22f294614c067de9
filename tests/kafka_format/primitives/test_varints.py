"""Varints, against bytes worked out by hand and against the definition of zig-zag."""

import functools
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import strategies
from kafka_format.primitives import varints
from kafka_format.primitives.varints import (
    CONTINUED,
    EVEN_CONTINUED,
    SECOND,
    THIRD,
    VARINT,
    VARINT_KINDS,
    VARLONG,
    ZIGZAG,
    RawVarint,
    VarintKind,
    number_varint,
    quick_varint,
    read_varint,
    short_varints,
    write_varint,
)

BY_HAND = [
    (0, "00"), (-1, "01"), (1, "02"), (-2, "03"), (2, "04"),
    (63, "7e"), (-64, "7f"), (64, "8001"), (-65, "8101"), (300, "d804"),
    (8191, "fe7f"), (-8192, "ff7f"), (8192, "808001"), (-8193, "818001"),
    (2147483647, "feffffff0f"), (-2147483648, "ffffffff0f"),
]  # fmt: skip
BY_HAND_LONG = [
    (2147483648, "8080808010"), (-2147483649, "8180808010"),
    (9223372036854775807, "feffffffffffffffff01"), (-9223372036854775808, "ffffffffffffffffff01"),
]  # fmt: skip

KINDS = [VARINT, VARLONG]
NUMBERS = strategies.numbers(VARLONG.lowest, VARLONG.highest)


def by_definition(value: int) -> bytes:
    """Zig-zag: 0, -1, 1, -2 are 0, 1, 2, 3.

    Then seven bits a byte, the lowest first, and a bit that says: more.
    """
    number = 2 * value if value >= 0 else -2 * value - 1
    groups = [number % 128]
    while number := number // 128:
        groups.append(number % 128)
    return bytes([group + 128 for group in groups[:-1]] + groups[-1:])


@pytest.mark.parametrize(("value", "text"), BY_HAND)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_bytes_by_hand(kind: VarintKind, value: int, text: str) -> None:
    data = bytes.fromhex(text)
    assert write_varint(value, kind) == data
    assert read_varint(data, 0, len(data), kind) == RawVarint(value, len(data), overlong=False, excess=False)
    assert quick_varint(data, 0, kind) == (value, len(data))


@pytest.mark.parametrize(("value", "text"), BY_HAND_LONG)
def test_long_bytes_by_hand(value: int, text: str) -> None:
    data = bytes.fromhex(text)
    assert write_varint(value, VARLONG) == data
    assert read_varint(data, 0, len(data), VARLONG) == (value, len(data), False, False)
    assert quick_varint(data, 0, VARLONG) == (value, len(data))


@pytest.mark.parametrize("groups", range(1, 10))
def test_the_borders_between_lengths(groups: int) -> None:
    """So many groups hold 2**(7 * groups) numbers, half of them negative."""
    half = 1 << (7 * groups - 1)
    lengths = [len(write_varint(number, VARLONG)) for number in (-half - 1, -half, half - 1, half)]
    assert lengths == [groups + 1, groups, groups, groups + 1]


@given(NUMBERS)
def test_the_definition(value: int) -> None:
    data = by_definition(value)
    assert write_varint(value, VARLONG) == data
    assert read_varint(data, 0, len(data), VARLONG) == (value, len(data), False, False)


def unsigned(number: int) -> bytes:
    """By definition: zig-zag gives the even numbers to those that are not negative."""
    return by_definition(number // 2 if number % 2 == 0 else -number // 2)


def test_the_tables_of_the_writers() -> None:
    assert list(varints.NUMBERS) == [unsigned(number) for number in range(1 << 14)]
    assert [first[:2] for first in map(unsigned, range(1 << 14, 1 << 15))] == list(CONTINUED)
    assert [by_definition(value)[:2] for value in range(1 << 13, 1 << 14)] == list(EVEN_CONTINUED)


@pytest.mark.parametrize("kind", VARINT_KINDS.values(), ids=lambda kind: kind.name)
def test_the_tables_by_value(kind: VarintKind) -> None:
    table = short_varints(kind)
    lowest, highest = (-8192, 8191) if kind.zigzag else (-kind.plus, (1 << 14) - 1 - kind.plus)
    for value in range(lowest, highest + 1):
        assert table[value] == unsigned(kind.number(value))
    assert len(table) == highest - lowest + 1


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_numbers_that_count_up_are_kept_up_to_a_point(kind: VarintKind) -> None:
    size = len(varints.COUNTED)
    assert number_varint(size + 8192, kind) == by_definition(size + 8192)
    assert len(varints.COUNTED) == size, "a number from far off leaves the table as it is"
    for value in range(0, 1 << 18, 1000):
        assert number_varint(value, kind) == by_definition(value)
    assert len(varints.COUNTED) == 1 << 17
    assert all(written == by_definition(value) for value, written in enumerate(varints.COUNTED))


@pytest.mark.parametrize("value", [-1, -8193, (1 << 27) - 1, 1 << 27, (1 << 31) - 1])
def test_numbers_that_are_not_kept(value: int) -> None:
    assert number_varint(value, VARINT) == by_definition(value)


def test_a_number_that_does_not_fit() -> None:
    with pytest.raises(OverflowError):
        number_varint(1 << 31, VARINT)


def test_the_tables_of_the_readers() -> None:
    """A varint of one byte is in the first table, of two the XOR of two tables, of three of all;
    else there is a 0."""
    for value in [*range(-8200, 8200), *range(-(1 << 20), 1 << 20, 997), (1 << 20) - 1]:
        first, *later = by_definition(value)
        meanings = [ZIGZAG[first], *(table[byte] for table, byte in zip((SECOND, THIRD), later, strict=False))]
        assert functools.reduce(operator.xor, meanings) == value
        assert [meaning > 0 for meaning in meanings[1:2]] == [True] * (len(later) == 1) + [False] * (len(later) == 2)
        assert all(meanings[1:])
    assert SECOND[0] == 0
    assert not any(THIRD[byte] for byte in [0, *range(128, 256)])


@pytest.mark.parametrize(("kind", "value"), [(VARINT, 1 << 31), (VARINT, -(1 << 31) - 1), (VARLONG, 1 << 63)])
def test_a_value_that_does_not_fit(kind: VarintKind, value: int) -> None:
    with pytest.raises(OverflowError, match=f"{value} does not fit {kind.name}, which holds {kind.lowest} to"):
        write_varint(value, kind)


@pytest.mark.parametrize("value", [1e5, "1", None])
def test_what_is_no_whole_number(value: object) -> None:
    with pytest.raises(TypeError):
        write_varint(value)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@given(value=NUMBERS, cut=st.integers(0, 9))
def test_a_cut_varint(kind: VarintKind, value: int, cut: int) -> None:
    """It is cut by the end of its structure, whether or not bytes of something else follow."""
    data = write_varint(value % (1 << 31), kind)
    cut %= len(data)
    assert read_varint(data, 0, cut, kind) is None
    assert read_varint(data[:cut], 0, cut, kind) is None
    with pytest.raises(IndexError):
        quick_varint(data[:cut], 0, kind)


@pytest.mark.parametrize(
    ("text", "value"), [("8000", 0), ("8100", -1), ("ff00", -64), ("808000", 0), ("ff8000", -64), ("8080808000", 0)]
)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_an_overlong_varint(kind: VarintKind, text: str, value: int) -> None:
    """Its last group is zero, so it means what the shorter one means."""
    data = bytes.fromhex(text)
    assert read_varint(data, 0, len(data), kind) == RawVarint(value, len(data), overlong=True, excess=False)
    with pytest.raises(IndexError):
        quick_varint(data, 0, kind)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (VARINT, "8080808010", 0),
        (VARINT, "feffffff7f", 2147483647),
        (VARINT, "818080807f", -2013265921),  # the zig-zag of f0000001
        (VARLONG, "80808080808080808002", 0),
        (VARLONG, "ffffffffffffffffff7f", -9223372036854775808),
    ],
)
def test_excess_bits_are_dropped_and_told(kind: VarintKind, text: str, value: int) -> None:
    """Of the fifth byte of a varint four bits count, of the tenth of a varlong one (clients
    ByteUtils)."""
    raw = read_varint(bytes.fromhex(text), 0, len(text) // 2, kind)
    assert raw is not None
    assert raw.excess
    assert raw.value == value


@pytest.mark.parametrize(("kind", "longest"), [(VARINT, 5), (VARLONG, 10)], ids=["varint", "varlong"])
def test_a_varint_that_goes_on(kind: VarintKind, longest: int) -> None:
    for length in (longest, longest + 1, 100):
        data = b"\x80" * length
        raw = read_varint(data, 0, length, kind)
        assert raw is not None
        assert raw.end == -1
        with pytest.raises(IndexError):
            quick_varint(data, 0, kind)
    assert read_varint(b"\x80" * (longest - 1), 0, longest - 1, kind) is None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@given(data=st.binary(max_size=12), more=st.integers(0, 11))
def test_the_quick_reader_takes_what_is_canonical(kind: VarintKind, data: bytes, more: int) -> None:
    data = bytes(byte | 0x80 for byte in data[:more]) + data[more:]
    raw = read_varint(data, 0, len(data), kind)
    if raw is None or raw.end < 0 or raw.overlong or raw.excess:
        with pytest.raises(IndexError):
            quick_varint(data, 0, kind)
    else:
        assert quick_varint(data, 0, kind) == (raw.value, raw.end)
        assert write_varint(raw.value, kind) == data[: raw.end]
