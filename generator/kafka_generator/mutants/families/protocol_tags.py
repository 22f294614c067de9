"""Readers of the protocol: the tagged fields at the end of flexible structures (KIP-482)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kafka_format.codec.interpreter import Reader
from kafka_format.codec.runtime import UnknownTaggedField
from kafka_format.errors import FormatError
from kafka_format.spec.layout import Layout
from kafka_format.spec.layout.model import Counted, Field, Nested, Optional, TagSection, Type
from kafka_format.spec.layout.types import VARINTS

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch
from kafka_generator.mutants.protocol.versions import with_fields

mutant = family("decode-protocol", "tagged fields")

_Tags = Callable[..., int]
_Tag = Callable[..., tuple[int, int]]
_UNKNOWN = "unknown_tagged_fields"
_UNSIGNED = VARINTS["uvarint"]


def without_section(layout: Layout) -> Layout:
    """Return a structure that does not end with tagged fields."""
    return replace(layout, fields=tuple(field for field in layout.fields if not isinstance(field.type, TagSection)))


def _inner_without_section(kind: Type) -> Type:
    match kind:
        case Nested(layout=layout) | Optional(layout=layout):
            return replace(kind, layout=without_section(layout))
        case Counted(item=item):
            return replace(kind, item=_inner_without_section(item))
        case _:
            return kind


def _inner(layout: Layout) -> Layout:
    return with_fields(
        layout, lambda field: replace(field, type=_inner_without_section(field.type)), _inner_without_section
    )


def _sections(patch: Patch, change: Callable[[Field], Field]) -> None:
    """Let the known tagged fields be what `change` makes of them."""

    def section(field: Field) -> Field:
        if not isinstance(field.type, TagSection):
            return field
        return replace(field, type=TagSection(tuple(map(change, field.type.fields))))

    patch.versions(lambda layout: with_fields(layout, section))


def _unknown(patch: Patch, change: Callable[[tuple[UnknownTaggedField, ...]], Any]) -> None:
    """Let the tagged fields that no layout knows be what `change` makes of them."""

    def wrong(right: _Tags, self: Reader, field: Field, kind: TagSection, position: int, place: Any) -> int:
        after = right(self, field, kind, position, place)
        place.values[field.name] = change(place.values[field.name])
        return after

    patch.wrap(Reader._tags, wrong)


@mutant("protocol/tags-unread")
def tags_unread(patch: Patch) -> None:
    """Knows no tagged fields: reads the next structure where they begin."""
    patch.versions(lambda layout: without_section(_inner(layout)))


@mutant("protocol/tags-at-the-end-alone")
def tags_at_the_end_alone(patch: Patch) -> None:
    """Reads tagged fields at the end of the whole alone, not of each structure inside."""
    patch.versions(_inner)


@mutant("protocol/tags-of-inner-structures-alone")
def tags_of_inner_structures_alone(patch: Patch) -> None:
    """Reads the tagged fields of the structures inside, not those at the end of the whole."""
    patch.versions(without_section)


@mutant("protocol/tags-taken-for-none")
def tags_taken_for_none(patch: Patch) -> None:
    """Passes over one byte at the end of each structure, as if there never were tagged fields."""

    def wrong(right: _Tags, self: Reader, field: Field, kind: TagSection, position: int, place: Any) -> int:
        after = right(self, field, TagSection(()), position, place)
        for known in kind.fields:
            place.values[known.name] = known.default
        place.values[field.name] = ()
        return min(after, position + 1)

    patch.wrap(Reader._tags, wrong)


@mutant("protocol/unknown-tags-dropped", rules=["protocol.tag.unknown"])
def unknown_tags_dropped(patch: Patch) -> None:
    """Drops the tagged fields that it does not know."""
    _unknown(patch, lambda _: ())


@mutant("protocol/last-unknown-tag-alone")
def last_unknown_tag_alone(patch: Patch) -> None:
    """Keeps the last one of the tagged fields that it does not know."""
    _unknown(patch, lambda tags: tags[-1:])


@mutant("protocol/unknown-tags-refused", rules=["tagged-fields.unknown"], source=["IBM/sarama#2107"])
def unknown_tags_refused(patch: Patch) -> None:
    """Refuses tagged fields that it does not know."""

    def refuse(tags: tuple[UnknownTaggedField, ...]) -> tuple[UnknownTaggedField, ...]:
        if tags:
            raise ValueError
        return tags

    _unknown(patch, refuse)


@mutant("protocol/known-tags-dropped")
def known_tags_dropped(patch: Patch) -> None:
    """Passes over the tagged fields that it knows too, and gives their defaults."""

    def wrong(right: _Tags, self: Reader, field: Field, kind: TagSection, position: int, place: Any) -> int:
        after = right(self, field, kind, position, place)
        for known in kind.fields:
            place.values[known.name] = known.default
        return after

    patch.wrap(Reader._tags, wrong)


@mutant("protocol/known-tags-among-the-unknown")
def known_tags_among_the_unknown(patch: Patch) -> None:
    """Keeps the tagged fields that it knows among those that it does not."""
    _sections(patch, lambda known: replace(known, tag=(known.tag or 0) + 10_000))


@mutant("protocol/tags-of-other-versions-are-unknown")
def tags_of_other_versions_are_unknown(patch: Patch) -> None:
    """Keeps tags that are fields in other versions among the unknown ones."""

    def wrong(right: _Tag, self: Reader, field: Field, kind: TagSection, *at: Any) -> tuple[int, int]:
        return right(self, field, replace(kind, elsewhere=()), *at)

    patch.wrap(Reader._tag, wrong)


@mutant("protocol/tags-one-higher")
def tags_one_higher(patch: Patch) -> None:
    """Counts tags from 1."""
    _sections(patch, lambda known: replace(known, tag=(known.tag or 0) + 1))


@mutant("protocol/tags-by-their-order")
def tags_by_their_order(patch: Patch) -> None:
    """Takes the first tagged field for the first that it knows, the second for the second etc."""

    def wrong(right: _Tag, self: Reader, field: Field, kind: TagSection, *at: Any) -> tuple[int, int]:
        position, place, path, *_ = at
        tag, _ = self._number(field, _UNSIGNED, position, place.end, (*path, "tag"))
        known = tuple(replace(field, tag=tag) for field in kind.fields[path[-1] : path[-1] + 1])
        return right(self, field, TagSection(known), *at)

    patch.wrap(Reader._tag, wrong)


@mutant("protocol/defaults-of-tags-zero", source=["Aiven-Open/kio#216"])
def defaults_of_tags_zero(patch: Patch) -> None:
    """Gives 0, false or nothing for a tagged field that is not there, whatever its default is."""
    empty: dict[type, Any] = {int: 0, str: "", bytes: b"", bool: False, float: 0.0}
    _sections(patch, lambda known: replace(known, default=empty.get(type(known.default), known.default)))


@mutant("protocol/defaults-of-tags-null")
def defaults_of_tags_null(patch: Patch) -> None:
    """Gives null for a tagged field that is not there."""
    _sections(patch, lambda known: replace(known, default=None))


@mutant("protocol/tags-in-any-order")
def tags_in_any_order(patch: Patch) -> None:
    """Takes tagged fields that do not ascend, and sorts those that it does not know."""
    patch.allow("protocol.tags.ascending")
    _unknown(patch, lambda tags: tuple(sorted(tags)))


@mutant("protocol/tags-twice-first-counts")
def tags_twice_first_counts(patch: Patch) -> None:
    """Accepts a tag that appears twice, and keeps the first one."""
    patch.allow("protocol.tags.once")
    patch.wrap(
        Reader._known_tag,
        lambda right, self, field, position, end, place: _value_to_keep(
            place, field, right(self, field, position, end, place)
        ),
    )
    _unknown(patch, lambda tags: tuple({unknown.tag: unknown for unknown in reversed(tags)}.values())[::-1])


def _value_to_keep(place: Any, field: Field, read: tuple[Any, int]) -> tuple[Any, int]:
    """Return what was read, or what was there before if that is not the default."""
    value, after = read
    before = place.values.get(field.name)
    return (value if before in (None, field.default) else before), after


@mutant("protocol/tag-section-count-as-compact")
def tag_section_count_as_compact(patch: Patch) -> None:
    """Takes the count of tagged fields for a compact one, which is one more."""
    _plus_one(patch, "count")


@mutant("protocol/tag-size-as-compact")
def tag_size_as_compact(patch: Patch) -> None:
    """Takes the size of a tagged field for a compact length, which is one more."""
    _plus_one(patch, "size")


def _plus_one(patch: Patch, role: str) -> None:
    def wrong(right: Callable[..., tuple[int, int]], self: Reader, field: Field, kind: Type, *at: Any) -> Any:
        number, after = right(self, field, kind, *at)
        is_one = kind == _UNSIGNED and at[-1][-1] == role and _UNKNOWN in at[-1]
        return max(number - 1, 0) if is_one else number, after

    patch.wrap(Reader._number, wrong)


@mutant("protocol/tag-size-skips-what-is-left")
def tag_size_skips_what_is_left(patch: Patch) -> None:
    """Passes over bytes that are left inside the size of a known tagged field."""

    def wrong(right: _Tag, self: Reader, field: Field, kind: TagSection, *at: Any) -> tuple[int, int]:
        try:
            return right(self, field, kind, *at)
        except FormatError as error:
            if error.rule != "protocol.tag.size":
                raise
            position, place, path, *_ = at
            tag, size_at = self._number(field, _UNSIGNED, position, place.end, (*path, "tag"))
            size, start = self._number(field, _UNSIGNED, size_at, place.end, (*path, "size"))
            return tag, start + size

    patch.wrap(Reader._tag, wrong)


@mutant("protocol/tag-of-one-byte")
def tag_of_one_byte(patch: Patch) -> None:
    """Reads one byte for a tag, so tags above 127 are others."""

    def wrong(right: Callable[..., tuple[int, int]], self: Reader, field: Field, kind: Type, *at: Any) -> Any:
        position, end, path = at
        if path[-1] != "tag" or _UNKNOWN not in path or position >= end:
            return right(self, field, kind, position, end, path)
        return self.data[position], position + 1

    patch.wrap(Reader._number, wrong)
