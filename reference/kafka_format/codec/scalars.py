"""Writing of numbers and of content with its length, shared by what walks layouts over values."""

from __future__ import annotations

import operator
from typing import Any

from kafka_format.errors import EncodeError, FieldPath
from kafka_format.primitives.varints import write_varint
from kafka_format.spec.layout.model import Form, Integer, Varint


def number_bytes(kind: Integer | Varint, value: Any, path: FieldPath) -> bytes:
    """Write a number.

    Raises:
        EncodeError: it is none, or does not fit.
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise no_number(value, path) from None
    if not kind.lowest <= number <= kind.highest:
        raise EncodeError(f"{number} does not fit {kind.name}, which holds {kind.lowest} to {kind.highest}", path=path)
    if isinstance(kind, Varint):
        return write_varint(number, kind.kind)
    return number.to_bytes(kind.size, kind.order, signed=kind.lowest < 0)


def content_bytes(value: Any, path: FieldPath) -> bytes:
    """Return bytes, or refuse what is none."""
    if not isinstance(value, bytes | bytearray | memoryview):
        raise EncodeError(f"takes bytes, not {type(value).__name__}", path=path)
    return bytes(value)


def form_bytes(kind: Form, value: Any, path: FieldPath = ()) -> bytes:
    """Write content after its length."""
    if value is None:
        if kind.null is None:
            raise EncodeError("cannot be null", path=path)
        return number_bytes(kind.length, kind.null, path)
    content = content_bytes(value, path)
    return number_bytes(kind.length, len(content), (*path, "length")) + content


def no_number(value: Any, path: FieldPath) -> EncodeError:
    """Return the error of a value that is no whole number."""
    return EncodeError(f"takes a whole number, not {type(value).__name__}", path=path)
