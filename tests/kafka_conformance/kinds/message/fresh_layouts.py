"""Layouts that implementors get wrong: fields of other types, compact lengths in other versions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kafka_format.spec.layout.versioned import VersionedLayout, Versions

Change = Callable[[VersionedLayout], VersionedLayout]


def type_changed(name: str, kind: str) -> Change:
    """Return what has an outermost field of another type."""

    def change(layout: VersionedLayout) -> VersionedLayout:
        fields = (replace(field, type=kind) if field.name == name else field for field in layout.body.fields)
        return replace(layout, body=replace(layout.body, fields=tuple(fields)))

    return change


def flexible_moved(by: int) -> Change:
    """Return what has compact lengths and tags from an earlier or later version on."""
    return lambda layout: replace(layout, flexible=Versions(layout.flexible.lowest + by, layout.flexible.highest))
