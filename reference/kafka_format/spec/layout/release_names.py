"""The releases that `since` and `until` may name: those of Kafka, or our adapter protocol's."""

from __future__ import annotations

import re
from typing import Final

from kafka_format.spec.layout.yamlfile import Section

_MINORS: Final = {0: (7, 11), 1: (0, 1), 2: (0, 8), 3: (0, 9), 4: (0, 4)}
"""First and last minor release of each major one. Bug fix releases are not listed.

Not to be had from spec/releases.yaml: that lists the releases that judge vectors, and a structure
may have come with any other, such as 3.1. tests/test_release_tables.py fails if the newest release
is missing here, or there.
"""

_NUMBERS: Final = re.compile(r"\d+(\.\d+){1,3}", re.ASCII)
_ADAPTER_FILES: Final = ("adapter/", "rules/adapter")
_ADAPTER: Final = re.compile(r"adapter protocol [1-9]\d*", re.ASCII)


def release_text(section: Section, key: str, *, required: bool = False) -> str:
    """Return the release under `key`; empty if there is no such key.

    Raises:
        LayoutError: no release is called so; the advice says which there are.
    """
    text = section.text(key, required=required)
    if text and not (section.file.startswith(_ADAPTER_FILES) and _ADAPTER.fullmatch(text)):
        _check(section, key, text)
    return text


def span_text(section: Section, key: str) -> str:
    """Return the release under `key`, which has to be there, or the first and last: `4.1 to 4.4`.

    Raises:
        LayoutError: no release is called so.
    """
    text = section.text(key, required=True)
    for release in text.split(" to ", 1):
        _check(section, key, release)
    return text


def _check(section: Section, key: str, release: str) -> None:
    if not _NUMBERS.fullmatch(release):
        raise section.error(f"`{release}` is not a release", key=key, advice='write numbers, in quotes: "0.10.2"')
    major, minor = map(int, release.split(".")[:2])
    if major not in _MINORS:
        known = ", ".join(f"{number}.x" for number in _MINORS)
        raise section.error(f"there is no Kafka {release}", key=key, advice=f"releases are {known}")
    first, last = _MINORS[major]
    if not first <= minor <= last:
        advice = f"releases of {major}.x are {major}.{first} to {major}.{last}; a newer one is added in {__name__}"
        raise section.error(f"there is no Kafka {release}", key=key, advice=advice)


def check_order(section: Section, since: str, until: str) -> None:
    """Refuse a last release that came before the first one; `0.7` is all of 0.7.x then.

    Raises:
        LayoutError: it did.
    """
    last = numbers(until) if until else ()
    if last and since and last < numbers(since)[: len(last)]:
        raise section.error(f"ends with {until}, before it begins with {since}", key="until")


def numbers(release: str) -> tuple[int, ...]:
    """Return what releases are ordered by: `0.10.2` is (0, 10, 2)."""
    return tuple(int(number) for number in release.split("."))
