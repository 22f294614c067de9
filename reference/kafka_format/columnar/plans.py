"""From a layout to the steps in which many structures of it are read or written at once.

Neighbouring integers of fixed size, and the int32 length of what follows them, make one row: one
numpy type, written in one go. Varints, contents and arrays are steps of their own, since their
sizes differ from structure to structure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, groupby
from typing import Final, NamedTuple

import numpy as np

from kafka_format.errors import LayoutError
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import (
    Array,
    Checksum,
    Choice,
    Field,
    Form,
    Integer,
    Nested,
    Rest,
    Varint,
    minimum_size,
)


@dataclass(frozen=True, slots=True)
class RowStep:
    """Fixed integers side by side.

    Attributes:
        fields: of the layout, in its order; one whose type is a form stands for the form's length.
        dtype: the row, a column for each field.
        rests: bytes of the row after each field.
    """

    fields: tuple[Field, ...]
    dtype: np.dtype[np.void]
    rests: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VarintStep:
    """A varint: a number of its own, or the length of a form."""

    field: Field


@dataclass(frozen=True, slots=True)
class ContentStep:
    """The bytes of a form, after its length; or all bytes up to the end of the structure."""

    name: str
    form: Form | Rest


@dataclass(frozen=True, slots=True)
class ArrayStep:
    """The items of an array, each a structure of another layout, or a content.

    Attributes:
        count: name of the field that counts them.
        smallest: fewest bytes that an item can have.
    """

    name: str
    plan: Plan
    count: str
    smallest: int


ITEM: Final = "item"
"""The field of an item that is a content."""

Step = RowStep | VarintStep | ContentStep | ArrayStep


class _Member(NamedTuple):
    """A field in a row, and the integer that stands there for it."""

    field: Field
    integer: Integer


@dataclass(frozen=True, slots=True)
class ChecksumAt:
    """A checksum of a structure: its field, its function, its place, where it begins to count."""

    field: str
    algorithm: str
    at: int
    first: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan by which the structures of one layout are read and written.

    Attributes:
        steps: in wire order.
        drawn: names of the fields that need a column, because nothing else gives their values.
    """

    name: str
    steps: tuple[Step, ...]
    drawn: frozenset[str]
    checksum: ChecksumAt | None


@cache
def plan(name: str, magic: int | None = None) -> Plan:
    """Make the plan of a layout; `magic` tells which case of a choice is meant."""
    fields = tuple(_fields(name, magic))
    steps = tuple(_steps(fields))
    drawn = frozenset(field.name for field in fields if field.const is None and field.computed is None)
    return Plan(name, steps, drawn, _checksum(fields, steps))


def _fields(name: str, magic: int | None) -> Iterator[Field]:
    """List the fields of a layout, with those of the chosen case in place of a choice."""
    for field in find(name).fields:
        if isinstance(field.type, Choice) and magic is not None:
            yield from field.type.cases[magic].fields
        else:
            yield field


def _steps(fields: Sequence[Field]) -> Iterator[Step]:
    atoms = [atom for field in fields for atom in _atoms(field)]
    for fixed, group in groupby(atoms, lambda atom: isinstance(atom, _Member)):
        if fixed:
            yield _row([atom for atom in group if isinstance(atom, _Member)])
        else:
            yield from (atom for atom in group if not isinstance(atom, _Member))


def _atoms(field: Field) -> tuple[_Member | Step, ...]:
    match field.type:
        case Integer() as integer:
            return (_Member(field, integer),)
        case Varint():
            return (VarintStep(field),)
        case Form() as form:
            length = _Member(field, form.length) if isinstance(form.length, Integer) else VarintStep(field)
            return (length, ContentStep(field.name, form))
        case Rest() as rest:
            return (ContentStep(field.name, rest),)
        case Array(item=Nested(layout=layout) as item, count=count):
            return (ArrayStep(field.name, plan(layout.name), count, minimum_size(item)),)
        case Array(item=Form() as item, count=count):
            steps = tuple(_steps([replace(field, name=ITEM, type=item)]))
            return (ArrayStep(field.name, Plan(ITEM, steps, frozenset({ITEM}), None), count, minimum_size(item)),)
        case other:
            detail = f"columns cannot hold `{field.name}`, {other.name}"
            raise LayoutError(detail, file="spec/layouts", line=field.line, advice="teach kafka_format.columnar.plans")


def _row(members: Sequence[_Member]) -> RowStep:
    dtype = np.dtype(
        [(field.name, f">{'i' if number_type.lowest else 'u'}{number_type.size}") for field, number_type in members]
    )
    ends = accumulate(number_type.size for _, number_type in members)
    return RowStep(tuple(field for field, _ in members), dtype, tuple(dtype.itemsize - end for end in ends))


def _checksum(fields: Sequence[Field], steps: Sequence[Step]) -> ChecksumAt | None:
    """Return the checksum of a layout, if any.

    All fields up to where it begins to count have fixed sizes; the loader of layouts makes sure of
    that.
    """
    for field in fields:
        if isinstance(field.computed, Checksum) and isinstance(steps[0], RowStep):
            at, first = (_place(steps[0], name) for name in (field.name, field.computed.first))
            return ChecksumAt(field.name, field.computed.algorithm, at, first)
    return None


def _place(row: RowStep, name: str) -> int:
    """Return where a field of a row begins, or the one after the row."""
    names = [field.name for field in row.fields]
    if name not in names:
        return row.dtype.itemsize
    index = names.index(name)
    return row.dtype.itemsize - row.rests[index] - row.dtype[name].itemsize
