"""The plan of a layout, which its text follows; that of a version is the layout machine's program.

It is a tree of nodes, one for each type in the layout, made when the layout is first used. The
machine is the extension kafka_format_native, a distribution of its own (`native/`), and takes the
tree of a version as it is. Its functions keep the contract of compiled text: a value, or a doubt,
and then the interpreter says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import Any, Final, NamedTuple

from kafka_format.codec.members import class_name, default_structure, members, type_name
from kafka_format.codec.readings import load_machine
from kafka_format.codec.runtime import LONGEST_STRING, UnknownTaggedField
from kafka_format.primitives.collector import LARGE
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.spec.layout.model import (
    Array,
    Boolean,
    BytesAfter,
    Choice,
    Computed,
    Counted,
    Field,
    Fixed,
    Float,
    Form,
    Integer,
    Layout,
    Nested,
    Optional,
    Rest,
    TagSection,
    Type,
    Varint,
    minimum_size,
)

INT64_MAX: Final = (1 << 63) - 1


class Operation(IntEnum):
    """The kinds of nodes, by the numbers that the machine has for them.

    It does not know the last four, which only layouts without versions have.
    """

    INTEGER, BOOLEAN, FLOAT, FIXED, TEXT, BYTES, NESTED, OPTIONAL, ARRAY, TAGS, STRUCTURE = range(11)
    VARINT, ITEMS, CHOICE, REST = range(11, 15)


_PLAIN: Final[Mapping[type, Operation]] = {
    Boolean: Operation.BOOLEAN,
    Float: Operation.FLOAT,
    Varint: Operation.VARINT,
    Rest: Operation.REST,
}


class Program(NamedTuple):
    """The functions of a layout by the machine, as far as it has a program.

    Attributes:
        decode: reads a value that is all of the bytes.
        read: reads a value at a position, and tells the position after it.
        write: writes a value.
        read_within: reads a value between two positions, within a limit of decompressed bytes, and
            tells the position after it.
    """

    decode: Callable[[bytes], Any] | None = None
    read: Callable[[bytes, int], tuple[Any, int]] | None = None
    write: Callable[[Any], bytes] | None = None
    read_within: Callable[[bytes, int, int, int], tuple[Any, int]] | None = None


class Node(NamedTuple):
    """One type of a layout, in the order in which the machine takes it apart.

    Attributes:
        size: bytes of a number, of fixed content, or of a length; 0 for a length that is a varint.
        plus: what such a varint has more than the length that it is.
        place: of a field in the value of its structure.
        members: values of a structure.
        smallest: bytes of the shortest item of an array, at least 1.
        low: of numbers; of a structure that may be null, the marker that means null.
        high: of numbers, and of lengths.
        inner: fields of a structure; the item of an array; the structure in place; tagged fields.
        type: class of a structure, and of unknown tagged fields for a tag section.
        absent: value of a field that is left out, if `has_absent`; else it is a list of its own.
        elsewhere: tags that only other versions know.
        source: what it is made of: a field, a structure's layout, or the type of an array's items.
            The machine does not look at it.
    """

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
    source: Any = None

    @property
    def name(self) -> str:
        """The name of a field, or of the class of a structure."""
        name: str = class_name(self.source) if self.operation == Operation.STRUCTURE else self.source.name
        return name

    @property
    def kind(self) -> Any:
        """The type of a field, or of an array's items."""
        return self.source.type if isinstance(self.source, Field) else self.source

    @property
    def computed(self) -> Computed | None:
        """How a field is computed, if it is."""
        return self.source.computed if isinstance(self.source, Field) else None

    @property
    def is_framed(self) -> bool:
        """True for a structure that says where it ends."""
        return any(isinstance(field.computed, BytesAfter) for field in self.inner)

    @property
    def code(self) -> str:
        """The letter of what has a fixed size, or of its length, in the struct module."""
        match self.operation:
            case Operation.BOOLEAN:
                return "B"
            case Operation.FLOAT:
                return "d"
            case Operation.FIXED:
                return f"{self.size}s"
            case _:
                letter = {1: "b", 2: "h", 4: "i", 8: "q"}[self.size]
                return letter if self.is_signed else letter.upper()

    @property
    def is_empty(self) -> bool:
        """True for a structure without bytes."""
        return self.operation in {Operation.NESTED, Operation.STRUCTURE} and all(node.is_empty for node in self.inner)

    def walk(self) -> Iterator[Node]:
        """Yield the node and all inside it."""
        yield self
        for node in self.inner:
            yield from node.walk()

    def fields(self) -> Iterator[Node]:
        """Yield the fields of a structure's value, in the order of their places."""
        for field in self.inner:
            if field.operation == Operation.TAGS:
                yield from field.inner
            yield field


