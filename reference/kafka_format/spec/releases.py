"""The releases of Apache Kafka that the reference can read as, as spec/releases.yaml has them.

The vectors were run against the own classes of each. Its leniencies are the flags whose evidence
covers it, and what it does not read yet are formats and codecs that came later.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from kafka_format.spec import data
from kafka_format.spec.flags import check_flags
from kafka_format.spec.flags import flags as known_flags
from kafka_format.spec.layout.release_table import ReleaseRow, load_rows


class Release(NamedTuple):
    """One release.

    Attributes:
        name: what it is asked for by, for example `3.9`.
        version: the version whose classes were asked, for example `3.9.2`.
        target: the known target that runs these classes.
        decides: True if no vector is written that it judges otherwise.
        formats: the formats that it reads.
        codecs: the codecs that it reads.
        flags: the leniencies that it has.
    """

    name: str
    version: str
    target: str
    decides: bool
    formats: tuple[str, ...]
    codecs: tuple[str, ...]
    flags: frozenset[str]


def load(spec: Path) -> dict[str, Release]:
    """Load all releases below `spec` whose record classes judge vectors, newest first.

    Raises:
        LayoutError: the file is wrong; the message has file, line and advice.
    """
    return {name: _release(row) for name, row in load_rows(spec).items() if row.target}


def _release(row: ReleaseRow) -> Release:
    return Release(
        name=row.name,
        version=row.version,
        target=row.target,
        decides=row.decides,
        formats=row.formats,
        codecs=row.codecs,
        flags=frozenset(flag.name for flag in known_flags().values() if flag.holds_in(row.name)),
    )


@cache
def releases() -> Mapping[str, Release]:
    """Return the releases that the reference can read as, by name, newest first."""
    return MappingProxyType(load(data.path("spec")))


def release(name: str) -> Release:
    """Return the release of that name.

    Raises:
        ValueError: there is none; the text lists those that there are.
    """
    known = releases().get(name)
    if known is None:
        raise ValueError(f"the vectors were not run against Kafka {name!r}; known are {', '.join(releases())}")
    return known


def allowed_flags(flags: frozenset[str], as_kafka: str) -> frozenset[str]:
    """Return these flags and those of a release, if one is named.

    Raises:
        ValueError: there is no such flag or release; the text says what there is.
    """
    allowed = check_flags(flags) if flags else flags
    return allowed | release(as_kafka).flags if as_kafka else allowed
