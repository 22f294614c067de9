"""What the templates print, from a layout: names, groups of integers, the order of writing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from kafka_format.primitives.varints import NUMBERS, VarintKind
from kafka_format.spec.layout.fixed import order_mark
from kafka_format.spec.layout.model import (
    AllDefaults,
    Array,
    Bits,
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

SHORT: Final = len(NUMBERS)
"""How many varints have one or two bytes."""

_KINDS: Final = {
    Integer: "integer", Varint: "varint", Fixed: "fixed", Form: "form", Nested: "nested", Array: "array",
    Choice: "choice",
}  # fmt: skip

_TAKEN: Final = frozenset({
    "append", "bytes", "case", "codec", "compression", "crc32", "crc32c", "data", "end", "found",
    "isinstance", "item", "items", "last", "left", "len", "limit", "list", "more", "new", "parts", "plain", "position",
    "quick_varint", "range", "read", "runtime", "size", "start", "stop", "tail", "tuple", "type",
})  # fmt: skip
"""What the templates call by name and may still need when a field of that name has its value."""

_TAKEN_STARTS: Final = ("bytes_", "item_", "quick_", "size_", "write_")


def class_name(layout: Layout) -> str:
    """Return `RecordBatch` for record_batch."""
    return "".join(word.capitalize() for word in layout.name.split("_"))


def kind_of(kind: Type) -> str:
    """Return the word that templates branch on."""
    return _KINDS.get(type(kind), "rest")


def annotation(kind: Type) -> str:
    """Return the type of a field's values, as Python source."""
    match kind:
        case Integer() | Varint():
            return "int"
        case Form(null=null):
            return "bytes" if null is None else "bytes | None"
        case Nested(layout=layout):
            return class_name(layout)
        case Array(item=item, nullable=nullable):
            return f"list[{annotation(item)}]" + (" | None" if nullable else "")
        case Choice(cases=cases):
            return " | ".join(class_name(layout) for layout in cases.values())
        case _:
            return "bytes"


@dataclass(frozen=True)
class FieldGroup:
    """Fields that are read or written in one step: a run of fixed integers, or one other field."""

    index: int
    fields: tuple[Field, ...]

    @property
    def kind(self) -> str:
        """The word that templates branch on."""
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
        """Bytes of the run behind one of its fields."""
        names = [field.name for field in self.fields]
        return sum(minimum_size(field.type) for field in self.fields[names.index(name) + 1 :])


@dataclass(frozen=True)
class Plan:
    """Everything that the template of one layout needs.

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

    @property
    def head(self) -> tuple[FieldGroup, ...]:
        """The integers at the start.

        They have fixed places, so one look tells whether all are there.
        """
        return tuple(takewhile(lambda group: group.kind == "integer" and not group.fields[0].when, self.groups))

    @property
    def head_size(self) -> int:
        """Bytes of the head."""
        return sum(group.size for group in self.head)


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
    found: dict[str, Layout] = {}
    for field in layout.fields:
        kind = field.type.item if isinstance(field.type, Array) else field.type
        if isinstance(kind, Nested):
            found[kind.layout.name] = kind.layout
        if isinstance(kind, Choice):
            found |= {case.name: case for case in kind.cases.values()}
    return tuple(found.values())


def plan(layout: Layout) -> Plan:
    """Make the plan of one layout."""
    frames = [field for field in layout.fields if isinstance(field.computed, BytesAfter)]
    sums = tuple(field for field in layout.fields if isinstance(field.computed, Checksum))
    return Plan(layout, groups(layout), frames[0] if frames else None, sums, used_layouts(layout))


def is_count(field: Field) -> bool:
    """Tell whether the field counts an array."""
    return isinstance(field.computed, CountOf)


def is_frame(field: Field) -> bool:
    """Tell whether the field counts the bytes behind it."""
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

    Reading behind the end of the bytes fails for each of these, so a count that lies is found out.
    """
    return (
        isinstance(kind, Array) and not kind.nullable and isinstance(kind.item, Nested)
        and all(isinstance(field.type, Form | Varint) and _is_plain(field) for field in kind.item.layout.fields)
    )  # fmt: skip


def _is_plain(field: Field) -> bool:
    return not (field.computed or field.bits or field.when) and field.const is None and field.minimum is None


