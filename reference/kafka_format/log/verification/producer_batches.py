"""The few batches that suffice to follow producers: a fold of them gives the same as of all.

Of the batches of a producer between two ends of its transactions a broker's state keeps what the
last one says, and where a transaction was begun. So of each such run the last batch is kept, the
first one that is transactional, and the first of these that has records; and all control batches.
Where a producer snapshot stands, a run ends, and the batch before it is kept: there the fold is
compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from kafka_format.codec.prefix import prefix
from kafka_format.log.batches import Batch, batches
from kafka_format.log.mapped_file import check_size
from kafka_format.log.segment import Segment
from kafka_format.records.entries import OVERHEAD

_V2: Final = 2
_BATCH: Final = prefix("record_batch")
_READ: Final = _BATCH.reader(
    "base_offset", "batch_length", "magic", "attributes", "last_offset_delta", "producer_id", "record_count"
)
_BITS: Final = {bits.name: bits.in_place for bits in _BATCH.layout.field("attributes").bits}
_CONTROL: Final = _BITS["is_control"]
_TRANSACTIONAL: Final = _BITS["is_transactional"]
_CHECKED: Final = 1 << 16
"""Bytes after which the size of a file is looked at again."""


@dataclass(slots=True)
class _Runs:
    """The batches that are kept, and the runs that are not at their end.

    Attributes:
        kept: where the batches begin.
        last: the last batch of each producer's run; in `begun` the producers whose run has a
            transactional batch, in `filled` those of them with records.
    """

    kept: set[int] = field(default_factory=set)
    last: dict[int, int] = field(default_factory=dict)
    begun: set[int] = field(default_factory=set)
    filled: set[int] = field(default_factory=set)

    def begin(self, producer: int, position: int, *, has_records: bool) -> None:
        """Add a transactional batch."""
        if producer not in self.begun:
            self.begun.add(producer)
            self.kept.add(position)
        if has_records and producer not in self.filled:
            self.filled.add(producer)
            self.kept.add(position)

    def end(self, producer: int) -> None:
        """End the run of a producer."""
        if producer in self.last:
            self.kept.add(self.last.pop(producer))
        self.begun.discard(producer)
        self.filled.discard(producer)

    def end_all(self) -> None:
        """End all runs."""
        self.kept.update(self.last.values())
        self.last.clear()
        self.begun.clear()
        self.filled.clear()


def needed(segment: Segment, snapshots: Collection[int], unsure: Collection[int] = ()) -> Iterator[Batch]:
    """Yield the batches of a segment that are needed to follow its producers.

    Args:
        segment: the segment.
        snapshots: the offsets of producer snapshots.
        unsure: where batches begin that are left out.

    Raises:
        OSError: the file became shorter meanwhile.
    """
    runs, position, data = _Runs(), 0, segment.data
    while position < segment.size:
        position = _follow(runs, segment, position, snapshots, unsure)
        other = next(segment.whole_batches(position), None)
        if other is None:
            break
        if other.position not in unsure and other.next_offset in snapshots:
            runs.kept.add(other.position)
            runs.end_all()
        position = other.end
    runs.end_all()
    for at in sorted(runs.kept):
        yield from islice(batches(data, at), 1)


def _follow(runs: _Runs, segment: Segment, position: int, snapshots: Collection[int], unsure: Collection[int]) -> int:
    """Follow the batches of v2 from a position on; return where the next is none, or the end."""
    data, size, checked, last = segment.data, segment.size, -1, runs.last
    while size - position >= _BATCH.size:
        if position - checked > _CHECKED or checked < 0:
            check_size(data)
            checked = position
        base, length, magic, attributes, delta, producer, count = _READ.unpack_from(data, position)
        end = position + OVERHEAD + length
        if magic != _V2 or end > size or end - position < _BATCH.size:
            break
        if position not in unsure:
            is_control = attributes & _CONTROL
            if producer >= 0 and not is_control:
                last[producer] = position
                if attributes & _TRANSACTIONAL:
                    runs.begin(producer, position, has_records=count > 0)
            elif is_control:
                runs.end(producer)
                runs.kept.add(position)
            if base + delta + 1 in snapshots:
                runs.kept.add(position)
                runs.end_all()
        position = end
    return position
