"""The features that vectors combine pairwise, and the pairs that cannot be, each with its reason.

Format and codec are one feature, the stream, so that every format is shown with every codec and
every other feature.

The rows that cover all pairs are stored, in vectors/cases/pairs.jsonl: a new feature adds rows and
changes none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

from kafka_format.records.formats import CODECS

Row = Mapping[str, str]
Choice = tuple[str, str]
"""A feature and its value."""

FACTORS: Final[Mapping[str, Sequence[str]]] = {
    "stream": (*(f"{version}/{codec}" for version in ("v2", "v1", "v0", "v07") for codec in CODECS[version]),),
    "key": ("bytes", "null", "empty"),
    "value": ("bytes", "null", "empty"),
    "headers": ("none", "some", "null-value"),
    "kind": ("plain", "idempotent", "transactional", "control"),
    "time": ("create", "append", "none"),
    "offsets": ("consecutive", "gap-inside", "first-gone", "last-gone"),
    "entries": ("one", "two", "after-plain"),
    "end": ("whole", "cut"),
}

_IMPOSSIBLE: Final[Sequence[tuple[Choice, str, Sequence[str], str]]] = (
    (("stream", "v07"), "key", ("bytes", "empty"), "0.7 has no keys"),
    (("stream", "v07"), "value", ("null",), "a payload of 0.7 is never null"),
    (("stream", "v07"), "headers", ("some", "null-value"), "headers came with v2"),
    (("stream", "v07"), "kind", ("idempotent", "transactional", "control"), "producer ids came with v2"),
    (("stream", "v07"), "time", ("create", "append"), "timestamps came with v1"),
    (("stream", "v07"), "offsets", ("gap-inside", "first-gone", "last-gone"), "offsets of 0.7 are byte positions"),
    (("stream", "v0"), "headers", ("some", "null-value"), "headers came with v2"),
    (("stream", "v1"), "headers", ("some", "null-value"), "headers came with v2"),
    (("stream", "v0"), "kind", ("idempotent", "transactional", "control"), "producer ids came with v2"),
    (("stream", "v1"), "kind", ("idempotent", "transactional", "control"), "producer ids came with v2"),
    (("stream", "v0"), "time", ("create", "append"), "timestamps came with v1"),
    (("stream", "v0"), "offsets", ("first-gone", "last-gone"), "messages have no range of offsets around them"),
    (("stream", "v1"), "offsets", ("first-gone", "last-gone"), "messages have no range of offsets around them"),
    (("kind", "control"), "key", ("null", "empty"), "the key of a control record is its type"),
    (("kind", "control"), "value", ("null", "empty"), "the value of a transaction marker is its version and epoch"),
)  # fmt: skip


def pairs() -> Iterator[tuple[Choice, Choice]]:
    """Yield every pair of values of two features."""
    for (factor, ones), (other, others) in combinations(FACTORS.items(), 2):
        yield from (((factor, left), (other, right)) for left in ones for right in others)


def impossible(left: Choice, right: Choice) -> str:
    """Return why two values cannot be together; nothing if they can."""
    return _reason(left, right) or _reason(right, left)


def _reason(choice: Choice, other: Choice) -> str:
    for (name, value), factor, values, why in _IMPOSSIBLE:
        if choice[0] == name and choice[1].split("/")[0] == value and other[0] == factor and other[1] in values:
            return why
    return ""


def pairs_of(row: Row) -> Iterator[tuple[Choice, Choice]]:
    """Yield the pairs that a row shows."""
    return combinations(((name, row[name]) for name in FACTORS), 2)


def extend(rows: Sequence[Row]) -> list[Row]:
    """Return the rows, and as many more as it takes to show every pair that can be."""
    extended = list(rows)
    missing = {pair for pair in pairs() if not impossible(*pair)}
    for row in extended:
        missing -= set(pairs_of(row))
    while missing:
        extended.append(_row(min(missing, key=_order), missing))
        missing -= set(pairs_of(extended[-1]))
    return extended


def _order(pair: tuple[Choice, Choice]) -> tuple[int, ...]:
    names = list(FACTORS)
    return tuple(number for name, value in pair for number in (names.index(name), FACTORS[name].index(value)))


def _row(seed: tuple[Choice, Choice], missing: set[tuple[Choice, Choice]]) -> Row:
    """Return a row around one pair.

    Each other feature gets the value that shows the most missing pairs.
    """
    row = dict(seed)
    for name in FACTORS:
        if name not in row:
            gains = {value: _gain(row, (name, value), missing) for value in FACTORS[name] if _fits(row, (name, value))}
            row[name] = max(gains, key=gains.__getitem__)
    return {name: row[name] for name in FACTORS}


def _fits(row: Row, choice: Choice) -> bool:
    return not any(impossible(item, choice) for item in row.items())


def _gain(row: Row, choice: Choice, missing: set[tuple[Choice, Choice]]) -> int:
    together = [tuple(sorted((item, choice), key=lambda pair: list(FACTORS).index(pair[0]))) for item in row.items()]
    return sum(pair in missing for pair in together)


def load(file: Path) -> list[Row]:
    """Read the stored rows."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def text(rows: Sequence[Row]) -> str:
    """Return the file's text."""
    return "".join(json.dumps(dict(row)) + "\n" for row in rows)
