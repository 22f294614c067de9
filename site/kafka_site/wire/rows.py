"""One version of a structure of the protocol as the run of its fields, in the order of the wire.

What a layout nests stands here in one list: the header in front of a request, the count of an
array before its items, the section of tagged fields at the end of each structure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from kafka_format.protocol.apis import header_version
from kafka_format.spec.layout import find
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
    minimum_size,
)
from kafka_format.spec.layout.versioned import VersionedLayout

_COUNTS: Final = {
    "compact_length": "uvarint: count + 1",
    "int32": "int32: count",
    "int16": "int16: count",
}
_LENGTHS: Final = {
    "compact_length": "uvarint: length + 1, then bytes",
    "int32": "int32: length, then bytes",
    "int16": "int16: length, then bytes",
}
_NULLS: Final = {"compact_length": "0", "int32": "-1", "int16": "-1"}
"""What stands for null in the place of a length or count."""


class Group(NamedTuple):
    """Fields that come several times, or not always.

    Attributes:
        path: the field that they are of.
        caption: when they come.
    """

    path: str
    caption: str


class Row(NamedTuple):
    """One field on the wire.

    Attributes:
        path: the names from the frame to the field, with a dot between them; unique.
        name: what the field is called.
        type: how its bytes say it.
        size: how many bytes it takes; None where that varies.
        least: the fewest bytes that it takes.
        place: where it begins, counted from the part or the group; empty after what varies.
        groups: those that it is in, the outermost first.
        doc: what it means.
        null: the number that stands for null; empty where there is no null.
        holds: what its bytes are, if that is known; see `VersionedField.holds`.
    """

    path: str
    name: str
    type: str
    size: int | None
    least: int
    place: str
    groups: tuple[Group, ...]
    doc: str
    null: str = ""
    holds: str = ""

    @property
    def bytes(self) -> str:
        """How many bytes it takes, in words."""
        return f"{self.least} or more" if self.size is None else str(self.size)


class Part(NamedTuple):
    """What stands together on the wire: the size, a header, a body; and its rows."""

    title: str
    rows: tuple[Row, ...]


def parts(layout: VersionedLayout, version: int) -> Iterator[Part]:
    """Yield what is on the wire for one version of a layout.

    Args:
        layout: the layout.
        version: one of its versions.
    """
    kind = layout.kind
    if kind in {"request", "response"} and layout.api is not None:
        size = Row("size", "size", "int32", 4, 4, "0", (), "Bytes that follow: header and body.")
        yield Part("Size", (size,))
        number = header_version(layout.api, version, "request" if kind == "request" else "response")
        yield _part(f"{kind.capitalize()} header, version {number}", find(f"{kind}_header", number), "header")
    if layout.behind:
        yield _part("What says which version follows", find(layout.behind), "front")
    yield _part("Body", find(layout.name, version), "")


def _part(title: str, layout: Layout, path: str) -> Part:
    return Part(title, tuple(_place(_structure(layout, path, ()))))


def _place(rows: Iterator[Row]) -> Iterator[Row]:
    """Give rows their places, as far as all fields before them have fixed sizes."""
    place: int | None = 0
    groups: tuple[Group, ...] = ()
    for row in rows:
        if row.groups != groups:
            # The first row of an item counts anew; what stands after items could be anywhere.
            place = 0 if len(row.groups) >= len(groups) else None
            groups = row.groups
        yield row._replace(place="" if place is None else str(place))
        place = None if place is None or row.size is None else place + row.size


def _structure(layout: Layout, path: str, groups: tuple[Group, ...]) -> Iterator[Row]:
    for field in layout.fields:
        yield from _field(field, _join(path, field.name), groups)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _field(field: Field, path: str, groups: tuple[Group, ...]) -> Iterator[Row]:
    size, least = _size(field.type), minimum_size(field.type)
    row = Row(path, field.name, field.type.name, size, least, "", groups, field.doc, holds=field.holds)
    match field.type:
        case Counted(item=item, length=length, nullable=nullable):
            null = _NULLS[length.name] if nullable else ""
            count = _size(length)
            yield row._replace(type=_COUNTS[length.name], size=count, least=minimum_size(length), null=null)
            each = Group(path, f"each of {field.name}")
            yield from _item(field, item, path, (*groups, each))
        case Form(length=length, null=null):
            words = _LENGTHS[length.name]
            yield row._replace(type=words, null="" if null is None else _NULLS[length.name])
        case Optional(layout=layout, marker=marker):
            size, null = _size(marker), str(field.type.null)
            yield row._replace(type=f"{marker.name}: 1", size=size, least=minimum_size(marker), null=null)
            yield from _structure(layout, path, (*groups, Group(path, f"{field.name}, unless null")))
        case Nested(layout=layout):
            yield from _structure(layout, path, (*groups, Group(path, f"the fields of {field.name}")))
        case TagSection(fields=fields):
            yield row._replace(
                name="tagged fields",
                type="uvarint: how many; then each: tag, size, bytes",
                doc=_tags(fields) or "None is known here: a writer writes 00, and a reader skips what comes.",
            )
            for tagged in fields:
                group = Group(f"{path}.{tagged.tag}", f"tag {tagged.tag}, where it is sent")
                yield from _field(tagged, _join(path.rpartition(".")[0], tagged.name), (*groups, group))
        case _:
            yield row


def _item(field: Field, item: Type, path: str, groups: tuple[Group, ...]) -> Iterator[Row]:
    if isinstance(item, Nested):
        yield from _structure(item.layout, path, groups)
        return
    element = replace(field, type=item, doc="One of them.")
    for row in _field(element, f"{path}.item", groups):
        yield row._replace(name="item")


def _tags(fields: tuple[Field, ...]) -> str:
    return ", ".join(f"{field.tag} is `{field.name}`" for field in fields)


def _size(kind: Type) -> int | None:
    """Return how many bytes a type takes, or None where that is not always the same."""
    return kind.size if isinstance(kind, Integer | Fixed | Boolean | Float) else None
