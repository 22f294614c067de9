"""Mutants of the protocol's layouts: fields in other versions, null or not, of other type or tag.

Structures without a tag section are among them. They are what somebody gets wrong who writes a
decoder by hand. Diagnosis looks among them for the one that a target behaves like, and the
generator asks whether the vectors tell each from the right layout. They are made by machine, of
every field and structure, and there are some 18,000.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from kafka_format.spec.layout.types import INTEGERS
from kafka_format.spec.layout.versioned import VersionedField, VersionedLayout, VersionedStructure, Versions
from kafka_format.spec.layout.versioned.versions import NO_VERSIONS

_FAR: Final = 1000
"""A tag that no field has."""

_FURTHER: Final = (2, -2, 3, -3)
"""So many versions away."""

_Change = tuple[str, str, VersionedField]
"""The end of a mutant's id, what it does with `{}` for the field, and the field as it is then."""


class LayoutMutant(NamedTuple):
    """A layout with one thing wrong.

    Attributes:
        id: the layout, the path of the field, and what is wrong with it.
        does: what a decoder does that has it so, as a sentence without its subject.
        layout: the layout as it is then.
    """

    id: str
    does: str
    layout: VersionedLayout


def mutants(layout: VersionedLayout) -> Iterator[LayoutMutant]:
    """Yield the mutants of a layout."""
    if layout.flexible.numbers:
        for name, does, versions in _move_versions(layout.flexible, layout.versions):
            words = f"reads compact lengths and tagged fields {does}"
            yield LayoutMutant(f"{layout.name}/flexible-{name}", words, replace(layout, flexible=versions))
    for path, structure in _structures(layout.body, layout.body, lambda body: body):
        yield from _of_structure(layout, path, structure)


_Rebuild = Callable[[VersionedStructure], VersionedStructure]


class _Structure(NamedTuple):
    """A structure of a layout, and what makes the body that has another one in its place."""

    structure: VersionedStructure
    body: _Rebuild


def _structures(
    body: VersionedStructure, structure: VersionedStructure, rebuild: _Rebuild, path: str = ""
) -> Iterator[tuple[str, _Structure]]:
    """Yield a structure and all inside it, with their paths."""
    yield path, _Structure(structure, rebuild)
    for field in structure.fields:
        if field.structure is not None:
            yield from _structures(body, field.structure, _inside(structure, field, rebuild), f"{path}{field.name}.")


def _inside(outer: VersionedStructure, field: VersionedField, rebuild: _Rebuild) -> _Rebuild:
    return lambda inner: rebuild(_with(outer, field, replace(field, structure=inner)))


def _with(structure: VersionedStructure, field: VersionedField, changed: VersionedField) -> VersionedStructure:
    return replace(structure, fields=tuple(changed if other is field else other for other in structure.fields))


def _of_structure(layout: VersionedLayout, path: str, at: _Structure) -> Iterator[LayoutMutant]:
    fields = at.structure.fields
    if layout.flexible.numbers:
        body = at.body(replace(at.structure, has_tag_section=False))
        words = f"reads no tagged fields behind `{path.rstrip('.')}`" if path else "reads no tagged fields at the end"
        yield LayoutMutant(f"{layout.name}/{path}tag-section/left-out", words, replace(layout, body=body))
    for field in fields:
        for name, does, changed in _changes(field, layout.versions):
            body = at.body(_with(at.structure, field, changed))
            words = does.format(f"`{path}{field.name}`")
            yield LayoutMutant(f"{layout.name}/{path}{field.name}/{name}", words, replace(layout, body=body))
    for place, (first, second) in enumerate(itertools.pairwise(fields)):
        swapped = (*fields[:place], second, first, *fields[place + 2 :])
        body = at.body(replace(at.structure, fields=swapped))
        words = f"reads `{path}{first.name}` behind `{second.name}`, not in front of it"
        yield LayoutMutant(f"{layout.name}/{path}{first.name}/behind-{second.name}", words, replace(layout, body=body))


def moved_fields(layout: VersionedLayout) -> Iterator[LayoutMutant]:
    """Yield layouts in which a field stands first or last in its structure, and not in its place.

    `mutants` has those in which two neighbours are exchanged.
    """
    for path, at in _structures(layout.body, layout.body, lambda body: body):
        fields = at.structure.fields
        for place, field in enumerate(fields):
            others = (*fields[:place], *fields[place + 1 :])
            for name, order, words in (
                ("first", (field, *others), "in front of all others"),
                ("last", (*others, field), "behind all others"),
            ):
                if field.tag is None and abs(order.index(field) - place) > 1:
                    body = at.body(replace(at.structure, fields=order))
                    does = f"reads `{path}{field.name}` {words}, not in its place"
                    yield LayoutMutant(f"{layout.name}/{path}{field.name}/{name}", does, replace(layout, body=body))


