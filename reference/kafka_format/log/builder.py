"""A log as a broker of a given release writes it: segments, indexes, snapshots, epochs. For tests.

What differs between releases is the offset of an entry in the offset index, and how many entries an
append gives: up to 1.1 the first offset of what was appended, then the last one at the position of
its first batch (KAFKA-6530), and since 3.9.1, 4.0.1 and 4.1 one entry for each batch that is due,
with its own last offset (KAFKA-806).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kafka_format.log import transaction_index
from kafka_format.log.batches import Batch, batches
from kafka_format.log.indexes import NEWEST, OffsetEntry, OffsetIndex, TimeEntry, TimeIndex
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.producer_states import ProducerStates
from kafka_format.log.recovery import INDEX_INTERVAL
from kafka_format.log.text import checkpoints
from kafka_format.log.text.checkpoints import EpochRow
from kafka_format.records.model import NO_TIMESTAMP
from kafka_format.spec.layout.release_table import numbers

SEGMENT_BYTES: Final = 1 << 30
"""The usual segment.bytes: a segment is closed before it would be larger."""

_BY_BATCH: Final[dict[tuple[int, ...], tuple[int, ...]]] = {(3, 9): (3, 9, 1), (4, 0): (4, 0, 1)}
_LAST_OFFSET_SINCE: Final = (2, 0)


class LogBuilder:
    """Writes a log into a folder, append by append. `close` writes what a clean stop writes.

    Attributes:
        folder: where the files are; it must be empty.
        next_offset: where the log ends.
    """

    def __init__(
        self,
        folder: Path,
        base_offset: int = 0,
        *,
        release: str = NEWEST,
        index_interval: int = INDEX_INTERVAL,
        segment_bytes: int = SEGMENT_BYTES,
    ) -> None:
        """Begin with an empty segment.

        Args:
            folder: the folder of the partition; it is made.
            base_offset: offset of the first segment.
            release: release that writes so, for example `3.9.0`.
            index_interval: the setting index.interval.bytes.
            segment_bytes: the setting segment.bytes.

        Raises:
            FileExistsError: the folder has files.
        """
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise FileExistsError(f"{folder} is not empty")
        self.folder: Final = folder
        self.next_offset = base_offset
        self._release = numbers(release)
        self._interval = index_interval
        self._segment_bytes = segment_bytes
        self._states = ProducerStates()
        self._epochs: list[EpochRow] = []
        self._snapshots = {base_offset}
        self._begin(base_offset)

    def append(self, data: bytes) -> None:
        """Append batches as one request brings them; their offsets are as they are.

        Raises:
            FormatError: the bytes are no batches.
        """
        if len(self._data) > self._segment_bytes - len(data):
            self.roll()
        start = len(self._data)
        self._data += data
        appended = list(batches(bytes(self._data), start))
        if self._is_by_batch:
            for batch in appended:
                self._index(batch.last_offset, batch.position, [batch], batch.size)
        elif appended:
            first = self._release < _LAST_OFFSET_SINCE
            offset = appended[0].base_offset if first else appended[-1].last_offset
            self._index(offset, start, appended, len(data))
        for batch in appended:
            self._states.add(batch)
            if batch.leader_epoch >= 0 and (not self._epochs or batch.leader_epoch > self._epochs[-1].epoch):
                self._epochs.append(EpochRow(batch.leader_epoch, batch.base_offset))
            self.next_offset = batch.next_offset

    def roll(self) -> None:
        """Close the segment and begin the next one where the log ends."""
        self._end()
        self._snapshot()
        self._begin(self.next_offset)

    def close(self) -> None:
        """Write the last segment, a snapshot and the leader epochs, as a clean stop does."""
        self._end()
        self._snapshot()
        (self.folder / checkpoints.EPOCH_FILE).write_bytes(checkpoints.encode(self._epochs))

    @property
    def _is_by_batch(self) -> bool:
        return self._release >= _BY_BATCH.get(self._release[:2], (4, 1))

    def _begin(self, base: int) -> None:
        self._base, self._data = base, bytearray()
        self._offsets: list[OffsetEntry] = []
        self._times: list[TimeEntry] = []
        self._largest = TimeEntry(NO_TIMESTAMP, base)
        self._since_entry = 0
        self._aborted = len(self._states.aborted)

    def _index(self, offset: int, position: int, appended: list[Batch], size: int) -> None:
        """Add an index entry for an append at a position, if enough bytes followed the last."""
        for batch in appended:
            if batch.max_timestamp > self._largest.timestamp:
                self._largest = TimeEntry(batch.max_timestamp, batch.last_offset)
        if self._since_entry > self._interval:
            self._offsets.append(OffsetEntry(offset, position))
            self._add_time()
            self._since_entry = 0
        self._since_entry += size

    def _add_time(self) -> None:
        if self._largest.timestamp > (self._times[-1].timestamp if self._times else NO_TIMESTAMP):
            self._times.append(self._largest)

    def _end(self) -> None:
        self._add_time()
        contents = {
            FileKind.SEGMENT: bytes(self._data),
            FileKind.OFFSET_INDEX: OffsetIndex.encode(self._offsets, self._base),
            FileKind.TIME_INDEX: TimeIndex.encode(self._times, self._base),
        }
        if aborted := self._states.aborted[self._aborted :]:
            contents[FileKind.TRANSACTION_INDEX] = transaction_index.encode(aborted)
        for kind, data in contents.items():
            (self.folder / segment_name(self._base, kind)).write_bytes(data)

    def _snapshot(self) -> None:
        """Write a snapshot, unless there is one for this offset."""
        if self.next_offset not in self._snapshots:
            self._snapshots.add(self.next_offset)
            path = self.folder / segment_name(self.next_offset, FileKind.PRODUCER_SNAPSHOT)
            path.write_bytes(self._states.snapshot())
