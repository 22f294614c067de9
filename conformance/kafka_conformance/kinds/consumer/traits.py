"""What records have that others lack, such as headers, and of which of it a client dies.

A client that dies of every record with headers dies of some thousand vectors. After a few of these
the others are not asked, and the run goes on with what it stands.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from kafka_conformance.kinds.consumer.questions import View

MOST: Final = 10
"""How often a client may die of views with the same traits, of which it has stood none."""

_LOG_APPEND_TIME: Final = 1


def traits_of(view: View) -> frozenset[str]:
    """Return what the records of a view have, in words."""
    records = view.records
    found = {
        "headers": any(record.headers for record in records),
        "headers without a value": any(header.value is None for record in records for header in record.headers),
        "null keys": any(record.key is None for record in records),
        "null values": any(record.value is None for record in records),
        "empty values": any(record.value == b"" for record in records),
        "log append time": any(record.timestamp_type == _LOG_APPEND_TIME for record in records),
        "no records": not records,
        "aborted transactions": bool(view.aborted),
    }
    return frozenset({*view.vector.formats, *view.vector.codecs, *(name for name, has in found.items() if has)})


class DeadlyTraits:
    """The views that a client died of and those that it stood, by their traits."""

    def __init__(self) -> None:
        """Begin with none."""
        self._deaths: list[frozenset[str]] = []
        self._stood: set[str] = set()

    @property
    def has_stood_any(self) -> bool:
        """True once it has stood a view."""
        return bool(self._stood)

    def add(self, view: View, *, is_death: bool) -> None:
        """Note what came of a view."""
        if is_death:
            self._deaths.append(traits_of(view))
        else:
            self._stood |= traits_of(view)

    def reason(self, view: View) -> str:
        """Return why a view is not asked; empty if it is.

        It has some traits with which the client has stood nothing; and the client has died of views
        often enough that had all of these, and no others of that sort.
        """
        if len(self._deaths) < MOST or not self._stood:
            return ""
        suspects = traits_of(view) - self._stood
        deaths = Counter(traits - self._stood for traits in self._deaths)
        if not suspects or deaths[suspects] < MOST:
            return ""
        return f"not asked: it was lost {deaths[suspects]} times at {', '.join(sorted(suspects))}, and stood none of it"
