"""Readers of the protocol: integers, booleans, floating-point numbers and UUIDs."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kafka_format.codec.interpreter import Reader
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import Boolean, Field, Fixed, Float, Integer, Type
from kafka_format.spec.layout.types import INTEGERS

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch
from kafka_generator.mutants.protocol.versions import with_fields

mutant = family("decode-protocol", "values")

_Value = Callable[..., tuple[Any, int]]


def _numbers(patch: Patch, change: Callable[[Integer], Type]) -> None:
    """Let integers be read as the types that `change` says; lengths and counts stay right."""

    def wrong(kind: Type) -> Type:
        return change(kind) if isinstance(kind, Integer) else kind

    patch.versions(lambda layout: with_fields(layout, lambda field: replace(field, type=wrong(field.type)), wrong))


def change_values(patch: Patch, which: type[Type], change: Callable[[Any], Any]) -> None:
    """Let values of one class of types be what `change` makes of the right ones."""

    def wrong(right: _Value, self: Reader, field: Field, kind: Type, *at: Any) -> tuple[Any, int]:
        value, after = right(self, field, kind, *at)
        return change(value) if isinstance(kind, which) else value, after

    patch.wrap(Reader._value, wrong)


def _as(patch: Patch, name: str, other: str) -> None:
    _numbers(patch, lambda kind: INTEGERS[other] if kind.name == name else kind)


@mutant("protocol/integers-little-endian", rules=["field.integer"])
def integers_little_endian(patch: Patch) -> None:
    """Reads integers with their bytes the other way round; lengths are right."""
    _numbers(patch, lambda kind: replace(kind, order="little"))


@mutant("protocol/int8-unsigned")
def int8_unsigned(patch: Patch) -> None:
    """Reads an int8 without its sign."""
    _as(patch, "int8", "uint8")


@mutant("protocol/int16-unsigned")
def int16_unsigned(patch: Patch) -> None:
    """Reads an int16 without its sign, so error code -1 is 65535."""
    _as(patch, "int16", "uint16")


@mutant("protocol/int32-unsigned")
def int32_unsigned(patch: Patch) -> None:
    """Reads an int32 without its sign, so no leader epoch is 4294967295."""
    _as(patch, "int32", "uint32")


@mutant("protocol/int64-unsigned")
def int64_unsigned(patch: Patch) -> None:
    """Reads an int64 without its sign."""
    _as(patch, "int64", "uint64")


@mutant("protocol/uint16-signed")
def uint16_signed(patch: Patch) -> None:
    """Reads a uint16 with a sign, so ports above 32767 are negative."""
    _as(patch, "uint16", "int16")


@mutant("protocol/uint32-signed")
def uint32_signed(patch: Patch) -> None:
    """Reads a uint32 with a sign."""
    _as(patch, "uint32", "int32")


@mutant("protocol/int16-as-int8")
def int16_as_int8(patch: Patch) -> None:
    """Reads an int16 as an int8."""
    _as(patch, "int16", "int8")


@mutant("protocol/int64-as-int32")
def int64_as_int32(patch: Patch) -> None:
    """Reads an int64 as an int32."""
    _as(patch, "int64", "int32")


@mutant("protocol/int64-as-double")
def int64_as_double(patch: Patch) -> None:
    """Keeps an int64 in a floating-point number, which has 53 bits."""
    change_values(patch, Integer, lambda value: int(float(value)))


@mutant("protocol/boolean-as-int16")
def boolean_as_int16(patch: Patch) -> None:
    """Reads a boolean of two bytes."""

    def wrong(right: _Value, self: Reader, field: Field, kind: Type, *at: Any) -> tuple[Any, int]:
        if not isinstance(kind, Boolean):
            return right(self, field, kind, *at)
        value, after = right(self, field, INTEGERS["int16"], *at)
        return value != 0, after

    patch.wrap(Reader._value, wrong)


@mutant("protocol/boolean-by-its-lowest-bit")
def boolean_by_its_lowest_bit(patch: Patch) -> None:
    """Takes the lowest bit of a byte for a boolean, so 2 is false."""

    def wrong(right: _Value, self: Reader, field: Field, kind: Type, *at: Any) -> tuple[Any, int]:
        if not isinstance(kind, Boolean):
            return right(self, field, kind, *at)
        value, after = right(self, field, INTEGERS["int8"], *at)
        return value & 1 == 1, after

    patch.wrap(Reader._value, wrong)


@mutant("protocol/boolean-true-if-positive")
def boolean_true_if_positive(patch: Patch) -> None:
    """Takes a byte above 0 for true, so 255 is false."""

    def wrong(right: _Value, self: Reader, field: Field, kind: Type, *at: Any) -> tuple[Any, int]:
        if not isinstance(kind, Boolean):
            return right(self, field, kind, *at)
        value, after = right(self, field, INTEGERS["int8"], *at)
        return value > 0, after

    patch.wrap(Reader._value, wrong)


@mutant("protocol/float-little-endian")
def float_little_endian(patch: Patch) -> None:
    """Reads a float64 with its bytes the other way round."""
    change_values(patch, Float, lambda value: struct.unpack("<d", struct.pack(">d", value))[0])


@mutant("protocol/float-as-integer")
def float_as_integer(patch: Patch) -> None:
    """Reads the bits of a float64 as an integer."""
    change_values(patch, Float, lambda value: struct.unpack(">q", struct.pack(">d", value))[0])


@mutant("protocol/float-of-32-bits")
def float_of_32_bits(patch: Patch) -> None:
    """Reads a floating-point number of four bytes."""

    def wrong(right: _Value, self: Reader, field: Field, kind: Type, *at: Any) -> tuple[Any, int]:
        if not isinstance(kind, Float):
            return right(self, field, kind, *at)
        value, after = right(self, field, INTEGERS["uint32"], *at)
        return struct.unpack(">f", struct.pack(">I", value))[0], after

    patch.wrap(Reader._value, wrong)


@mutant("protocol/uuid-reversed")
def uuid_reversed(patch: Patch) -> None:
    """Reads a UUID with its bytes the other way round."""
    change_values(patch, Fixed, lambda value: value[::-1])


@mutant("protocol/uuid-halves-exchanged")
def uuid_halves_exchanged(patch: Patch) -> None:
    """Reads the lower half of a UUID before the higher one."""
    change_values(patch, Fixed, lambda value: value[8:] + value[:8])


@mutant("protocol/uuid-fields-little-endian")
def uuid_fields_little_endian(patch: Patch) -> None:
    """Reads the first three fields of a UUID as little-endian, as a GUID of Windows has them."""
    change_values(patch, Fixed, lambda value: value[3::-1] + value[5:3:-1] + value[7:5:-1] + value[8:])


@mutant("protocol/uuid-zero-as-null")
def uuid_zero_as_null(patch: Patch) -> None:
    """Gives null for the UUID of zeros, which Kafka has for no UUID."""
    change_values(patch, Fixed, lambda value: value if any(value) else None)


@mutant("protocol/uuid-as-string")
def uuid_as_string(patch: Patch) -> None:
    """Reads a UUID as a string with its length."""

    def wrong(kind: Type) -> Type:
        forms = specification().forms
        return replace(forms["string"], content="text") if isinstance(kind, Fixed) else kind

    patch.versions(lambda layout: with_fields(layout, lambda field: replace(field, type=wrong(field.type)), wrong))
