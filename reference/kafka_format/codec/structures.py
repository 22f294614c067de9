"""Structures by name, compiled: of layouts, and of versions of versioned layouts."""

from __future__ import annotations

from typing import Any

from kafka_format.codec import compiler


def structure(name: str, version: int | None = None) -> compiler.Structure[Any]:
    """Return the compiled structure of that name, for example `record_batch`; compiled once.

    Args:
        name: name of the layout.
        version: the version, for a layout that has versions, for example 12 of `fetch_request`.

    Raises:
        LayoutError: there is no such layout or version; the message suggests a near name.
    """
    return compiler.structure(name) if version is None else compiler.version(name, version)
