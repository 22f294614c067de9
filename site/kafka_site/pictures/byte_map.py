"""Bytes as squares, coloured by their purpose: it shows what takes the room of a message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from kafka_format.explain.lines import Line

from kafka_site.templates import render

ROLES: Final[Mapping[str, str]] = {
    "place": "offsets, sizes and counts",
    "format": "magic byte and attributes",
    "checksum": "checksum",
    "time": "timestamps",
    "producer": "producer, epoch and sequence",
    "length": "lengths of key, value and headers",
    "content": "key, value and headers themselves",
}
"""What bytes can be for, and how the legend calls it."""

_BY_NAME: Final[Mapping[str, str]] = {
    "magic": "format",
    "attributes": "format",
    "crc": "checksum",
    "timestamp": "time",
    "timestamp_delta": "time",
    "base_timestamp": "time",
    "max_timestamp": "time",
    "producer_id": "producer",
    "producer_epoch": "producer",
    "base_sequence": "producer",
    "partition_leader_epoch": "producer",
    "key": "content",
    "value": "content",
    "payload": "content",
    "header_count": "length",
}
"""Fields that are for something else than saying where what is."""

_COMPRESSED: Final = ("records.", "message.value.", "message.payload.")
"""How the paths of the framing of what is compressed begin."""

_SQUARE: Final = 11
_ACROSS: Final = 40


class Square(NamedTuple):
    """One byte: where it is drawn, what it is for, and what to say of it."""

    x: int
    y: int
    role: str
    title: str
    is_marked: bool


def purpose(line: Line) -> str:
    """Return the role of a field: what its bytes are for."""
    return _role(line.path)


def byte_map(
    lines: Iterable[Line],
    label: str,
    marked: frozenset[int] = frozenset(),
    role: Callable[[Line], str] = purpose,
) -> str:
    """Return the map of some explained bytes, forty a row.

    Args:
        lines: the bytes.
        label: what they are, for people who do not see the picture.
        marked: places of bytes that stand out.
        role: what a line is drawn as: one of `ROLES`, whose colours it takes.
    """
    squares = list(_squares(lines, marked, role))
    rows = (len(squares) + _ACROSS - 1) // _ACROSS
    return render("byte_map.svg.j2", squares=squares, label=label, width=_ACROSS * _SQUARE, height=rows * _SQUARE)


def legend(lines: Sequence[Line]) -> str:
    """Return the legend of the roles that occur."""
    roles = set(map(purpose, lines))
    return legend_of({role: text for role, text in ROLES.items() if role in roles})


def legend_of(roles: Mapping[str, str]) -> str:
    """Return the legend of roles that have another meaning than that of `ROLES`."""
    return render("byte_legend.html.j2", roles=roles)


def shares(lines: Iterable[Line]) -> Mapping[str, int]:
    """Return how many bytes each purpose takes, in the words of the legend."""
    counts = Counter[str]()
    for line in lines:
        counts[purpose(line)] += len(line.raw)
    return {text: counts[role] for role, text in ROLES.items()}


def _squares(lines: Iterable[Line], marked: frozenset[int], role: Callable[[Line], str]) -> Iterable[Square]:
    number = 0
    for line in lines:
        for _ in line.raw:
            x, y = number % _ACROSS * _SQUARE, number // _ACROSS * _SQUARE
            yield Square(x, y, role(line), f"{line.path}: {line.value}", number in marked)
            number += 1


def _role(path: str) -> str:
    """Return a field's purpose, by the last steps of its path. All compressed bytes are content."""
    *before, name = path.replace("]", "").replace("[", ".").split(".")
    if name == "length":
        return "length" if before and before[-1] in {"key", "value", "payload"} else "place"
    if path == "records" or path.startswith(_COMPRESSED):
        return "content"
    return _BY_NAME.get(name, "place")
