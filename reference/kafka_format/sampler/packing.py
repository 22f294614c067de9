"""Columns in, bytes out: writes many structures of one layout at once.

What is written follows from the layout alone: its plan, with the columns that were drawn for its fields, becomes the
parts that `writing` takes. Lengths, counts, constants and checksums are filled in; every other field needs a column, so
that no field of a layout is forgotten.

This is the reference's encoder told a second time, in another way: tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from kafka_format.columnar import byte_moves
from kafka_format.columnar.arrays import Groups, Ints, bounds
from kafka_format.columnar.plans import ArrayStep, ChecksumAt, ContentStep, Plan, RowStep, Step, VarintStep
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.sampler.pool import Contents
from kafka_format.sampler.writing import Constant, Each, Fixed, Part, Parts, Piece, Varint, Written, written
from kafka_format.spec.layout.model import BytesAfter, Checksum, CountOf, Field, Form

_Kind = TypeVar("_Kind")


class Items(NamedTuple):
    """The items of an array of layouts: whose they are, and their columns."""

    groups: Groups
    columns: Columns


class Encoded(NamedTuple):
    """An array whose items are bytes already, compressed ones for instance: how many items, and the bytes of all."""

    counts: Ints
    contents: Contents


Column = Ints | Contents | Items | Encoded
Columns = Mapping[str, Column]


class Packed(NamedTuple):
    """Structures one after the other.

    Attributes:
        data: their bytes.
        bounds: where each begins, and where the last one ends.
        contents: those of each field, in the order of the layout, as pieces of these bytes.
    """

    data: bytes
    bounds: Ints
    contents: Sequence[Contents] = ()

    def runs(self, groups: Groups) -> Packed:
        """Return the same bytes in runs: each the structures of one owner."""
        return Packed(self.data, self.bounds[bounds(groups.counts)])


def pack(plan: Plan, count: int, columns: Columns) -> Packed:
    """Write `count` structures of a layout.

    Raises:
        ValueError: a field of the layout has no column, or a column no field.
    """
    found = written(_parts(plan, columns), count)
    if plan.checksum is not None:
        _fill_checksums(found, plan.checksum)
    return Packed(found.data[: found.size].tobytes(), found.bounds, found.pieces)


def _parts(plan: Plan, columns: Columns) -> Parts:
    if plan.drawn != columns.keys():
        wrong = ", ".join(sorted(plan.drawn ^ columns.keys()))
        raise ValueError(f"{plan.name}: the layout and the columns that were drawn for it differ in: {wrong}")
    return tuple(part for step in plan.steps for part in _parts_of(step, columns))


def _parts_of(step: Step, columns: Columns) -> Iterator[Part]:
    match step:
        case RowStep(fields=fields, dtype=dtype):
            yield from (_fixed(field, dtype[field.name], columns) for field in fields)
        case VarintStep(field=field):
            yield Varint(_numbers(field, columns))
        case ContentStep(name=name):
            yield Piece(_column(columns, name, Contents))
        case ArrayStep(name=name, plan=plan):
            column = columns[name]
            if isinstance(column, Encoded):
                yield Piece(column.contents)
            else:
                items = _column(columns, name, Items)
                yield Each(items.groups, _parts(plan, items.columns))


def _fixed(field: Field, kind: np.dtype[np.generic], columns: Columns) -> Constant | Fixed:
    match field:
        case Field(const=int(constant)):
            return Constant(np.array(constant, kind).tobytes())
        case Field(computed=Checksum()):
            return Constant(bytes(kind.itemsize))
        case _:
            return Fixed(kind.str, _numbers(field, columns))


def _numbers(field: Field, columns: Columns) -> Ints | None:
    """Return what a field says in each structure; None for the bytes behind it."""
    match field:
        case Field(computed=BytesAfter()):
            return None
        case Field(computed=CountOf(array=array)):
            return _counts(columns[array])
        case Field(type=Form()):
            return _column(columns, field.name, Contents).lengths
        case _:
            numbers: Ints = _column(columns, field.name, np.ndarray)
            return numbers


def _counts(column: Column) -> Ints:
    match column:
        case Items(groups=groups):
            return groups.counts
        case Encoded(counts=counts):
            return counts
        case _:
            raise TypeError(f"an array needs Items or Encoded, not {type(column).__name__}")


def _column(columns: Columns, name: str, kind: type[_Kind]) -> _Kind:
    column = columns[name]
    if not isinstance(column, kind):
        raise TypeError(f"`{name}` needs a column of {kind.__name__}, not of {type(column).__name__}")
    return column


def _fill_checksums(found: Written, checksum: ChecksumAt) -> None:
    starts, ends = found.bounds[:-1], found.bounds[1:]
    checksum_of, view = CHECKSUMS[checksum.algorithm], found.data.data
    covered = zip((starts + checksum.first).tolist(), ends.tolist(), strict=True)
    sums = [checksum_of(view[first:end]) for first, end in covered]
    byte_moves.write_rows(found.data, starts + checksum.at, np.array(sums, ">u4"))
