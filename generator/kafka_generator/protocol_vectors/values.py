"""Values of a shape: the smallest, a typical one, and those that put every field at its edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kafka_format import records
from kafka_format.codec.drawing import Depth, draw
from kafka_format.codec.members import default_of, members
from kafka_format.records import Record
from kafka_format.spec.layout.model import (
    Boolean,
    Field,
    Fixed,
    Float,
    Form,
    Integer,
    Layout,
    Optional,
    TagSection,
    Type,
)

UNKNOWN_TAGS: Final = ((1000, b""), (1001, b"\1" * 130))
"""Tagged fields that no version knows: their tags and one size take two bytes."""

LONG: Final = 130
"""Bytes of a long string, and items of a long array: the length takes two bytes where it is
compact."""

FOREIGN: Final = "é日本𝄞"
"""Characters of two, three and four bytes of UTF-8."""

LARGE_BATCH: Final = records.encode([Record(offset=0, timestamp=1000, key=b"k", value=b"v" * (1 << 14))], magic=2)
"""The same with a value of 16 KiB."""

BATCH: Final = records.encode([Record(offset=0, timestamp=1000, key=b"k", value=b"v")], magic=2)
"""What stands in fields of records: one record batch."""


@dataclass(frozen=True, slots=True)
class ValueProfile:
    """How to choose the values of fields.

    Attributes:
        number: of an integer type and how many fields came before, its value.
        text: of a field's name and how many fields came before, a string.
        size: of bytes.
        flag: of booleans.
        count: of an array's depth and the index of the item that it is in, how many items.
        null: of the depth and that index, whether what may be null is.
        structures: False if structures are never null.
        tags: of that index, whether tagged fields are written; else they have their defaults.
        unknown: tagged fields that no version knows, in every structure.
    """

    number: Callable[[Integer, int], int]
    text: Callable[[str, int], str]
    size: Callable[[int], int]
    flag: bool = True
    count: Callable[[int, int], int] = lambda _depth, _index: 1
    null: Callable[[int, int], bool] = lambda _depth, _index: False
    structures: bool = True
    tags: Callable[[int], bool] = lambda _index: True
    unknown: tuple[tuple[int, bytes], ...] = ()


def _typical(kind: Integer, place: int) -> int:
    """Return a number that tells fields and bytes apart.

    Those of 64 bits could be times of the year 2024.
    """
    return {1: 1 + place % 100, 2: 257 + place, 4: 0x01020300 + place}.get(kind.size, 0x019301020300 + place)


def _word(name: str, place: int) -> str:
    return f"{name.replace('_', '-')}-{place}"


def _edge(which: str) -> Callable[[Integer, int], int]:
    numbers = {"minus-one": -1, "one": 1, "zero": 0}

    def number(kind: Integer, _place: int) -> int:
        if which == "lowest":
            return kind.lowest
        if which == "highest" or (which == "minus-one" and kind.lowest == 0):
            return kind.highest
        return numbers[which]

    return number


def _few(depth: int, index: int) -> int:
    return 2 if depth == 0 or index == 0 else 1


PROFILES: Final[Mapping[str, ValueProfile]] = {
    "smallest": ValueProfile(
        _edge("zero"), lambda _name, _place: "", lambda _: 0, flag=False, count=lambda _depth, _index: 0,
        null=lambda _depth, _index: True, tags=lambda _: False,
    ),
    "typical": ValueProfile(
        _typical, _word, lambda place: 3 + place % 5, count=_few, null=lambda _depth, index: index > 0,
        tags=lambda index: index == 0,
    ),
    "single": ValueProfile(_typical, lambda name, _place: name[:2], lambda _: 2),
    "nulls": ValueProfile(_typical, lambda name, _place: name[:2], lambda _: 2, null=lambda _depth, _index: True),
    "outer-nulls": ValueProfile(_typical, lambda name, _place: name[:2], lambda _: 2, null=lambda depth, _: depth == 0),
    "inner-nulls": ValueProfile(_typical, lambda name, _place: name[:2], lambda _: 2, null=lambda depth, _: depth > 0),
    "nulls-inside": ValueProfile(_typical, _word, lambda _: 2, null=lambda _depth, _index: True, structures=False),
    "empties": ValueProfile(_edge("zero"), lambda _name, _place: "", lambda _: 0, flag=False),
    "no-items": ValueProfile(_typical, _word, lambda _: 1, count=lambda _depth, _index: 0),
    "no-inner-items": ValueProfile(_typical, _word, lambda _: 1, count=lambda depth, _index: int(depth == 0)),
    "no-innermost-items": ValueProfile(_typical, _word, lambda _: 1, count=lambda depth, _index: int(depth < 2)),
    "no-deep-items": ValueProfile(_typical, _word, lambda _: 1, count=lambda depth, _index: int(depth < 3)),
    "lowest": ValueProfile(_edge("lowest"), lambda _name, _place: "l", lambda _: 1, flag=False),
    "highest": ValueProfile(_edge("highest"), lambda _name, _place: "h", lambda _: 1),
    "minus-one": ValueProfile(_edge("minus-one"), lambda _name, _place: "m", lambda _: 1),
    "one": ValueProfile(_edge("one"), lambda _name, _place: FOREIGN, lambda _: 1),
    "long": ValueProfile(_typical, lambda name, _place: (name[0] * LONG)[:LONG], lambda _: LONG),
    "unknown-tags": ValueProfile(_typical, _word, lambda _: 2, unknown=UNKNOWN_TAGS),
    "unknown-tags-alone": ValueProfile(_typical, _word, lambda _: 2, tags=lambda _: False, unknown=UNKNOWN_TAGS),
}  # fmt: skip
"""The profiles by the word that ends the id of their vectors."""

MANY: Final = ValueProfile(
    _edge("one"), lambda _name, _place: "", lambda _: 0, count=lambda depth, _index: LONG if depth == 0 else 0,
    tags=lambda _: False,
)  # fmt: skip
"""Arrays so long that their counts take two bytes."""


def _falling(kind: Integer, place: int) -> int:
    """Return a number that falls from item to item, some of them twice."""
    return _typical(kind, 600 - place // 2 % 600)


FALLING: Final = ValueProfile(
    _falling, lambda name, place: f"{name[:2]}-{900 - place}", lambda _: 1,
    count=lambda depth, index: 3 if depth == 0 or index == 0 else 1, tags=lambda index: index == 0,
)  # fmt: skip
"""Arrays whose items fall, and some of which come twice: who sorts them or keeps each once is
seen."""

OF_16_KIB: Final = ValueProfile(_typical, lambda name, _place: name[0] * (1 << 14), lambda _: 2)
"""Strings whose lengths take three bytes where they are compact."""

BEYOND_16_KIB: Final = ValueProfile(_typical, lambda name, _place: name[:2], lambda _: 1 << 14)
"""Records whose length takes three bytes where it is compact."""

WITH_NUL: Final = ValueProfile(_typical, lambda name, _place: f"{name[0]}\0{name[1]}", lambda _: 2)
"""Strings with a NUL inside."""

WITH_BLANKS: Final = ValueProfile(_typical, lambda name, _place: f" {name[0]}\t{name[1]}\n", lambda _: 2)
"""Strings that begin and end with white space."""


NO_TAGS: Final = ValueProfile(_typical, _word, lambda _: 2, tags=lambda _: False)
"""Tagged fields have their defaults."""


def value(layout: Layout, profile: ValueProfile, batches: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return a value.

    Args:
        layout: one version.
        profile: how to choose.
        batches: names of the fields whose bytes are record batches.
    """
    made: dict[str, Any] = draw(layout, _Choices(profile, batches))(0)
    return made


