"""The releases of Apache Kafka that the reference can read as, as spec/releases.yaml has them.

The vectors were run against the own classes of each. Its leniencies are the flags whose evidence
covers it, and what it does not read yet are formats and codecs that came later.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from kafka_format.spec import data
from kafka_format.spec.flags import check_flags
from kafka_format.spec.flags import flags as known_flags
from kafka_format.spec.layout.release_names import release_text
from kafka_format.spec.layout.yamlfile import Section, read

_KEYS: Final = ("release", "version", "target", "decides", "formats", "codecs")


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
    """Load all releases below `spec`, newest first.

    Raises:
        LayoutError: the file is wrong; the message has file, line and advice.
    """
    top = read(spec / "releases.yaml", "releases.yaml")
    top.only("releases")
    loaded = [_release(section) for section in top.sections("releases")]
    return {release.name: release for release in loaded}


def _release(section: Section) -> Release:
    section.only(*_KEYS)
    name = release_text(section, "release", required=True)
    return Release(
        name=name,
        version=section.text("version", required=True),
        target=section.text("target", required=True),
        decides=section.values.get("decides") is True,
        formats=tuple(section.texts("formats")),
        codecs=tuple(section.texts("codecs")),
        flags=frozenset(flag.name for flag in known_flags().values() if flag.holds_in(name)),
    )


@cache
def releases() -> Mapping[str, Release]:
    """Return the releases that this installation knows, by name, newest first."""
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
