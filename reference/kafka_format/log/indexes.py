"""Offset index and time index of a segment: entries, and Kafka's lookups (OffsetIndex, TimeIndex).

While a segment is written to, its offset and time index are larger than their entries and end in
zeros. A broker that runs does not take these for entries, and neither do the classes here. After a
crash, and after a stop with 4.4 for the metadata log, a broker that opens the file does:
`padded=True` reads like it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final, Generic, NamedTuple, TypeVar

from kafka_format.codec.prefix import Prefix, prefix
from kafka_format.codec.structures import structure
from kafka_format.log.index_search import IndexSearch, search
from kafka_format.log.mapped_file import Data, check_size
from kafka_format.records.model import NO_TIMESTAMP
from kafka_format.spec.layout.release_table import newest

NEWEST: Final = newest().name
"""The release that lookups follow where none is named."""


class OffsetEntry(NamedTuple):
    """An entry of an offset index: an offset, and where the scan for it begins."""

    offset: int
    position: int


class TimeEntry(NamedTuple):
    """An entry of a time index: a timestamp, and the offset of the batch or record that has it."""

    timestamp: int
    offset: int


_Entry = TypeVar("_Entry", OffsetEntry, TimeEntry)


def scan_start(entry: OffsetEntry) -> int:
    """Return where a scan from an entry begins: at 0 if its position is negative, as in Kafka.

    So does LogSegment.translateOffset (storage).
    """
    return max(entry.position, 0)


class IndexLookup(NamedTuple, Generic[_Entry]):
    """The result of a lookup: the entry, and those that the search looked at.

    Attributes:
        entry: the entry; where there is none, what stands for it: the base offset at position 0, or
            no timestamp at the base offset.
        slot: its number; -1 for none.
        probes: numbers of the entries that were compared.
    """

    entry: _Entry
    slot: int
    probes: tuple[int, ...]


class _Index(Generic[_Entry]):
    """The common part of offset and time indexes.

    Attributes:
        base_offset: base offset of the segment.
        size: bytes of the file.
        zeros: entries at the end that are all zeros.
        padded: whether these count.
    """

    layout: ClassVar[str]
    entry_size: ClassVar[int]
    _fields: ClassVar[Prefix]

    def __init__(self, data: Data, base_offset: int, *, padded: bool = False, content_end: int | None = None) -> None:
        """Take the content of an index file.

        Args:
            data: the content.
            base_offset: base offset of the segment.
            padded: whether zeros at the end count as entries.
            content_end: the byte after the last one that is not zero, if it is known.
        """
        self.base_offset: Final = base_offset
        self.size: Final = len(data)
        self.padded: Final = padded
        self._data: Final = data
        whole = self.size // self.entry_size
        end = _content_end(data) if content_end is None else min(content_end, self.size)
        self.zeros: Final = whole - min(whole, -(-end // self.entry_size))
        self._count: Final = whole if padded else whole - self.zeros

    def __len__(self) -> int:
        """Number of entries."""
        return self._count

    def __getitem__(self, slot: int) -> _Entry:
        """Return an entry by its number; negative ones count from the end."""
        if not -self._count <= slot < self._count:
            raise IndexError(f"entry {slot} of {self._count}")
        return self._entry(slot % self._count)

    def __iter__(self) -> Iterator[_Entry]:
        return map(self._entry, range(self._count))

    @property
    def trailing(self) -> int:
        """Bytes after the last whole entry."""
        return self.size % self.entry_size

    def _numbers(self, slot: int) -> tuple[int, int]:
        first, second = self._fields.read(self._data, slot * self.entry_size)
        return int(first), int(second)

    def _entry(self, slot: int) -> _Entry:
        raise NotImplementedError

    def _search(self, target: int, release: str) -> IndexSearch:
        return search(self._count, lambda slot: self._entry(slot)[0], target, self.entry_size, release)


class OffsetIndex(_Index[OffsetEntry]):
    """An offset index."""

    layout = "offset_index_entry"
    _fields = prefix(layout)
    entry_size = _fields.size

    def _entry(self, slot: int) -> OffsetEntry:
        relative, position = self._numbers(slot)
        return OffsetEntry(self.base_offset + relative, position)

    def lookup(self, offset: int, release: str = NEWEST) -> IndexLookup[OffsetEntry]:
        """Find where the scan for an offset begins: the largest entry up to it, or position 0."""
        slot, probes = self._search(offset, release)
        entry = self._entry(slot) if slot >= 0 else OffsetEntry(self.base_offset, 0)
        return IndexLookup(entry, slot, probes)

    @property
    def last_offset(self) -> int:
        """Offset of the last entry; the base offset if there is none."""
        return self[-1].offset if len(self) else self.base_offset

    @staticmethod
    def encode(entries: Iterable[OffsetEntry], base_offset: int) -> bytes:
        """Write the entries of an index.

        Raises:
            EncodeError: an offset is not within 2^31 - 1 of the base offset.
        """
        write = structure(OffsetIndex.layout)
        values = (write.type(relative_offset=offset - base_offset, position=position) for offset, position in entries)
        return b"".join(map(write.encode, values))


class TimeIndex(_Index[TimeEntry]):
    """A time index."""

    layout = "time_index_entry"
    _fields = prefix(layout)
    entry_size = _fields.size

    def _entry(self, slot: int) -> TimeEntry:
        timestamp, relative = self._numbers(slot)
        return TimeEntry(timestamp, self.base_offset + relative)

    def lookup(self, timestamp: int, release: str = NEWEST) -> IndexLookup[TimeEntry]:
        """Find the largest entry up to a timestamp; else no timestamp and the base offset."""
        slot, probes = self._search(timestamp, release)
        entry = self._entry(slot) if slot >= 0 else TimeEntry(NO_TIMESTAMP, self.base_offset)
        return IndexLookup(entry, slot, probes)

    @property
    def last(self) -> TimeEntry:
        """The last entry; no timestamp and the base offset if there is none."""
        return self[-1] if len(self) else TimeEntry(NO_TIMESTAMP, self.base_offset)

    @staticmethod
    def encode(entries: Iterable[TimeEntry], base_offset: int) -> bytes:
        """Write the entries of an index.

        Raises:
            EncodeError: an offset is not within 2^31 - 1 of the base offset.
        """
        write = structure(TimeIndex.layout)
        values = (
            write.type(timestamp=timestamp, relative_offset=offset - base_offset) for timestamp, offset in entries
        )
        return b"".join(map(write.encode, values))


def _content_end(data: Data) -> int:
    """Return the byte after the last one that is not zero.

    Raises:
        OSError: the file became shorter meanwhile.
    """
    end, step = len(data), 1 << 16
    while end:
        check_size(data)
        start = max(0, end - step)
        if kept := bytes(data[start:end]).rstrip(b"\0"):
            return start + len(kept)
        end = start
    return 0
