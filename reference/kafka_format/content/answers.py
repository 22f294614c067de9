"""What a reader of keys and values gives, and the errors that it raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kafka_format.errors import FormatError, Stage

Answer = dict[str, Any]
"""Parts of what was read, by name: see `serdes`."""

Headers = Mapping[str, bytes | None]
"""The last header of each name."""

Reader = Callable[[bytes, Headers, frozenset[str]], Answer]
"""Reads a value that is not null; takes the headers of its record and the leniencies, too."""


def wrong(detail: str, rule: str, offset: int = 0, *path: str | int, stage: Stage = Stage.STRUCTURE) -> FormatError:
    """Return the error that a broken rule gives."""
    return FormatError(detail, rule=rule, stage=stage, offset=offset, path=path)
