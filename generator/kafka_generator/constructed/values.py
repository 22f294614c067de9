"""Values by the word for them, such as a field's edges, and places in a structure."""

from __future__ import annotations

from typing import Any

from kafka_format.spec.layout.model import Array, CountOf, Field, Fixed, Form, Integer, Layout, Nested, Rest, Varint


def value_at(field: Field, word: str, item: Any = None) -> Any:
    """Return the value of a field at an edge; `item` is what an array is filled with.

    Raises:
        KeyError: the edge is not one that a value can be chosen for.
    """
    kind = field.type
    if isinstance(kind, Array):
        return [item] * {"none": 0, "one": 1, "several": 2}[word]
    if isinstance(kind, Form | Rest):
        return _content(kind, word)
    if isinstance(kind, Varint):
        return _varint(kind, word)
    if isinstance(kind, Integer):
        return {"lowest": kind.lowest, "minus-one": -1, "zero": 0, "one": 1, "highest": kind.highest}[word]
    return {"zeros": bytes(16), "other": bytes(range(16))}[word] if isinstance(kind, Fixed) else None


def _content(kind: Form | Rest, word: str) -> bytes | None:
    if word.startswith("length-of-"):
        width = int(word.split("-")[2])
        signed = isinstance(kind, Form) and isinstance(kind.length, Varint) and kind.length.lowest < -1
        return b"a" * max(1, (1 << 7 * (width - 1)) >> signed)
    return {"null": None, "empty": b"", "one-byte": b"a", "long": b"a" * 64}[word]


def _varint(kind: Varint, word: str) -> int:
    """Return the number nearest to 0 that takes so many bytes."""
    width, sign = int(word[: word.index("-")]), word.rsplit("-", maxsplit=1)[1]
    groups = 7 * (width - 1)
    if kind.lowest == 0:
        return 1 << groups if width > 1 else 0
    half = 1 << groups - 1 if width > 1 else 0
    return half if sign == "positive" else -half - 1


def fill(layout: Layout) -> dict[str, Any]:
    """Return values for all fields that encoders do not compute, with one item in each array."""
    return {field.name: _fill(field) for field in layout.fields if field.computed is None and field.const is None}


def _fill(field: Field) -> Any:
    kind = field.type.item if isinstance(field.type, Array) else field.type
    if isinstance(kind, Nested):
        inside = {} if kind.layout.name == "tagged_fields" else fill(kind.layout)
        return [inside] if isinstance(field.type, Array) else inside
    if isinstance(kind, Form | Rest):
        return b"a"
    return bytes(range(16)) if isinstance(kind, Fixed) else 1


def set_at(layout: Layout, values: dict[str, Any], path: list[str], word: str) -> None:
    """Give the field at a path its value at an edge; counts are those of their arrays.

    Raises:
        KeyError: the edge is not one that a value can be chosen for.
    """
    field = layout.field(path[0])
    if isinstance(field.computed, CountOf):
        field = layout.field(field.computed.array)
    kind = field.type.item if isinstance(field.type, Array) else field.type
    if len(path) == 1:
        item = fill(kind.layout) if isinstance(kind, Nested) else None
        values[field.name] = value_at(field, word, item)
        return
    if not isinstance(kind, Nested):
        raise KeyError(path[0])
    if isinstance(field.type, Array):
        values[field.name] = values.get(field.name) or [fill(kind.layout)]
        set_at(kind.layout, values[field.name][0], path[1:], word)
    else:
        set_at(kind.layout, values.setdefault(field.name, {}), path[1:], word)
