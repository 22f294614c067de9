"""Checks between the fields of a layout, so that a reader and a writer can work with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kafka_format.spec.layout.model import (
    Array,
    BytesAfter,
    Checksum,
    Choice,
    CountOf,
    Field,
    Integer,
    LastItem,
    Layout,
    Nested,
    Rest,
    Type,
    Varint,
)
from kafka_format.spec.layout.yamlfile import Section, suggest

_CHECKSUM_TYPE = "uint32"


def check(section: Section, field: Field, built: Mapping[str, Field]) -> None:
    """Check a field against itself and the fields before it; `built` holds it as the last."""
    if field.compressed_by is not None and not (isinstance(field.type, Array) and isinstance(field.type.item, Nested)):
        raise section.error("only an array of a layout can be compressed", key="compressed_by")
    if isinstance(field.computed, Checksum) and field.type.name != _CHECKSUM_TYPE:
        raise section.error(f"a checksum is a {_CHECKSUM_TYPE}, not {field.type.name}", key="type")
    if isinstance(field.type, Array) and is_open(field.type.item):
        raise section.error(
            f"`{field.type.item.name}` takes all remaining bytes, so no second item can follow", key="type"
        )
    if isinstance(field.computed, BytesAfter):
        _check_frame(section, field, built)
    for earlier in built.values():
        if earlier is not field and is_open(earlier.type):
            raise section.error(f"nothing can follow `{earlier.name}`, which takes all remaining bytes", key="name")


def _check_frame(section: Section, field: Field, built: Mapping[str, Field]) -> None:
    for earlier in built.values():
        if isinstance(earlier.computed, BytesAfter) and earlier is not field:
            raise section.error(
                "two fields say where the structure ends", key="computed", advice=f"the first is `{earlier.name}`"
            )
        if isinstance(earlier.computed, Checksum):
            raise section.error(
                f"the checksum `{earlier.name}` needs the end, which this field gives",
                key="computed",
                advice="put it after this field",
            )


def is_open(kind: Type) -> bool:
    """Tell whether a value of this type ends only where its surroundings end."""
    match kind:
        case Rest():
            return True
        case Nested(layout=layout):
            return _is_open_layout(layout)
        case Choice(cases=cases):
            return any(_is_open_layout(layout) for layout in cases.values())
        case _:
            return False


def _is_open_layout(layout: Layout) -> bool:
    framed = any(isinstance(field.computed, BytesAfter) for field in layout.fields)
    return not framed and is_open(layout.fields[-1].type)


def check_later(sections: Sequence[Section], built: Mapping[str, Field]) -> None:
    """Check what refers to later fields: counts, checksums, and the last item's field."""
    names = list(built)
    for section, field in zip(sections, built.values(), strict=True):
        later = names[names.index(field.name) + 1 :]
        if isinstance(field.computed, Checksum):
            _check_checksum(section, field.computed, later, built)
        if isinstance(field.computed, CountOf):
            _check_count(section, field.name, field.computed.array, later, built)
        if isinstance(field.default, LastItem):
            _check_last_item(section, field.default, built)
        if isinstance(field.type, Array) and field.type.nullable:
            _check_nullable(section, field, built[field.type.count])
        if isinstance(field.type, Array) and built[field.type.count].computed != CountOf(field.name):
            raise section.error(
                f"`{field.type.count}` does not say that it counts this array",
                key="type",
                advice=f"give it `computed: {{count: {field.name}}}`",
            )


def _check_checksum(section: Section, computed: Checksum, later: Sequence[str], built: Mapping[str, Field]) -> None:
    if computed.first not in later:
        raise section.error(
            f"the checksum starts at `{computed.first}`, which is not after it",
            key="computed",
            advice=suggest(computed.first, later),
        )
    for name in later[: later.index(computed.first)]:
        if not isinstance(built[name].type, Integer) or built[name].when:
            raise section.error(
                f"`{name}`, between the checksum and `{computed.first}`, has no fixed size", key="computed"
            )


def _check_count(section: Section, name: str, array: str, later: Sequence[str], built: Mapping[str, Field]) -> None:
    kind = built[array].type if array in later else None
    if not isinstance(kind, Array) or kind.count != name:
        arrays = [later_one for later_one in later if isinstance(built[later_one].type, Array)]
        raise section.error(
            f"`{array}` is not an array after this field", key="computed", advice=suggest(array, arrays)
        )


def _check_nullable(section: Section, field: Field, counter: Field) -> None:
    if field.compressed_by is not None:
        raise section.error("an array that is compressed cannot be null", key="compressed_by")
    if isinstance(counter.type, Integer | Varint) and counter.type.lowest >= 0:
        raise section.error(
            f"`{counter.name}` cannot be -1, which is the count of a null array",
            key="type",
            advice=f"{counter.type.name} has no negative numbers",
        )


def _check_last_item(section: Section, default: LastItem, built: Mapping[str, Field]) -> None:
    array = built.get(default.array)
    if array is None or not isinstance(array.type, Array) or not isinstance(array.type.item, Nested):
        raise section.error(
            f"`{default.array}` is not an array of a layout here", key="default", advice=suggest(default.array, built)
        )
    item = array.type.item.layout
    known = [field.name for field in item.fields if isinstance(field.type, Integer | Varint)]
    if default.item_field not in known:
        raise section.error(
            f"the items of `{default.array}` have no number `{default.item_field}`",
            key="default",
            advice=suggest(default.item_field, known),
        )
