"""The members of a structure's value: its fields, tagged ones among them, and their defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kafka_format.errors import FieldPath
from kafka_format.spec.layout.model import Array, Choice, Counted, Field, Layout, Nested, Optional, TagSection, Type

Make = Callable[[Layout, dict[str, Any]], Any]
"""Makes the value of a structure from the values of its fields, in wire order."""


def capitals(name: str) -> str:
    """Return `FetchTopic` for fetch_topic."""
    return "".join(word.capitalize() for word in name.split("_"))


def type_name(layout: Layout) -> str:
    """Return the name of a structure in its file."""
    return layout.type_name or layout.name


def class_name(layout: Layout) -> str:
    """Return the name of the class of a structure's values."""
    return capitals(type_name(layout))


def members(layout: Layout) -> tuple[Field, ...]:
    """Return the fields of a value: those in line, then tagged ones, last unknown ones."""
    fields: list[Field] = []
    for field in layout.fields:
        if isinstance(field.type, TagSection):
            fields += field.type.fields
        fields.append(field)
    return tuple(fields)


def inner(kind: Type) -> Layout | None:
    """Return the layout of a structure, or of an array's items; None if the type has none."""
    if isinstance(kind, Counted | Array):
        return inner(kind.item)
    return kind.layout if isinstance(kind, Nested | Optional) else None


def tag_section(layout: Layout, path: FieldPath) -> TagSection | None:
    """Return the tag section at a path, indexes and all; None if the layout has none there."""
    field = next((field for field in (*layout.fields, *members(layout)) if path[:1] == (field.name,)), None)
    if field is None:
        return None
    if isinstance(field.type, TagSection):
        return field.type
    nested, rest = inner(field.type), path[1:]
    return None if nested is None else tag_section(nested, rest[1:] if isinstance(rest[0], int) else rest)


def layouts(layout: Layout) -> Mapping[str, Layout]:
    """Return a layout and all inside it by their names, innermost first."""
    nested_layouts: dict[str, Layout] = {}
    for field in members(layout):
        kind, nested = field.type, inner(field.type)
        for structure in kind.cases.values() if isinstance(kind, Choice) else [nested] if nested else []:
            nested_layouts |= layouts(structure)
    return nested_layouts | {layout.name: layout}


def default_structure(field: Field) -> Layout | None:
    """Return the structure whose defaults are the field's default, or None."""
    return field.type.layout if isinstance(field.type, Nested | Optional) and field.default is not None else None


def default_of(field: Field, make: Make) -> Any:
    """Return a field's default. `make` makes the value of a structure from those of its fields."""
    if isinstance(field.type, Nested | Optional) and field.default is not None:
        layout = field.type.layout
        return make(layout, {member.name: default_of(member, make) for member in members(layout)})
    return field.default


def is_default(field: Field, value: Any) -> bool:
    """Tell whether a value is its field's default.

    Values of structures may be named tuples or mappings.
    """
    kind = field.type
    if value is None or field.default is None:
        return value is None and field.default is None
    if isinstance(kind, TagSection | Counted):
        return not value
    if isinstance(kind, Nested | Optional):
        given: Mapping[str, Any] = value._asdict() if hasattr(value, "_asdict") else value
        return all(
            member.name not in given or is_default(member, given[member.name]) for member in members(kind.layout)
        )
    return bool(value == field.default)
