"""Values of one layout made into those of another, as who writes by that has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kafka_format.codec.members import default_of
from kafka_format.spec.layout import Layout
from kafka_format.spec.layout.model import Counted, Form, Nested, Optional, TagSection, Type


def fitted(layout: Layout, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values for another layout: what it has more, has its default."""
    fitted: dict[str, Any] = {}
    for field in layout.fields:
        if isinstance(field.type, TagSection):
            tagged = {each.name: values.get(each.name, default_of(each, _plain)) for each in field.type.fields}
            fitted |= {name: [] if value == () else value for name, value in tagged.items()}
            fitted[field.name] = values.get(field.name, ())
        elif field.name in values:
            fitted[field.name] = _as(field.type, values[field.name])
        else:
            value = default_of(field, _plain)
            fitted[field.name] = [] if value == () else value
    return fitted


def _plain(_layout: Layout, values: dict[str, Any]) -> dict[str, Any]:
    return values


def _as(kind: Type, value: Any) -> Any:
    """Return a value as one of another type, where there is such a one."""
    match kind:
        case Counted(item=item):
            items = value if isinstance(value, list) else [] if value is None else [value]
            return None if value is None and kind.nullable else [_as(item, each) for each in items]
        case Nested(layout=layout) | Optional(layout=layout):
            return value if value is None else fitted(layout, value)
        case Form(content="text") if isinstance(value, bytes):
            return value.decode("latin-1")
        case Form() if isinstance(value, str) and kind.content != "text":
            return value.encode()
    return value[0] if isinstance(value, list) and value else value
