"""What a release knows of the records of Kafka's own topics: kinds, and newest versions of them."""

from __future__ import annotations

from functools import cache
from typing import Final

from kafka_format.spec.layout import specification
from kafka_format.spec.layout.release_table import newest, numbers
from kafka_format.spec.layout.versioned import VersionedLayout

Release = tuple[int, ...]
"""A release by its numbers, the first two at least: (3, 9)."""

NEWEST: Final[Release] = numbers(newest().name)[:2]


def release(text: str) -> Release:
    """Return a release by its name, such as `3.9` or `4.4.0`: the first two numbers.

    Raises:
        ValueError: it has other parts than numbers.
    """
    return numbers(text)[:2]


def layout(enumeration: str, number: int, known_by: Release, suffix: str = "") -> VersionedLayout | None:
    """Return the layout of the records of a number as a release has it; None if it has none.

    Args:
        enumeration: the enumeration of the records, such as `metadata_record`.
        number: what stands in front of the record.
        known_by: the release.
        suffix: `_key` or `_value` where the layout's name has it behind that of the record.
    """
    spec = specification()
    name = spec.enums[enumeration].values.get(number)
    whole = spec.versioned.get(f"{name}{suffix}") if name is not None else None
    return whole if whole is not None and newest_version(whole, known_by) is not None else None


def newest_version(of: VersionedLayout, known_by: Release) -> int | None:
    """Return the newest version of a layout that a release knows; None if it knows none."""
    return _newest(of.name, known_by)


@cache
def _newest(name: str, known_by: Release) -> int | None:
    of = specification().versioned[name]
    known = [
        number
        for number, since in of.since.items()
        if numbers(since)[:2] <= known_by and not (number in of.until and numbers(of.until[number])[:2] < known_by)
    ]
    return max(known, default=None)
