"""Defaults of versioned layouts' fields: given, or Kafka's own where a schema gives none."""

from __future__ import annotations

import base64
import binascii
import math
from typing import Final

from kafka_format.spec.layout.types import INTEGERS
from kafka_format.spec.layout.versioned.model import Default
from kafka_format.spec.layout.yamlfile import Section

_UUID_SIZE: Final = 16
_IMPLICIT: Final[dict[str, Default]] = {
    "bool": False,
    "float64": 0.0,
    "uuid": bytes(_UUID_SIZE),
    "string": "",
    "bytes": b"",
    "records": None,
}


def of_field(section: Section, kind: str, *, is_array: bool, is_structure: bool) -> tuple[bool, Default]:
    """Return whether the default of a field is null, and what it is.

    Where nothing is given it is 0, false, an empty text, a zero UUID, an empty array; for records
    it is null.
    """
    if "default" not in section.values:
        if is_array or is_structure:
            return False, ()
        return kind == "records", _IMPLICIT.get(kind, 0)
    value = section.values["default"]
    if value is None:
        return True, None
    if is_array or is_structure:
        raise section.error(f"`{value}` cannot be the default", key="default", advice="write null, or nothing")
    default = _scalar(section, kind, value)
    if default == _IMPLICIT.get(kind, 0) and kind != "records":
        raise section.error(f"`{value}` is the default anyway", key="default", advice="leave it out")
    return False, default


def _scalar(section: Section, kind: str, value: object) -> Default:
    if kind == "bool" and isinstance(value, bool):
        return value
    if kind == "float64" and isinstance(value, float | int) and not isinstance(value, bool):
        return _float(section, value)
    if kind == "string" and isinstance(value, str):
        return value
    if kind == "uuid" and isinstance(value, str):
        return _uuid(section, value)
    if kind in INTEGERS:
        return _integer(section, kind)
    raise section.error(f"`{value}` cannot be the default of {kind}", key="default")


def _integer(section: Section, kind: str) -> int:
    number = section.number("default")
    integer = INTEGERS[kind]
    if number is None or not integer.lowest <= number <= integer.highest:
        raise section.error(
            f"{number} does not fit {kind}", key="default", advice=f"{integer.lowest} to {integer.highest}"
        )
    return number


def _float(section: Section, value: float) -> float:
    """Return a number that is one, and that is equal to itself: so an encoder can leave it out."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise section.error(
            f"{str(value)[:20]} cannot be the default of float64", key="default", advice="write a finite number"
        )
    return number


def _uuid(section: Section, text: str) -> bytes:
    """Return the bytes of a UUID as Kafka writes it: URL-safe base64 without padding."""
    try:
        content = base64.urlsafe_b64decode(text + "==")
    except (binascii.Error, ValueError):
        content = b""
    if len(content) != _UUID_SIZE:
        raise section.error(f"`{text}` is not a UUID", key="default", advice="write it as 22 characters of base64")
    return content
