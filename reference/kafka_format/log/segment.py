"""A segment: its batches, and the files beside it that belong to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from time import time
from types import TracebackType
from typing import Final, Self

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch, batches
from kafka_format.log.indexes import OffsetIndex, TimeEntry, TimeIndex, scan_start
from kafka_format.log.mapped_file import Data, MappedFile, content_end
from kafka_format.log.names import FileKind, parse_file, segment_name
from kafka_format.log.transaction_index import AbortedTransaction, aborted_transactions

_LOOSE: Final = frozenset({"log-name-of-any-width"})


class Segment:
    """A segment, opened read-only; use it in a `with`, or close it.

    Attributes:
        path: the file with the batches.
        base_offset: the offset in its name, from which index entries count.
        padded: whether zeros at the end of its indexes count as entries, see `indexes`.
        is_made: whether the file is not there, and a start makes it.
    """

    def __init__(self, path: Path, *, padded: bool = False, is_made: bool = False) -> None:
        """Open the segment of that file; the files beside it are opened when they are asked for.

        A segment that a start makes is empty, and has no indexes: a start removes those first that
        have no segment (storage LogLoader).

        Raises:
            FormatError: the name has no base offset.
            ValueError: the name is not that of a segment.
            OSError: the file cannot be read.
        """
        name = parse_file(path.name, _LOOSE)
        if name is None or name.kind is not FileKind.SEGMENT:
            raise ValueError(f"{path.name} is not a segment, whose name is like {segment_name(0, FileKind.SEGMENT)}")
        self.path: Final = path
        self.base_offset: Final = name.offset
        self.padded: Final = padded
        self._markers: Final = name.markers
        self.is_made: Final = is_made
        self._file: Final = None if is_made else MappedFile(path)
        self._indexes: Final = list[MappedFile]()

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return len(self.data)

    @property
    def data(self) -> Data:
        """The content of the file."""
        return self._file.data if self._file else b""

    def batches(self, start: int = 0) -> Iterator[Batch]:
        """Yield the whole batches from a position on.

        Raises:
            FormatError: what follows is no batch.
        """
        return batches(self.data, start)

    def file(self, kind: FileKind) -> Path:
        """Return where a file of this segment is, whether or not it is there."""
        return self.path.with_name(segment_name(self.base_offset, kind, *self._markers))

    @property
    def has_index(self) -> bool:
        """Whether there is an offset index. A start builds one, and cuts a segment without."""
        return self.is_made or self.file(FileKind.OFFSET_INDEX).exists()

    @property
    def is_unsound(self) -> bool:
        """Whether a start reads and cuts the segment even after a clean stop.

        It has no offset index, or its transaction index has a transaction that ends below its base
        offset (storage LogSegment.sanityCheck).
        """
        if not self.has_index:
            return True
        with suppress(FormatError):
            return any(entry.last_offset < self.base_offset for entry in self.aborted_transactions())
        return False

    @cached_property
    def offset_index(self) -> OffsetIndex:
        """The offset index. It is empty without a file, since a broker would build it."""
        data, end = self._index(FileKind.OFFSET_INDEX)
        return OffsetIndex(data, self.base_offset, padded=self.padded, content_end=end)

    @cached_property
    def time_index(self) -> TimeIndex:
        """The time index, likewise."""
        data, end = self._index(FileKind.TIME_INDEX)
        return TimeIndex(data, self.base_offset, padded=self.padded, content_end=end)

    def aborted_transactions(self) -> tuple[AbortedTransaction, ...]:
        """Return the entries of the transaction index; none if there is no file.

        Raises:
            FormatError: an entry breaks a rule.
        """
        return tuple(aborted_transactions(self._content(FileKind.TRANSACTION_INDEX)))

    @property
    def largest_timestamp(self) -> int:
        """The largest timestamp for Kafka: that of the last time index entry, or the file's.

        So a copy with another time of change answers other offsets (storage
        LogSegment.largestTimestamp).
        """
        entry = self.last_time_entry
        if entry.timestamp >= 0:
            return entry.timestamp
        return int((time() if self.is_made else self.path.stat().st_mtime) * 1000)

    @property
    def last_time_entry(self) -> TimeEntry:
        """The last entry of the time index; no timestamp if there is none."""
        return self.time_index.last

    def next_offset(self) -> int:
        """Return the offset after the last batch, as Kafka finds it at a start: from the index on.

        Where that entry points at a batch that is cut, nothing is found, and the segment passes for
        empty (storage LogSegment.readNextOffset).

        Raises:
            FormatError: what follows the last batch is none, and too long to pass for the rest of
                one. A broker does not start with such a segment after a clean stop.
        """
        last = None
        lookup = self.offset_index.lookup(self.offset_index.last_offset)
        for batch in self.batches(scan_start(lookup.entry)):
            last = batch
        return self.base_offset if last is None else last.next_offset

    def whole_batches(self, start: int = 0) -> Iterator[Batch]:
        """Yield batches as `batches`, and end where something is no batch."""
        try:
            yield from self.batches(start)
        except FormatError:
            return

    def _index(self, kind: FileKind) -> tuple[Data, int]:
        data = self._content(kind)
        return data, content_end(self.file(kind)) if data else 0

    def _content(self, kind: FileKind) -> Data:
        path = self.file(kind)
        if self.is_made or not path.is_file():
            return b""
        self._indexes.append(MappedFile(path))
        return self._indexes[-1].data

    def close(self) -> None:
        """Unmap all its files. They are opened again if they are needed."""
        for file in self._indexes:
            file.close()
        self._indexes.clear()
        if self._file:
            self._file.close()
        for name in ("offset_index", "time_index"):
            self.__dict__.pop(name, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
