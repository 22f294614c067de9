"""The default of a field as a value, and whether a value is it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kafka_format.codec.versions.text import members
from kafka_format.spec.layout.model import Counted, Field, Layout, Nested, Optional, TagSection

Make = Callable[[Layout, dict[str, Any]], Any]


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
