"""Structures as JSON: what `decode --layout` prints and `encode --layout` reads.

Bytes are hex, what is not there is null. Integers of 64 bits are decimal strings, because
JavaScript's numbers lose bits past 2^53; plain numbers are taken as well. Nothing is rounded, and
no truth value is a number.
"""

from collections.abc import Mapping
from typing import Any

from kafka_format.records.json_form import integer, octets
from kafka_format.spec.layout import Layout
from kafka_format.spec.layout.model import Array, Choice, Fixed, Form, Integer, Nested, Rest, Type, Varint

from kafka_tools.errors import UsageError

_WIDE = {"int64", "uint64", "varlong"}


def structure_to_json(layout: Layout, value: Any) -> dict[str, Any]:  # noqa: ANN401 - a NamedTuple that the layout made
    """Turn a decoded value into what `json.dumps` takes."""
    return {field.name: _plain(field.type, getattr(value, field.name)) for field in layout.fields}


def structure_from_json(layout: Layout, document: Any, path: str = "") -> dict[str, Any]:  # noqa: ANN401 - the user's JSON
    """Turn a JSON object into what the layout's encoder takes.

    Raises:
        UsageError: it is no object, a field is unknown, or bytes are not hex; the text has the
            path.
    """
    if not isinstance(document, Mapping):
        raise UsageError(f"{path or 'the value'} must be an object with the fields of {layout.name}.")
    types = {field.name: field.type for field in layout.fields}
    unknown = [name for name in document if name not in types]
    if unknown:
        raise UsageError(f"{_join(path, unknown[0])}: {layout.name} has no such field.", f"Fields: {', '.join(types)}.")
    return {name: _value(types[name], item, _join(path, name)) for name, item in document.items()}


def _plain(kind: Type, value: Any) -> Any:  # noqa: ANN401 - any field's value
    if value is None:
        return None
    match kind:
        case Integer() | Varint():
            return str(value) if kind.name in _WIDE else value
        case Nested():
            return structure_to_json(kind.layout, value)
        case Array():
            return [_plain(kind.item, item) for item in value]
        case Choice():
            return structure_to_json(kind.cases[getattr(value, kind.by)], value)
        case Form() | Rest() | Fixed():
            return bytes(value).hex()


def _value(kind: Type, item: Any, path: str) -> Any:  # noqa: ANN401 - the user's JSON
    match kind:
        case Integer() | Varint() | Array() if item is None:
            return None
        case Integer() | Varint():
            return _integer(item, path)
        case Nested():
            return structure_from_json(kind.layout, item, path)
        case Array():
            return _items(kind, item, path)
        case Choice():
            return structure_from_json(_case(kind, item, path), item, path)
        case Form() | Rest() | Fixed():
            return _bytes(item, path)


def _integer(item: object, path: str) -> int:
    try:
        return integer(item)
    except ValueError:
        hint = "Write a number, or a decimal string for 64 bits."
        raise UsageError(f"{path}: {item!r} is not an integer.", hint) from None


def _items(kind: Array, item: Any, path: str) -> list[Any]:  # noqa: ANN401 - the user's JSON
    if not isinstance(item, list):
        raise UsageError(f"{path} must be a list, not {type(item).__name__}.", "`decode` prints such lists.")
    return [_value(kind.item, element, f"{path}[{index}]") for index, element in enumerate(item)]


def _case(kind: Choice, item: Any, path: str) -> Layout:  # noqa: ANN401 - the user's JSON
    chosen = item.get(kind.by) if isinstance(item, Mapping) else None
    if not isinstance(chosen, int) or chosen not in kind.cases:
        known = ", ".join(f"{number} ({layout.name})" for number, layout in kind.cases.items())
        raise UsageError(f"{_join(path, kind.by)} must say which layout it is: {known}.")
    return kind.cases[chosen]


def _bytes(item: object, path: str) -> bytes | None:
    try:
        return octets(item)
    except ValueError:
        raise UsageError(f"{path}: {item!r} is not hex.", "Write bytes as hex digits, or null.") from None


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
