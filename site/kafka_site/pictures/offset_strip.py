"""The offsets of a fetch response as a strip: batches as frames, records as squares, holes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from kafka_format.broker.consumer import Delivery, Skipped
from kafka_format.log.batches import Batch, batches

from kafka_site.templates import render

_CELL: Final = 32
_MARGIN: Final = 128
_ROW: Final = 30

_WORDS: Final = {"control": "marker", "aborted": "aborted", "before-fetch-offset": "older"}
"""What stands in a square whose record an application does not get."""


class Frame(NamedTuple):
    """A batch, from its first offset to its last; `text` is what it is of."""

    x: int
    width: int
    text: str


class Mark(NamedTuple):
    """A record, or the hole of one: `role` is delivered, skipped or hole."""

    x: int
    role: str
    text: str


class Row(NamedTuple):
    """What one consumer makes of the response; `next_x` is where it goes on."""

    y: int
    name: str
    marks: Sequence[Mark]
    next_x: int


def offset_strip(data: bytes, deliveries: Mapping[str, Delivery], label: str) -> str:
    """Return the strip of a response.

    Args:
        data: batches of v2 with some twenty offsets.
        deliveries: what consumers make of it, by what they are called.
        label: what the picture shows, for people who do not see it.
    """
    kept = list(batches(data))
    first, last = kept[0].base_offset, max(batch.last_offset for batch in kept)
    frames = [
        Frame(_x(batch.base_offset - first), (batch.last_offset - batch.base_offset + 1) * _CELL - 4, _text(batch))
        for batch in kept
    ]
    there = {record.offset for batch in kept for record in batch.records()}
    rows = [
        Row(68 + number * _ROW, name, list(_marks(delivery, there, first, last)), _x(delivery.next_offset - first))
        for number, (name, delivery) in enumerate(deliveries.items())
    ]
    return render(
        "offset_strip.svg.j2",
        frames=frames,
        offsets=[(_x(offset - first) + _CELL // 2 - 2, offset) for offset in range(first, last + 1)],
        rows=rows,
        label=label,
        cell=_CELL,
        width=_x(last - first + 2),
        height=68 + len(rows) * _ROW,
    )


def _x(place: int) -> int:
    return _MARGIN + place * _CELL


def _text(batch: Batch) -> str:
    if not batch.has("is_transactional"):
        return ""
    return f"p{batch.producer_id}"


def _marks(delivery: Delivery, there: set[int], first: int, last: int) -> Sequence[Mark]:
    delivered = {record.offset for record in delivery.records}
    marks = []
    for offset in range(first, last + 1):
        if offset in delivered:
            marks.append(Mark(_x(offset - first), "delivered", "\u2713"))
        elif offset in there:
            marks.append(Mark(_x(offset - first), "skipped", _WORDS[_reason(delivery.skipped, offset)][:1]))
        else:
            marks.append(Mark(_x(offset - first), "hole", ""))
    return marks


def _reason(skipped: Sequence[Skipped], offset: int) -> str:
    return next(str(skip.reason) for skip in skipped if skip.first_offset <= offset <= skip.last_offset)
