"""Results that only say passed, gap or not asked, as ranges of places in the list of vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kafka_tools.text import printable

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction

Places = list[list[int]]
"""Ranges of places, each with its first and its last."""


def ranges(places: Iterable[int]) -> Places:
    """Return ascending positions as ranges."""
    spans: Places = []
    for place in places:
        if spans and spans[-1][1] == place - 1:
            spans[-1][1] = place
        else:
            spans.append([place, place])
    return spans


def documents(results: Iterable[Result], vectors: Sequence[str], outcome: Outcome) -> Iterator[dict[str, Any]]:
    """Yield the results of one outcome by target, direction and reason; `vectors` are their ids.

    A pass has no reason: in what words a target refuses is its own affair.
    """
    at = {vector: place for place, vector in enumerate(vectors)}
    groups: dict[tuple[str, Direction, str], list[int]] = {}
    for result in results:
        if result.outcome is outcome:
            reason = "" if outcome is Outcome.PASSED else result.detail
            groups.setdefault((result.target, result.direction, reason), []).append(at[result.vector])
    for (target, direction, detail), places in groups.items():
        said = {"detail": printable(detail)} if detail else {}
        yield {"target": printable(target), "direction": direction, **said, "places": ranges(sorted(places))}


def results(item: Mapping[str, Any], vectors: Sequence[str], outcome: Outcome) -> Iterator[Result]:
    """Yield the results that a document holds; one may name places that there are not.

    Raises:
        IndexError: it does.
    """
    direction = Direction(item["direction"])
    for first, last in item["places"]:
        for place in range(first, last + 1):
            yield Result(vectors[place], item["target"], outcome, direction, item.get("detail", ""))


def count(items: Iterable[Mapping[str, Any]]) -> int:
    """Return how many results documents hold."""
    return sum(last - first + 1 for item in items for first, last in item["places"])
