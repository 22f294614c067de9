"""Columns in, bytes out: encodes many structures of one layout at once.

What is written follows from the layout alone: its plan, with a column for each field that needs
one. Lengths, counts, constants and checksums are filled in, and no field of a layout can be
forgotten. Sizes are worked out from the last field to the first, since a field may say how many
bytes follow it; then all is written, field by field.

This is the reference's encoder a second time, in another way: tests hold the two against each
other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from kafka_format.columnar import byte_moves, varints
from kafka_format.columnar.arrays import Ints, Octets, RowGroups, bounds
from kafka_format.columnar.plans import ArrayStep, ChecksumAt, ContentStep, Plan, RowStep, Step, VarintStep
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.sampler.contents import Contents, of_one_source
from kafka_format.spec.layout.model import BytesAfter, Checksum, CountOf, Field, Form

_Kind = TypeVar("_Kind")


class Items(NamedTuple):
    """The items of an array: whose they are, and their columns."""

    groups: RowGroups
    columns: Columns


class Payloads(NamedTuple):
    """Arrays whose items are bytes already, such as compressed ones: counts, and all bytes."""

    counts: Ints
    contents: Contents


Column = Ints | Contents | Items | Payloads
Columns = Mapping[str, Column]


class Encoded(NamedTuple):
    """Structures one after the other.

    Attributes:
        data: their bytes.
        bounds: where each begins, and where the last one ends.
        contents: those of each field, in the order of the layout, as slices of these bytes.
    """

    data: bytes
    bounds: Ints
    contents: Sequence[Contents] = ()

    def runs(self, groups: RowGroups) -> Encoded:
        """Return the same bytes in runs: each the structures of one owner."""
        return Encoded(self.data, self.bounds[bounds(groups.counts)])

    def cut(self) -> list[bytes]:
        """Return the bytes of each structure, or of each run."""
        return [self.data[start:end] for start, end in pairwise(self.bounds.tolist())]


def join(structures: Sequence[bytes]) -> Encoded:
    """Put structures one after the other."""
    return Encoded(b"".join(structures), bounds(np.array([len(data) for data in structures], np.int64)))


def encode(plan: Plan, count: int, columns: Columns) -> Encoded:
    """Encode structures of a layout.

    Args:
        plan: how a structure of the layout is written.
        count: how many structures.
        columns: by field, a row for each structure; for the fields within an array, a row for each
            item.

    Raises:
        ValueError: a field of the layout has no column, a column no field, or not one row for each
            structure.
        TypeError: a column is of another kind than its field.
    """
    sized = _measure(plan, count, columns)
    places, draft = bounds(sized.sizes), _Draft()
    sized.place(draft, places[:-1])
    size = int(places[-1])
    out = draft.written(size)
    if plan.checksum is not None:
        _fill_checksums(out, places, plan.checksum)
    contents = [Contents(out, at, column.lengths) for at, column in draft.contents]
    return Encoded(out[:size].tobytes(), places, contents)


class _Draft:
    """Places and contents to write: contents first, then what is around, which copying overwrites.

    Attributes:
        contents: places, and the contents that belong there.
        others: what writes something else, its places, and what it writes.
    """

    def __init__(self) -> None:
        self.contents: list[tuple[Ints, Contents]] = []
        self.others: list[tuple[Callable[[Octets, Ints, Any], None], Ints, npt.NDArray[Any]]] = []

    def written(self, size: int) -> Octets:
        """Write it all; what is after `size` bytes means nothing."""
        out = np.empty(size + byte_moves.SPILL, np.uint8)
        if self.contents:
            self._copy(out)
        for write, at, what in self.others:
            write(out, at, what)
        return out

    def _copy(self, out: Octets) -> None:
        """Copy all contents by place.

        Merging a few sorted runs, one a field, gives that order.

        Not those of no bytes: one that lies where another begins may come after that, and would
        spoil it.
        """
        at = np.concatenate([places for places, _ in self.contents])
        source, starts, lengths = of_one_source([contents for _, contents in self.contents])
        (some,) = (lengths > 0).nonzero()
        order = some.take(at.take(some).argsort(kind="stable"))
        byte_moves.copy(out, at.take(order), source, starts.take(order), lengths.take(order))


class _Sized(NamedTuple):
    """Fields whose bytes are counted: how many each structure has, and how a draft gets them."""

    sizes: Ints
    place: Callable[[_Draft, Ints], None]


def _measure(plan: Plan, count: int, columns: Columns) -> _Sized:
    if plan.drawn != columns.keys():
        wrong = ", ".join(sorted(plan.drawn ^ columns.keys()))
        raise ValueError(f"{plan.name}: the layout and the columns that were drawn for it differ in: {wrong}")
    behind = np.zeros(count, np.int64)
    steps: list[_Sized] = []
    for step in reversed(plan.steps):
        steps.append(_measure_step(step, columns, behind))
        behind = behind + _check_count(steps[-1].sizes, count)

    def place(draft: _Draft, at: Ints) -> None:
        for step in reversed(steps):
            step.place(draft, at)
            at = at + step.sizes

    return _Sized(behind, place)


def _measure_step(step: Step, columns: Columns, behind: Ints) -> _Sized:
    """Measure a step of each structure; `behind` are the bytes that follow it."""
    match step:
        case RowStep():
            return _row(step, columns, behind)
        case VarintStep(field=field):
            return _varint(_numbers(field, columns, behind))
        case ContentStep(name=name):
            return _content(_column(columns, name, Contents))
        case ArrayStep(name=name, plan=plan):
            column = columns[name]
            if isinstance(column, Payloads):
                return _content(column.contents)
            return _items(_column(columns, name, Items), plan)


def _row(step: RowStep, columns: Columns, behind: Ints) -> _Sized:
    rows = np.empty(behind.size, step.dtype)
    for field, rest in zip(step.fields, step.rests, strict=True):
        rows[field.name] = _numbers(field, columns, behind + rest)
    sizes = np.full(behind.size, step.dtype.itemsize)
    return _Sized(sizes, lambda draft, at: draft.others.append((byte_moves.write_rows, at, rows)))


def _varint(numbers: Ints) -> _Sized:
    words = varints.zigzag(numbers)
    sizes = varints.varint_sizes(words)
    return _Sized(sizes, lambda draft, at: draft.others.append((varints.write_varints, at, words)))


def _content(contents: Contents) -> _Sized:
    return _Sized(np.maximum(contents.lengths, 0), lambda draft, at: draft.contents.append((at, contents)))


def _items(column: Items, plan: Plan) -> _Sized:
    groups = column.groups
    items = _measure(plan, groups.total, column.columns)
    places = bounds(items.sizes)
    firsts = places.take(groups.firsts)
    sizes = places.take(groups.ends) - firsts
    return _Sized(sizes, lambda draft, at: items.place(draft, places[:-1] + groups.each(at - firsts)))


def _numbers(field: Field, columns: Columns, behind: Ints) -> Ints:
    """Return what a field says in each structure; `behind` are the bytes that follow it there."""
    match field:
        case Field(const=int(constant)):
            return np.full(behind.size, constant)
        case Field(computed=Checksum()):
            return np.zeros(behind.size, np.int64)
        case Field(computed=BytesAfter()):
            return behind
        case Field(computed=CountOf(array=array)):
            column = columns[array]
            counts = column.counts if isinstance(column, Payloads) else _column(columns, array, Items).groups.counts
            return _check_count(counts, behind.size)
        case Field(type=Form()):
            return _check_count(_column(columns, field.name, Contents).lengths, behind.size)
        case _:
            return _check_count(_column(columns, field.name, np.ndarray), behind.size)


def _column(columns: Columns, name: str, kind: type[_Kind]) -> _Kind:
    column = columns[name]
    if not isinstance(column, kind):
        raise TypeError(f"`{name}` needs a column of {kind.__name__}, not of {type(column).__name__}")
    return column


def _check_count(numbers: Ints, count: int) -> Ints:
    if numbers.size != count:
        raise ValueError(f"a column has {numbers.size} rows for {count} structures")
    return numbers


def _fill_checksums(out: Octets, places: Ints, checksum: ChecksumAt) -> None:
    checksum_of, view = CHECKSUMS[checksum.algorithm], out.data
    covered = zip((places[:-1] + checksum.first).tolist(), places[1:].tolist(), strict=True)
    sums = [checksum_of(view[first:end]) for first, end in covered]
    byte_moves.write_rows(out, places[:-1] + checksum.at, np.array(sums, ">u4"))
