"""Which of many structures bytes can be, found by walking what the structures have in common once.

To read bytes as each version of each response takes milliseconds, and most of them fail at the same
field. Here the fields of all of them form a tree: structures that begin with the same fields share
its branches, and a branch is left at the first size, count, text or marker that does not fit. What
is left are the few structures that are worth reading.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final, Generic, TypeVar

from kafka_format.primitives.varints import read_varint
from kafka_format.spec.layout.model import (
    Boolean,
    Counted,
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
from kafka_format.spec.layout.types import VARINTS

T = TypeVar("T")
"""What a caller calls a structure."""

_WRONG: Final = -1
"""The bytes do not fit."""

_UNSIGNED: Final = VARINTS["uvarint"]
_LEAST_TAG: Final = 2
_MORE: Final = 0x80
"""The bit of a byte of a varint that says that another one follows."""

Skip = Callable[[bytes, int, int], int]
"""Takes bytes, the place of a value in them, and the end of what it lies in, which may be behind
the last byte. Returns the place after the value, `_WRONG`, or a place behind the last byte if the
value is cut there."""


class _Node(Generic[T]):
    """A place in the tree: what ends here, and the fields that may follow."""

    __slots__ = ("ends", "nexts")

    def __init__(self) -> None:
        self.ends: list[T] = []
        self.nexts: dict[Hashable, tuple[Skip, _Node[T]]] = {}


class Shapes(Generic[T]):
    """Many structures, each under a name of the caller's."""

    def __init__(self, structures: Iterable[tuple[T, tuple[Layout, ...]]]) -> None:
        """Take the names, and the layouts that follow one another in each."""
        self._root: _Node[T] = _Node()
        for name, layouts in structures:
            node = self._root
            for field in (field for layout in layouts for field in layout.fields):
                key = shape(field.type)
                if key not in node.nexts:
                    node.nexts[key] = _skip_of(field.type), _Node()
                node = node.nexts[key][1]
            node.ends.append(name)

    def fitting(self, data: bytes, start: int) -> Iterator[T]:
        """Yield what may begin at a byte and end with the last one."""
        open_nodes = [(self._root, start)]
        size = len(data)
        while open_nodes:
            node, position = open_nodes.pop()
            if position == size:
                yield from node.ends
            for skip, after in node.nexts.values():
                end = skip(data, position, size)
                if 0 <= end <= size:
                    open_nodes.append((after, end))

    def cut(self, data: bytes, start: int, end: int) -> Iterator[T]:
        """Yield what may begin at a byte and be cut at the last one, where `end` is promised."""
        open_nodes = [(self._root, start)]
        while open_nodes:
            node, position = open_nodes.pop()
            if position >= len(data):
                yield from node.ends if position > len(data) else ()
                yield from _all_under(node)
                continue
            for skip, after in node.nexts.values():
                place = skip(data, position, end)
                if place >= 0:
                    open_nodes.append((after, place))


def _all_under(node: _Node[T]) -> Iterator[T]:
    """Yield what has fields behind a place; what ends there is not cut."""
    for _, after in node.nexts.values():
        yield from after.ends
        yield from _all_under(after)


def shape(kind: Type) -> Hashable:
    """Return what of a type tells how far a value goes."""
    match kind:
        case Nested(layout=layout):
            return "nested", *(shape(field.type) for field in layout.fields)
        case Optional(layout=layout, marker=marker):
            return "optional", shape(marker), kind.null, *(shape(field.type) for field in layout.fields)
        case Counted(item=item, length=length, nullable=nullable):
            return "counted", shape(item), shape(length), nullable
        case TagSection(fields=fields, elsewhere=elsewhere):
            return "tags", *((field.tag, shape(field.type)) for field in fields), elsewhere
        case Form(length=length, content=content, null=null):
            return "form", shape(length), content, null
        case _:
            return kind.name, getattr(kind, "size", 0)


def _skip_of(kind: Type) -> Skip:
    match kind:
        case Nested(layout=layout):
            return _structure(layout)
        case Counted():
            return _counted(kind)
        case Optional():
            return _optional(kind)
        case TagSection():
            return _tags(kind)
        case _:
            return _leaf(kind)


def _structure(layout: Layout) -> Skip:
    skips = tuple(_skip_of(field.type) for field in layout.fields)

    def skip(data: bytes, position: int, end: int) -> int:
        for each in skips:
            position = each(data, position, end)
            if position < 0 or position > len(data):
                return position
        return position

    return skip