def defaults(layout: Layout) -> dict[str, Any]:
    """Return the value that has all defaults."""
    return {field.name: default_of(field, lambda _layout, values: values) for field in members(layout)}


_Draw = Callable[[int], Any]
"""Makes a value; takes the index of the item of an array that it is in."""


class _Choices:
    """What a profile says of each type; counts the fields and items that come before each."""

    def __init__(self, profile: ValueProfile, batches: frozenset[str]) -> None:
        self._profile = profile
        self._batches = batches
        self._place = -1  # the outermost structure is none of them

    def structure(self, layout: Layout, fields: Sequence[_Draw]) -> _Draw:
        names = [field.name for field in members(layout)]
        return self._counted(lambda index: {name: drawn(index) for name, drawn in zip(names, fields, strict=True)})

    def field(self, field: Field, drawn: _Draw) -> _Draw:
        if field.tag is None:
            return drawn
        tags = self._profile.tags
        return lambda index: drawn(index) if tags(index) else default_of(field, lambda _layout, values: values)

    def or_null(self, kind: Type, drawn: _Draw, depth: Depth) -> _Draw:
        if isinstance(kind, Optional) and not self._profile.structures:
            return drawn
        null = self._counted(lambda _: None)
        return lambda index: (null if self._profile.null(depth.arrays, index) else drawn)(index)

    def items(self, item: _Draw, depth: Depth) -> _Draw:
        count = self._profile.count
        return self._counted(lambda index: [item(at) for at in range(count(depth.arrays, index))])

    def unknown(self, _section: TagSection) -> _Draw:
        return self._counted(lambda _: self._profile.unknown)

    def scalar(self, field: Field, kind: Type) -> _Draw:
        return self._counted(lambda _: self._scalar(field, kind))

    def _counted(self, drawn: _Draw) -> _Draw:
        def next_one(index: int) -> Any:
            self._place += 1
            return drawn(index)

        return next_one

    def _scalar(self, field: Field, kind: Type) -> Any:
        profile, place = self._profile, self._place
        match kind:
            case Integer():
                return self._number(field, kind)
            case Boolean():
                alternates = field.tag is None and profile.number is _typical  # so neighbours differ
                return place % 2 == 1 if alternates else profile.flag
            case Float():
                return float(profile.number(_FLOAT, place)) + 0.5
            case Fixed(size=size):
                return _fixed_bytes(profile, size, place)
            case Form(content="text"):
                return profile.text(field.name, place)
            case _:
                size = profile.size(place)
                return self._bytes(field.name, size)

    def _bytes(self, name: str, size: int) -> bytes:
        if name not in self._batches or not size:
            return bytes(self._place + at & 255 for at in range(size))
        return LARGE_BATCH if size > LONG else BATCH

    def _number(self, field: Field, kind: Integer) -> int:
        """Choose an integer: a named number if the field has names, unless an edge is wanted."""
        if field.names is None or self._profile.number is not _typical:
            return self._profile.number(kind, self._place)
        known = [number for number in field.names.values if 0 <= number <= kind.highest]
        return known[self._place % len(known)]


_FLOAT: Final = Integer("int32", 4, "i", -(1 << 31), (1 << 31) - 1)


def _fixed_bytes(profile: ValueProfile, size: int, place: int) -> bytes:
    """Return a UUID: all bits set where numbers are -1 or highest, none where 0 or lowest."""
    number = profile.number(_BYTE, place)
    if profile.number is _typical:
        return bytes(place + at & 255 for at in range(size))
    return bytes([number & 255] * size) if number in (-1, 0) else bytes([number & 255]) * size


_BYTE: Final = Integer("int8", 1, "b", -128, 127)
