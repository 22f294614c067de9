"""The fields of many structures of one layout, field by field, in the order of the layout.

A structure begins where the field before it ended, so one list of positions is all that has to be
kept. Whatever is wrong with a structure moves its position to `FAR`. One whose position is not its
end when all fields are read is in doubt, and nothing that was read of it means anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

import numpy as np

from kafka_format.columnar import numba_loader
from kafka_format.columnar.arrays import Ints, RowGroups
from kafka_format.columnar.buffer import Buffer
from kafka_format.columnar.plans import ArrayStep, ContentStep, Plan, RowStep, Step, VarintStep
from kafka_format.columnar.slices import Slices, empty_columns
from kafka_format.columnar.utf8 import doubtful_texts, not_utf8
from kafka_format.columnar.varints import FAR, read_varints
from kafka_format.errors import LayoutError
from kafka_format.primitives.varints import VarintKind
from kafka_format.spec.layout.model import Field, Form, Type, Varint

CHUNK: Final = 1 << 14
"""Structures that are read at once: what is known of them then stays in the cache of the
processor."""

_FEW: Final = 16
_SOME: Final = 8
"""Where fewer structures than `_FEW` have more items than `_SOME`, these are left in doubt: numpy
would be slow."""


class FieldReader:
    """Structures that are being read: where each one is, and what was read of them.

    Attributes:
        at: the next byte of each structure that is to be read; `FAR` or more if something was
            wrong.
        columns: by the name of the field: numbers, or `Slices`.
    """

    def __init__(self, buffer: Buffer, at: Ints, ends: Ints) -> None:
        """Begin at these places; `ends` says where each structure must end."""
        self.at = at
        self.columns: dict[str, Any] = {}
        self._buffer = buffer
        self._ends = ends

    def read(self, steps: Iterable[Step]) -> None:
        """Read some fields. Integers of fixed size are passed over.

        Raises:
            LayoutError: a field cannot be read, or one that is passed over would have to be
                checked.
        """
        for varying, run in groupby(steps, lambda step: isinstance(step, VarintStep | ContentStep)):
            if not varying:
                self._pass(run)
            elif numba_loader.loops():
                self._read_by_numba(list(run))
            else:
                self._read(run)

    def _pass(self, steps: Iterable[Step]) -> None:
        for step in steps:
            if not isinstance(step, RowStep):
                raise _not_readable(f"`{step}` is not the last field")
            for field in step.fields:
                if isinstance(field.type, Form) or (field.const, field.minimum, field.computed) != (None, None, None):
                    raise _not_readable(f"`{field.name}` cannot be passed over", field.line)
            self.at = self.at + step.dtype.itemsize

    def _read(self, steps: Iterable[Step]) -> None:
        for step in steps:
            match step:
                case VarintStep(field=Field(type=Form()) as field):
                    self._content(field)
                case VarintStep(field=field):
                    self.columns[field.name], self.at = read_varints(self._buffer, self.at, kind_of(field))
                case ContentStep():
                    self._check_text(step)

    def _content(self, field: Field) -> None:
        """Read the length of a content, and pass over its bytes."""
        lengths, starts = read_varints(self._buffer, self.at, kind_of(field))
        self.columns[field.name] = Slices(starts, lengths)
        smallest, shortest = _smallest(field), np.minimum.reduce(lengths, initial=0)
        self.at = starts + (np.maximum(lengths, 0) if shortest < 0 else lengths)
        if shortest < smallest:
            self.at[lengths < smallest] = FAR

    def _read_by_numba(self, steps: Sequence[Step]) -> None:
        fields = [step.field for step in steps if isinstance(step, VarintStep)]
        starts, numbers, self.at = read_by_numba(self._buffer, fields, self.at, np.ones(self.at.size, np.int64))
        for field, start, number in zip(fields, starts, numbers, strict=True):
            self.columns[field.name] = Slices(start, number) if isinstance(field.type, Form) else number
        for step in steps:
            if isinstance(step, ContentStep):
                self._check_text(step)

    def _check_text(self, step: ContentStep) -> None:
        if is_text(step):
            contents = self.columns[step.name]
            rows = doubtful_texts(self._buffer, contents)
            if rows.size:
                self.at[not_utf8(self._buffer, contents, rows, self._ends[rows])] = FAR

    def counts_of(self, step: ArrayStep, room: int) -> Ints:
        """Return how many items each array has; 0 where so many have no room.

        That structure is wrong.

        If all items together fit into `room` bytes, no array takes too much memory, and one that
        lies goes beyond its end, which is seen later.
        """
        counts: Ints = self.columns[step.count]
        if np.minimum.reduce(counts, initial=0) >= 0 and int(counts.sum()) * step.smallest <= room:
            return counts
        wrong = (counts < 0) | (counts * step.smallest > np.minimum(self._ends, self._buffer.octets.size) - self.at)
        self.at[wrong] = FAR
        return np.where(wrong, 0, counts)


def read_items(buffer: Buffer, step: ArrayStep, at: Ints, ends: Ints, counts: Ints) -> dict[str, Slices]:
    """Read the items of arrays, which hold nothing but contents.

    Args:
        buffer: the buffer.
        step: how an item is read.
        at: where the first item of each structure begins; moved behind the last one.
        ends: where each structure must end.
        counts: how many items each structure has.
    """
    if numba_loader.loops():
        return _items_by_numba(buffer, step, at, ends, RowGroups(counts))
    return _items(buffer, step, at, ends, RowGroups(counts))


def _items(buffer: Buffer, step: ArrayStep, at: Ints, ends: Ints, groups: RowGroups) -> dict[str, Slices]:
    """Read the first item of all structures that have one, then the second, and so on."""
    columns = empty_columns(groups.total, contents_of(step.plan))
    (left,), taken = (groups.counts > 0).nonzero(), 0
    while left.size >= (_FEW if taken >= _SOME else 1):
        reader = FieldReader(buffer, at[left], ends[left])
        reader.read(step.plan.steps)
        items = slice(None) if left.size == groups.total else groups.firsts[left] + taken
        for name, contents in reader.columns.items():
            columns[name].put(items, contents)
        at[left] = reader.at
        taken += 1
        left = left[groups.counts[left] > taken]
    at[left] = FAR
    return columns


def _items_by_numba(buffer: Buffer, step: ArrayStep, at: Ints, ends: Ints, groups: RowGroups) -> dict[str, Slices]:
    """Read all items of one structure after the other."""
    fields = [inner.field for inner in step.plan.steps if isinstance(inner, VarintStep)]
    starts, lengths, at[:] = read_by_numba(buffer, fields, at, groups.counts)
    contents = dict(zip(contents_of(step.plan), map(Slices, starts, lengths), strict=True))
    for inner in step.plan.steps:
        if isinstance(inner, ContentStep) and is_text(inner):
            rows = doubtful_texts(buffer, contents[inner.name])
            if rows.size:
                wrong = not_utf8(buffer, contents[inner.name], rows, ends[groups.owners_of(rows)])
                at[groups.owners_of(wrong)] = FAR
    return {name: Slices(slices.starts, slices.lengths.astype(np.int32)) for name, slices in contents.items()}


def read_by_numba(buffer: Buffer, fields: Sequence[Field], at: Ints, counts: Ints) -> tuple[Any, Any, Ints]:
    """Read groups of structures, of whose fields each is a varint or a content behind one.

    Args:
        buffer: the buffer.
        fields: the fields of a structure.
        at: where the first structure of each group begins.
        counts: how many structures each group has.

    Returns:
        Of each field, for all structures, the positions behind its varint and the numbers that the
            varint says; and the
        position behind each group.
    """
    rules = np.array([(kind_of(one).bits, isinstance(one.type, Form), _smallest(one)) for one in fields], np.int64)
    starts, numbers = np.empty((2, len(fields), int(counts.sum())), np.int64)
    ends = np.empty(at.size, np.int64)
    numba_loader.loops().read_fields(
        buffer.octets, np.ascontiguousarray(at), np.ascontiguousarray(counts), rules, FAR, (starts, numbers), ends
    )
    return starts, numbers, ends


def kind_of(field: Field) -> VarintKind:
    """Return the kind of the varint that a field is, or begins with."""
    kind: Type = field.type.length if isinstance(field.type, Form) else field.type
    if not isinstance(kind, Varint) or not kind.kind.zigzag:
        raise _not_readable(f"`{field.name}` is no zigzag varint", field.line)
    return kind.kind


def is_text(step: ContentStep) -> bool:
    """Return whether a content must be UTF-8."""
    return isinstance(step.form, Form) and step.form.content == "utf8"


def contents_of(plan: Plan) -> list[str]:
    """Return the fields of a layout that holds nothing but contents.

    Raises:
        LayoutError: it holds something else.
    """
    names = [step.name for step in plan.steps if isinstance(step, ContentStep)]
    if 2 * len(names) != len(plan.steps):
        raise _not_readable(f"`{plan.name}` has more than contents")
    return names


def _smallest(field: Field) -> int:
    """Return the least length that a content may have: 0, or what stands for null."""
    return 0 if not isinstance(field.type, Form) or field.type.null is None else field.type.null


def _not_readable(detail: str, line: int = 0) -> LayoutError:
    return LayoutError(detail, file="spec/layouts", line=line, advice="teach kafka_format.columnar.fields")
