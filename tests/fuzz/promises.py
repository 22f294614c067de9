"""What every reader promises of any input at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kafka_format.errors import FormatError
from kafka_format.spec.rules import rules

LIMIT: Final = 1 << 16
"""Bytes that payloads may decompress to."""


def check(reader: Callable[..., Any], data: bytes, flags: frozenset[str]) -> Any:
    """Read the bytes, and return the answer, or the FormatError after a look at what it says.

    Raises:
        AssertionError: the error names no rule, or no place in the input.
        Exception: the reader raises what is no FormatError.
    """
    try:
        return reader(data, flags=flags, limit=LIMIT)
    except FormatError as error:
        refusal = error
    _look_at(refusal, len(data))
    return refusal


def _look_at(error: FormatError, size: int) -> None:
    known = rules().get(error.rule)
    assert known is not None, f"there is no rule {error.rule}"
    assert error.stage == known.stage, f"{error.rule} is of stage {known.stage}, not {error.stage}"
    assert 0 <= error.offset <= (LIMIT if error.payload else size), f"there is no such byte: {error}"
    assert str(error).startswith(error.stage)
