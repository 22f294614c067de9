"""JSON as Kafka's library, Jackson, writes it: without blanks, and numbers as Java writes them."""

import json
from decimal import Decimal
from typing import Any, Final

_LEAST: Final = 1e-3
_MOST: Final = 1e7
"""Between them Java writes a number of 64 bits without an exponent (Double.toString)."""


def text(value: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
    """Return a value as JSON."""
    match value:
        case dict():
            return "{" + ",".join(f"{text(name)}:{text(each)}" for name, each in value.items()) + "}"
        case list():
            return "[" + ",".join(map(text, value)) + "]"
        case float():
            return _number(value)
        case _:
            return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    if value == 0 or _LEAST <= abs(value) < _MOST:
        return repr(value)
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    if not isinstance(exponent, int):  # neither infinite nor a number: Jackson puts these in quotes
        return f'"{ {"inf": "Infinity", "-inf": "-Infinity"}.get(repr(value), "NaN") }"'
    shown = "".join(map(str, digits))
    return f"{'-' * sign}{shown[0]}.{shown[1:] or '0'}E{exponent + len(shown) - 1}"
