"""Structures by name, compiled: of layouts, and of versions of versioned layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from kafka_format.codec.compiler.structure import Structure
    from kafka_format.codec.versions import CompiledVersion


@overload
def structure(name: str) -> Structure[Any]: ...
@overload
def structure(name: str, version: int) -> CompiledVersion[Any]: ...
def structure(name: str, version: int | None = None) -> Structure[Any] | CompiledVersion[Any]:
    """Return the compiled structure of that name, for example `record_batch`; compiled once.

    Args:
        name: name of the layout.
        version: the version, for a layout that has versions, for example 12 of `fetch_request`.

    Raises:
        LayoutError: there is no such layout or version; the message suggests a near name.
    """
    # Each is imported when it is needed: no program needs both at its start.
    if version is not None:
        from kafka_format.codec import versions  # noqa: PLC0415

        return versions.version(name, version)
    from kafka_format.codec.compiler import structure as compiled  # noqa: PLC0415

    return compiled(name)
