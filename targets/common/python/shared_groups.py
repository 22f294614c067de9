"""Batches that were decoded and not compared yet: put into columns all at once, in which what differs is looked for.

A batch that the library refused leaves a hole, and what is due is taken from around it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol

from shared_answers import Answers
from shared_columns import Columns, of_records

Form = Callable[[int, int], Columns]
"""Puts the decoded batches from one up to another into columns."""


class Decoded(Protocol):
    """What a library gave for some batches, one after another."""

    @property
    def forms(self) -> Sequence[Form]:
        """How it is put into columns. The last one has the last word; others are quicker."""

    def take(self, data: bytes) -> None:
        """Decode the next batch; raises whatever the library raises."""

    def drop(self) -> None:
        """Forget what was taken of a batch until the library raised."""

    def records(self, first: int, last: int) -> list[Any]:
        """Give the records of batches."""


Values = Callable[[Sequence[Any]], Mapping[str, Sequence[Any]]]
"""Puts records as a library gives them, one at least, into a sequence for each declared field."""


class Records:
    """Records as a decode function gives them; see `Decoded`."""

    def __init__(self, decode: Callable[[bytes], Any], values: Values) -> None:
        self._records: list[Any] = []
        self._ends = [0]
        self._decode = decode
        self._values = values

    @property
    def forms(self) -> Sequence[Form]:
        """The one way to put them into columns."""
        return (self._columns,)

    def take(self, data: bytes) -> None:
        """Decode the next batch; raises whatever the library raises."""
        self._records.extend(self._decode(data))
        self._ends.append(len(self._records))

    def drop(self) -> None:
        """Forget what was taken of a batch until the library raised."""
        del self._records[self._ends[-1] :]

    def records(self, first: int, last: int) -> list[Any]:
        """Give the records of batches."""
        return self._records[self._ends[first] : self._ends[last]]

    def _columns(self, first: int, last: int) -> Columns:
        ends = from_zero(self._ends[first : last + 1])
        return of_records(self._values(self.records(first, last)), ends)


class Group:
    """Batches that were decoded, and what is due for them.

    Attributes:
        places: where in the block they lie. Not all between the first and the last need be there.
    """

    def __init__(self, due: Answers, decoded: Decoded, places: Sequence[int]) -> None:
        """Take batches that were decoded from the beginning."""
        self.places = places
        self._due = due
        self._decoded = decoded

    def differing(self) -> Iterator[int]:
        """Yield the batches that are not proven right, by their number in the group."""
        return self._differing(0, len(self.places))

    def records(self, batch: int) -> list[Any]:
        """Give what was decoded of a batch; raises whatever comes of values that make no record."""
        return self._decoded.records(batch, batch + 1)

    def _differing(self, first: int, last: int) -> Iterator[int]:
        """Put all into columns at once; what cannot be is halved, until it is one batch."""
        columns = self._columns(first, last) if first < last else None
        if columns is not None:
            yield from self._searched(columns, first, first, last)
        elif last - first > 1:
            for half in _halves(first, last):
                yield from self._differing(*half)
        elif last > first:
            yield first

    def _columns(self, first: int, last: int) -> Columns | None:
        for form in self._decoded.forms:
            try:
                return form(first, last)
            except BaseException:  # noqa: BLE001, S112 - the library's own objects: the next form, or none
                continue
        return None

    def _searched(self, columns: Columns, start: int, first: int, last: int) -> Iterator[int]:
        """Look for what differs, in columns of all batches from `start` on."""
        if self._agree(columns, start, first, last):
            return
        if last - first > 1:
            for half in _halves(first, last):
                yield from self._searched(columns, start, *half)
        elif not self._confirmed(first):
            yield first

    def _confirmed(self, batch: int) -> bool:
        """True if the last form of a batch is right after all."""
        *quicker, last_form = self._decoded.forms
        try:
            return bool(quicker) and self._agree(last_form(batch, batch + 1), batch, batch, batch + 1)
        except BaseException:  # noqa: BLE001 - the library's own objects: told by whoever takes them apart
            return False

    def _agree(self, columns: Columns, start: int, first: int, last: int) -> bool:
        runs = _runs(self.places[first:last])
        ends, named = columns.part(first - start, last - start)
        due = self._due
        return not due.must_refuse(runs) and ends == due.ends(runs) and due.agree(named, runs)


def from_zero(ends: list[int]) -> list[int]:
    """Count from the first one."""
    first = ends[0]
    return [end - first for end in ends] if first else ends


def _halves(first: int, last: int) -> tuple[tuple[int, int], tuple[int, int]]:
    middle = (first + last) // 2
    return (first, middle), (middle, last)


def _runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """Tell places, one at least and in order, as runs: the first, and one after the last."""
    first, last = places[0], places[-1]
    if last - first == len(places) - 1:
        return [(first, last + 1)]
    breaks = [(one + 1, other) for one, other in pairwise(places) if other - one > 1]
    ends = [*(end for end, _ in breaks), last + 1]
    return list(zip([first, *(start for _, start in breaks)], ends, strict=True))
