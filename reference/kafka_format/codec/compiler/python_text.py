"""Python source that the texts are made of: names, types, conditions and expressions, as text."""

from __future__ import annotations

from typing import Final

from kafka_format.codec.compiler.plan import scalars
from kafka_format.codec.members import class_name
from kafka_format.primitives.varints import NUMBERS, VarintKind
from kafka_format.spec.layout.model import (
    AllDefaults,
    Array,
    Bits,
    Choice,
    Field,
    Form,
    Integer,
    LastItem,
    Layout,
    Nested,
    Type,
    Varint,
)

SHORT: Final = len(NUMBERS)
"""The number of varints of one or two bytes."""

_TAKEN: Final = frozenset({
    "append", "bytes", "case", "codec", "compression", "crc32", "crc32c", "data", "end", "found",
    "isinstance", "item", "items", "last", "left", "len", "limit", "list", "more", "new", "parts", "plain", "position",
    "quick_varint", "range", "read", "runtime", "size", "start", "stop", "tail", "tuple", "type",
})  # fmt: skip
"""Names that the texts call and may still need when a field of that name has its value."""

_TAKEN_STARTS: Final = ("bytes_", "item_", "quick_", "size_", "write_")


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
