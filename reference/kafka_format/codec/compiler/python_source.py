"""Python source that the texts are made of: types, defaults, conditions and expressions."""

from __future__ import annotations

from typing import Final

from kafka_format.codec.compiler.names import Names, default_name
from kafka_format.codec.members import class_name, default_structure
from kafka_format.codec.runtime import UnknownTaggedField
from kafka_format.primitives.varints import NUMBERS, VarintKind
from kafka_format.spec.layout.model import (
    Array,
    Bits,
    Choice,
    Counted,
    Field,
    Form,
    Integer,
    LastItem,
    Nested,
    Optional,
    Type,
    Varint,
)

_PLAIN: Final = {"bool": "bool", "float64": "float", "tagged fields": f"tuple[{UnknownTaggedField.__name__}, ...]"}


def annotation(kind: Type) -> str:
    """Return the type of a field's values, as Python source."""
    match kind:
        case Integer() | Varint():
            return "int"
        case Form(content=content, null=null):
            return ("str" if content == "text" else "bytes") + ("" if null is None else " | None")
        case Nested(layout=layout) | Optional(layout=layout):
            return class_name(layout) + (" | None" if isinstance(kind, Optional) else "")
        case Array(item=item, nullable=nullable) | Counted(item=item, nullable=nullable):
            return f"list[{annotation(item)}]" + (" | None" if nullable else "")
        case Choice(cases=cases):
            return " | ".join(class_name(layout) for layout in cases.values())
        case _:
            return _PLAIN.get(kind.name, "bytes")


def default(field: Field) -> str:
    """Return a field's default in its class, as source: None where the engine fills it in."""
    structure = default_structure(field)
    if field.when or isinstance(field.default, LastItem):
        return "None"
    if structure is not None and field.has_default:
        return default_name(class_name(structure))
    return repr(field.const if field.const is not None else field.default)


def filler(field: Field) -> str:
    """Return, as source, what is written for a field without a value; empty if nothing is."""
    if field.const is not None:
        return repr(field.const)
    return repr(field.default) if field.has_default else ""


def named_bits(bits: Bits) -> str:
    """Return the type of the view of some bits: a name, a bool, or a number."""
    if bits.enum is not None:
        return "str"
    return "bool" if bits.low == bits.high else "int"


def text(words: str) -> str:
    """Return words as they can stand in a docstring of the compiled text."""
    return words.replace("\\", "\\\\").replace('"', '\\"')


def part_of(field_name: str, bits: Bits) -> str:
    """Return the expression that takes bits out of a field."""
    shifted = f"{field_name} >> {bits.low}" if bits.low else field_name
    return f"{shifted} & {bits.mask}"


def there(field: Field, depth: int) -> str:
    """Return the condition under which a field is there."""
    parts = []
    for condition in field.when:
        values = sorted(condition.values)
        among = f"== {values[0]}" if len(values) == 1 else f"in {tuple(values)}"
        parts.append(f"{part_of(f'{condition.by}_{depth}', condition.bits)} {among}")
    return " and ".join(parts)


def moved(distance: int) -> str:
    """Return the place so many bytes after the position, or before it."""
    return f"position {'+' if distance > 0 else '-'} {abs(distance)}" if distance else "position"


def varint_source(value: str, kind: VarintKind, names: Names, *, number: bool = False) -> str:
    """Return the expression of a variable's varint: from a table, if it is there.

    A number may count up, as deltas do, beyond the table.
    """
    rare, high = f"write_varint({value}, {names.varint(kind)})", len(NUMBERS) // 2
    if not kind.zigzag:
        return rare
    short = f"{names.short(kind)}[{value}]"
    if not number:
        return f"{short} if {-high} <= {value} < {high} else {rare}"
    counted = f"COUNTED[{value}] if {value} < len(COUNTED) else number_varint({value}, {names.varint(kind)})"
    return f"({short} if {value} >= {-high} else {rare}) if {value} < {high} else {counted}"
