"""Varints, bit by bit: how a number becomes groups of seven bits, with and without zigzag."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from kafka_format.primitives.varints import UVARINT, VARINT, VARLONG, VarintKind, write_varint

from kafka_site.model import Site
from kafka_site.pictures.plot import plot

_NUMBERS: Final = (0, -1, 1, -2, 63, 64, -65, 300, 8191, 8192)
"""Those at which something changes."""

_VECTORS: Final = ("v2/varint/overlong", "v2/varint/excess-bits", "v2/varint/six-bytes", "v2/varlong/excess-bits")


class Group(NamedTuple):
    """One byte of a varint: whether another follows, and its seven bits of the number."""

    more: str
    bits: str


class Encoded(NamedTuple):
    """A number and its way into bytes."""

    value: int
    number: int
    groups: list[Group]
    raw: str


def values(site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    spans = {kind.name: _spans(kind) for kind in (VARINT, UVARINT)}
    return {
        "encoded": [_encode(value) for value in _NUMBERS],
        "longest": {kind.name: (kind.bits, kind.max_bytes) for kind in (VARINT, VARLONG, UVARINT)},
        "spans": spans,
        "vectors": [site.vectors[name] for name in _VECTORS],
        "milliseconds": [(text, len(write_varint(span, VARLONG))) for text, span in _DELTAS.items()],
        "plot": plot(
            {
                "varint, zigzag": [(1 << bit, len(write_varint(1 << bit, VARINT))) for bit in range(31)],
                "uvarint": [(1 << bit, len(write_varint(1 << bit, UVARINT))) for bit in range(31)],
                "int32": [(1 << bit, 4) for bit in range(31)],
            },
            across="number",
            up="bytes",
            steps=True,
            label="Bytes that a number takes as a varint with zigzag, as an unsigned varint, and as an int32",
        ),
    }


_DELTAS: Final = {
    "a millisecond": 1,
    "a second": 1_000,
    "a minute": 60_000,
    "an hour": 3_600_000,
    "a day": 86_400_000,
    "a year": 31_536_000_000,
}


def _encode(value: int) -> Encoded:
    raw = write_varint(value, VARINT)
    groups = [Group(f"{byte:08b}"[0], f"{byte:08b}"[1:]) for byte in raw]
    return Encoded(value, VARINT.number(value), groups, raw.hex(" "))


def _spans(kind: VarintKind) -> list[tuple[int, int, int]]:
    """Return for each count of bytes the numbers that take so many: bytes, lowest, highest."""
    spans = []
    for size in range(1, kind.max_bytes + 1):
        bits = min(7 * size, kind.bits)
        highest = (1 << bits - 1) - 1 if kind.zigzag else (1 << bits) - 1
        spans.append((size, -highest - 1 if kind.zigzag else 0, highest))
    return spans
