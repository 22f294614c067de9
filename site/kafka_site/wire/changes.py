"""What a version of a structure of the protocol has that the one before had not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kafka_format.spec.layout.versioned import VersionedField, VersionedLayout, VersionedStructure


class Row(NamedTuple):
    """A field of a versioned layout on one line: its depth, and the versions that have it."""

    path: str
    depth: int
    field: VersionedField


class Changes(NamedTuple):
    """What a version changed, by the paths of fields."""

    version: int
    since: str
    becomes_flexible: bool
    is_first: bool = False
    added: Sequence[str] = ()
    gone: Sequence[str] = ()
    nullable: Sequence[str] = ()

    @property
    def is_same(self) -> bool:
        """True if nothing changed on the wire."""
        return not (self.is_first or self.added or self.gone or self.nullable or self.becomes_flexible)


def rows(layout: VersionedLayout) -> Iterator[Row]:
    """Yield the fields of all versions in wire order, those inside of others after these."""
    return _rows(layout.body, "", 0)


def _rows(structure: VersionedStructure, path: str, depth: int) -> Iterator[Row]:
    for field in structure.fields:
        own = path + field.name
        yield Row(own, depth, field)
        if field.structure is not None:
            yield from _rows(field.structure, f"{own}.", depth + 1)


def changes(layout: VersionedLayout, version: int) -> Changes:
    """Return what one version of a layout changed."""
    before, since = version - 1, layout.since.get(version, "")
    if before not in layout.versions:
        return Changes(version, since, is_first=True, becomes_flexible=version in layout.flexible)
    all_rows = list(rows(layout))
    return Changes(
        version,
        since,
        added=[row.path for row in all_rows if version in row.field.versions and before not in row.field.versions],
        gone=[row.path for row in all_rows if before in row.field.versions and version not in row.field.versions],
        nullable=[row.path for row in all_rows if _becomes_nullable(row.field, before, version)],
        becomes_flexible=version in layout.flexible and before not in layout.flexible,
    )


def _becomes_nullable(field: VersionedField, before: int, version: int) -> bool:
    is_there = version in field.versions and before in field.versions
    return is_there and version in field.nullable and before not in field.nullable
