"""Readers of the protocol: null, which is neither empty nor absent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kafka_format.codec.interpreter import Reader
from kafka_format.spec.layout.model import Counted, Field, Form, Nested, Optional, Type
from kafka_format.spec.layout.types import INTEGERS, VARINTS

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch
from kafka_generator.mutants.protocol.versions import with_types

mutant = family("decode-protocol", "nulls")

_Value = Callable[..., tuple[Any, int]]


def _read(patch: Patch, which: Callable[[Type], bool], change: Callable[[Any], Any]) -> None:
    """Change the values of fields whose type `which` accepts; `change` gets the right value."""

    def wrong(right: _Value, self: Reader, field: Field, kind: Type, *at: Any) -> tuple[Any, int]:
        value, after = right(self, field, kind, *at)
        return change(value) if which(kind) else value, after

    patch.wrap(Reader._value, wrong)


def _types(patch: Patch, change: Callable[[Type], Type]) -> None:
    patch.versions(lambda layout: with_types(layout, change))


def is_text(kind: Type) -> bool:
    """Tell whether a type is that of strings."""
    return isinstance(kind, Form) and kind.content == "text"


def is_bytes(kind: Type) -> bool:
    """Tell whether a type is that of bytes or records."""
    return isinstance(kind, Form) and kind.content != "text"


def _is_array(kind: Type) -> bool:
    return isinstance(kind, Counted)


@mutant("protocol/null-string-as-empty", rules=["length.null-is-not-empty"])
def null_string_as_empty(patch: Patch) -> None:
    """Gives an empty string for null."""
    _read(patch, is_text, lambda value: "" if value is None else value)


@mutant("protocol/null-bytes-as-empty", rules=["length.null-is-not-empty"])
def null_bytes_as_empty(patch: Patch) -> None:
    """Gives empty bytes for null: a fetched partition without records looks like an empty one."""
    _read(patch, is_bytes, lambda value: b"" if value is None else value)


@mutant("protocol/null-array-as-empty", rules=["length.null-is-not-empty"])
def null_array_as_empty(patch: Patch) -> None:
    """Gives an empty array for null, so Metadata asks for no topics where it means all."""
    _read(patch, _is_array, lambda value: [] if value is None else value)


@mutant("protocol/empty-string-as-null", rules=["length.null-is-not-empty"])
def empty_string_as_null(patch: Patch) -> None:
    """Gives null for an empty string."""
    _read(patch, is_text, lambda value: value or None)


@mutant("protocol/empty-bytes-as-null", rules=["length.null-is-not-empty"])
def empty_bytes_as_null(patch: Patch) -> None:
    """Gives null for empty bytes."""
    _read(patch, is_bytes, lambda value: value or None)


@mutant("protocol/empty-array-as-null", rules=["length.null-is-not-empty"])
def empty_array_as_null(patch: Patch) -> None:
    """Gives null for an empty array, so Metadata asks for all topics where it means none."""
    _read(patch, _is_array, lambda value: value or None)


@mutant("protocol/null-string-refused")
def null_string_refused(patch: Patch) -> None:
    """Takes null for no string."""
    _types(patch, lambda kind: replace(kind, null=None) if isinstance(kind, Form) and is_text(kind) else kind)


@mutant("protocol/null-bytes-refused", source=["apache/kafka#18726"])
def null_bytes_refused(patch: Patch) -> None:
    """Takes null for no bytes."""
    _types(patch, lambda kind: replace(kind, null=None) if isinstance(kind, Form) and is_bytes(kind) else kind)


@mutant("protocol/null-array-refused", source=["redpanda-data/redpanda#5451"])
def null_array_refused(patch: Patch) -> None:
    """Takes null for no array."""
    _types(patch, lambda kind: replace(kind, nullable=False) if isinstance(kind, Counted) else kind)


@mutant("protocol/null-string-anywhere")
def null_string_anywhere(patch: Patch) -> None:
    """Takes null for a string where the version does not say that it may be."""
    _types(patch, lambda kind: replace(kind, null=-1) if isinstance(kind, Form) and is_text(kind) else kind)


@mutant("protocol/null-bytes-anywhere")
def null_bytes_anywhere(patch: Patch) -> None:
    """Takes null for bytes where the version does not say that it may be."""
    _types(patch, lambda kind: replace(kind, null=-1) if isinstance(kind, Form) and is_bytes(kind) else kind)


@mutant("protocol/null-array-anywhere")
def null_array_anywhere(patch: Patch) -> None:
    """Takes null for an array where the version does not say that it may be."""
    _types(patch, lambda kind: replace(kind, nullable=True) if isinstance(kind, Counted) else kind)


@mutant("protocol/null-in-classic-versions-only")
def null_in_classic_versions_only(patch: Patch) -> None:
    """Refuses the compact length 0."""
    patch.refuse_result(Reader._varint, lambda read: read[0] == -1)


@mutant("protocol/negative-length-as-empty")
def negative_length_as_empty(patch: Patch) -> None:
    """Takes a negative length or count for 0, whether null may be there or not."""
    patch.wrap(
        Reader._leaf,
        lambda right, self, field, kind, *at: (
            right(self, field, kind, *at)
            if at[-1][-1:] not in (("length",), ("count",)) or isinstance(kind, Form)
            else _not_negative(*right(self, field, kind, *at))
        ),
    )


def _not_negative(number: int, after: int) -> tuple[int, int]:
    return max(number, 0), after


@mutant("protocol/null-structure-without-marker", source=["platformatic/kafka#134"])
def null_structure_without_marker(patch: Patch) -> None:
    """Reads a structure that may be null as one that may not, without the byte in front."""
    _types(patch, lambda kind: Nested(kind.layout) if isinstance(kind, Optional) else kind)


@mutant("protocol/null-structure-marker-zero")
def null_structure_marker_zero(patch: Patch) -> None:
    """Takes the marker 0 for null and any other for a structure."""

    def wrong(right: _Value, self: Reader, field: Field, kind: Optional, *at: Any) -> tuple[Any, int]:
        position, end, path = at
        marker, start = self._number(field, kind.marker, position, end, (*path, "marker"))
        return (None, start) if marker == 0 else self._structure(kind.layout, start, end, path)

    patch.wrap(Reader._optional, wrong)


@mutant("protocol/null-structure-compact-marker")
def null_structure_compact_marker(patch: Patch) -> None:
    """Takes the marker of a structure for a compact length in all flexible versions: 0 is null."""
    _types(patch, lambda kind: replace(kind, marker=VARINTS["uvarint"]) if isinstance(kind, Optional) else kind)


@mutant("protocol/null-structure-marker-int8-in-tags")
def null_structure_marker_int8_in_tags(patch: Patch) -> None:
    """Reads the marker of a tagged structure as an int8, where -1 is null."""
    _types(patch, lambda kind: replace(kind, marker=INTEGERS["int8"]) if isinstance(kind, Optional) else kind)


@mutant("protocol/null-structure-as-defaults")
def null_structure_as_defaults(patch: Patch) -> None:
    """Gives a structure with all defaults for null."""

    def wrong(right: _Value, self: Reader, field: Field, kind: Optional, *at: Any) -> tuple[Any, int]:
        value, after = right(self, field, kind, *at)
        return {} if value is None else value, after

    patch.wrap(Reader._optional, wrong)
