"""Readers of the protocol: unsigned varints, of which compact lengths, tags and sizes are made."""

from __future__ import annotations

from collections.abc import Callable

from kafka_format.primitives import varints
from kafka_format.primitives.varints import COMPACT_LENGTH, UVARINT, RawVarint, VarintKind

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode-protocol", "varints")

_Read = Callable[[bytes, int, int, VarintKind], RawVarint | None]


@mutant("protocol/long-strings-refused")
def long_strings_refused(patch: Patch) -> None:
    """Refuses compact lengths of more than one byte."""
    patch.refuse(varints.read_varint, lambda data, position, end, kind: position < end and data[position] > 0x7F)


def _varints(patch: Patch, wrong: Callable[[_Read, bytes, int, int, VarintKind], RawVarint | None]) -> None:
    """Let unsigned varints and compact lengths be read by `wrong`."""

    def unsigned_alone(right: _Read, data: bytes, position: int, end: int, kind: VarintKind) -> RawVarint | None:
        return (
            wrong(right, data, position, end, kind)
            if kind in (UVARINT, COMPACT_LENGTH)
            else right(data, position, end, kind)
        )

    patch.wrap(varints.read_varint, unsigned_alone)


@mutant("protocol/varint-of-one-byte")
def varint_of_one_byte(patch: Patch) -> None:
    """Reads one byte for each unsigned varint."""

    def wrong(right: _Read, data: bytes, position: int, end: int, kind: VarintKind) -> RawVarint | None:
        if position >= end:
            return None
        return RawVarint(kind.value(data[position]), position + 1, overlong=False, excess=False)

    _varints(patch, wrong)


@mutant("protocol/varint-of-two-bytes")
def varint_of_two_bytes(patch: Patch) -> None:
    """Stops behind the second byte of an unsigned varint."""

    def wrong(right: _Read, data: bytes, position: int, end: int, kind: VarintKind) -> RawVarint | None:
        raw = right(data, position, end, kind)
        if raw is None or raw.end - position <= 2:
            return raw
        return raw._replace(value=kind.value(kind.number(raw.value) & 0x3FFF), end=position + 2)

    _varints(patch, wrong)


@mutant("protocol/varint-highest-group-first")
def varint_highest_group_first(patch: Patch) -> None:
    """Reads the groups of an unsigned varint in the other order."""

    def wrong(right: _Read, data: bytes, position: int, end: int, kind: VarintKind) -> RawVarint | None:
        raw = right(data, position, end, kind)
        if raw is None or raw.end < 0:
            return raw
        number = 0
        for group in data[position : raw.end]:
            number = number << 7 | group & 0x7F
        return raw._replace(value=kind.value(number))

    _varints(patch, wrong)


@mutant("protocol/varint-groups-of-eight-bits")
def varint_groups_of_eight_bits(patch: Patch) -> None:
    """Shifts the groups of an unsigned varint by 8 bits, not by 7."""

    def wrong(right: _Read, data: bytes, position: int, end: int, kind: VarintKind) -> RawVarint | None:
        raw = right(data, position, end, kind)
        if raw is None or raw.end < 0:
            return raw
        number = sum((group & 0x7F) << 8 * at for at, group in enumerate(data[position : raw.end]))
        return raw._replace(value=kind.value(number))

    _varints(patch, wrong)


@mutant("protocol/varint-without-end")
def varint_without_end(patch: Patch) -> None:
    """Reads unsigned varints of any number of bytes."""

    def wrong(right: _Read, data: bytes, position: int, end: int, kind: VarintKind) -> RawVarint | None:
        raw = right(data, position, end, kind)
        if raw is None or raw.end >= 0:
            return raw
        at, number = position, 0
        while at < end:
            number |= (data[at] & 0x7F) << 7 * (at - position)
            at += 1
            if data[at - 1] <= 0x7F:
                return RawVarint(kind.value(number & 0xFFFFFFFF), at, overlong=False, excess=False)
        return None

    _varints(patch, wrong)
