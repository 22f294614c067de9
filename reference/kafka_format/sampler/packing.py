"""Columns in, bytes out: writes many structures of one layout at once, field by field in the layout's order.

What is written follows from the layout alone. Runs of fixed integers become rows of one numpy type; varints, contents
and arrays follow at places that the sizes before them give. Sizes are worked out from the last field to the first,
since a length counts what comes behind it; then all is written at once. Lengths, counts, constants and checksums are
filled in; every other field needs a column, so that no field of a layout is forgotten.

This is the reference's encoder told a second time, in another way: tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from kafka_format.checksums import CHECKSUMS
from kafka_format.columnar import octets
from kafka_format.columnar.arrays import Groups, Ints, Octets, bounds
from kafka_format.columnar.plans import ArrayStep, ChecksumAt, ContentStep, Plan, RowStep, Step, VarintStep
from kafka_format.layout.model import BytesAfter, Checksum, CountOf, Field, Form
from kafka_format.sampler.pool import Contents, of_one_source

_Kind = TypeVar("_Kind")
_Writer = Callable[[Octets, Ints, Any], None]


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


class Draft:
    """What is to be written where: contents, and then all that stands around them, since copying spoils that.

    Attributes:
        contents: places, and what belongs there.
        others: what writes something else, its places, and what it writes.
    """

    def __init__(self) -> None:
        self.contents: list[tuple[Ints, Contents]] = []
        self.others: list[tuple[_Writer, Ints, Any]] = []

    def written(self, size: int) -> Octets:
        """Write it all; what is behind `size` bytes means nothing."""
        out = np.empty(size + octets.SPILL, np.uint8)
        if self.contents:
            self._copy(out)
        for write, at, what in self.others:
            write(out, at, what)
        return out

    def _copy(self, out: Octets) -> None:
        """Copy all contents in the order of their places, for which a few runs in order, one a field, are merged."""
        at = np.concatenate([places for places, _ in self.contents])
        source, starts, lengths = of_one_source([contents for _, contents in self.contents])
        order = at.argsort(kind="stable")
        octets.copy(out, at.take(order), source, starts.take(order), lengths.take(order))


class _Part(NamedTuple):
    """Something that is measured and can be placed: its size in each structure, and what puts it into a draft."""

    sizes: Ints
    place: Callable[[Draft, Ints], None]


def pack(plan: Plan, count: int, columns: Columns) -> Packed:
    """Write `count` structures of a layout.

    Raises:
        ValueError: a field of the layout has no column, or a column no field.
    """
    whole, draft = _measure(plan, count, columns), Draft()
    places = bounds(whole.sizes)
    whole.place(draft, places[:-1])
    out = draft.written(places[-1])
    if plan.checksum is not None:
        _fill_checksums(out, places, plan.checksum)
    contents = [Contents(out, at, one.lengths) for at, one in draft.contents]
    return Packed(out[: places[-1]].tobytes(), places, contents)


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
    return _Part(behind, lambda draft, at: _place(parts[::-1], draft, at))


def _place(parts: list[_Part], draft: Draft, at: Ints) -> None:
    for part in parts:
        part.place(draft, at)
        at = at + part.sizes


def _part(step: Step, columns: Columns, behind: Ints) -> _Part:
    match step:
        case RowStep():
            return _row(step, columns, behind)
        case VarintStep(field=field):
            words = octets.zigzag(_number(field, columns, behind))
            return _Part(
                octets.varint_sizes(words), lambda draft, at: draft.others.append((octets.write_varints, at, words))
            )
        case ContentStep(name=name):
            return _content(_column(columns, name, Contents))
        case ArrayStep():
            return _array(step, columns)


def _row(step: RowStep, columns: Columns, behind: Ints) -> _Part:
    rows = np.empty(behind.size, step.dtype)
    for field, rest in zip(step.fields, step.rests, strict=True):
        rows[field.name] = _number(field, columns, behind, rest)
    sizes = np.full(behind.size, step.dtype.itemsize)
    return _Part(sizes, lambda draft, at: draft.others.append((octets.write_rows, at, rows)))


def _content(contents: Contents) -> _Part:
    sizes = np.maximum(contents.lengths, 0)
    return _Part(sizes, lambda draft, at: draft.contents.append((at, contents)))


def _array(step: ArrayStep, columns: Columns) -> _Part:
    column = columns[step.name]
    if isinstance(column, Encoded):
        return _content(column.contents)
    groups, item_columns = _column(columns, step.name, Items)
    items = _measure(step.plan, groups.total, item_columns)
    places = bounds(items.sizes)
    firsts = places.take(groups.firsts)
    sizes = places.take(groups.ends) - firsts
    return _Part(sizes, lambda draft, at: items.place(draft, places[:-1] + groups.each(at - firsts)))


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
    checksum_of, view = CHECKSUMS[checksum.algorithm], out.data
    covered = zip((starts + checksum.first).tolist(), ends.tolist(), strict=True)
    sums = [checksum_of(view[first:end]) for first, end in covered]
    octets.write_rows(out, starts + checksum.at, np.array(sums, ">u4"))
