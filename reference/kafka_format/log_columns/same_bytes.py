"""Whether two replicas are the same bytes in all that both reach, whatever their segments are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment

_PART: Final = 4 << 20


def same_bytes(left: PartitionLog, right: PartitionLog) -> bool:
    """Tell whether two logs are the same bytes from the higher start to the lower end.

    Raises:
        OSError: a segment cannot be read.
    """
    start = max(left.start_offset, right.start_offset)
    ours, theirs = _bytes(left, start), _bytes(right, start)
    mine, other = b"", b""
    while True:
        mine, other = mine or next(ours, b""), other or next(theirs, b"")
        size = min(len(mine), len(other))
        if not size:
            return True
        if mine[:size] != other[:size]:
            return False
        mine, other = mine[size:], other[size:]


def _bytes(log: PartitionLog, start: int) -> Iterator[bytes]:
    """Yield the bytes of a log from the first batch on that reaches an offset."""
    first = log.floor(start)
    for segment in log.segments:
        if first is None or segment.base_offset >= first.base_offset:
            position = _position(segment, start) if segment is first else 0
            yield from _parts(segment, position)
            segment.close()


def _position(segment: Segment, offset: int) -> int:
    for batch in segment.whole_batches():
        if batch.last_offset >= offset:
            return batch.position
    return segment.size


def _parts(segment: Segment, position: int) -> Iterator[bytes]:
    with segment.path.open("rb") as file:
        file.seek(position)
        while part := file.read(_PART):
            yield part
