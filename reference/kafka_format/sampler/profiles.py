"""Profiles: what kinds of batches the sampler makes, and how big."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Ints
from kafka_format.compression import NAMES
from kafka_format.records.formats import CODECS

NULL: Final = -1
"""The length of a null."""

NONE: Final = -1
"""The numbers for no timestamp, no timestamp type, no producer, no epoch and no sequence."""

MODEST: Final = 8
"""The most bytes of a content where a batch would have more than its room."""

_WINDOWS: Final = (20_000, 33_000, 66_000, 132_000)
"""Just over half of snappy's chunk, over that, over the block of lz4, over that of zstd."""


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """Sizes: tables from which one place is picked, each with the same chance.

    Attributes:
        records: records of a batch, or messages of a set.
        key: bytes of a key; -1 is null. So for `value` and `header_value`; `header_key` is never
            null.
        headers: headers of a record; many are shared out among the records of a batch.
        room: bytes that the contents of a batch may have together; beyond, each gets `MODEST` or
            fewer.
    """

    records: Ints
    key: Ints
    value: Ints
    headers: Ints
    header_key: Ints
    header_value: Ints
    room: int


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A kind of batches.

    Attributes:
        name: part of every draw, so profiles share no batches.
        doc: one sentence.
        formats: formats that occur, of `v07`, `v0`, `v1` and `v2`; each as often as it stands
            there.
        codecs: codecs that occur where the format knows them.
        block: batches that make a block of some megabytes.
        sizes: how big things are.
        harmed: True if the batches get faults.
    """

    name: str
    doc: str
    formats: tuple[str, ...]
    codecs: tuple[str, ...]
    block: int
    sizes: Sizes
    harmed: bool = False


def _table(*parts: tuple[int, Iterable[int]]) -> Ints:
    """Make a table of sizes: those of each part stand in it as often as its number says."""
    return np.array([size for times, sizes in parts for size in sizes for _ in range(times)], np.int64)


def without_headers(sizes: Sizes) -> Sizes:
    """Return the sizes for formats that know no headers."""
    return replace(sizes, headers=_table((1, [0])))


_TINY: Final = Sizes(
    records=_table((1, [1])),
    key=_table((2, [NULL, 0]), (1, range(1, 11))),
    value=_table((2, [NULL, 0]), (1, range(1, 25))),
    headers=_table((3, [0]), (1, [1])),
    header_key=_table((1, range(9))),
    header_value=_table((1, range(NULL, 9))),
    room=100,
)

_MIXED: Final = Sizes(
    records=_table((1, [0]), (24, [1]), (6, [2]), (1, range(3, 20)), (6, [20])),
    key=_table((10, [NULL, 0, 1]), (1, range(2, 33)), (2, [7, 8, 15, 16]), (1, [63, 64, 65, 127, 128])),
    value=_table((10, [NULL, 0, 1]), (1, range(2, 65)), (2, [63, 64, 127, 128]), (1, [255, 256, 1000, 2500])),
    headers=_table((40, [0]), (8, [1]), (4, [2]), (2, [3]), (1, [64])),
    header_key=_table((6, range(13)), (1, [63, 64, 127, 128])),
    header_value=_table((6, [NULL, 0]), (4, range(1, 17)), (1, [63, 64, 127, 128, 300])),
    room=3000,
)

_LARGE: Final = replace(
    _MIXED,
    records=_table((20, [1]), (10, [2, 3, 20]), (2, [100, 200]), (1, [1000])),
    key=_table((20, [NULL, 0, 1, 36]), (1, [1000, 8191, 8192])),
    value=_table(
        (80, [NULL, 0, 64, 100, 1000]), (20, [8191, 8192, 16384]), (4, [32767, 65536, 100_000]), (1, [1 << 20])
    ),
    headers=_table((50, [0]), (6, [1, 2, 3]), (1, [64, 8192])),
    header_value=_table((20, [NULL, 0, 8, 16]), (1, [64, 8191, 8192])),
    room=(1 << 20) + 1000,
)

_COMPRESSED: Final = replace(
    _MIXED,
    value=_table((40, [NULL, 0, 1]), (4, range(2, 65)), (4, [63, 64, 127, 128, 255, 256, 1000]), (1, _WINDOWS)),
    room=400_000,
)

_LEGACY: Final = replace(
    _COMPRESSED,
    records=_table((8, [1]), (1, range(2, 21))),
    headers=_table((1, [0])),
)

_OLD: Final = replace(_LEGACY, key=_table((1, [NULL])))

_MANY: Final = ("v2", "v2", "v2", "v2", "v1", "v1", "v0", "v07")

_HOSTILE: Final = replace(
    _MIXED,
    records=_table((8, [1]), (8, [2, 3]), (4, range(4, 9)), (1, [20])),
    headers=_table((3, [0]), (2, [1, 2])),
    value=_table((6, [NULL, 0, 1]), (1, range(2, 65)), (2, [63, 64, 127, 128]), (1, [300, 1000])),
    room=2000,
)

_ALL: Final = (
    Profile("tiny", "One small record, about 100 bytes.", ("v2",), ("none",), 8192, _TINY),
    Profile("mixed", "Up to 20 records, under 4 kB, everything at its edges.", ("v2",), ("none",), 8192, _MIXED),
    Profile("large", "Up to 1000 records, 8192 headers, and 1 MiB.", ("v2",), ("none",), 64, _LARGE),
    Profile("compressed", "All codecs of v2, some over their block sizes.", ("v2",), NAMES, 256, _COMPRESSED),
    Profile("legacy", "Message sets of v0 and v1, plain and wrapped.", ("v0", "v1"), CODECS["v1"], 256, _LEGACY),
    Profile("v07", "Message sets of 0.7, plain and wrapped.", ("v07",), CODECS["v07"], 256, _OLD),
    Profile("hostile", "Small batches of all formats with a fault each.", _MANY, NAMES, 2048, _HOSTILE, harmed=True),
)

PROFILES: Final[Mapping[str, Profile]] = MappingProxyType({profile.name: profile for profile in _ALL})
"""All profiles, by name."""