def plan(layout: Layout, types: Mapping[str, type], defaults: Mapping[str, Any]) -> Node:
    """Make the plan of a layout.

    Args:
        layout: the layout, or one of its versions.
        types: the classes of its structures, by their names.
        defaults: the values of structures that have all their defaults, by the same names.
    """
    return _Builder(types, defaults).structure(layout)


def program(node: Node) -> Program:
    """Make the functions of a version by the layout machine.

    Raises:
        ValueError: the machine has no room for the layout.
    """
    return Program(*load_machine().program(node, LARGE))


class _Builder:
    def __init__(self, types: Mapping[str, type], defaults: Mapping[str, Any]) -> None:
        self._types = types
        self._defaults = defaults

    def structure(self, layout: Layout) -> Node:
        """Return the node of a structure."""
        places = {field.name: place for place, field in enumerate(members(layout))}
        inner = tuple(self._field(field, places) for field in layout.fields)
        return Node(
            Operation.STRUCTURE,
            inner=inner,
            type=self._types[type_name(layout)],
            members=len(places),
            source=layout,
        )

    def _field(self, field: Field, places: Mapping[str, int]) -> Node:
        tag = -1 if field.tag is None else field.tag
        node = self._type(field.type, places)._replace(place=places[field.name], tag=tag, source=field)
        if isinstance(field.type, Counted) and field.default == ():
            return node  # a list of its own each time
        default = default_structure(field)
        absent = field.default if default is None else self._defaults[type_name(default)]
        return node._replace(has_absent=True, absent=absent)

    def _type(self, kind: Type, places: Mapping[str, int]) -> Node:
        match kind:
            case Form(content=content, null=null):
                most = LONGEST_STRING if content == "text" else INT32_MAX
                node = self._length(Operation.TEXT if content == "text" else Operation.BYTES, kind.length)
                return node._replace(nullable=null is not None, high=most)
            case Nested(layout=layout):
                return Node(Operation.NESTED, inner=(self.structure(layout),))
            case Optional(layout=layout):
                return self._length(Operation.OPTIONAL, kind.marker)._replace(
                    low=kind.null, inner=(self.structure(layout),)
                )
            case Counted(item=item):
                node = self._length(Operation.ARRAY, kind.length)._replace(nullable=kind.nullable, high=INT32_MAX)
                return node._replace(smallest=max(1, minimum_size(item)), inner=(self._item(item),))
            case TagSection(fields=fields, elsewhere=elsewhere):
                inner = tuple(self._field(field, places) for field in fields)
                return Node(Operation.TAGS, inner=inner, elsewhere=elsewhere, type=UnknownTaggedField)
            case _:
                return self._scalar(kind)

    def _item(self, kind: Type) -> Node:
        return self._type(kind, {})._replace(source=kind)

    def _scalar(self, kind: Type) -> Node:
        match kind:
            case Integer(size=size, lowest=low, highest=high):
                return Node(Operation.INTEGER, size=size, is_signed=low < 0, low=low, high=high)
            case Fixed(size=size):
                return Node(Operation.FIXED, size=size)
            case Array(item=item, nullable=nullable):
                return Node(Operation.ITEMS, nullable=nullable, inner=(self._item(item),))
            case Choice(cases=cases):
                return Node(Operation.CHOICE, inner=tuple(map(self.structure, cases.values())))
            case _:
                return Node(_PLAIN[type(kind)])

    def _length(self, operation: int, kind: Integer | Varint) -> Node:
        if isinstance(kind, Integer):
            return Node(operation, size=kind.size)
        return Node(operation, plus=kind.kind.plus)
