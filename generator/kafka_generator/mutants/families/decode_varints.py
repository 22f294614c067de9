"""Varints, which records, headers and control records are made of."""

from __future__ import annotations

from collections.abc import Callable

from kafka_format.primitives import varints
from kafka_format.primitives.varints import VARINT, RawVarint, VarintKind
from kafka_format.spec.layout.types import VARINTS

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode", "v2")

_Read = Callable[[bytes, int, int, VarintKind], RawVarint | None]


@mutant("varint/without-zigzag", rules=["varint.zigzag"], source=["alibaba/ilogtail@fbb01358"])
def without_zigzag(patch: Patch) -> None:
    """Reads varints as unsigned numbers."""
    patch.replace(VarintKind.value, lambda self, number: number)


@mutant("varint/zigzag-off-by-one")
def zigzag_off_by_one(patch: Patch) -> None:
    """Negates numbers with the lowest bit set without subtracting 1, so -1 reads as 0."""
    patch.replace(VarintKind.value, lambda self, number: -(number >> 1) if number & 1 else number >> 1)


@mutant("varint/highest-group-first")
def highest_group_first(patch: Patch) -> None:
    """Reads the groups of a varint in the other order."""

    def wrong(right: _Read, data: bytes, position: int, end: int, kind: VarintKind) -> RawVarint | None:
        raw = right(data, position, end, kind)
        if raw is None or raw.end < 0:
            return raw
        number = 0
        for group in data[position : raw.end]:
            number = number << 7 | group & 0x7F
        return raw._replace(value=kind.value(number % (1 << kind.bits)), excess=number >> kind.bits != 0)

    patch.wrap(varints.read_varint, wrong)


@mutant("varint/of-one-byte")
def of_one_byte(patch: Patch) -> None:
    """Reads one byte for each varint."""

    def wrong(right: _Read, data: bytes, position: int, end: int, kind: VarintKind) -> RawVarint | None:
        raw = right(bytes([data[position] & 0x7F]), 0, 1, kind) if position < end else None
        return raw and raw._replace(end=position + 1)

    patch.wrap(varints.read_varint, wrong)


@mutant("varint/of-three-bytes-at-most")
def of_three_bytes_at_most(patch: Patch) -> None:
    """Refuses varints of more than three bytes."""
    patch.wrap(
        varints.read_varint,
        lambda right, data, position, end, kind: right(
            data, position, end, kind._replace(max_bytes=3) if kind == VARINT else kind
        ),
    )


@mutant("varint/any-length", source=["tulios/kafkajs#1793", "segmentio/kafka-go#319"])
def any_length(patch: Patch) -> None:
    """Reads on as long as the highest bit says so, however long that is."""

    def wrong(right: _Read, data: bytes, position: int, end: int, kind: VarintKind) -> RawVarint | None:
        raw = right(data, position, end, kind._replace(max_bytes=1 << 10))
        return raw and raw._replace(overlong=False, excess=False)

    patch.wrap(varints.read_varint, wrong)


@mutant("varint/excess-bits-kept")
def excess_bits_kept(patch: Patch) -> None:
    """Keeps bits of the last group that the width cannot hold."""
    patch.wrap(
        varints.read_varint,
        lambda right, data, position, end, kind: right(data, position, end, kind._replace(bits=7 * kind.max_bytes)),
    )


@mutant("control/zigzag-uvarints", rules=["uvarint.unsigned"])
def zigzag_uvarints(patch: Patch) -> None:
    """Reads the lengths of tagged fields as zig-zag numbers."""
    patch.form("uvarint_bytes", length=VARINTS["varint"])


@mutant("control/compact-length-is-the-length", rules=["compact.length"])
def compact_length_is_the_length(patch: Patch) -> None:
    """Reads compact lengths without subtracting 1."""
    patch.form("compact_string", length=VARINTS["uvarint"])
