"""The fixed part of a layout: the integers at its start, at the same places in every structure.

Whoever needs one of them without the rest asks here, so that no byte offset, size or bit mask is
typed by hand.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import accumulate, takewhile

from kafka_format.errors import LayoutError
from kafka_format.spec.layout.model import Checksum, Field, Form, Integer, Layout, minimum_size


def fixed_fields(layout: Layout) -> tuple[Field, ...]:
    """Return the integers at the start of a layout that are always there, up to the first gap."""
    return tuple(takewhile(lambda field: isinstance(field.type, Integer) and not field.when, layout.fields))


def integers(layout: Layout) -> Iterator[Integer]:
    """Yield the types of these fields."""
    return (field.type for field in fixed_fields(layout) if isinstance(field.type, Integer))


def places(layout: Layout) -> dict[str, int]:
    """Return the first byte of each of these fields, counted from the start of the structure."""
    ends = accumulate((kind.size for kind in integers(layout)), initial=0)
    return {field.name: start for field, start in zip(fixed_fields(layout), ends, strict=False)}


def packer(layout: Layout) -> struct.Struct:
    """Return what reads and writes all of these fields by one call."""
    return struct.Struct(order_mark(layout.endian) + "".join(kind.code for kind in integers(layout)))


def head_packer(layout: Layout) -> struct.Struct:
    """Return the same with the length of the content after these fields.

    Raises:
        LayoutError: what is after them has no length of fixed size.
    """
    fixed = packer(layout)
    kind = layout.fields[len(fixed_fields(layout))].type
    if not isinstance(kind, Form) or not isinstance(kind.length, Integer):
        detail = f"no length of fixed size follows the integers at the start of `{layout.name}`"
        raise LayoutError(detail, file="spec", line=0)
    return struct.Struct(fixed.format + kind.length.code)


def order_mark(order: str) -> str:
    """Return the sign of the struct module for an order of bytes, `big` or `little`."""
    return "<" if order == "little" else ">"


def default_bytes(layout: Layout) -> bytes:
    """Return these fields as an encoder writes them without values: constants and defaults.

    Raises:
        struct.error: a field has neither.
    """
    values = [field.const if field.const is not None else field.default for field in fixed_fields(layout)]
    return packer(layout).pack(*values)


def gap(layout: Layout, field: Field, computed: Checksum) -> int:
    """Return how many bytes lie between a checksum and the first field that it covers."""
    names = [member.name for member in layout.fields]
    between = layout.fields[names.index(field.name) + 1 : names.index(computed.first)]
    return sum(minimum_size(member.type) for member in between)
