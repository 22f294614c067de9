"""Columns in, bytes out: writes many structures of one layout at once, field by field in the layout's order.

What is written follows from the layout alone. Runs of fixed integers become rows of one numpy type; varints, contents
and arrays follow at places that the sizes before them give. Sizes are worked out from the last field to the first,
since a length counts what comes behind it; then all is written at once. Lengths, counts, constants and checksums are
filled in; every other field needs a column, so that no field of a layout is forgotten.

This is the reference's encoder told a second time, in another way: tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

import numpy as np

from kafka_format.checksums import CHECKSUMS
from kafka_format.columnar import octets
from kafka_format.columnar.arrays import Groups, Ints, Octets, bounds
from kafka_format.columnar.plans import ArrayStep, ChecksumAt, ContentStep, Plan, RowStep, Step, VarintStep
from kafka_format.layout.model import BytesAfter, Checksum, CountOf, Field, Form
from kafka_format.sampler.pool import Contents

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
    """Structures one after the other: their bytes, and where each begins and the last ends."""

    data: bytes
    bounds: Ints

    def runs(self, groups: Groups) -> Packed:
        """Return the same bytes in runs: each the structures of one owner."""
        return Packed(self.data, self.bounds[bounds(groups.counts)])


class _Part(NamedTuple):
    """Something that is measured and can be written: its size in each structure, and its writer."""

    sizes: Ints
    write: Callable[[Octets, Ints], None]


def pack(plan: Plan, count: int, columns: Columns) -> Packed:
    """Write `count` structures of a layout.

    Raises:
        ValueError: a field of the layout has no column, or a column no field.
    """
    whole = _measure(plan, count, columns)
    places = bounds(whole.sizes)
    out = np.zeros(places[-1], np.uint8)
    whole.write(out, places[:-1])
    if plan.checksum is not None:
        _fill_checksums(out, places, plan.checksum)
    return Packed(out.tobytes(), places)


def _measure(plan: Plan, count: int, columns: Columns) -> _Part:
    if plan.drawn != columns.keys():
        wrong = ", ".join(sorted(plan.drawn ^ columns.keys()))
        raise ValueError(f"{plan.name}: the layout and the columns that were drawn for it differ in: {wrong}")
    behind = np.zeros(count, np.int64)
    parts: list[_Part] = []
    for step in reversed(plan.steps):
        part = _part(step, columns, behind)
        parts.append(part)
        behind = behind + part.sizes
    return _Part(behind, lambda out, at: _write(parts[::-1], out, at))


def _write(parts: list[_Part], out: Octets, at: Ints) -> None:
    for part in parts:
        part.write(out, at)
        at = at + part.sizes


def _part(step: Step, columns: Columns, behind: Ints) -> _Part:
    match step:
        case RowStep():
            return _row(step, columns, behind)
        case VarintStep(field=field):
            words = octets.zigzag(_number(field, columns, behind))
            return _Part(octets.varint_sizes(words), lambda out, at: octets.write_varints(out, at, words))
        case ContentStep(name=name):
            return _content(_column(columns, name, Contents))
        case ArrayStep():
            return _array(step, columns)


def _row(step: RowStep, columns: Columns, behind: Ints) -> _Part:
    rows = np.empty(behind.size, step.dtype)
    for field, rest in zip(step.fields, step.rests, strict=True):
        rows[field.name] = _number(field, columns, behind, rest)
    sizes = np.full(behind.size, step.dtype.itemsize)
    return _Part(sizes, lambda out, at: octets.write_rows(out, at, rows))


def _content(contents: Contents) -> _Part:
    sizes = np.maximum(contents.lengths, 0)
    return _Part(sizes, lambda out, at: octets.copy(out, at, *contents))


def _array(step: ArrayStep, columns: Columns) -> _Part:
    column = columns[step.name]
    if isinstance(column, Encoded):
        return _content(column.contents)
    groups, item_columns = _column(columns, step.name, Items)
    items = _measure(step.plan, groups.total, item_columns)
    within = groups.running(items.sizes) - items.sizes
    return _Part(groups.sums(items.sizes), lambda out, at: items.write(out, at[groups.owners] + within))


def _number(field: Field, columns: Columns, behind: Ints, rest: int = 0) -> Ints:
    """Return what a field says in each structure; `behind` and `rest` together are the bytes behind it."""
    match field:
        case Field(const=int(constant)):
            return np.full(behind.size, constant)
        case Field(computed=BytesAfter()):
            return behind + rest
        case Field(computed=Checksum()):
            return np.zeros(behind.size, np.int64)
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


def _fill_checksums(out: Octets, places: Ints, checksum: ChecksumAt) -> None:
    starts, ends = places[:-1], places[1:]
    covered = octets.slices(out.tobytes(), starts + checksum.first, ends)
    sums = np.fromiter(map(CHECKSUMS[checksum.algorithm], covered), ">u4", len(covered))
    octets.write_rows(out, starts + checksum.at, sums)
