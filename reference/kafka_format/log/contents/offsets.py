"""Committed offsets held against the logs that are here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from kafka_format.log.contents.group_states import Groups


class Place(StrEnum):
    """Where a committed offset is, beside the log of its partition."""

    INSIDE = "inside"
    BELOW = "below the start of the log"
    ABOVE = "above the end of the log"
    NEGATIVE = "negative"
    UNKNOWN = "its partition is not here"


class CommittedOffset(NamedTuple):
    """An offset that a group has committed.

    Attributes:
        group: the group.
        topic: the topic.
        partition: number of the partition.
        offset: the offset.
        place: where it is.
        span: start and end of the log; None if the partition is not here.
    """

    group: str
    topic: str
    partition: int
    offset: int
    place: Place
    span: tuple[int, int] | None

    @property
    def is_out_of_range(self) -> bool:
        """Whether a consumer that begins there is reset."""
        return self.place in {Place.BELOW, Place.ABOVE, Place.NEGATIVE}


def committed(groups: Groups, spans: Mapping[tuple[str, int], tuple[int, int]]) -> Iterator[CommittedOffset]:
    """Yield committed offsets, by group, topic and partition.

    Args:
        groups: the groups.
        spans: start and end of the logs that are here, by topic and partition.
    """
    for (group, topic, partition), known in sorted(groups.offsets.items()):
        span = spans.get((topic, partition))
        yield CommittedOffset(group, topic, partition, known.offset, _place(known.offset, span), span)


def _place(offset: int, span: tuple[int, int] | None) -> Place:
    if offset < 0:
        return Place.NEGATIVE
    if span is None:
        return Place.UNKNOWN
    start, end = span
    return Place.BELOW if offset < start else Place.ABOVE if offset > end else Place.INSIDE
