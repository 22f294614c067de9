"""The releases that `since` and `until` may name: those of Kafka, or our adapter protocol's."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from kafka_format.spec.layout.release_table import check_numbers, numbers, release_rows
from kafka_format.spec.layout.yamlfile import Section

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
    check_numbers(section, key, release)
    major, minor = numbers(release)[:2]
    if (major, minor) not in _minors():
        raise section.error(f"there is no Kafka {release}", key=key, advice=_advice(major, _minors()))


@cache
def _minors() -> frozenset[tuple[int, ...]]:
    """Return major and minor number of each release."""
    return frozenset(numbers(name)[:2] for name in release_rows())


def _advice(major: int, known: frozenset[tuple[int, ...]]) -> str:
    minors = [number for of_major, number in known if of_major == major]
    if not minors:
        return f"releases are {', '.join(f'{number}.x' for number in sorted({of_major for of_major, _ in known}))}"
    span = f"{major}.{min(minors)} to {major}.{max(minors)}"
    return f"releases of {major}.x are {span}; a newer one is a row of spec/releases.yaml"


def check_order(section: Section, since: str, until: str) -> None:
    """Refuse a last release that came before the first one; `0.7` is all of 0.7.x then.

    Raises:
        LayoutError: it did.
    """
    last = numbers(until) if until else ()
    if last and since and last < numbers(since)[: len(last)]:
        raise section.error(f"ends with {until}, before it begins with {since}", key="until")
