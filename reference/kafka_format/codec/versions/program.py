"""Programs for the layout machine, made of versions when they are first used.

The machine is the extension kafka_format_native, a distribution of its own (`native/`). A program
is a tree of tuples, one for each type in a version; machine.c says what stands in them. Its
functions keep the contract of compiled text: a value, or a doubt, and then the interpreter says
what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from kafka_format.codec.members import default_structure, members
from kafka_format.codec.readings import load_machine
from kafka_format.codec.runtime import LONGEST_STRING, UnknownTaggedField
from kafka_format.primitives.collector import LARGE
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.spec.layout.model import (
    Boolean,
    Counted,
    Field,
    Fixed,
    Float,
    Form,
    Integer,
    Layout,
    Nested,
    Optional,
    TagSection,
    Type,
    Varint,
    minimum_size,
)

_INTEGER, _BOOLEAN, _FLOAT, _FIXED, _TEXT, _BYTES, _NESTED, _OPTIONAL, _ARRAY, _TAGS, _STRUCTURE = range(11)

INT64_MAX: Final = (1 << 63) - 1


class Program(NamedTuple):
    """The functions of one version.

    Attributes:
        decode: reads a value that is all of the bytes.
        read: reads a value at a position, and tells the position after it.
        write: writes a value.
    """

    decode: Callable[[bytes], Any]
    read: Callable[[bytes, int], tuple[Any, int]]
    write: Callable[[Any], bytes]


class Node(NamedTuple):
    """One type of a version, in the order in which the machine takes it apart."""

    operation: int
    size: int = 0
    is_signed: int = 1
    nullable: int = 0
    plus: int = 0
    place: int = 0
    members: int = 0
    tag: int = -1
    smallest: int = 1
    low: int = 0
    high: int = INT64_MAX
    inner: tuple[Any, ...] = ()
    type: type | None = None
    has_absent: bool = False
    absent: Any = None
    elsewhere: tuple[int, ...] = ()


def program(layout: Layout, types: Mapping[str, type], defaults: Mapping[str, Any]) -> Program:
    """Make the program of a version.

    Args:
        layout: the version.
        types: the classes of its structures, by their names.
        defaults: the values of structures that have all their defaults, by the same names.

    Raises:
        ValueError: the machine has no room for the layout.
    """
    return Program(*load_machine().program(_Builder(types, defaults).structure(layout), LARGE))


class _Builder:
    def __init__(self, types: Mapping[str, type], defaults: Mapping[str, Any]) -> None:
        self._types = types
        self._defaults = defaults

    def structure(self, layout: Layout) -> Node:
        """Return the node of a structure."""
        places = {field.name: place for place, field in enumerate(members(layout))}
        inner = tuple(self._field(field, places) for field in layout.fields)
        return Node(_STRUCTURE, inner=inner, type=self._types[layout.type_name], members=len(places))

    def _field(self, field: Field, places: Mapping[str, int]) -> Node:
        tag = -1 if field.tag is None else field.tag
        node = self._type(field.type, places)._replace(place=places[field.name], tag=tag)
        if isinstance(field.type, Counted) and field.default == ():
            return node  # a list of its own each time
        default = default_structure(field)
        absent = field.default if default is None else self._defaults[default.type_name]
        return node._replace(has_absent=True, absent=absent)

    def _type(self, kind: Type, places: Mapping[str, int]) -> Node:
        match kind:
            case Form(content=content, null=null):
                most = LONGEST_STRING if content == "text" else INT32_MAX
                node = self._length(_TEXT if content == "text" else _BYTES, kind.length)
                return node._replace(nullable=null is not None, high=most)
            case Nested(layout=layout):
                return Node(_NESTED, inner=(self.structure(layout),))
            case Optional(layout=layout):
                return self._length(_OPTIONAL, kind.marker)._replace(low=kind.null, inner=(self.structure(layout),))
            case Counted(item=item):
                node = self._length(_ARRAY, kind.length)._replace(nullable=kind.nullable, high=INT32_MAX)
                return node._replace(smallest=max(1, minimum_size(item)), inner=(self._type(item, {}),))
            case TagSection(fields=fields, elsewhere=elsewhere):
                inner = tuple(self._field(field, places) for field in fields)
                return Node(_TAGS, inner=inner, elsewhere=elsewhere, type=UnknownTaggedField)
            case _:
                return self._scalar(kind)

    def _scalar(self, kind: Type) -> Node:
        match kind:
            case Integer(size=size, lowest=low, highest=high):
                return Node(_INTEGER, size=size, is_signed=low < 0, low=low, high=high)
            case Boolean():
                return Node(_BOOLEAN)
            case Float():
                return Node(_FLOAT)
            case Fixed(size=size):
                return Node(_FIXED, size=size)
            case _:
                msg = f"{kind.name} is none of the protocol's types"
                raise TypeError(msg)

    def _length(self, operation: int, kind: Integer | Varint) -> Node:
        if isinstance(kind, Integer):
            return Node(operation, size=kind.size)
        return Node(operation, plus=kind.kind.plus)
