"""The releases of Apache Kafka, as spec/releases.yaml has them: what differs by release, once.

`names` of layouts, the origin of data directories, the judges of vectors and whatever needs to know
the newest release read the rows from here.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from kafka_format.spec import data
from kafka_format.spec.layout.yamlfile import Section, read

_KEYS: Final = (
    "release",
    "version",
    "metadata_version",
    "metadata_levels",
    "feature_levels",
    "messages",
    "target",
    "decides",
    "formats",
    "codecs",
)


_NUMBERS: Final = re.compile(r"\d+(\.\d+){1,3}", re.ASCII)


class ReleaseRow(NamedTuple):
    """One release; spec/schema/releases.schema.json explains the keys.

    Attributes:
        name: what it is asked for by, for example `3.9`.
        version: its last patch, for example `3.9.2`.
        metadata_version: the first that is its own; 0 before 3.0.
        metadata_levels: the lowest level of metadata.version, the highest for production, and the
            highest; empty if they were not looked up.
        feature_levels: the highest level of each other feature.
        messages: `all` or `rest` if its classes judge requests and responses; else empty.
        target: the target whose record classes judge vectors; empty if they do not.
        decides: True if no vector is written that it judges otherwise.
        formats: the formats that its record classes read.
        codecs: the codecs that they read.
    """

    name: str
    version: str
    metadata_version: int
    metadata_levels: tuple[int, ...]
    feature_levels: tuple[int, ...]
    messages: str
    target: str
    decides: bool
    formats: tuple[str, ...]
    codecs: tuple[str, ...]


def load_rows(spec: Path) -> dict[str, ReleaseRow]:
    """Load all rows below `spec` by name, newest first.

    Raises:
        LayoutError: the file is wrong; the message has file, line and advice.
    """
    top = read(spec / "releases.yaml", "releases.yaml")
    top.only("releases")
    rows: dict[str, ReleaseRow] = {}
    for section in top.sections("releases"):
        row = _row(section)
        last = next(reversed(rows), None)
        if last is not None and numbers(last) <= numbers(row.name):
            raise section.error(f"{row.name} stands behind {last}", key="release", advice="the newest release is first")
        rows[row.name] = row
    return rows


def _row(section: Section) -> ReleaseRow:
    section.only(*_KEYS)
    level = section.values.get("metadata_version", 0)
    if type(level) is not int or level < 0:
        raise section.error("`metadata_version` must be a number", key="metadata_version", advice="see MetadataVersion")
    name = section.text("release", required=True)
    check_numbers(section, "release", name)
    return ReleaseRow(
        name=name,
        version=section.text("version", required=True),
        metadata_version=level,
        metadata_levels=_levels(section, "metadata_levels", (0, 3)),
        feature_levels=_levels(section, "feature_levels", range(7)),
        messages=section.text("messages"),
        target=section.text("target"),
        decides=section.values.get("decides") is True,
        formats=tuple(section.texts("formats")),
        codecs=tuple(section.texts("codecs")),
    )


def _levels(section: Section, key: str, counts: Container[int]) -> tuple[int, ...]:
    levels = section.values.get(key, [])
    are_numbers = isinstance(levels, list) and all(type(level) is int for level in levels)
    if not are_numbers or len(levels) not in counts:
        advice = "spec/schema/releases.schema.json says of what"
        raise section.error(f"`{key}` must be a list of numbers", key=key, advice=advice)
    return tuple(levels)


@cache
def release_rows() -> Mapping[str, ReleaseRow]:
    """Return the releases that this installation knows, by name, newest first."""
    return MappingProxyType(load_rows(data.path("spec")))


def newest() -> ReleaseRow:
    """Return the newest release."""
    return next(iter(release_rows().values()))


def check_numbers(section: Section, key: str, release: str) -> None:
    """Refuse what is not written like a release.

    Raises:
        LayoutError: it is not.
    """
    if not _NUMBERS.fullmatch(release):
        raise section.error(f"`{release}` is not a release", key=key, advice='write numbers, in quotes: "0.10.2"')


def numbers(release: str) -> tuple[int, ...]:
    """Return what releases are ordered by: `0.10.2` is (0, 10, 2).

    Raises:
        ValueError: a part is no number.
    """
    return tuple(int(number) for number in release.split("."))
