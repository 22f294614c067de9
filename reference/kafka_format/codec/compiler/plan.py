"""The plan of a layout, which its text follows: groups of integers, kinds of fields, order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kafka_format.codec.members import class_name
from kafka_format.spec.layout.fixed import order_mark
from kafka_format.spec.layout.model import (
    Array,
    BytesAfter,
    Checksum,
    Choice,
    CountOf,
    Field,
    Fixed,
    Form,
    Integer,
    LastItem,
    Layout,
    Nested,
    Type,
    Varint,
    minimum_size,
)

_KINDS: Final = {
    Integer: "integer", Varint: "varint", Fixed: "fixed", Form: "form", Nested: "nested", Array: "array",
    Choice: "choice",
}  # fmt: skip


def kind_of(kind: Type) -> str:
    """Return the word that texts branch on."""
    return _KINDS.get(type(kind), "rest")


@dataclass(frozen=True)
class FieldGroup:
    """Fields that are read or written in one step: a run of fixed integers, or one other field."""

    index: int
    fields: tuple[Field, ...]

    @property
    def kind(self) -> str:
        """The word that texts branch on."""
        return kind_of(self.fields[0].type)

    @property
    def code(self) -> str:
        """Format of the struct module for a run of integers."""
        integers = [field.type for field in self.fields if isinstance(field.type, Integer)]
        return order_mark(integers[0].order if integers else "big") + "".join(field.code for field in integers)

    @property
    def size(self) -> int:
        """Bytes of a run of integers."""
        return sum(minimum_size(field.type) for field in self.fields)

    @property
    def is_in_line(self) -> bool:
        """True for an array whose items are written in line."""
        return in_line(self.fields[0].type)

    def size_after(self, name: str) -> int:
        """Bytes of the run after one of its fields."""
        names = [field.name for field in self.fields]
        return sum(minimum_size(field.type) for field in self.fields[names.index(name) + 1 :])


@dataclass(frozen=True)
class Plan:
    """Everything that the text of one layout needs.

    `given` is what a quick reader hands to that of the items of its array, as Python source.
    """

    layout: Layout
    groups: tuple[FieldGroup, ...]
    frame: Field | None
    checksums: tuple[Field, ...]
    used: tuple[Layout, ...] = ()
    given: str = "limit"

    @property
    def name(self) -> str:
        """Name of the class."""
        return class_name(self.layout)


def groups(layout: Layout) -> tuple[FieldGroup, ...]:
    """Cut a layout into groups: runs of integers, split where a checksum starts, and single fields.

    An integer that may be left out is a group of its own.
    """
    starts = {field.computed.first for field in layout.fields if isinstance(field.computed, Checksum)}
    runs: list[list[Field]] = []
    for field in layout.fields:
        if runs and _joins(runs[-1][0], field) and field.name not in starts:
            runs[-1].append(field)
        else:
            runs.append([field])
    return tuple(FieldGroup(index, tuple(run)) for index, run in enumerate(runs))


def _joins(first: Field, field: Field) -> bool:
    both_integers = isinstance(first.type, Integer) and isinstance(field.type, Integer)
    return both_integers and not first.when and not field.when


def used_layouts(layout: Layout) -> tuple[Layout, ...]:
    """Return the layouts that the fields of a layout name directly."""
    layouts: dict[str, Layout] = {}
    for field in layout.fields:
        kind = field.type.item if isinstance(field.type, Array) else field.type
        if isinstance(kind, Nested):
            layouts[kind.layout.name] = kind.layout
        if isinstance(kind, Choice):
            layouts |= {case.name: case for case in kind.cases.values()}
    return tuple(layouts.values())


def plan(layout: Layout) -> Plan:
    """Make the plan of one layout."""
    frames = [field for field in layout.fields if isinstance(field.computed, BytesAfter)]
    sums = tuple(field for field in layout.fields if isinstance(field.computed, Checksum))
    return Plan(layout, groups(layout), frames[0] if frames else None, sums, used_layouts(layout))


def is_count(field: Field) -> bool:
    """Tell whether the field counts an array."""
    return isinstance(field.computed, CountOf)


def is_frame(field: Field) -> bool:
    """Tell whether the field counts the bytes after it."""
    return isinstance(field.computed, BytesAfter)


def is_checksum(field: Field) -> bool:
    """Tell whether the field is a checksum."""
    return isinstance(field.computed, Checksum)


def is_last_item(field: Field) -> bool:
    """Tell whether the field's default is taken from the last item of an array."""
    return isinstance(field.default, LastItem)


def is_optional(field: Field) -> bool:
    """Tell whether a value may be None, whatever its type says: to be filled in, or absent."""
    return field.computed is not None or is_last_item(field) or bool(field.when)


def in_line(kind: Type) -> bool:
    """Tell whether an array's items are read and written without a call: only contents and varints.

    Reading past the end of the bytes fails for each of these, so a count that lies is found out.
    """
    return (
        isinstance(kind, Array) and not kind.nullable and isinstance(kind.item, Nested)
        and all(isinstance(field.type, Form | Varint) and _is_plain(field) for field in kind.item.layout.fields)
    )  # fmt: skip


def _is_plain(field: Field) -> bool:
    return not (field.computed or field.bits or field.when) and field.const is None and field.minimum is None


def scalars(layout: Layout) -> Iterator[Type]:
    """Yield the types of all fields, of the items of arrays, and of the fields of in-line items."""
    for field in layout.fields:
        yield field.type
        if isinstance(field.type, Array):
            yield field.type.item
            if isinstance(field.type.item, Nested) and in_line(field.type):
                yield from scalars(field.type.item.layout)
