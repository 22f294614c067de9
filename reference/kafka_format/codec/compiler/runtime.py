"""Functions that compiled modules call: checks of content, and the small tables of the writers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kafka_format import compression
from kafka_format.errors import FormatError

INT8_BYTES: Final = {value: value.to_bytes(1, "big", signed=True) for value in range(-128, 128)}


def is_utf8(content: bytes) -> bool:
    """Tell whether content is UTF-8."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def decompress(codec: str, data: bytes, limit: int) -> bytes | None:
    """Return a payload decompressed; None if it breaks a rule or is larger than the limit."""
    try:
        return compression.decompress(codec, data, limit=limit)
    except FormatError:
        return None


def check_size(content: bytes, size: int) -> bytes:
    """Return content that has this size.

    Raises:
        TypeError: it has another, or is no bytes.
    """
    if type(content) is not bytes or len(content) != size:
        raise TypeError
    return content


def count(items: Sequence[object]) -> int:
    """Count the items of an array.

    Raises:
        TypeError: the array is given as bytes, so there is nothing to count, or as something else.
    """
    if not isinstance(items, list | tuple):
        raise TypeError
    return len(items)