def exchanged_tags(layout: VersionedLayout) -> Iterator[LayoutMutant]:
    """Yield layouts in which two tagged fields of a structure have each the tag of the other."""
    for path, at in _structures(layout.body, layout.body, lambda body: body):
        tagged = [field for field in at.structure.fields if field.tag is not None]
        for first, second in itertools.combinations(tagged, 2):
            swapped = {first.name: second.tag, second.name: first.tag}
            fields = tuple(replace(each, tag=swapped.get(each.name, each.tag)) for each in at.structure.fields)
            body = at.body(replace(at.structure, fields=fields))
            does = f"exchanges the tags of `{path}{first.name}` and `{path}{second.name}`"
            name = f"{layout.name}/{path}{first.name}/tag-of-{second.name}"
            yield LayoutMutant(name, does, replace(layout, body=body))


def far_versions(layout: VersionedLayout) -> Iterator[LayoutMutant]:
    """Yield layouts whose fields begin or end two or three versions away from where they do.

    `mutants` has those that are one version away.
    """
    whole = layout.versions
    for path, at in _structures(layout.body, layout.body, lambda body: body):
        for field in at.structure.fields:
            low, high = field.versions
            for name, versions in (
                *((f"begins-in-{low + by}", Versions(low + by, high)) for by in _FURTHER if low + by >= whole.lowest),
                *((f"ends-in-{high + by}", Versions(low, high + by)) for by in _FURTHER if high + by <= whole.highest),
                *((("never-ends", Versions(low, whole.highest)),) if high + max(_FURTHER) < whole.highest else ()),
                *((("always", Versions(whole.lowest, high)),) if low - max(_FURTHER) > whole.lowest else ()),
            ):
                if versions.numbers:
                    body = at.body(_with(at.structure, field, replace(field, versions=versions)))
                    does = f"reads `{path}{field.name}` in versions {versions}, not in {field.versions}"
                    yield LayoutMutant(f"{layout.name}/{path}{field.name}/{name}", does, replace(layout, body=body))


def _changes(field: VersionedField, whole: Versions) -> Iterator[_Change]:
    """Yield what can be wrong with a field by itself."""
    for name, does, versions in _move_versions(field.versions, whole):
        yield name, f"reads {{}} {does}", replace(field, versions=versions)
    if len(field.versions.numbers) > 1:
        yield "left-out", "never reads {}", replace(field, versions=NO_VERSIONS)
    yield from _other_nulls(field)
    yield from _other_types(field)
    if field.tag is not None:
        yield "in-line", "reads {} in line, though it is tagged", replace(field, tag=None)
        yield "other-tag", "does not know the tagged field {}", replace(field, tag=field.tag + _FAR)
        yield from _other_defaults(field)


def _move_versions(versions: Versions, whole: Versions) -> Iterator[tuple[str, str, Versions]]:
    """Yield versions that begin or end one version away from where they do, with words for them."""
    low, high = versions
    later = Versions(low + 1, high) if low < high else NO_VERSIONS
    yield "begins-later", f"from version {low + 1} on, not from {low}" if low < high else "in no version", later
    if low > whole.lowest:
        yield "begins-earlier", f"from version {low - 1} on, not from {low}", Versions(low - 1, high)
    if low < high:
        yield "ends-earlier", f"up to version {high - 1}, not to {high}", Versions(low, high - 1)
    if high < whole.highest:
        yield "ends-later", f"up to version {high + 1}, not to {high}", Versions(low, high + 1)


def _other_nulls(field: VersionedField) -> Iterator[_Change]:
    may_be_null = field.is_array or field.structure is not None or field.type in {"string", "bytes", "records"}
    if not may_be_null:
        return
    if not field.nullable.numbers:
        yield "nullable", "takes null for {}", replace(field, nullable=field.versions)
        return
    yield "never-null", "takes no null for {}", replace(field, nullable=NO_VERSIONS)
    for name, does, versions in _move_versions(field.nullable, field.versions):
        yield f"null-{name}", f"takes null for {{}} {does}", replace(field, nullable=versions)


def _other_types(field: VersionedField) -> Iterator[_Change]:
    """Yield integers of other width or sign, an item for an array, and an array for an item."""
    right = INTEGERS.get(field.type)
    for name, kind in INTEGERS.items() if right is not None else ():
        same_sign = (kind.lowest < 0) == (right.lowest < 0) if right is not None else False
        if name != field.type and (same_sign or (right is not None and kind.size == right.size)):
            yield f"as-{name}", f"reads {{}} as {name}, not as {field.type}", replace(field, type=name)
    if field.type == "string":
        yield "as-bytes", "reads {} as bytes, not as a string", replace(field, type="bytes")
    if field.type in {"bytes", "records"}:
        yield "as-string", "reads {} as a string, not as bytes", replace(field, type="string", default="")
    if field.is_array:
        yield "one", "reads one {} where there is an array", replace(field, is_array=False)
    else:
        yield "array", "reads an array of {} where there is one", replace(field, is_array=True)


def _other_defaults(field: VersionedField) -> Iterator[_Change]:
    does = "gives {} another default"
    if field.default_is_null:
        yield "default-not-null", does, replace(field, default_is_null=False, default=0)
    elif isinstance(field.default, bool):
        yield "other-default", does, replace(field, default=not field.default)
    elif isinstance(field.default, int | float):
        yield "other-default", does, replace(field, default=0 if field.default else -1)
