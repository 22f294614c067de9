"""The fields of many structures of one layout, read field by field of all of them, in the order of the layout.

A structure begins where the field before it ended, so one list of positions is all that has to be kept. Whatever is
wrong with a structure moves its position to `FAR`; those whose position is not their end when all fields are read are
in doubt, and nothing that was read of them means anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from kafka_format.columnar.arrays import Groups, Ints
from kafka_format.columnar.pieces import Pieces, unfilled
from kafka_format.columnar.plans import ArrayStep, ContentStep, Plan, RowStep, Step, VarintStep
from kafka_format.columnar.texts import not_utf8
from kafka_format.columnar.varints import FAR, Source
from kafka_format.errors import LayoutError
from kafka_format.primitives.numbers import VarintKind
from kafka_format.spec.layout.model import Field, Form, Type, Varint

CHUNK: Final = 1 << 14
"""So many structures are read at once: what is known of them then stays in the cache of the processor."""

_FEW: Final = 16
_SOME: Final = 8
"""Where fewer structures than `_FEW` have more items than `_SOME`, these are left in doubt: numpy would be slow."""


class Rows:
    """Structures that are being read: where each one is, and what was read of them.

    Attributes:
        at: the next byte of each structure that is to be read; `FAR` or more if something was wrong.
        columns: by the name of the field: numbers, or `Pieces`.
    """

    def __init__(self, source: Source, at: Ints, ends: Ints) -> None:
        """Begin at these places; `ends` says where each structure must end."""
        self.at = at
        self.columns: dict[str, Any] = {}
        self._source = source
        self._ends = ends

    def read(self, steps: Iterable[Step]) -> None:
        """Read some fields. Integers of fixed size are passed over.

        Raises:
            LayoutError: a field cannot be read, or one that is passed over would have to be checked.
        """
        for step in steps:
            match step:
                case RowStep():
                    self._pass(step)
                case VarintStep(field=field):
                    self._varint(field)
                case ContentStep():
                    self._content(step)
                case ArrayStep(name=name):
                    advice = "teach kafka_format.columnar.structures"
                    raise LayoutError(f"`{name}` is not the last field", file="spec/layouts", line=0, advice=advice)

    def _pass(self, row: RowStep) -> None:
        for field in row.fields:
            if isinstance(field.type, Form) or (field.const, field.minimum, field.computed) != (None, None, None):
                detail = f"`{field.name}` cannot be passed over"
                raise LayoutError(detail, file="spec/layouts", line=field.line, advice="teach columnar.structures")
        self.at = self.at + row.dtype.itemsize

    def _varint(self, field: Field) -> None:
        """Read a number, or the length of a content."""
        numbers, self.at = self._source.varints_at(self.at, kind_of(field))
        self.columns[field.name] = numbers
        if isinstance(field.type, Form):
            smallest = 0 if field.type.null is None else field.type.null
            if np.minimum.reduce(numbers, initial=0) < smallest:
                self.at[numbers < smallest] = FAR
            self.columns[field.name] = Pieces(self.at, numbers)

    def _content(self, step: ContentStep) -> None:
        starts, lengths = self.columns[step.name]
        self.at = starts + np.maximum(lengths, 0)
        if isinstance(step.form, Form) and step.form.content == "utf8":
            self.at[not_utf8(self._source, starts, lengths, self._ends)] = FAR

    def counts_of(self, step: ArrayStep, room: int) -> Ints:
        """Return how many items each array has; 0 where there is no room for so many, and such a structure is wrong.

        If all items together fit into `room` bytes, no array takes too much memory, and one that lies goes beyond its
        end, which is seen later.
        """
        counts: Ints = self.columns[step.count]
        if np.minimum.reduce(counts, initial=0) >= 0 and int(counts.sum()) * step.smallest <= room:
            return counts
        wrong = (counts < 0) | (counts * step.smallest > np.minimum(self._ends, self._source.octets.size) - self.at)
        self.at[wrong] = FAR
        return np.where(wrong, 0, counts)


def read_items(source: Source, step: ArrayStep, at: Ints, ends: Ints, counts: Ints) -> dict[str, Pieces]:
    """Read the items of arrays: the first item of all structures that have one, then the second, and so on.

    Args:
        source: the buffer.
        step: how an item is read.
        at: where the first item of each structure begins; moved behind the last one.
        ends: where each structure must end.
        counts: how many items each structure has.
    """
    groups = Groups(counts)
    columns = unfilled(groups.total, contents_of(step.plan))
    (left,), taken = (counts > 0).nonzero(), 0
    while left.size >= (_FEW if taken >= _SOME else 1):
        rows = Rows(source, at[left], ends[left])
        rows.read(step.plan.steps)
        items = slice(None) if left.size == groups.total else groups.firsts[left] + taken
        for name, pieces in rows.columns.items():
            columns[name].put(items, pieces)
        at[left] = rows.at
        taken += 1
        left = left[counts[left] > taken]
    at[left] = FAR
    return columns


def kind_of(field: Field) -> VarintKind:
    """Return the kind of the varint that a field is, or begins with."""
    kind: Type = field.type.length if isinstance(field.type, Form) else field.type
    if not isinstance(kind, Varint) or not kind.kind.zigzag:
        advice = "teach kafka_format.columnar.varints"
        raise LayoutError(f"`{field.name}` is no zig-zag varint", file="spec/layouts", line=field.line, advice=advice)
    return kind.kind


def contents_of(plan: Plan) -> list[str]:
    """Return the fields of a layout that holds nothing but contents.

    Raises:
        LayoutError: it holds something else.
    """
    names = [step.name for step in plan.steps if isinstance(step, ContentStep)]
    if 2 * len(names) != len(plan.steps):
        advice = "teach kafka_format.columnar.structures"
        raise LayoutError(f"`{plan.name}` has more than contents", file="spec/layouts", line=0, advice=advice)
    return names
