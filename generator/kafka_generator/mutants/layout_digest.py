"""The digest of a layout for tables of kills: of what it reads, without what it says to people."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from kafka_format.spec.layout.versioned import VersionedLayout

_PROSE: Final = frozenset({"doc", "title", "source", "file", "line", "since", "until", "unstable", "formerly"})
"""Members that change no byte: texts, where they stand, and the releases that had something."""


def layout_digest(layout: VersionedLayout) -> str:
    """Return a digest that changes if the layout reads or writes anything otherwise.

    Another word in a text of the layout, another order of its keys or a comment changes nothing.
    """
    return hashlib.sha256(repr(_bare(layout)).encode()).hexdigest()[:16]


def _bare(part: Any) -> Any:
    """Return a part of a layout as tuples, without prose."""
    if is_dataclass(part):
        names = [field.name for field in fields(part) if field.name not in _PROSE]
        return (type(part).__name__, *((name, _bare(getattr(part, name))) for name in names))
    if isinstance(part, Mapping):
        return tuple(sorted((key, _bare(value)) for key, value in part.items()))
    return tuple(_bare(item) for item in part) if isinstance(part, tuple) else part
