"""Versions of the protocol's layouts for mutants: read and written by the interpreter only.

A mutant makes hundreds of versions wrong. To compile a version takes ten times what its layout
takes, and the compiled code is not used where the interpreter has every word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from kafka_format.codec.compiler import Structure
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Counted, Field, Layout, Nested, Optional, TagSection, Type

ChangeOfType = Callable[[Type], Type]
ChangeOfField = Callable[[Field], Field]


class Interpreted(Structure[Any]):
    """One version. Values are dictionaries, so that fields keep their names in any order."""

    def __init__(self, layout: Layout) -> None:
        """Take the version, as a layout."""
        self.layout = layout

    def _make(self, _layout: Layout, values: dict[str, Any]) -> Any:
        return values


def interpreted() -> Callable[[str, int], Structure[Any]]:
    """Return a replacement of `kafka_format.codec.compiler.version`, with an empty cache."""

    @cache
    def version(name: str, number: int) -> Structure[Any]:
        return Interpreted(find(name, number))

    return version


def with_types(layout: Layout, change: ChangeOfType) -> Layout:
    """Return a layout with all types changed, in nested layouts and tagged fields too."""
    return with_fields(layout, lambda field: replace(field, type=change(field.type)), change)


def with_fields(layout: Layout, change: ChangeOfField, item: ChangeOfType = lambda kind: kind) -> Layout:
    """Return a layout with all fields changed, in nested layouts too, the innermost first.

    Args:
        layout: the layout.
        change: makes a field of a field.
        item: makes a type of the type of an array's items.
    """

    def changed(field: Field) -> Field:
        return change(replace(field, type=inside(field.type)))

    def inside(kind: Type) -> Type:
        match kind:
            case Nested(layout=inner) | Optional(layout=inner):
                return replace(kind, layout=with_fields(inner, change, item))
            case Counted(item=one):
                return replace(kind, item=item(inside(one)))
            case TagSection(fields=fields):
                return replace(kind, fields=tuple(map(changed, fields)))
            case _:
                return kind

    return replace(layout, fields=tuple(map(changed, layout.fields)))
