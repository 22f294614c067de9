"""Vectors that no release of Kafka was asked about yet: written on trial, and never published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from kafka_format.errors import LayoutError

MARK: Final[dict[str, Any]] = {"judged": False}
"""Member of such a vector. The schemas do not have it, and `generate.py --check` fails."""


class Unjudged:
    """Collects what Kafka was not asked about, so that a new version can be tried without a JDK."""

    def __init__(self, *, are_allowed: bool) -> None:
        """Take whether they are written all the same, with `MARK`; else the first is an error."""
        self._are_allowed = are_allowed
        self._counts: Counter[str] = Counter()
        self._first: dict[str, LayoutError] = {}

    def add(self, error: LayoutError, count: int = 1) -> None:
        """Note one vector, or several.

        Args:
            error: names the vector, or the family; its advice says how to ask Kafka about it.
            count: how many vectors they are.

        Raises:
            LayoutError: none is allowed.
        """
        if not self._are_allowed:
            raise error
        self._first.setdefault(error.advice, error)
        self._counts[error.advice] += count

    def notices(self) -> Iterator[str]:
        """Yield a line for each way to ask Kafka: how many vectors wait for it, and the first.

        None waits where only a release is new: the answers of the others are stored.
        """
        for advice, count in self._counts.items():
            what = f"not judged yet: {count:,} vectors" if count else "not judged by every release yet"
            yield f"{what}; `generate.py --check` fails until Kafka was asked: {self._first[advice]}"


def none_allowed() -> Unjudged:
    """Return a collector for vectors that Kafka must have judged."""
    return Unjudged(are_allowed=False)
