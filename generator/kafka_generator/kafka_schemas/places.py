"""The fields of one version of a schema: all that decides about bytes, in wire order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from kafka_generator.kafka_schemas.schema import SchemaField

_SAME: Final = {"records": "bytes"}
"""Types with the same bytes: `records` was `bytes` until 2.7."""


class VersionField(NamedTuple):
    """One field of one version: all that decides about bytes, and its name."""

    name: str
    type: str
    nullable: bool
    tag: int | None
    default: str | None
    fields: tuple[VersionField, ...]

    @property
    def bytes(self) -> tuple[object, ...]:
        """What decides about bytes. A tagged field's default does: it is left out if it has it."""
        default = self.default if self.tag is not None else None
        return self.type, self.nullable, self.tag, default, tuple(place.bytes for place in self.fields)


def places(fields: Iterable[SchemaField], version: int) -> tuple[VersionField, ...]:
    """Return the fields of one version: those in line by wire order, tagged ones by tag."""
    version_fields = [
        VersionField(
            field.name,
            bytes_type(field.type, has_fields=bool(field.fields)),
            version in field.nullable,
            field.tag if version in field.tagged else None,
            field.default,
            places(field.fields, version),
        )
        for field in fields
        if version in field.versions
    ]
    return tuple(sorted(version_fields, key=lambda place: -1 if place.tag is None else place.tag))


def bytes_type(name: str, *, has_fields: bool) -> str:
    """Return a field's type by its bytes: Kafka's word or `structure`, with `[]` for an array."""
    item = name.removeprefix("[]")
    item = "structure" if has_fields or item[:1].isupper() else _SAME.get(item, item)
    return ("[]" if name.startswith("[]") else "") + item


def without_tags(own: Sequence[VersionField], other: Sequence[VersionField]) -> bool:
    """Tell whether `own` has the bytes of `other` without some of its tagged fields."""
    rest = [
        place for place in other if place.tag is None or any(place.tag == version_field.tag for version_field in own)
    ]
    return len(own) == len(rest) and all(
        (mine.type, mine.nullable, mine.tag) == (two.type, two.nullable, two.tag)
        and without_tags(mine.fields, two.fields)
        for mine, two in zip(own, rest, strict=True)
    )
