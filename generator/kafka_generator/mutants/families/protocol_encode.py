"""Writers of the protocol: lengths, nulls and values."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kafka_format.codec import runtime
from kafka_format.codec.interpreter import writer
from kafka_format.codec.scalars import number_bytes
from kafka_format.errors import FieldPath
from kafka_format.primitives import varints
from kafka_format.spec.layout.model import Counted, Form, Integer, Optional, Type, Varint
from kafka_format.spec.layout.types import INTEGERS, VARINTS

from kafka_generator.mutants.families.protocol_lengths import change_lengths, classic
from kafka_generator.mutants.families.protocol_nulls import is_bytes, is_text
from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch
from kafka_generator.mutants.protocol.versions import with_types

mutant = family("encode-protocol", "values")

_Value = Callable[[Type, Any, FieldPath], bytes]


def _write(patch: Patch, which: Callable[[Type], bool], change: Callable[[Any], Any]) -> None:
    """Let values of types that `which` is true of be changed before they are written."""
    patch.wrap(
        writer._value,
        lambda right, kind, value, path: right(kind, change(value) if which(kind) else value, path),
    )


def _bytes_of(patch: Patch, name: str, change: Callable[[bytes], bytes]) -> None:
    """Let the bytes of values of one type be what `change` makes of the right ones."""
    patch.wrap(
        writer._scalar,
        lambda right, kind, value, path: (
            change(right(kind, value, path)) if kind.name == name else right(kind, value, path)
        ),
    )


@mutant("protocol/encode-compact-length-as-it-is", rules=["compact.length"])
def compact_length_as_it_is(patch: Patch) -> None:
    """Writes a compact length as the length itself."""

    def wrong(right: Callable[..., bytes], kind: Any, value: Any, path: FieldPath) -> bytes:
        is_compact = kind == VARINTS["compact_length"] and isinstance(value, int) and value > 0
        return right(VARINTS["uvarint"] if is_compact else kind, value, path)

    patch.wrap(number_bytes, wrong)


@mutant("protocol/encode-classic-lengths")
def classic_lengths(patch: Patch) -> None:
    """Writes lengths of 2 and 4 bytes in all versions."""
    change_lengths(patch, classic)


@mutant("protocol/encode-varints-zigzag", rules=["uvarint.unsigned"])
def varints_zigzag(patch: Patch) -> None:
    """Writes compact lengths as the zig-zag varints of records."""
    change_lengths(patch, lambda kind: VARINTS["varint"] if isinstance(kind.length, Varint) else kind.length)


@mutant("protocol/encode-varints-of-five-bytes", rules=["varint.minimal"])
def varints_of_five_bytes(patch: Patch) -> None:
    """Writes five bytes for every unsigned varint, as those do who fill in lengths later."""

    def wide(data: bytes) -> bytes:
        number = sum((group & 0x7F) << 7 * at for at, group in enumerate(data))
        return bytes([*((number >> 7 * at & 0x7F) | 0x80 for at in range(4)), number >> 28])

    patch.result(varints._varint_bytes, wide)
    patch.result(runtime.write_unsigned, lambda data: data if len(data) > 4 else wide(data))


@mutant("protocol/encode-string-length-in-characters")
def string_length_in_characters(patch: Patch) -> None:
    """Writes the number of characters for the length of a string."""

    def wrong(right: Callable[..., bytes], kind: Form, value: Any, path: FieldPath) -> bytes:
        if not isinstance(value, str):
            return right(kind, value, path)
        return number_bytes(kind.length, len(value), path) + value.encode()

    patch.wrap(writer._form, wrong)


@mutant("protocol/encode-null-string-as-empty", source=["apache/kafka#866"])
def null_string_as_empty(patch: Patch) -> None:
    """Writes an empty string for null."""
    _write(patch, is_text, lambda value: "" if value is None else value)


@mutant("protocol/encode-null-bytes-as-empty")
def null_bytes_as_empty(patch: Patch) -> None:
    """Writes empty bytes for null."""
    _write(patch, is_bytes, lambda value: b"" if value is None else value)


@mutant(
    "protocol/encode-null-array-as-empty",
    source=["IBM/sarama#1352", "dpkp/kafka-python#867", "zendesk/ruby-kafka#508", "tulios/kafkajs#1184"],
)
def null_array_as_empty(patch: Patch) -> None:
    """Writes an empty array for null."""
    _write(patch, lambda kind: isinstance(kind, Counted), lambda value: [] if value is None else value)


@mutant("protocol/encode-null-array-of-four-bytes", source=["confluentinc/librdkafka#5049"])
def null_array_of_four_bytes(patch: Patch) -> None:
    """Writes null for an array in four bytes in all versions."""
    patch.wrap(
        writer._array,
        lambda right, kind, value, path: b"\xff\xff\xff\xff" if value is None else right(kind, value, path),
    )


@mutant("protocol/encode-empty-string-as-null")
def empty_string_as_null(patch: Patch) -> None:
    """Writes null for an empty string where null may be."""
    _write(patch, lambda kind: is_text(kind) and _null_of(kind) is not None, lambda value: value or None)


@mutant("protocol/encode-empty-bytes-as-null")
def empty_bytes_as_null(patch: Patch) -> None:
    """Writes null for empty bytes where null may be."""
    _write(patch, lambda kind: is_bytes(kind) and _null_of(kind) is not None, lambda value: value or None)


@mutant("protocol/encode-empty-array-as-null")
def empty_array_as_null(patch: Patch) -> None:
    """Writes null for an empty array where null may be."""
    _write(patch, lambda kind: isinstance(kind, Counted) and kind.nullable, lambda value: value or None)


def _null_of(kind: Type) -> int | None:
    return kind.null if isinstance(kind, Form) else None


@mutant("protocol/encode-integers-little-endian", rules=["field.integer"])
def integers_little_endian(patch: Patch) -> None:
    """Writes integers with their bytes the other way round; lengths are right."""
    patch.wrap(
        writer._scalar,
        lambda right, kind, value, path: right(kind, value, path)[:: -1 if isinstance(kind, Integer) else 1],
    )


@mutant("protocol/encode-true-as-255")
def true_as_255(patch: Patch) -> None:
    """Writes the byte ff for true."""
    _bytes_of(patch, "bool", lambda data: b"\xff" if data == b"\x01" else data)


@mutant("protocol/encode-float-little-endian")
def float_little_endian(patch: Patch) -> None:
    """Writes a float64 with its bytes the other way round."""
    _bytes_of(patch, "float64", lambda data: data[::-1])


@mutant("protocol/encode-float-as-float32")
def float_as_float32(patch: Patch) -> None:
    """Writes four bytes for a float64."""
    _bytes_of(patch, "float64", lambda data: struct.pack(">f", *struct.unpack(">d", data)))


@mutant("protocol/encode-uuid-reversed")
def uuid_reversed(patch: Patch) -> None:
    """Writes a UUID with its bytes the other way round."""
    _bytes_of(patch, "uuid", lambda data: data[::-1])


@mutant("protocol/encode-uuid-fields-little-endian")
def uuid_fields_little_endian(patch: Patch) -> None:
    """Writes the first three fields of a UUID as little-endian, as a GUID of Windows has them."""
    _bytes_of(patch, "uuid", lambda data: data[3::-1] + data[5:3:-1] + data[7:5:-1] + data[8:])


@mutant("protocol/encode-marker-of-null-zero")
def marker_of_null_zero(patch: Patch) -> None:
    """Writes the marker 0 for a structure that is null, also where it is -1."""
    patch.wrap(
        writer._optional,
        lambda right, kind, value, path: b"\0" if value is None else right(kind, value, path),
    )


@mutant("protocol/encode-structure-without-marker")
def structure_without_marker(patch: Patch) -> None:
    """Writes no marker in front of a structure that may be null and is not."""
    patch.wrap(
        writer._optional,
        lambda right, kind, value, path: right(kind, value, path)[0 if value is None else 1 :],
    )


@mutant("protocol/encode-marker-int8-in-tags")
def marker_int8_in_tags(patch: Patch) -> None:
    """Writes the marker of a tagged structure as an int8, where -1 is null."""

    def wrong(kind: Type) -> Type:
        return replace(kind, marker=INTEGERS["int8"]) if isinstance(kind, Optional) else kind

    patch.versions(lambda layout: with_types(layout, wrong))
