"""Defaults in one form, whether a schema or a layout says them."""

from __future__ import annotations

import base64
from typing import Final

from kafka_format.spec.layout.versioned import VersionedField

from kafka_generator.kafka_schemas.schema import SchemaField

_IMPLICIT: Final = {"bool": "false", "string": "", "bytes": "", "float64": "0.0", "records": "null"}
_ZERO_UUID: Final = base64.urlsafe_b64encode(bytes(16)).decode().rstrip("=")


def of_schema(field: SchemaField) -> str:
    """Return the default of a field of a schema."""
    if field.default is not None and field.default.lower() == "null":
        return "null"
    if field.is_array or field.fields:
        return "empty"
    if field.item == "uuid":
        return field.default or _ZERO_UUID
    text = _IMPLICIT.get(field.item, "0") if field.default is None else field.default
    if field.item in ("string", "bytes", "records"):
        return text
    return text.lower() if field.item in ("bool", "float64") else str(int(text, 0))


def of_field(field: VersionedField) -> str:
    """Return the default of a field of a layout."""
    if field.default_is_null:
        return "null"
    if field.is_array or field.structure is not None:
        return "empty"
    if isinstance(field.default, bool):
        return str(field.default).lower()
    if field.type == "uuid" and isinstance(field.default, bytes):
        return base64.urlsafe_b64encode(field.default).decode().rstrip("=")
    return "" if field.default == b"" else str(field.default)