def item_names(item: Nested) -> str:
    """Return the variables of an item that is in line, as Python source of a tuple."""
    return "(" + "".join(f"item_{field.name}, " for field in item.layout.fields) + ")"


def varint_source(value: str, kind: VarintKind, *, number: bool = False) -> str:
    """Return the varint of a variable, as Python source: from a table, if it is there."""
    low, high = (-SHORT // 2, SHORT // 2) if kind.zigzag else (-kind.plus, SHORT - kind.plus)
    name = kind.name.upper()
    short, rare = f"{name}_SHORT[{value}]", f"write_varint({value}, {name})"
    if not (number and kind.zigzag):
        return f"{short} if {low} <= {value} < {high} else {rare}"
    counted = f"COUNTED[{value}] if {value} < len(COUNTED) else number_varint({value}, {name})"
    return f"({short} if {value} >= {low} else {rare}) if {value} < {high} else {counted}"


def length_source(value: str, kind: VarintKind) -> str:
    """Return the varint of a variable that is a length, so not negative, as Python source."""
    high = SHORT // 2 if kind.zigzag else SHORT - kind.plus
    return f"{kind.name.upper()}_SHORT[{value}] if {value} < {high} else write_varint({value}, {kind.name.upper()})"


def bound(layout: Layout) -> str:
    """Return a writer's parameters whose defaults bind what its loop calls most.

    Local names are the quickest in Python.
    """
    kinds = {kind.kind.name for kind in scalars(layout) if isinstance(kind, Varint)}
    kinds |= {
        kind.length.name for kind in scalars(layout) if isinstance(kind, Form) and isinstance(kind.length, Varint)
    }
    names = ["bytes", "len", "type", *(f"{kind.upper()}_SHORT" for kind in sorted(kinds))]
    return ", ".join(f"{name}={name}" for name in names)


def scalars(layout: Layout) -> Iterator[Type]:
    """Yield the types of all fields, of the items of arrays, and of the fields of in-line items."""
    for field in layout.fields:
        yield field.type
        if isinstance(field.type, Array):
            yield field.type.item
            if isinstance(field.type.item, Nested) and in_line(field.type):
                yield from scalars(field.type.item.layout)


def has_varints(layout: Layout) -> bool:
    """Tell whether the quick reader of a layout reads varints itself, not by a call."""
    kinds = [kind.length if isinstance(kind, Form) else kind for kind in scalars(layout)]
    return any(isinstance(kind, Varint) for kind in kinds)


def there(field: Field) -> str:
    """Return the condition under which a field is there, as Python source."""
    parts = []
    for condition in field.when:
        values = sorted(condition.values)
        among = f"== {values[0]}" if len(values) == 1 else f"in {tuple(values)}"
        parts.append(f"{part_of(local(condition.by), condition.bits)} {among}")
    return " and ".join(parts)


def filler(field: Field) -> str:
    """Return, as source, what is written for a field without a value; empty if nothing is."""
    if field.const is not None:
        return repr(field.const)
    return repr(field.default) if field.has_default else ""


def default(field: Field) -> str:
    """Return a field's default in its class, as source: None where the engine fills it in."""
    if field.when:
        return "None"
    if isinstance(field.type, Nested) and isinstance(field.default, AllDefaults):
        return class_name(field.type.layout) + "()"
    if field.const is not None:
        return repr(field.const)
    if isinstance(field.default, LastItem) or not field.has_default:
        return "None"
    return repr(field.default)


def named_bits(bits: Bits) -> str:
    """Return the type of the view of some bits: a name, a bool, or a number."""
    if bits.enum is not None:
        return "str"
    return "bool" if bits.low == bits.high else "int"


def local(name: str) -> str:
    """Return a field's name as a variable of the compiled functions, clear of their own."""
    return name + "_" if name in _TAKEN or name.startswith(_TAKEN_STARTS) else name


def text(words: str) -> str:
    """Return words as they can stand in a docstring of the compiled text."""
    return words.replace("\\", "\\\\").replace('"', '\\"')


def part_of(field_name: str, bits: Bits) -> str:
    """Return the expression that takes bits out of a field, as Python source."""
    shifted = f"{field_name} >> {bits.low}" if bits.low else field_name
    return f"{shifted} & {bits.mask}"


def slice_start(distance: int) -> str:
    """Return `position + 4` as Python source, or `position` for no distance."""
    return f"position + {distance}" if distance else "position"
