"""Feature levels that a release supports, and levels of metadata.version that it knows.

spec/releases.yaml has them, from the classes of each release: from
QuorumFeatures.defaultSupportedFeatureMap, which a controller asks, and from the values of
MetadataVersion, which is asked for a level wherever metadata is replayed.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from kafka_format.log.contents.kafka_error import Refused
from kafka_format.log.contents.releases import Release, release
from kafka_format.spec.layout.release_table import release_rows

METADATA_VERSION: Final = "metadata.version"
FEATURES: Final = (
    METADATA_VERSION, "kraft.version", "group.version", "transaction.version", "eligible.leader.replicas.version",
    "share.version", "streams.version",
)  # fmt: skip
"""The features, in the order of the levels in spec/releases.yaml."""


class _Known(NamedTuple):
    """What a release knows.

    Attributes:
        first: the lowest level of metadata.version.
        last: its highest level that is made for production; a controller supports no higher one.
        newest: its highest level; that is taken wherever it is only named.
        levels: the highest level of each other feature, in the order of `FEATURES`.
    """

    first: int
    last: int
    newest: int
    levels: tuple[int, ...]


@cache
def _known() -> dict[Release, _Known]:
    """Return what releases know, oldest first."""
    rows = [row for row in release_rows().values() if row.metadata_levels]
    known = {}
    for row in reversed(rows):
        first, last, newest = row.metadata_levels
        known[release(row.name)] = _Known(first, last, newest, row.feature_levels)
    return known


def releases() -> tuple[Release, ...]:
    """Return the releases whose levels are known, oldest first."""
    return tuple(_known())


def oldest(level: int) -> Release:
    """Return the oldest release that supports a level of metadata.version; else the newest."""
    known = _known()
    return next((each for each, of_it in known.items() if level <= of_it.last), max(known))


def supported(name: str, known_by: Release) -> tuple[int, int]:
    """Return the range of levels of a feature that a controller supports; 0 to 0 for none."""
    known = _known()[known_by]
    if name == METADATA_VERSION:
        return known.first, known.last
    most = dict(zip(FEATURES[1:], known.levels, strict=False)).get(name, 0)
    return 0, most


def range_text(name: str, known_by: Release) -> str:
    """Return such a range as Kafka prints it: `0-2`, or one number."""
    least, most = supported(name, known_by)
    return f"{least}-{most}" if most > least else str(least)


def check_metadata_version(level: int, known_by: Release) -> None:
    """Look a level of metadata.version up, as MetadataVersion.fromFeatureLevel does.

    Raises:
        Refused: the release knows no such level.
    """
    known = _known()[known_by]
    if not known.first <= level <= known.newest:
        valid = f". Valid feature levels are from {known.first} to {known.newest}." if known_by >= (4, 0) else ""
        raise Refused("IllegalArgumentException", f"No MetadataVersion with feature level {level}{valid}")
