"""Layouts that implementors get wrong: fields of other types, compact lengths in other versions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kafka_format.spec.layout.versioned import VersionedField, VersionedLayout, VersionedStructure, Versions

Change = Callable[[VersionedLayout], VersionedLayout]


def type_changed(name: str, kind: str) -> Change:
    """Return what has an outermost field of another type."""

    def change(layout: VersionedLayout) -> VersionedLayout:
        fields = (replace(field, type=kind) if field.name == name else field for field in layout.body.fields)
        return replace(layout, body=replace(layout.body, fields=tuple(fields)))

    return change


def flexible_moved(by: int) -> Change:
    """Return what has compact lengths and tags from an earlier or later version on."""
    return lambda layout: replace(layout, flexible=Versions(layout.flexible.lowest + by, layout.flexible.highest))


def _at(name: str, change: Callable[[VersionedField], VersionedField]) -> Change:
    """Return what changes the fields of a name, wherever they stand."""

    def of(structure: VersionedStructure) -> VersionedStructure:
        fields = (replace(each, structure=each.structure and of(each.structure)) for each in structure.fields)
        return replace(structure, fields=tuple(change(each) if each.name == name else each for each in fields))

    return lambda layout: replace(layout, body=of(layout.body))


def begins(name: str, version: int) -> Change:
    """Return what has fields of a name from another version on."""
    return _at(name, lambda field: replace(field, versions=Versions(version, field.versions.highest)))


def ends(name: str, version: int) -> Change:
    """Return what has fields of a name up to another version."""
    return _at(name, lambda field: replace(field, versions=Versions(field.versions.lowest, version)))


def of_type(name: str, kind: str) -> Change:
    """Return what has fields of a name of another type, wherever they stand."""
    return _at(name, lambda field: replace(field, type=kind))


def never_null(name: str) -> Change:
    """Return what takes no null for fields of a name."""
    return _at(name, lambda field: replace(field, nullable=Versions(1, 0)))


def other_tag(name: str, tag: int) -> Change:
    """Return what has a tagged field under another tag."""
    return _at(name, lambda field: replace(field, tag=tag))


def exchanged(first: str, second: str) -> Change:
    """Return what has two fields in each other's place."""

    def of(structure: VersionedStructure) -> VersionedStructure:
        fields = [replace(each, structure=each.structure and of(each.structure)) for each in structure.fields]
        names = [each.name for each in fields]
        if {first, second} <= set(names):
            a, b = names.index(first), names.index(second)
            fields[a], fields[b] = fields[b], fields[a]
        return replace(structure, fields=tuple(fields))

    return lambda layout: replace(layout, body=of(layout.body))


def exchanged_tags(first: str, second: str) -> Change:
    """Return what has two tagged fields, each under the tag of the other."""

    def of(structure: VersionedStructure) -> VersionedStructure:
        tags = {each.name: each.tag for each in structure.fields}
        swapped = {first: tags.get(second), second: tags.get(first)}
        fields = (
            replace(each, structure=each.structure and of(each.structure), tag=swapped.get(each.name, each.tag))
            for each in structure.fields
        )
        return replace(structure, fields=tuple(fields))

    return lambda layout: replace(layout, body=of(layout.body))
