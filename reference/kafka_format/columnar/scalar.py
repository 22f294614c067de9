"""The scalar decoder, for single entries.

It reads what numpy does not, or doubts, and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.columnar.entries import Entries
from kafka_format.errors import FormatError
from kafka_format.records import entries as scalar_entries
from kafka_format.records.budget import Budget
from kafka_format.records.decoding import read_entry
from kafka_format.records.entries import Entry
from kafka_format.records.model import Record


class ReadSettings(NamedTuple):
    """The settings for reading: the arguments of `decode`."""

    flags: frozenset[str]
    check_crc: bool
    limit: int
    max_records: int


class Scalar:
    """Reads single entries of inputs."""

    def __init__(self, data: bytes, entries: Entries, settings: ReadSettings) -> None:
        self._data = data
        self._entries = entries
        self._settings = settings
        self._owner = -1
        self._content = b""

    def read(self, owner: int, index: int, budget: Budget) -> list[Record]:
        """Read one entry of an input.

        Args:
            owner: index of the input.
            index: of the entry, among those of all inputs.
            budget: what is left of the limits.

        Raises:
            FormatError: as the scalar decoder raises it for the whole input, if all before the
                entry is right.
        """
        first = int(self._entries.groups.firsts[owner])
        base = int(self._entries.starts[first])
        start, end = int(self._entries.starts[index]) - base, int(self._entries.ends[index]) - base
        try:
            return self._read(self._input(owner), start, end, budget)
        except FormatError as error:
            raise error.within(entry=index - first) from None

    def _read(self, content: bytes, start: int, end: int, budget: Budget) -> list[Record]:
        flags, records = self._settings.flags, []
        for entry in _split(content, start, end, flags):
            records += read_entry(content, entry, flags, budget)
        return records

    def _input(self, owner: int) -> bytes:
        """Return one input by itself, since errors count from its start.

        Where checksums do not count, they are made right.
        """
        if owner != self._owner:
            groups = self._entries.groups
            first, last = int(groups.firsts[owner]), int(groups.ends[owner]) - 1
            content = self._data[int(self._entries.starts[first]) : int(self._entries.ends[last])]
            self._owner = owner
            self._content = content if self._settings.check_crc else _seal(content)
        return self._content


def _split(content: bytes, start: int, end: int, flags: frozenset[str]) -> Iterator[Entry]:
    """Yield the entry between two places; none if it is the cut end of an input."""
    try:
        for entry in scalar_entries.split(content[start:end], flags):
            yield Entry(start + entry.start, start + entry.end, entry.magic)
    except FormatError as error:
        raise error.within(offset=start) from None


def _seal(content: bytes) -> bytes:
    """Correct the checksums of the record batches of an input."""
    head = prefix("record_batch")
    changed = bytearray(content)
    try:
        for entry in scalar_entries.split(content):
            if entry.magic == 2 and entry.end - entry.start >= head.size:
                head.seal(changed, entry.start, entry.end)
    except FormatError:
        pass  # what comes after is refused before its checksum is compared
    return bytes(changed)
