"""Mutants of the layouts: fields of another width, sign or byte order, elsewhere, or unchecked.

They are mechanical, so they are counted apart from those that somebody wrote down. What nobody can
tell from the right reading, because no answer shows the field, is listed with its reason in
unseen.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import (
    Array,
    Checksum,
    Choice,
    Field,
    Form,
    Integer,
    Layout,
    Nested,
    Type,
    Varint,
)
from kafka_format.spec.layout.types import INTEGERS, VARINTS

from kafka_generator.mutants.mutant import Mutant
from kafka_generator.mutants.patch import Patch

FAMILY: Final = "layouts"
ROOTS: Final = ("record_batch", "message_set_entry", "v07_entry", "control_record_key")
"""The layouts that decoding starts with."""

SOURCE: Final = "layout"
"""Where these mutants are drawn from."""

_Change = tuple[str, str, Field]
"""The end of a mutant's id, what it does, and the field that does it."""


def mutants() -> Iterator[Mutant]:
    """Yield the mutants of every field that decoding reads."""
    for layout in _layouts_below():
        for field in layout.fields:
            for name, does, changed in _changes(field):
                yield _mutant(layout, f"{field.name}/{name}", does, _with(layout, changed))
            yield from _not_checked(layout, field)
        yield from _swap(layout)


def names() -> list[str]:
    """Return the ids of all of them."""
    return [mutant.id for mutant in mutants()]


def _layouts_below() -> list[Layout]:
    layouts: dict[str, Layout] = {}
    open_ = [specification().layouts[name] for name in ROOTS]
    while open_:
        layout = open_.pop(0)
        if layout.name not in layouts:
            layouts[layout.name] = layout
            open_ += [inner for field in layout.fields for inner in _inside(field.type)]
    return list(layouts.values())


def _inside(kind: Type) -> list[Layout]:
    match kind:
        case Nested(layout=layout):
            return [layout]
        case Array(item=item):
            return _inside(item)
        case Choice(cases=cases):
            return list(cases.values())
        case _:
            return []


def _mutant(layout: Layout, name: str, does: str, changed: Layout) -> Mutant:
    def change(patch: Patch) -> None:
        patch.layout(layout.name, lambda _: changed)

    return Mutant(f"layout/{layout.name}/{name}", f"{does} ({layout.title}).", "decode", FAMILY, (SOURCE,), change)


def _with(layout: Layout, changed: Field) -> Layout:
    return replace(layout, fields=tuple(changed if field.name == changed.name else field for field in layout.fields))


def _changes(field: Field) -> Iterator[_Change]:
    """Yield what can be wrong with a field by itself."""
    match field.type:
        case Integer():
            for name, does, kind in _other_integers(field.type):
                yield name, f"Reads `{field.name}` {does}", replace(field, type=kind)
        case Varint():
            for name, varint in VARINTS.items():
                if varint != field.type:
                    yield f"as-{name}", f"Reads `{field.name}` as {name}", replace(field, type=varint)
        case Form():
            yield from _other_forms(field, field.type)
    yield from _other_bits(field)
    if field.compressed_by:
        yield (
            "never-compressed",
            f"Reads `{field.name}` as it is, whatever the codec",
            replace(field, compressed_by=None),
        )


def _other_integers(kind: Integer) -> Iterator[tuple[str, str, Integer]]:
    """Yield integers that this one may be misread as, with names that are unique in a layout."""
    signed = kind.lowest < 0
    for other in INTEGERS.values():
        if ((other.lowest < 0) == signed and other.size != kind.size) or (
            other.size == kind.size and (other.lowest < 0) != signed
        ):
            yield f"as-{other.name}", f"as {other.name}", replace(other, name=f"{other.name}_wrong")
    if kind.size > 1:
        little = replace(kind, order="little", name=f"{kind.name}_little")
        yield "little-endian", "with its bytes the other way round", little


def _other_forms(field: Field, kind: Form) -> Iterator[_Change]:
    wrong = f"{kind.name}_wrong"
    if kind.null is None:
        nullable = replace(field, type=replace(kind, name=wrong, null=-1))
        yield "nullable", f"Accepts null for `{field.name}`", nullable
    else:
        yield (
            "never-null",
            f"Refuses null for `{field.name}`",
            replace(field, type=replace(kind, name=wrong, null=None)),
        )
    others: Mapping[str, Integer | Varint] = INTEGERS if isinstance(kind.length, Integer) else VARINTS
    for name, other in others.items():
        if name != kind.length.name and not name.startswith("u") and other.lowest < 0:
            form = replace(kind, name=wrong, length=other)
            yield f"length-as-{name}", f"Reads the length of `{field.name}` as {name}", replace(field, type=form)


def _other_bits(field: Field) -> Iterator[_Change]:
    for at, bits in enumerate(field.bits):
        for number in bits.enum.values if bits.enum else ():
            values = {other: word for other, word in bits.enum.values.items() if other != number} if bits.enum else {}
            fewer = replace(bits, enum=replace(bits.enum, values=values)) if bits.enum else bits
            word = bits.enum.values[number] if bits.enum else ""
            changed = replace(field, bits=(*field.bits[:at], fewer, *field.bits[at + 1 :]))
            yield f"{bits.name}-{word}-unknown", f"Does not know {word} in `{field.name}`", changed


def _not_checked(layout: Layout, field: Field) -> Iterator[Mutant]:
    """Yield the field without each of its checks."""
    if field.const is not None:
        changed = _with(layout, replace(field, const=None, has_default=True, default=field.const))
        yield _mutant(layout, f"{field.name}/const-not-checked", f"Takes any `{field.name}`", changed)
    if field.minimum is not None:
        for name, minimum in (
            ("not-checked", None),
            ("one-lower", field.minimum - 1),
            ("one-higher", field.minimum + 1),
        ):
            changed = _with(layout, replace(field, minimum=minimum))
            yield _mutant(layout, f"{field.name}/minimum-{name}", f"Has the minimum of `{field.name}` wrong", changed)
    if isinstance(field.computed, Checksum):
        rule = field.rules["checksum"]
        mutant = _mutant(layout, f"{field.name}/not-checked", f"Never compares `{field.name}`", layout)
        yield replace(mutant, change=lambda patch: patch.allow(rule))


def _swap(layout: Layout) -> Iterator[Mutant]:
    """Yield the layout with each two neighbours changing places, where the types allow it."""
    for at, (first, second) in enumerate(zip(layout.fields, layout.fields[1:], strict=False)):
        if _movable(first) and _movable(second) and first.type != second.type:
            fields = (*layout.fields[:at], second, first, *layout.fields[at + 2 :])
            does = f"Reads `{second.name}` before `{first.name}`"
            yield _mutant(layout, f"{first.name}/behind-{second.name}", does, replace(layout, fields=fields))


def _movable(field: Field) -> bool:
    return field.computed is None and field.const is None and not isinstance(field.type, Array | Nested | Choice)
