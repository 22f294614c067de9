"""The fields of many structures of one layout, field by field, in the order of the layout.

A structure begins where the field before it ended, so one list of positions is all that has to be
kept. Whatever is wrong with a structure moves its position to `FAR`. One whose position is not its
end when all fields are read is in doubt, and nothing that was read of it means anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

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
        for step in steps:
            match step:
                case RowStep():
                    self.at = self.at + width_of(step)
                case VarintStep(field=Field(type=Form()) as field):
                    self._content(field)
                case VarintStep(field=field):
                    self.columns[field.name], self.at = read_varints(self._buffer, self.at, kind_of(field))
                case ContentStep():
                    self._check_text(step)
                case _:
                    raise _not_readable(f"`{step.name}` is not the last field")

    def _content(self, field: Field) -> None:
        """Read the length of a content, and pass over its bytes."""
        lengths, starts = read_varints(self._buffer, self.at, kind_of(field))
        self.columns[field.name] = Slices(starts, lengths)
        smallest, shortest = smallest_length(field), np.minimum.reduce(lengths, initial=0)
        self.at = starts + (np.maximum(lengths, 0) if shortest < 0 else lengths)
        if shortest < smallest:
            self.at[lengths < smallest] = FAR

    def _check_text(self, step: ContentStep) -> None:
        if is_text(step.form):
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

    It is the first item of all structures that have one, then the second, and so on.

    Args:
        buffer: the buffer.
        step: how an item is read.
        at: where the first item of each structure begins; moved after the last one.
        ends: where each structure must end.
        counts: how many items each structure has.
    """
    groups = RowGroups(counts)
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


def width_of(step: RowStep) -> int:
    """Return the bytes of fields that are passed over.

    Raises:
        LayoutError: one of them would have to be checked.
    """
    for field in step.fields:
        if isinstance(field.type, Form) or (field.const, field.minimum, field.computed) != (None, None, None):
            raise _not_readable(f"`{field.name}` cannot be passed over", field.line)
    return step.dtype.itemsize


def kind_of(field: Field) -> VarintKind:
    """Return the kind of the varint that a field is, or begins with."""
    kind: Type = field.type.length if isinstance(field.type, Form) else field.type
    if not isinstance(kind, Varint) or not kind.kind.zigzag:
        raise _not_readable(f"`{field.name}` is no zigzag varint", field.line)
    return kind.kind


def is_text(kind: Type) -> bool:
    """Return whether it is a content that must be UTF-8."""
    return isinstance(kind, Form) and kind.content == "utf8"


def contents_of(plan: Plan) -> list[str]:
    """Return the fields of a layout that holds nothing but contents.

    Raises:
        LayoutError: it holds something else.
    """
    names = [step.name for step in plan.steps if isinstance(step, ContentStep)]
    if 2 * len(names) != len(plan.steps):
        raise _not_readable(f"`{plan.name}` has more than contents")
    return names


def smallest_length(field: Field) -> int:
    """Return the least length that a content may have: 0, or what stands for null."""
    return 0 if not isinstance(field.type, Form) or field.type.null is None else field.type.null


def _not_readable(detail: str, line: int = 0) -> LayoutError:
    return LayoutError(detail, file="spec/layouts", line=line, advice="teach kafka_format.columnar.fields")