def _leaf(kind: Type) -> Skip:
    match kind:
        case Boolean():
            return _boolean
        case Form():
            return _form(kind)
        case Rest():
            return lambda _data, _position, end: end
        case Varint():
            return lambda data, position, end: _number(kind, data, position, end)[1]
        case _:
            size = minimum_size(kind)
            return lambda _data, position, end: position + size if position + size <= end else _WRONG


def _boolean(data: bytes, position: int, end: int) -> int:
    if position >= len(data):
        return position + 1 if position < end else _WRONG
    return position + 1 if data[position] < 2 else _WRONG


def _number(kind: Integer | Varint, data: bytes, position: int, end: int) -> tuple[int, int]:
    """Return a number and the place after it; that is behind the last byte if it is cut."""
    if isinstance(kind, Integer):
        after = position + kind.size
        if after > end:
            return 0, _WRONG
        return int.from_bytes(data[position:after], "big", signed=kind.lowest < 0), after
    if position < min(end, len(data)) and data[position] < _MORE and not kind.kind.zigzag:
        return data[position] - kind.kind.plus, position + 1
    raw = read_varint(data, position, min(end, len(data)), kind.kind)
    if raw is None:
        return 0, len(data) + 1 if end > len(data) else _WRONG
    return raw.value, raw.end if raw.end >= 0 and not raw.excess and not raw.overlong else _WRONG


def _length(kind: Integer | Varint, null: int | None, data: bytes, position: int, end: int) -> tuple[int, int]:
    """Return a length, -1 for null, and the place after it."""
    number, after = _number(kind, data, position, end)
    if after < 0 or after > len(data):
        return 0, after
    if number == null:
        return -1, after
    return (number, after) if number >= 0 else (0, _WRONG)


def _form(kind: Form) -> Skip:
    is_text = kind.content in ("text", "utf8")

    def skip(data: bytes, position: int, end: int) -> int:
        length, after = _length(kind.length, kind.null, data, position, end)
        if length <= 0 or after < 0 or after > len(data):
            return after
        if length > end - after:
            return _WRONG
        if is_text and not _is_text(data[after : after + length], is_whole=after + length <= len(data)):
            return _WRONG
        return after + length

    return skip


def _is_text(content: bytes, *, is_whole: bool) -> bool:
    if content.isascii():
        return True
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return not is_whole and error.end == len(content)
    return True


def _counted(kind: Counted) -> Skip:
    item, least = _skip_of(kind.item), max(minimum_size(kind.item), 1)
    null = -1 if kind.nullable else None

    def skip(data: bytes, position: int, end: int) -> int:
        count, position = _length(kind.length, null, data, position, end)
        if count <= 0 or position < 0 or position > len(data):
            return position
        if count * least > end - position:
            return _WRONG
        for _ in range(count):
            position = item(data, position, end)
            if position < 0 or position > len(data):
                return position
        return position

    return skip


def _optional(kind: Optional) -> Skip:
    content = _structure(kind.layout)

    def skip(data: bytes, position: int, end: int) -> int:
        marker, position = _number(kind.marker, data, position, end)
        if position < 0 or position > len(data) or marker == kind.null:
            return position
        return content(data, position, end) if marker == 1 else _WRONG

    return skip


def _tags(kind: TagSection) -> Skip:
    known = {field.tag: _skip_of(field.type) for field in kind.fields}

    def skip(data: bytes, position: int, end: int) -> int:
        count, position = _number(_UNSIGNED, data, position, end)
        if not count or position < 0 or position > len(data):
            return position
        if count * _LEAST_TAG > end - position:
            return _WRONG
        last = -1
        for _ in range(count):
            tag, position = _number(_UNSIGNED, data, position, end)
            if position < 0 or position > len(data):
                return position
            if tag <= last or tag in kind.elsewhere:
                return _WRONG
            last = tag
            position = _tag(known.get(tag), data, position, end)
            if position < 0 or position > len(data):
                return position
        return position

    return skip


def _tag(content: Skip | None, data: bytes, position: int, end: int) -> int:
    size, position = _number(_UNSIGNED, data, position, end)
    if position < 0 or position > len(data):
        return position
    if size > end - position:
        return _WRONG
    after = position + size
    if content is None:  # one that nobody knows and that takes all the rest says nothing
        return after if after <= len(data) else _WRONG
    found = content(data, position, after)
    return found if found < 0 or found > len(data) or found == after else _WRONG
