"""Readers of the protocol: the fields of a version, their order, and an array's item count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kafka_format.codec.interpreter import Reader
from kafka_format.spec.layout.model import Counted, Field
from kafka_format.spec.layout.versioned import VersionedField, VersionedLayout, VersionedStructure, Versions
from kafka_format.spec.layout.versioned.resolver import resolve

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode-protocol", "versions")

_Change = Callable[[VersionedField], VersionedField]
ALL = Versions(0, 1 << 15)


def change_fields(structure: VersionedStructure, change: _Change) -> VersionedStructure:
    """Return a structure with all its fields changed, also inside of others."""

    def changed(field: VersionedField) -> VersionedField:
        inside = field.structure and change_fields(field.structure, change)
        return change(replace(field, structure=inside))

    return replace(structure, fields=tuple(map(changed, structure.fields)))


def _layouts(patch: Patch, change: Callable[[VersionedLayout], VersionedLayout]) -> None:
    """Let versions be made of what `change` makes of the layouts."""
    patch.wrap(resolve, lambda right, layout, version, forms: right(change(layout), version, forms))


def _fields(patch: Patch, change: _Change) -> None:
    _layouts(patch, lambda layout: replace(layout, body=change_fields(layout.body, change)))


def _later(versions: Versions, by: int) -> Versions:
    """Return versions that begin later; none stay none."""
    return versions._replace(lowest=max(versions.lowest + by, 0)) if versions.numbers else versions


@mutant("protocol/version-as-the-one-before")
def version_as_the_one_before(patch: Patch) -> None:
    """Reads each version as the one before it."""
    patch.wrap(
        resolve,
        lambda right, layout, version, forms: right(layout, max(version - 1, layout.versions.lowest), forms),
    )


@mutant("protocol/version-as-the-highest")
def version_as_the_highest(patch: Patch) -> None:
    """Reads all versions as the highest one."""
    patch.wrap(resolve, lambda right, layout, version, forms: right(layout, layout.versions.highest, forms))


@mutant("protocol/flexible-one-version-later")
def flexible_one_version_later(patch: Patch) -> None:
    """Takes the first flexible version for one that is not."""
    _layouts(patch, lambda layout: replace(layout, flexible=_later(layout.flexible, 1)))


@mutant("protocol/flexible-one-version-earlier")
def flexible_one_version_earlier(patch: Patch) -> None:
    """Takes the version before the first flexible one for flexible."""
    _layouts(patch, lambda layout: replace(layout, flexible=_later(layout.flexible, -1)))


@mutant("protocol/never-flexible")
def never_flexible(patch: Patch) -> None:
    """Knows no flexible versions: classic lengths, and no tagged fields."""
    _layouts(patch, lambda layout: replace(layout, flexible=Versions(0, -1)))


@mutant("protocol/fields-one-version-later")
def fields_one_version_later(patch: Patch) -> None:
    """Reads each field from one version later on."""
    _fields(patch, lambda field: replace(field, versions=_later(field.versions, 1)))


@mutant("protocol/fields-one-version-earlier")
def fields_one_version_earlier(patch: Patch) -> None:
    """Reads each field from one version earlier on."""
    _fields(patch, lambda field: replace(field, versions=_later(field.versions, -1)))


@mutant("protocol/fields-never-end")
def fields_never_end(patch: Patch) -> None:
    """Reads fields also in the versions that have them no more."""
    _fields(patch, lambda field: replace(field, versions=field.versions._replace(highest=ALL.highest)))


@mutant("protocol/nullable-in-all-versions")
def nullable_in_all_versions(patch: Patch) -> None:
    """Takes null in all versions for what may be null in some."""
    _fields(patch, lambda field: replace(field, nullable=ALL if field.nullable.numbers else field.nullable))


@mutant("protocol/nullable-one-version-later")
def nullable_one_version_later(patch: Patch) -> None:
    """Takes null from one version later on."""
    _fields(patch, lambda field: replace(field, nullable=_later(field.nullable, 1)))


@mutant("protocol/tagged-fields-in-line")
def tagged_fields_in_line(patch: Patch) -> None:
    """Reads tagged fields in line, after the others."""
    _fields(patch, lambda field: replace(field, tag=None))


@mutant("protocol/fields-by-their-names")
def fields_by_their_names(patch: Patch) -> None:
    """Reads the fields of a structure in the order of their names."""

    def by_name(field: Field) -> tuple[bool, str]:
        return field.name == "unknown_tagged_fields", field.kafka

    patch.versions(lambda layout: replace(layout, fields=tuple(sorted(layout.fields, key=by_name))))


def _items(patch: Patch, change: Callable[[list[Any]], list[Any]]) -> None:
    """Let arrays have the items that `change` makes of the right ones."""

    def wrong(right: Callable[..., tuple[Any, int]], self: Reader, field: Field, kind: Counted, *at: Any) -> Any:
        items, after = right(self, field, kind, *at)
        return items and change(items), after

    patch.wrap(Reader._counted_items, wrong)


@mutant("protocol/first-item-alone")
def first_item_alone(patch: Patch) -> None:
    """Gives the first item of each array."""
    _items(patch, lambda items: items[:1])


@mutant("protocol/last-item-dropped")
def last_item_dropped(patch: Patch) -> None:
    """Drops the last item of each array."""
    _items(patch, lambda items: items[:-1])


@mutant("protocol/items-reversed")
def items_reversed(patch: Patch) -> None:
    """Gives the items of each array the other way round."""
    _items(patch, lambda items: items[::-1])


@mutant("protocol/items-of-100-at-most")
def items_of_100_at_most(patch: Patch) -> None:
    """Gives the first 100 items of each array."""
    _items(patch, lambda items: items[:100])
