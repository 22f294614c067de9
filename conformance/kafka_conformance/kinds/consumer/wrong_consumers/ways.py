"""What a wrong consumer is, and the simple ways in which one can be wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Final, NamedTuple

from kafka_format.records import Record

from kafka_conformance.kinds.consumer.fetched import Fetched, FetchedEntry

CODECS: Final = ((1, "gzip"), (2, "snappy"), (3, "lz4"), (4, "zstd"))
"""What records are compressed with: its number in attributes, and its name."""

Groups = Sequence[Sequence[Record]]
"""Records by the entry that they are of."""

Way = Callable[[Fetched], "Consumed | None"]
"""What a wrong consumer makes of an answer; None if it is not about that one."""


class Consumed(NamedTuple):
    """What a wrong consumer makes of an answer.

    Attributes:
        records: what its application gets.
        next_offset: where it goes on.
        is_error: True if the application gets an error.
    """

    records: Sequence[Record]
    next_offset: int
    is_error: bool = False


class WrongConsumer(NamedTuple):
    """A consumer with one thing wrong.

    Attributes:
        id: stable name of the cause.
        does: what it does, as a sentence without its subject.
        ways: what it makes of an answer, None if it is not about that one; several where consumers
            differ in a detail.
    """

    id: str
    does: str
    ways: tuple[Way, ...]


def wrong_consumer(name: str, does: str, *ways: Way) -> WrongConsumer:
    """Return a wrong consumer; the name of its cause gets the kind in front."""
    return WrongConsumer(f"consumer/{name}", does, ways)


def flat(groups: Iterable[Iterable[Record]]) -> list[Record]:
    """Return the records of all groups as one list."""
    return list(chain.from_iterable(groups))


def of_groups(change: Callable[[Groups], Groups]) -> Way:
    """Return what gives the right records, changed; of what is damaged, nothing is foreseen."""

    def consume(answer: Fetched) -> Consumed | None:
        kept = [group for group in answer.right if group]
        return Consumed(flat(change(kept)), answer.next_offset) if kept and answer.is_sound else None

    return consume


def of_all(change: Callable[[list[Record]], Iterable[Record]]) -> Way:
    """Return what changes the records of an answer as one list."""
    return of_groups(lambda groups: [list(change(flat(groups)))])


def of_each(change: Callable[[Sequence[Record]], Iterable[Record]]) -> Way:
    """Return what changes the records of each batch."""
    return of_groups(lambda groups: [list(change(group)) for group in groups])


def going_on_at(position: Callable[[Fetched], int | None]) -> Way:
    """Return what gives the right records, and goes on elsewhere."""

    def consume(answer: Fetched) -> Consumed | None:
        after = position(answer) if answer.is_sound and answer.entries else None
        return None if after is None else Consumed(flat(answer.right), after)

    return consume


def moved(by: int) -> Way:
    """Return what gives the right records, and goes on some offsets away from where it should."""
    return going_on_at(lambda answer: answer.next_offset + by)


def position_moved(by: int) -> WrongConsumer:
    """Return a consumer whose position is some offsets away from where it should be."""
    words = (
        f"{by} offsets too far, and loses what is there" if by > 0 else f"{-by} offsets too near, and gets them again"
    )
    return wrong_consumer("position-moved", f"goes on {words}", moved(by))


def giving(shows: Callable[[Fetched, FetchedEntry], bool | None]) -> Way:
    """Return what gives or hides whole entries otherwise; None leaves an entry as it is right."""

    def consume(answer: Fetched) -> Consumed | None:
        if not answer.is_sound:
            return None
        given: list[Record] = []
        for entry, right in zip(answer.entries, answer.right, strict=True):
            shown = shows(answer, entry)
            if shown and entry.error is not None:
                return Consumed(given, not_before(answer, entry.first), is_error=True)
            given += right if shown is None else from_offset(answer, entry) if shown else ()
        return Consumed(given, answer.next_offset)

    return consume


def within(way: Way, is_about: Callable[[FetchedEntry], bool]) -> Way:
    """Return what goes wrong in some entries alone, and at the position only behind such a one."""

    def consume(answer: Fetched) -> Consumed | None:
        consumed = way(answer) if any(map(is_about, answer.entries)) else None
        if consumed is None:
            return None
        if consumed.is_error or consumed.next_offset != answer.next_offset:
            return consumed if is_about(answer.entries[-1]) else None
        given: list[Record] = []
        for entry, right in zip(answer.entries, answer.right, strict=True):
            own = (record for record in consumed.records if entry.first <= record.offset <= entry.last)
            given += own if is_about(entry) else right
        return Consumed(given, answer.next_offset)

    return consume


def from_offset(answer: Fetched, entry: FetchedEntry) -> list[Record]:
    """Return the records of an entry that are not before the fetch offset."""
    return [record for record in entry.records if record.offset >= answer.view.fetch_offset]


def stopping(at: Callable[[Fetched, int], bool]) -> Way:
    """Return what gives nothing of an entry and of all behind it, and goes on in front of it."""

    def consume(answer: Fetched) -> Consumed | None:
        if not answer.is_sound:
            return None
        for index, entry in enumerate(answer.entries):
            if at(answer, index):
                before = answer.entries[index - 1].last + 1 if index else answer.view.fetch_offset
                return Consumed(flat(answer.right[:index]), min(before, entry.first) if index else before)
        return None

    return consume


def not_before(answer: Fetched, offset: int) -> int:
    """Return an offset, or that of the fetch if it is before that."""
    return max(offset, answer.view.fetch_offset)
