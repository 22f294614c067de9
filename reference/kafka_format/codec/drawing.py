"""Invents values of a version of a layout: one walk over its types; a chooser says what to draw.

The strategies for Hypothesis, the sampler of millions of messages and the generator of vectors are
choosers. What a chooser makes of a type is its own matter: a strategy, or a function.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from kafka_format.codec.members import members
from kafka_format.spec.layout.model import Counted, Field, Form, Layout, Nested, Optional, TagSection, Type

_Drawn = TypeVar("_Drawn")


class Depth(NamedTuple):
    """The depth of a type.

    Attributes:
        levels: structures and arrays around it, without the outermost structure.
        arrays: arrays around it.
    """

    levels: int = 0
    arrays: int = 0


class Chooser(Protocol[_Drawn]):
    """Says how the values of each type are drawn."""

    def structure(self, layout: Layout, fields: Sequence[_Drawn]) -> _Drawn:
        """Draw a structure of its fields, in the order of `members`."""

    def field(self, field: Field, drawn: _Drawn) -> _Drawn:
        """Draw a field, which may have its default, or a name, in place of any value."""

    def or_null(self, kind: Type, drawn: _Drawn, depth: Depth) -> _Drawn:
        """Draw a value that may be null."""

    def items(self, item: _Drawn, depth: Depth) -> _Drawn:
        """Draw an array of items."""

    def unknown(self, section: TagSection) -> _Drawn:
        """Draw tagged fields that no version knows."""

    def scalar(self, field: Field, kind: Type) -> _Drawn:
        """Draw a number, a boolean, a text, bytes or a UUID of a field, or of an item of it."""


def draw(layout: Layout, choose: Chooser[_Drawn], depth: Depth = Depth()) -> _Drawn:  # noqa: B008 - it never changes
    """Return what a chooser makes of one version of a layout."""
    fields = [choose.field(field, _of_type(field, field.type, choose, depth)) for field in members(layout)]
    return choose.structure(layout, fields)


def _of_type(field: Field, kind: Type, choose: Chooser[_Drawn], depth: Depth) -> _Drawn:
    match kind:
        case Nested(layout=layout):
            return draw(layout, choose, depth._replace(levels=depth.levels + 1))
        case Optional(layout=layout):
            return choose.or_null(kind, draw(layout, choose, depth._replace(levels=depth.levels + 1)), depth)
        case Counted(item=item, nullable=nullable):
            items = choose.items(_of_type(field, item, choose, Depth(depth.levels + 1, depth.arrays + 1)), depth)
            return choose.or_null(kind, items, depth) if nullable else items
        case TagSection():
            return choose.unknown(kind)
        case _:
            drawn = choose.scalar(field, kind)
            return choose.or_null(kind, drawn, depth) if isinstance(kind, Form) and kind.null is not None else drawn
