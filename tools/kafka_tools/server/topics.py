"""The topics of the broker: bytes, how they are served, and what was asked of them."""

from __future__ import annotations

import uuid
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from typing import Final, NamedTuple

from kafka_format import records
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.primitives.integers import INT64_MAX, INT64_MIN
from kafka_format.records.entries import OVERHEAD, SMALLEST_SIZE
from kafka_format.records.formats import MAGICS

_NAMESPACE: Final = uuid.UUID("6b61666b-612d-4666-8f72-6d6174206964")
_BATCH: Final = prefix("record_batch")
"""The fields of an entry: all formats have offset, size and magic in the same places."""

_DELTA_END: Final = _BATCH.places["last_offset_delta"] + _BATCH.packers["last_offset_delta"].size

_SERVED: Final = count(1)

MOST_TOPICS: Final = 100_000
MOST_OFFSETS: Final = 64
"""Offsets that are remembered of a topic: the first ones, and the last."""


class Serving(Enum):
    """When the bytes of a topic are served."""

    ONCE = "once"
    """In answer to the first fetch, whatever its offset; later ones get nothing. What the client
    asks for next is where it takes itself to be."""

    AS_LOG = "as-log"
    """As Kafka does: from the first entry on that ends at the fetch offset or behind it."""


class Fetch(NamedTuple):
    """One request for records of a topic.

    Attributes:
        offset: the offset that was asked for.
        version: of the request.
        size: bytes of records in the answer.
    """

    offset: int
    version: int
    size: int


class Batch(NamedTuple):
    """Where an entry of a log begins and ends, and its offsets."""

    start: int
    end: int
    first: int
    last: int


