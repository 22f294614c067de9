"""Readers of the metrics of clients that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kafka_format.content import protobuf
from kafka_format.content.protobuf import Field, MessageReader

from kafka_generator.mutants.mutant import CONTENT, family
from kafka_generator.mutants.patch import Patch

mutant = family(CONTENT, "telemetry")

_PUT = protobuf._put  # noqa: SLF001 - what a wrong reader does otherwise
_NUMBER = protobuf._number  # noqa: SLF001
_Right = Callable[..., Any]


@mutant("telemetry/deepest-unknown")
def deepest(patch: Patch) -> None:
    """Reads messages however deep they lie in others."""
    patch.constant(protobuf, "DEEPEST", 200)


@mutant("telemetry/depth-of-64")
def depth(patch: Patch) -> None:
    """Refuses messages in more than 64 others."""
    patch.constant(protobuf, "DEEPEST", 64)


@mutant("telemetry/no-oneof")
def no_oneof(patch: Patch) -> None:
    """Keeps both where one of two fields is to be there."""
    patch.wrap(_PUT, lambda right, field, *rest, **how: right(field._replace(oneof="", is_optional=True), *rest, **how))


@mutant("telemetry/zero-is-there")
def zero(patch: Patch) -> None:
    """Gives numbers of 0 that were written, and are none."""
    patch.wrap(_PUT, lambda right, *rest, **_: right(*rest, is_default=False))


@mutant("telemetry/zero-is-never-there")
def never(patch: Patch) -> None:
    """Takes a number of 0 for none though it has a presence."""
    patch.wrap(_PUT, lambda right, field, *rest, **how: right(_without_presence(field, how), *rest, **how))


def _without_presence(field: Field, how: dict[str, Any]) -> Field:
    return field._replace(oneof="", is_optional=False) if how["is_default"] else field


@mutant("telemetry/first-counts")
def first(patch: Patch) -> None:
    """Takes the first of two fields of one number."""

    def put(right: _Right, field: Field, within: Any, value: Any, *, is_default: bool) -> None:
        if field.is_repeated or field.name not in within.value:
            right(field, within, value, is_default=is_default)

    patch.replace(_PUT, partial(put, _PUT))


@mutant("telemetry/not-merged")
def not_merged(patch: Patch) -> None:
    """Replaces a message by the next of its number, where both are one."""

    def inner(right: _Right, reader: MessageReader, field: Field, start: int, within: Any) -> None:
        if not field.is_repeated:
            within.value.pop(field.name, None)
        right(reader, field, start, within)

    patch.wrap(MessageReader._inner, inner)  # noqa: SLF001


@mutant("telemetry/no-zigzag")
def no_zigzag(patch: Patch) -> None:
    """Reads a zigzag number as one that is none."""
    patch.wrap(_NUMBER, lambda right, kind, number: right("uint32" if kind == "sint32" else kind, number))


@mutant("telemetry/32-bits-are-64")
def wide(patch: Patch) -> None:
    """Keeps the high bits of numbers of 32 bits."""
    patch.wrap(_NUMBER, lambda right, kind, number: number if kind in {"uint32", "enum"} else right(kind, number))


@mutant("telemetry/bool-is-one")
def one(patch: Patch) -> None:
    """Takes a truth value of 2 for false."""
    patch.wrap(_NUMBER, lambda right, kind, number: number == 1 if kind == "bool" else right(kind, number))


@mutant("telemetry/integers-unsigned")
def unsigned(patch: Patch) -> None:
    """Reads negative integers as large ones."""
    patch.wrap(_NUMBER, lambda right, kind, number: right("uint64" if kind == "int64" else kind, number))


@mutant("telemetry/times-signed")
def signed(patch: Patch) -> None:
    """Reads times as signed numbers."""
    patch.constant(protobuf, "_FORMATS", {"double": "<d", "fixed64": "<q", "sfixed64": "<q"})


@mutant("telemetry/big-endian")
def big_endian(patch: Patch) -> None:
    """Reads numbers of eight bytes as Kafka writes its own."""
    patch.constant(protobuf, "_FORMATS", {"double": ">d", "fixed64": ">Q", "sfixed64": ">q"})


@mutant("telemetry/varints-of-five-bytes")
def five(patch: Patch) -> None:
    """Refuses varints of more than five bytes, the most that Kafka's own have."""
    patch.constant(protobuf, "_LONGEST", 5)


@mutant("telemetry/unknown-group-refused")
def groups(patch: Patch) -> None:
    """Refuses groups, which nobody writes any more."""
    patch.constant(protobuf, "_GROUP", -1)


@mutant("telemetry/number-zero")
def number_zero(patch: Patch) -> None:
    """Passes fields with the number 0."""

    def key(_: _Right, reader: MessageReader, within: Any) -> tuple[int, int]:
        number = reader._varint(within) & 0xFFFFFFFF  # noqa: SLF001
        return number >> 3, number & 7

    patch.wrap(MessageReader._key, key)  # noqa: SLF001
