"""Layouts that implementors get wrong: fields in other versions, of other types, elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kafka_format.spec.layout.versioned import VersionedField, VersionedLayout, VersionedStructure, Versions

Change = Callable[[VersionedLayout], VersionedLayout]


def field_changed(path: str, change: Callable[[VersionedField], VersionedField]) -> Change:
    """Return what changes one field, named with those that it is in."""
    return _structure_changed(path.split(".")[:-1], lambda fields: [
        change(field) if field.name == path.rpartition(".")[2] else field for field in fields
    ])  # fmt: skip


def moved(path: str, place: int) -> Change:
    """Return what puts a field to another place of its structure."""

    def order(fields: list[VersionedField]) -> list[VersionedField]:
        name = path.rpartition(".")[2]
        (field,) = (each for each in fields if each.name == name)
        others = [each for each in fields if each is not field]
        at = place if place >= 0 else len(others) + 1 + place
        return [*others[:at], field, *others[at:]]

    return _structure_changed(path.split(".")[:-1], order)


def _structure_changed(path: list[str], order: Callable[[list[VersionedField]], list[VersionedField]]) -> Change:
    def inside(structure: VersionedStructure, names: list[str]) -> VersionedStructure:
        if not names:
            return replace(structure, fields=tuple(order(list(structure.fields))))
        fields = tuple(
            replace(field, structure=inside(field.structure, names[1:]))
            if field.name == names[0] and field.structure
            else field
            for field in structure.fields
        )
        return replace(structure, fields=fields)

    return lambda layout: replace(layout, body=inside(layout.body, path))


def since(low: int) -> Callable[[VersionedField], VersionedField]:
    """Return what has a field from another version on."""
    return lambda field: replace(field, versions=Versions(low, field.versions.highest))


def until(high: int) -> Callable[[VersionedField], VersionedField]:
    """Return what has a field up to another version."""
    return lambda field: replace(field, versions=Versions(field.versions.lowest, high))


def of_type(name: str) -> Callable[[VersionedField], VersionedField]:
    """Return what has a field of another type."""
    return lambda field: replace(field, type=name)


def flexible_moved(by: int) -> Change:
    """Return what has compact lengths and tags from an earlier or later version on."""
    return lambda layout: replace(layout, flexible=Versions(layout.flexible.lowest + by, layout.flexible.highest))


def without_tag_section(field: VersionedField) -> VersionedField:
    """Return a field whose structure has no tag section."""
    assert field.structure is not None
    return replace(field, structure=replace(field.structure, has_tag_section=False))
