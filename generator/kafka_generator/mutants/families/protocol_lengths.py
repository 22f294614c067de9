"""Readers of the protocol: lengths and counts, classic and compact, and unsigned varints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kafka_format.codec import runtime
from kafka_format.codec.interpreter import Reader
from kafka_format.errors import FieldPath
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.primitives.varints import RawVarint, VarintKind
from kafka_format.spec.layout.model import Counted, Field, Form, Integer, Type, Varint
from kafka_format.spec.layout.types import INTEGERS, VARINTS
from kafka_format.spec.layout.versioned.resolver import _Resolver

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch
from kafka_generator.mutants.protocol.versions import with_types

mutant = family("decode-protocol", "lengths")

Length = Integer | Varint
_Read = Callable[[bytes, int, int, VarintKind], RawVarint | None]


def change_lengths(patch: Patch, change: Callable[[Form | Counted], Length]) -> None:
    """Let strings, bytes and arrays have the lengths and counts that `change` says."""

    def wrong(kind: Type) -> Type:
        return replace(kind, length=change(kind)) if isinstance(kind, Form | Counted) else kind

    patch.versions(lambda layout: with_types(layout, wrong))


def classic(kind: Form | Counted) -> Integer:
    """Return the length that a type has in versions that are not flexible."""
    return INTEGERS["int16" if isinstance(kind, Form) and kind.content == "text" else "int32"]


def _is_text(kind: Form | Counted) -> bool:
    return isinstance(kind, Form) and kind.content == "text"


@mutant("protocol/compact-length-as-it-is", rules=["compact.length"])
def compact_length_as_it_is(patch: Patch) -> None:
    """Takes a compact length for the length itself, not for one more."""
    change_lengths(patch, lambda kind: VARINTS["uvarint"] if isinstance(kind.length, Varint) else kind.length)


@mutant("protocol/compact-array-count-as-it-is", rules=["compact.length"])
def compact_array_count_as_it_is(patch: Patch) -> None:
    """Takes the compact count of an array as it is; lengths of strings and bytes are right."""
    change_lengths(
        patch,
        lambda kind: (
            VARINTS["uvarint"] if isinstance(kind, Counted) and isinstance(kind.length, Varint) else kind.length
        ),
    )


@mutant("protocol/compact-length-zigzag", rules=["uvarint.unsigned"])
def compact_length_zigzag(patch: Patch) -> None:
    """Reads compact lengths as the zig-zag varints of records."""
    change_lengths(patch, lambda kind: VARINTS["varint"] if isinstance(kind.length, Varint) else kind.length)


@mutant("protocol/classic-lengths-in-flexible-versions")
def classic_lengths(patch: Patch) -> None:
    """Reads lengths of 2 and 4 bytes in all versions."""
    change_lengths(patch, classic)


@mutant("protocol/classic-arrays-in-flexible-versions")
def classic_arrays(patch: Patch) -> None:
    """Reads an int32 count in front of arrays in all versions."""
    change_lengths(patch, lambda kind: classic(kind) if isinstance(kind, Counted) else kind.length)


@mutant("protocol/classic-strings-in-flexible-versions", source=["twmb/franz-go#1105", "linkedin/Burrow#851"])
def classic_strings(patch: Patch) -> None:
    """Reads an int16 length in front of strings in all versions."""
    change_lengths(patch, lambda kind: classic(kind) if _is_text(kind) else kind.length)


@mutant("protocol/classic-bytes-in-flexible-versions")
def classic_bytes(patch: Patch) -> None:
    """Reads an int32 length in front of bytes and records in all versions."""
    change_lengths(patch, lambda kind: classic(kind) if isinstance(kind, Form) and not _is_text(kind) else kind.length)


@mutant("protocol/classic-records-in-flexible-versions")
def classic_records(patch: Patch) -> None:
    """Reads an int32 length before records in all versions; other bytes have compact lengths."""

    def wrong(right: Callable[..., Field], self: Any, field: Any) -> Field:
        value = right(self, field)
        if field.type != "records" or not isinstance(value.type, Form):
            return value
        return replace(value, type=replace(value.type, length=INTEGERS["int32"]))

    patch.wrap(_Resolver._field, wrong)


@mutant("protocol/compact-lengths-in-all-versions")
def compact_lengths(patch: Patch) -> None:
    """Reads compact lengths in all versions."""
    change_lengths(patch, lambda _: VARINTS["compact_length"])


@mutant("protocol/bytes-with-int16-length")
def bytes_with_int16_length(patch: Patch) -> None:
    """Reads an int16 length in front of bytes, as in front of strings."""
    change_lengths(
        patch,
        lambda kind: INTEGERS["int16"] if isinstance(kind, Form) and kind.length == INTEGERS["int32"] else kind.length,
    )


@mutant("protocol/strings-with-int32-length")
def strings_with_int32_length(patch: Patch) -> None:
    """Reads an int32 length in front of strings, as in front of bytes."""
    change_lengths(patch, lambda kind: INTEGERS["int32"] if kind.length == INTEGERS["int16"] else kind.length)


@mutant("protocol/string-length-unsigned")
def string_length_unsigned(patch: Patch) -> None:
    """Reads the length of a string without a sign, so null is a string of 65535 bytes."""
    change_lengths(patch, lambda kind: INTEGERS["uint16"] if kind.length == INTEGERS["int16"] else kind.length)


@mutant("protocol/lengths-little-endian", rules=["field.integer"])
def lengths_little_endian(patch: Patch) -> None:
    """Reads classic lengths with their bytes the other way round."""
    change_lengths(
        patch, lambda kind: replace(kind.length, order="little") if isinstance(kind.length, Integer) else kind.length
    )


@mutant("protocol/array-count-in-bytes")
def array_count_in_bytes(patch: Patch) -> None:
    """Takes the count of an array of numbers for its size in bytes."""

    def wrong(right: Callable[..., tuple[Any, int]], self: Reader, field: Field, kind: Counted, *at: Any) -> Any:
        items, after = right(self, field, kind, *at)
        if not items or not isinstance(kind.item, Integer) or kind.item.size == 1:
            return items, after
        count = len(items) // kind.item.size
        return items[:count], after - (len(items) - count) * kind.item.size

    patch.wrap(Reader._counted_items, wrong)


@mutant("protocol/length-beyond-is-cut")
def length_beyond_is_cut(patch: Patch) -> None:
    """Takes what there is where a string or bytes are longer than what is left."""

    def wrong(
        right: Callable[..., tuple[Any, int]],
        self: Reader,
        field: Field,
        kind: Form,
        position: int,
        end: int,
        path: FieldPath,
    ) -> tuple[Any, int]:
        try:
            return right(self, field, kind, position, end, path)
        except ValueError:
            length, start = self._leaf(field, kind.length, position, end, path)
            if length <= end - start:
                raise
            content = self.data[start:end]
            return content.decode() if kind.content == "text" else content, end

    patch.wrap(Reader._form, wrong)


@mutant("protocol/wrapped-length-is-empty")
def wrapped_length_is_empty(patch: Patch) -> None:
    """Takes a compact length or count that is negative as an int32 for 0."""

    def wrong(right: Callable[..., int], self: Reader, number: int, *at: Any) -> int:
        return 0 if number > INT32_MAX else right(self, number, *at)

    patch.wrap(Reader._signed, wrong)


@mutant("protocol/longest-string-not-checked", rules=["protocol.string.longest"])
def longest_string_not_checked(patch: Patch) -> None:
    """Takes compact strings of any length."""
    patch.constant(runtime, "LONGEST_STRING", 1 << 40)
