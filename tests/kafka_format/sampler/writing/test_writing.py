"""What each part becomes; expected values are written out, or Python's own."""

import marshal
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format.columnar.arrays import Groups, Ints
from kafka_format.columnar.byte_moves import octets
from kafka_format.sampler import writing
from kafka_format.sampler.pool import Contents
from kafka_format.sampler.writing import (
    Constant,
    Each,
    Fixed,
    Marshalled,
    MarshalledPiece,
    Parts,
    Piece,
    Varint,
)

SOURCE = octets(bytes(range(256)))
INT64 = st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(0, 64).flatmap(
    lambda bits: st.sampled_from([-(1 << bits) - 1, -(1 << bits), (1 << bits) - 1, 1 << bits]).filter(
        lambda number: -(1 << 63) <= number < 1 << 63
    )
)


def ints(*numbers: int) -> Ints:
    return np.array(numbers, np.int64)


def contents(*lengths: int, start: int = 100) -> Contents:
    return Contents(SOURCE, np.full(len(lengths), start), ints(*lengths))


def each(parts: Parts, count: int) -> list[bytes]:
    found = writing.written(parts, count)
    return [found.data[first:last].tobytes() for first, last in pairwise(found.bounds.tolist())]


class TestParts:
    @pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 16, 17])
    def test_constants_of_every_length(self, size: int) -> None:
        data = bytes(range(200, 200 + size))
        assert each((Constant(b"<"), Constant(data), Constant(b">")), 2) == [b"<" + data + b">"] * 2

    @pytest.mark.parametrize("kind", [">i1", ">i2", ">i4", ">i8", "<i4", "<i8", ">u4"])
    def test_integers_of_fixed_size(self, kind: str) -> None:
        numbers = [0, 1, 127] if kind == ">u4" else [0, 1, -1, 127, -128]
        order, size = "little" if kind[0] == "<" else "big", int(kind[2])
        due = [number.to_bytes(size, order, signed=True) for number in numbers]
        assert each((Fixed(kind, ints(*numbers)),), len(numbers)) == due

    @pytest.mark.parametrize(
        ("number", "due"),
        [
            (0, "00"),
            (-1, "01"),
            (63, "7e"),
            (64, "8001"),
            (8191, "fe7f"),
            (8192, "808001"),
            ((1 << 55) - 1, "feffffffffffff7f"),
            (1 << 55, "808080808080808001"),
            ((1 << 62) - 1, "feffffffffffffff7f"),
            (1 << 62, "80808080808080808001"),
            (-(1 << 63), "ffffffffffffffffff01"),
        ],
    )
    def test_varints_at_the_borders_of_their_lengths(self, number: int, due: str) -> None:
        assert each((Varint(ints(number)),), 1) == [bytes.fromhex(due)]

    def test_rest_counts_what_follows_in_the_structure_alone(self) -> None:
        piece, items = Piece(contents(70, -1, 1)), Each(Groups(ints(0, 2, 0)), (Constant(b"ab"),))
        assert each((Constant(b"!"), Fixed(">i4", None), Varint(None), piece, items), 3) == [
            b"!" + (72).to_bytes(4) + b"\x8c\x01" + bytes(range(100, 170)),
            b"!" + (5).to_bytes(4) + b"\x08abab",
            b"!" + (2).to_bytes(4) + b"\x02\x64",
        ]

    @given(st.lists(INT64, min_size=1))
    def test_marshalled_integers_are_pythons_own(self, numbers: list[int]) -> None:
        assert each((Marshalled(ints(*numbers)),), len(numbers)) == [marshal.dumps(number, 2) for number in numbers]

    @pytest.mark.parametrize("length", [-1, 0, 1, 31, 32, 33, 100])
    def test_marshalled_bytes_are_pythons_own(self, length: int) -> None:
        due = None if length < 0 else SOURCE[100 : 100 + length].tobytes()
        assert each((MarshalledPiece(contents(length, length)),), 2) == [marshal.dumps(due, 2)] * 2

    @pytest.mark.parametrize("start", [0, 1, 31, 32, 33])
    def test_pieces_from_the_start_of_a_buffer_to_its_end(self, start: int) -> None:
        lengths = [0, 1, 31 - start % 32, 32, 33, 64, 256 - start]
        found = each((Piece(contents(*lengths, start=start)), Constant(b".")), len(lengths))
        assert found == [SOURCE[start : start + length].tobytes() + b"." for length in lengths]

    def test_any_negative_length_is_that_of_a_null(self) -> None:
        pieces = (Piece(contents(-1, -1000, 2)), MarshalledPiece(contents(-(1 << 40), 0, -2)))
        assert each(pieces, 3) == [b"N", b"s\0\0\0\0", b"\x64\x65N"]

    def test_pieces_are_found_where_they_were_written(self) -> None:
        inner = Each(Groups(ints(2, 1)), (Constant(b"<"), Piece(contents(5, 40, -1))))
        parts = (Piece(contents(3, 200, start=0)), Constant(b"-"), inner, Piece(contents(1, 7)))
        found = writing.written(parts, 2)
        due = [[SOURCE[0:3], SOURCE[0:200]], [SOURCE[100:105], SOURCE[100:140], SOURCE[:0]], [[100], SOURCE[100:107]]]
        for one, pieces in zip(found.pieces, due, strict=True):
            cut = [one.source[start : start + max(length, 0)] for start, length in zip(*one[1:], strict=True)]
            assert [piece.tolist() for piece in cut] == [list(piece) for piece in pieces]

    def test_items_of_items(self) -> None:
        inner = Each(Groups(ints(1, 0, 3, 0)), (Fixed(">i1", ints(1, 2, 3, 4)),))
        outer = Each(Groups(ints(2, 0, 2)), (Constant(b"["), inner, Constant(b"]")))
        assert each((outer, Constant(b";")), 3) == [b"[\1][];", b";", b"[\2\3\4][];"]

    def test_nothing(self) -> None:
        parts = (Varint(ints()), Piece(contents()), Each(Groups(ints()), (Fixed(">i4", ints()),)))
        found = writing.written(parts, 0)
        assert (found.size, found.bounds.tolist(), [one.lengths.size for one in found.pieces]) == (0, [0], [0])

    @pytest.mark.parametrize(
        "parts",
        [
            (Varint(ints(1, 2)),),
            (Fixed(">i4", ints(1, 2)),),
            (Marshalled(ints(1, 2)),),
            (Piece(contents(1, 2)),),
            (MarshalledPiece(contents(1, 2)),),
            (Constant(b"a"), Each(Groups(ints(1, 2, 0)), (Varint(ints(1, 2)),))),
        ],
    )
    def test_columns_of_another_size_are_refused(self, parts: Parts) -> None:
        with pytest.raises(ValueError, match=r"\w+: a column has 2 numbers for 3 structures"):
            writing.written(parts, 3)
