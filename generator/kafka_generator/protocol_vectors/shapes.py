"""Versions of one layout that have the same fields: what is said of one holds for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from kafka_format.codec.members import inner, members
from kafka_format.content.streams_assignment import LAYOUT
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.model import Counted, Form, Layout, Optional
from kafka_format.spec.layout.versioned import VersionedLayout


class Shape(NamedTuple):
    """Versions of a layout that have the same fields.

    Attributes:
        whole: the layout in all its versions.
        versions: those of this shape, ascending.
        layout: the first of them, as a layout.
    """

    whole: VersionedLayout
    versions: tuple[int, ...]
    layout: Layout

    @property
    def id(self) -> str:
        """How the ids of its vectors begin."""
        return f"{self.whole.name.replace('_', '-')}/{self.versions[0]}"

    @property
    def is_newest(self) -> bool:
        """True if it has the highest version."""
        return self.versions[-1] == self.whole.versions.highest

    @property
    def title(self) -> str:
        """What it is, for a sentence."""
        first, last = self.versions[0], self.versions[-1]
        return f"{self.whole.title} {first}" if first == last else f"{self.whole.title} {first} to {last}"


def family(whole: VersionedLayout) -> str:
    """Return the file that vectors of a layout stand in: its API, or the folder of the layout."""
    if whole.api is not None:
        return specification().enums["api"].values[whole.api]
    return whole.file.split("/")[-2]


def layouts() -> Iterator[VersionedLayout]:
    """Yield the layouts whose vectors are made from their fields.

    Assignments of Streams have others, in vectors/content: their strings are no UTF-8 to Kafka, and
    its class has maps where they have arrays.
    """
    return (whole for whole in specification().versioned.values() if whole.name != LAYOUT)


def shapes() -> Iterator[Shape]:
    """Yield every shape of every layout."""
    for whole in layouts():
        by_versions: dict[Any, list[int]] = {}
        for version in whole.versions.numbers:
            by_versions.setdefault(_signature(find(whole.name, version)), []).append(version)
        for versions in by_versions.values():
            yield Shape(whole, tuple(versions), find(whole.name, versions[0]))


def _signature(layout: Layout) -> tuple[Any, ...]:
    """Return all that decides about bytes and values."""
    return tuple(
        (
            field.name,
            field.kafka,
            field.tag,
            repr(field.default),
            type(field.type).__name__,
            field.type.name if inner(field.type) is None else "",
            _length(field.type),
            _signature(nested) if (nested := inner(field.type)) is not None else (),
        )
        for field in members(layout)
    )


def _length(kind: Any) -> tuple[Any, ...]:
    match kind:
        case Form(length=length, null=null):
            return length.name, null
        case Counted(length=length, nullable=nullable, item=item):
            return length.name, nullable, _length(item)
        case Optional(marker=marker):
            return (marker.name,)
        case _:
            return ()
