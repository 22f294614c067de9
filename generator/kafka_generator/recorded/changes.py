"""What releases of a library mended and broke, from the recorded results of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets.catalogue import Part

from kafka_generator.recorded import results
from kafka_generator.recorded.results import RecordedCause, Row

_SAME: Final = 0.5
"""The share of a cause's vectors that go wrong in another release, if that has the bug, too."""

_LOOKED_AT_AFTER: Final = {"-not-asked": "2026-11-29"}
"""The last day that runs may not have looked at something, by a part of the names of causes."""


class Change(NamedTuple):
    """What a release changed, against the recorded one before it.

    Attributes:
        row: the release.
        before: the recorded release before it.
        mended: bugs of that release which it does not have.
        broken: its bugs which that release does not have.
    """

    row: Row
    before: Row
    mended: tuple[RecordedCause, ...]
    broken: tuple[RecordedCause, ...]


class Line(NamedTuple):
    """The releases of one part of a library that were recorded, the oldest first.

    Attributes:
        library: the library.
        part: the part.
        rows: those that ran.
        absent: those that could not be run, each with its `problem`.
    """

    library: str
    part: Part
    rows: tuple[Row, ...]
    absent: tuple[Row, ...]

    @property
    def changes(self) -> list[Change]:
        """What each release changed, the newest first, of neighbours whose causes are known."""
        known = (Change(new, old, _lacking(old, new), _lacking(new, old)) for old, new in pairwise(self.rows))
        return [change for change in known if _says_causes(change.row) and _says_causes(change.before)][::-1]

    @property
    def alike_since(self) -> Row:
        """Return the first release up to the newest since which none is known to differ."""
        known = {change.row.version: change for change in self.changes}
        for row in reversed(self.rows):
            change = known.get(row.version)
            if change is None or change.mended or change.broken:
                return row
        raise ValueError("a line has releases")

    def since(self, cause: RecordedCause) -> Row:
        """Return the first release of those up to the newest that all have a bug of the newest."""
        first = self.rows[-1]
        for row in reversed(self.rows):
            if not _has(row, cause):
                break
            first = row
        return first


def lines(parts: Iterable[Part], fewest: int = 3) -> Iterator[Line]:
    """Yield the line of each library and part of which so many releases ran."""
    for part in parts:
        by_library: dict[str, dict[str, Row]] = {}
        for row in results.load(part):
            releases = by_library.setdefault(row.library, {})
            known = releases.get(row.version)
            if known is None or (known.problem and not row.problem):
                releases[row.version] = row
        for library, releases in by_library.items():
            rows = sorted(releases.values(), key=lambda row: results.release(row.version))
            ran = tuple(row for row in rows if not row.problem)
            if len(ran) >= fewest:
                yield Line(library, part, ran, tuple(row for row in rows if row.problem))


def _says_causes(row: Row) -> bool:
    return bool(row.causes) or not row.findings


def _lacking(row: Row, other: Row) -> tuple[RecordedCause, ...]:
    """Return the bugs that another release lacks: not by chance, nor because none looked at it."""
    bugs = (cause for cause in row.causes if not cause.harmless and set(cause.outcomes) != {Outcome.FLAKY})
    return tuple(cause for cause in bugs if _was_looked_at(other, cause) and not _has(other, cause))


def _was_looked_at(row: Row, cause: RecordedCause) -> bool:
    """Tell whether the run of a release was by a suite that would have told of a cause."""
    return all(row.run > day for part, day in _LOOKED_AT_AFTER.items() if part in cause.id)


def _has(row: Row, cause: RecordedCause) -> bool:
    """Tell whether a release has a cause of that name, or fails most of what shows it.

    The names of causes may differ. A row has the first vectors of a cause that may have thousands;
    those of a release that reads more versions may all be others.
    """
    if any((each.id, each.direction) == (cause.id, cause.direction) for each in row.causes):
        return True
    wrong = _wrong(row, cause.direction)
    return len(wrong.intersection(cause.vectors)) >= _SAME * len(cause.vectors)


def _wrong(row: Row, direction: str) -> set[str]:
    found: Sequence[RecordedCause] = [each for each in row.causes if each.direction == direction]
    return {vector for each in found for vector in each.vectors}
