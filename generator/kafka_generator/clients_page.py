"""Makes docs/clients.md: the report card, and the older releases of consumers and producers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, Final

from kafka_conformance.targets import manifest
from kafka_conformance.targets.catalogue import Part

from kafka_generator.card import page as card
from kafka_generator.recorded import results
from kafka_generator.recorded.results import Row

PAGE: Final = "clients.md"

_LIVE: Final = (Part.CONSUMER, Part.PRODUCER)


def values() -> dict[str, Any]:
    """Return what the template needs."""
    return {**card.values(), "releases": older_releases(), "runs": runs()}


def _live() -> list[Row]:
    """Return the rows of consumers and producers, by name."""
    return sorted(chain.from_iterable(map(results.of, _LIVE)), key=lambda row: row.target)


def older_releases() -> list[tuple[str, str, Mapping[str, int]]]:
    """Return client, part and counts of bugs of every older release of a consumer or producer."""
    return [
        (f"{row.name.removeprefix(f'{row.part}-')} {row.version}", row.part, {"unexplained": 0, **row.bugs})
        for row in _live()
        if not row.is_newest and row.name in manifest.load_all()
    ]


def runs() -> list[tuple[str, int, list[str]]]:
    """Return the targets by day of their run and number of vectors, the newest day first.

    Both are empty for rows that were taken before they were noted.
    """
    by_run: dict[tuple[str, int], list[str]] = {}
    for row in _live():
        by_run.setdefault((row.run, row.vectors), []).append(row.target)
    return [(run, vectors, names) for (run, vectors), names in sorted(by_run.items(), reverse=True)]
