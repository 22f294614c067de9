"""What numpy does not read, or doubts: the scalar decoder has the last word, and all words about errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.columnar.framing import Frames
from kafka_format.errors import FormatError
from kafka_format.records import entries
from kafka_format.records.budget import Budget
from kafka_format.records.decoding import read_entry
from kafka_format.records.entries import Entry
from kafka_format.records.model import Record


class Settings(NamedTuple):
    """How inputs are to be read: the arguments of `decode`."""

    flags: frozenset[str]
    check_crc: bool
    limit: int
    max_records: int


class Scalar:
    """Reads pieces of inputs."""

    def __init__(self, data: bytes, frames: Frames, settings: Settings) -> None:
        self._data = data
        self._frames = frames
        self._settings = settings
        self._owner = -1
        self._content = b""

    def piece(self, owner: int, piece: int, budget: Budget) -> list[Record]:
        """Read one piece of an input.

        Raises:
            FormatError: as the scalar decoder raises it for the whole input, if all before the piece is right.
        """
        first = int(self._frames.groups.firsts[owner])
        base = int(self._frames.starts[first])
        start, end = int(self._frames.starts[piece]) - base, int(self._frames.ends[piece]) - base
        try:
            return self._read(self._input(owner), start, end, budget)
        except FormatError as error:
            raise error.within(entry=piece - first) from None

    def _read(self, content: bytes, start: int, end: int, budget: Budget) -> list[Record]:
        flags, found = self._settings.flags, []
        for entry in _entries(content, start, end, flags):
            found += read_entry(content, entry, flags, budget)
        return found

    def _input(self, owner: int) -> bytes:
        """Return an input by itself, since errors count from its start; with right checksums if they do not count."""
        if owner != self._owner:
            groups = self._frames.groups
            first, last = int(groups.firsts[owner]), int(groups.ends[owner]) - 1
            content = self._data[int(self._frames.starts[first]) : int(self._frames.ends[last])]
            self._owner = owner
            self._content = content if self._settings.check_crc else _sealed(content)
        return self._content


def _entries(content: bytes, start: int, end: int, flags: frozenset[str]) -> Iterator[Entry]:
    """Yield the entries of a piece: one, or none if it is the cut end of an input."""
    try:
        for entry in entries.split(content[start:end], flags):
            yield Entry(start + entry.start, start + entry.end, entry.magic)
    except FormatError as error:
        raise error.within(offset=start) from None


def _sealed(content: bytes) -> bytes:
    """Put right the checksums of the record batches of an input."""
    head = prefix("record_batch")
    changed = bytearray(content)
    try:
        for entry in entries.split(content):
            if entry.magic == 2 and entry.end - entry.start >= head.size:
                head.seal(changed, entry.start, entry.end)
    except FormatError:
        pass  # what comes behind is refused before anybody looks at a checksum
    return bytes(changed)