class EntryIndex:
    """Where the entry with an offset begins. A log may have millions, too many to walk each fetch.

    Attributes:
        data: the bytes of the log.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._starts, self._highest = array("q"), array("q")
        highest = INT64_MIN
        for start, last in entries(data):
            highest = min(max(highest, last), INT64_MAX)
            self._starts.append(start)
            self._highest.append(highest)

    def start(self, offset: int) -> int:
        """Return where the first entry begins that ends at an offset or behind it; else the end."""
        place = bisect_left(self._highest, offset)
        return self._starts[place] if place < len(self._starts) else len(self.data)


@dataclass(slots=True)
class Topic:
    """A topic of one partition.

    Attributes:
        name: its name, which is also where its id comes from.
        made: how often it was made: a topic that is deleted and made again has another id.
        data: the bytes of its log.
        first_offset: the log start offset.
        end_offset: the high watermark.
        aborted: pairs of producer id and first offset of aborted transactions, as fetch answers
            list them.
        serving: when the bytes are served.
        last_stable_offset: where open transactions begin; the end offset, if there are none.
        leader: the node that leads it.
        leader_epoch: since when, by its epoch.
        followers: nodes beside the leader that serve fetches, too (KIP-392).
        is_strict: True if fetches are refused as Kafka refuses them: from another node, of another
            epoch, outside of the log.
        fetch_count: how many fetches asked for it.
        first_fetch: the fetch that first got bytes; None before.
        first_fetch_number: which of all topics' it was, counted from 1; 0 before.
        next_offsets: offsets of the fetches after it, in order; of many, the first and the last.
    """

    name: str
    data: bytes = b""
    first_offset: int = 0
    end_offset: int = 0
    aborted: tuple[tuple[int, int], ...] = ()
    serving: Serving = Serving.AS_LOG
    last_stable_offset: int | None = None
    leader: int = 1
    leader_epoch: int = 0
    followers: tuple[int, ...] = ()
    is_strict: bool = False
    fetch_count: int = 0
    first_fetch: Fetch | None = None
    first_fetch_number: int = 0
    next_offsets: list[int] = field(default_factory=list)
    made: int = 1
    _index: EntryIndex | None = None

    @property
    def topic_id(self) -> bytes:
        """Its id, always the same for a name and how often it was made."""
        return topic_id(self.name if self.made == 1 else f"{self.name}#{self.made}")

    def span(self, offset: int, *, is_committed: bool = False) -> tuple[int, int]:
        """Return which bytes a fetch at an offset gets, without regard to its limits: from and to.

        Args:
            offset: the fetch offset.
            is_committed: True for `read_committed`, which gets none of open transactions.
        """
        if self.serving is Serving.ONCE:
            return 0, len(self.data) if self.first_fetch is None else 0
        index = self._entry_index()
        start = index.start(offset)
        if not is_committed or self.last_stable_offset is None:
            return start, len(self.data)
        return start, max(start, index.start(self.last_stable_offset))

    def _entry_index(self) -> EntryIndex:
        """Return where the entries are; worked out anew when the topic has other bytes."""
        if self._index is None or self._index.data is not self.data:
            self._index = EntryIndex(self.data)
        return self._index

    def batches(self) -> list[Batch]:
        """Return the whole entries of the log, in order."""
        found = [(start, last) for start, last in entries(self.data) if last < INT64_MAX]
        ends = [*(start for start, _ in found[1:]), len(self.data)]
        return [
            Batch(
                start,
                min(end, start + entry_size(self.data, start)),
                _BATCH.value(self.data, start, "base_offset"),
                last,
            )
            for (start, last), end in zip(found, ends, strict=False)
        ]

    def epoch_end(self, epoch: int) -> tuple[int, int]:
        """Return the last epoch up to this one that wrote, and where it ended; -1 for none."""
        epochs = [(_BATCH.value(self.data, start, "partition_leader_epoch"), start) for start, _ in entries(self.data)]
        known = [known for known, _ in epochs if known <= epoch]
        if epoch >= self.leader_epoch or not known:
            return (epoch, self.end_offset) if epoch == self.leader_epoch else (-1, -1)
        later = [_BATCH.value(self.data, start, "base_offset") for known, start in epochs if known > epoch]
        return max(known), min(later, default=self.end_offset)

    def end_for(self, *, is_committed: bool) -> int:
        """Return the end of the log for an isolation level: the last stable offset, or the mark."""
        is_open = is_committed and self.last_stable_offset is not None
        return (self.last_stable_offset or 0) if is_open else self.end_offset

    def high_watermark(self, offset: int, served: int) -> int:
        """Return an answer's high watermark.

        A topic that is served once says at once that this was all.
        """
        if self.serving is Serving.ONCE and not served:
            return self.end_offset if self.first_fetch is None else offset
        return self.end_offset

    def note(self, fetch: Fetch) -> None:
        """Remember what was asked and served."""
        self.fetch_count += 1
        if self.first_fetch is None:
            if fetch.size or not self.data:
                self.first_fetch, self.first_fetch_number = fetch, next(_SERVED)
            return
        if len(self.next_offsets) == MOST_OFFSETS:
            self.next_offsets.pop()
        self.next_offsets.append(fetch.offset)


class Topics:
    """The topics of a broker, by name and by id. A topic that is put replaces one of its name."""

    def __init__(self, topics: Iterable[Topic] = ()) -> None:
        self._by_name: dict[str, Topic] = {}
        self._by_id: dict[bytes, Topic] = {}
        for topic in topics:
            self.add(topic)

    def __iter__(self) -> Iterator[Topic]:
        """Yield the topics in the order in which they were put."""
        return iter(list(self._by_name.values()))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._by_name)

    def add(self, topic: Topic) -> None:
        """Add a topic, or replace one."""
        self._by_name[topic.name] = topic
        self._by_id[topic.topic_id] = topic

    def remove(self, name: str) -> None:
        """Forget a topic; it need not be there."""
        topic = self._by_name.pop(name, None)
        if topic is not None:
            del self._by_id[topic.topic_id]

    def find(self, name: str | None = None, topic_id: bytes | None = None) -> Topic | None:
        """Find a topic by its name, or else by its id."""
        if name:
            return self._by_name.get(name)
        return self._by_id.get(bytes(topic_id)) if topic_id is not None else None

    def find_or_make(self, name: str) -> Topic | None:
        """Find a topic, or make an empty one; None if there are too many."""
        topic = self.find(name)
        if topic is None and len(self) < MOST_TOPICS:
            topic = Topic(name)
            self.add(topic)
        return topic


def topic_id(name: str) -> bytes:
    """Return the id of a topic, whether there is one or not."""
    return uuid.uuid5(_NAMESPACE, name).bytes


def entries(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each entry of a log begins, and its last offset.

    What is no whole entry belongs to the last offset that there is, so that it is served to whoever
    gets that far.
    """
    place = 0
    while place < len(data):
        size = _BATCH.value(data, place, "batch_length") if place + OVERHEAD <= len(data) else 0
        end = place + OVERHEAD + size
        if size < SMALLEST_SIZE or end > len(data):
            yield place, INT64_MAX
            return
        offset = _BATCH.value(data, place, "base_offset")
        is_batch = data[place + _BATCH.places["magic"]] == MAGICS["v2"] and place + _DELTA_END <= end
        yield place, offset + (_BATCH.value(data, place, "last_offset_delta") if is_batch else 0)
        place = end


def end_offset(data: bytes) -> int:
    """Return the offset behind the last whole entry; 0 if there is none."""
    last = max((last for _, last in entries(data) if last < INT64_MAX), default=-1)
    return max(last + 1, 0)


def first_offset(data: bytes) -> int:
    """Return the offset of the first record; 0 if there is none.

    That of an entry will do where its records cannot be read. A wrapper has the offset of its last
    record.
    """
    if len(data) < OVERHEAD:
        return 0
    first = max(_BATCH.value(data, 0, "base_offset"), 0)
    try:
        return min([first, *(record.offset for record in records.decode(data[: entry_size(data, 0)]))])
    except FormatError:
        return first


def entry_size(data: bytes, start: int) -> int:
    """Return the size of the entry that begins at a place, by its own word."""
    is_told = start + OVERHEAD <= len(data)
    return OVERHEAD + (max(_BATCH.value(data, start, "batch_length"), 0) if is_told else 0)
