"""Writes part by part, for all structures at once.

Sizes are worked out from the last part to the first, since a part may say how many bytes follow it; then all is written
at once. Neighbours of fixed size are written as one row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kafka_format.columnar import byte_moves, varints
from kafka_format.columnar.arrays import Groups, Ints, Octets, Words, bounds
from kafka_format.sampler.pool import Contents, of_one_source
from kafka_format.sampler.writing.parts import (
    DIGIT_BITS,
    MARSHAL_BYTES,
    MARSHAL_INT,
    MARSHAL_LONG,
    MARSHAL_NONE,
    MARSHAL_TAG,
    MOST_DIGITS,
    Constant,
    Each,
    Fixed,
    Marshalled,
    MarshalledPiece,
    Part,
    Parts,
    Piece,
    Varint,
    Written,
)

_Writer = Callable[[Octets, Ints, Any], None]

_TAGGED = np.dtype([("tag", "u1"), ("number", "<i4")])
_INT32 = 1 << 31
_DIGIT = np.uint64((1 << DIGIT_BITS) - 1)
_FEWEST_DIGITS = 3
"""Digits of an integer that is not an int32."""


class _Draft:
    """What is to be written where: contents, and then all that stands around them, since copying spoils that.

    Attributes:
        pieces: places and what belongs there, for `Piece`s.
        contents: the same for all contents.
        others: what writes something else, its places, and what it writes.
    """

    def __init__(self) -> None:
        self.pieces: list[tuple[Ints, Contents]] = []
        self.contents: list[tuple[Ints, Contents]] = []
        self.others: list[tuple[_Writer, Ints, Any]] = []

    def written(self, size: int) -> Octets:
        """Write it all; what is behind `size` bytes means nothing."""
        out = np.empty(size + byte_moves.SPILL, np.uint8)
        if self.contents:
            self._copy(out)
        for write, at, what in self.others:
            write(out, at, what)
        return out

    def _copy(self, out: Octets) -> None:
        """Copy all contents in the order of their places, for which a few runs in order, one a part, are merged.

        Not those of no bytes: one that lies where another begins may come behind that, and would spoil it.
        """
        at = np.concatenate([places for places, _ in self.contents])
        source, starts, lengths = of_one_source([contents for _, contents in self.contents])
        (some,) = (lengths > 0).nonzero()
        order = some.take(at.take(some).argsort(kind="stable"))
        byte_moves.copy(out, at.take(order), source, starts.take(order), lengths.take(order))

    def rows(self, at: Ints, rows: npt.NDArray[np.void]) -> None:
        """Have rows written."""
        self.others.append((byte_moves.write_rows, at, rows))


class _Row(NamedTuple):
    """Neighbours of fixed size."""

    parts: tuple[Constant | Fixed, ...]


class _Measured(NamedTuple):
    """Neighbouring parts that are measured and can be placed: sizes in each structure, and what drafts them."""

    sizes: Ints
    place: Callable[[_Draft, Ints], None]


def written(parts: Parts, count: int) -> Written:
    """See `writing.written`."""
    whole, draft = _measure(parts, count), _Draft()
    places = bounds(whole.sizes)
    whole.place(draft, places[:-1])
    out = draft.written(int(places[-1]))
    return Written(out, places, tuple(Contents(out, at, one.lengths) for at, one in draft.pieces))


def _measure(parts: Parts, count: int) -> _Measured:
    behind = np.zeros(count, np.int64)
    found: list[_Measured] = []
    for part in reversed(list(_merged(parts))):
        found.append(_measured(part, behind))
        behind = behind + found[-1].sizes
    return _Measured(behind, lambda draft, at: _place(found[::-1], draft, at))


def _place(found: list[_Measured], draft: _Draft, at: Ints) -> None:
    for one in found:
        one.place(draft, at)
        at = at + one.sizes


def _merged(parts: Parts) -> Iterator[_Row | Part]:
    """Make a row of neighbours of fixed size."""
    for fixed, group in groupby(parts, lambda part: isinstance(part, Constant | Fixed)):
        if fixed:
            yield _Row(tuple(part for part in group if isinstance(part, Constant | Fixed)))
        else:
            yield from group


def _measured(part: _Row | Part, behind: Ints) -> _Measured:
    match part:
        case _Row(parts):
            return _row(parts, behind)
        case Varint(numbers):
            return _varint(behind if numbers is None else numbers)
        case Piece(contents):
            return _piece(contents)
        case Marshalled(numbers):
            return _marshalled(numbers)
        case MarshalledPiece(contents):
            return _marshalled_piece(contents)
        case Each(groups, parts):
            return _each(groups, parts)
        case _:
            raise TypeError(f"{type(part).__name__} stands alone")


def _row(parts: tuple[Constant | Fixed, ...], behind: Ints) -> _Measured:
    dtype = np.dtype([(str(place), _kind(part)) for place, part in enumerate(parts)])
    rows, rest = np.empty(behind.size, dtype), dtype.itemsize
    for place, part in enumerate(parts):
        rest -= part.size
        rows[str(place)] = _value(part, behind, rest)
    return _Measured(np.full(behind.size, dtype.itemsize), lambda draft, at: draft.rows(at, rows))


def _kind(part: Constant | Fixed) -> str:
    return f"V{part.size}" if isinstance(part, Constant) else part.kind


def _value(part: Constant | Fixed, behind: Ints, rest: int) -> np.void | Ints:
    if isinstance(part, Constant):
        return np.void(part.data)
    return behind + rest if part.numbers is None else part.numbers


def _varint(numbers: Ints) -> _Measured:
    words = varints.zigzag(numbers)
    return _Measured(
        varints.varint_sizes(words), lambda draft, at: draft.others.append((varints.write_varints, at, words))
    )


def _piece(contents: Contents) -> _Measured:
    def place(draft: _Draft, at: Ints) -> None:
        draft.contents.append((at, contents))
        draft.pieces.append((at, contents))

    return _Measured(np.maximum(contents.lengths, 0), place)


def _each(groups: Groups, parts: Parts) -> _Measured:
    items = _measure(parts, groups.total)
    places = bounds(items.sizes)
    firsts = places.take(groups.firsts)
    sizes = places.take(groups.ends) - firsts
    return _Measured(sizes, lambda draft, at: items.place(draft, places[:-1] + groups.each(at - firsts)))


def _marshalled(numbers: Ints) -> _Measured:
    """Write each as an int32; then over some of them the head of a greater one, and its digits."""
    (far,) = ((numbers + _INT32).view(np.uint64) >= 2 * _INT32).nonzero()
    magnitudes = np.abs(numbers[far]).view(np.uint64)
    digits = np.full(far.size, _FEWEST_DIGITS)
    for count in range(_FEWEST_DIGITS, MOST_DIGITS):
        digits += magnitudes >= 1 << DIGIT_BITS * count
    sizes = np.full(numbers.size, MARSHAL_TAG)
    sizes[far] += 2 * digits

    def place(draft: _Draft, at: Ints) -> None:
        draft.rows(at, _tagged(MARSHAL_INT, numbers))
        at = at[far]
        draft.rows(at, _tagged(MARSHAL_LONG, np.where(numbers[far] < 0, -digits, digits)))
        for count in range(_FEWEST_DIGITS, MOST_DIGITS + 1):
            (here,) = (digits == count).nonzero()
            draft.rows(at[here] + MARSHAL_TAG, _digits(magnitudes[here], count))

    return _Measured(sizes, place)


def _digits(magnitudes: Words, count: int) -> npt.NDArray[np.void]:
    rows = np.empty((magnitudes.size, count), "<u2")
    for place in range(count):
        rows[:, place] = magnitudes >> np.uint64(DIGIT_BITS * place) & _DIGIT
    return rows.view(f"V{2 * count}").reshape(-1)


def _marshalled_piece(contents: Contents) -> _Measured:
    null = contents.lengths < 0
    sizes = np.where(null, 1, contents.lengths + MARSHAL_TAG)

    def place(draft: _Draft, at: Ints) -> None:
        draft.contents.append((at + MARSHAL_TAG, contents))
        (some,), (none,) = (~null).nonzero(), null.nonzero()
        draft.rows(at[some], _tagged(MARSHAL_BYTES, contents.lengths[some]))
        draft.rows(at[none], np.full(none.size, MARSHAL_NONE, "u1").view("V1"))

    return _Measured(sizes, place)


def _tagged(tag: int, numbers: Ints) -> npt.NDArray[np.void]:
    rows = np.empty(numbers.size, _TAGGED)
    rows["tag"], rows["number"] = tag, numbers
    return rows
