"""Producer snapshots, held against the batches below them.

Where no record is missing below a snapshot, each producer in it has what its batches say. Releases
and time allow these others (storage ProducerStateManager, ProducerAppendInfo):

- 0.11 takes a marker for the last batch, of one record
- up to 2.3 a marker does not change the timestamp (KAFKA-9144)
- a producer may have expired since; what came after that is all that is known of it. Records with
  old timestamps expire at once, so any producer may.
- what was before the first segment is not known without a snapshot of it, and up to 2.7 this one
  is removed

Where records are missing, compaction may have taken any but the last batch of a producer, so the
batches must not be ahead of the snapshot. They agree with it if both end with the same batch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kafka_format.log.batches import Batch
from kafka_format.log.producer_states import NONE, ProducerStates

_SEQUENCES: Final = ("last_sequence", "last_offset", "offset_delta")


class FollowedProducers(ProducerStates):
    """Producers up to an offset, with what is needed to judge a snapshot there.

    Attributes:
        markers: the offset of the marker that was the last of a producer, by its id.
        timestamps: of the last data batch of a producer in its epoch, by its id.
        aborted_data: for each abort marker, the first offset of a batch with records that it
            aborts; -1 if none is left.
    """

    def __init__(self, entries: Iterable[Any] = ()) -> None:
        """Begin with the entries of a snapshot, or with none."""
        super().__init__(entries)
        self.markers: Final[dict[int, int]] = {}
        self.timestamps: Final = {number: entry.timestamp for number, entry in self.entries.items()}
        self.aborted_data: Final[dict[int, int]] = {}
        self._data: Final[dict[int, int]] = {}

    def add(self, batch: Batch) -> None:
        """Update the producers by a batch.

        Raises:
            FormatError: it has control records that cannot be read.
        """
        number = batch.producer_id
        before = self.entries.get(number)
        super().add(batch)
        if number < 0 or self.entries.get(number) is before:
            return
        if batch.has("is_control"):
            self.markers[number] = batch.base_offset
            self.aborted_data[batch.base_offset] = self._data.pop(number, NONE)
            if self.entries[number].last_sequence == NONE:
                self.timestamps.pop(number, None)
        else:
            self.markers.pop(number, None)
            self.timestamps[number] = batch.max_timestamp
            if batch.has("is_transactional") and batch.count:
                self._data.setdefault(number, batch.base_offset)


def wrong_fields(stored: Any, producers: FollowedProducers, start: int | None) -> list[str]:  # noqa: ANN401 - a producer_state
    """Return the fields of a snapshot's entry that no release writes after all these batches.

    Args:
        stored: the entry.
        producers: those of all batches below the snapshot; the one of the entry is among them.
        start: the first offset of a log whose beginning is not known; None if it is.
    """
    folded, number = producers.entries[stored.producer_id], stored.producer_id
    allowed = {name: {getattr(folded, name)} for name in stored._fields}
    allowed["timestamp"].add(producers.timestamps.get(number, NONE))
    allowed["coordinator_epoch"].add(NONE)
    if number in producers.markers:
        allowed["last_offset"] |= {producers.markers[number], NONE}
        allowed["last_sequence"].add(NONE)
        allowed["offset_delta"].add(0)
    names = [name for name in stored._fields if getattr(stored, name) not in allowed[name]]
    return names if start is None else [name for name in names if not _is_before(name, stored, folded, start)]


def _is_before(name: str, stored: Any, folded: Any, start: int) -> bool:  # noqa: ANN401 - a producer_state
    """Tell whether a field may be from before the first segment."""
    if name == "current_transaction_first_offset":
        return 0 <= int(stored.current_transaction_first_offset) < start
    if name in {*_SEQUENCES, "timestamp"}:
        return int(folded.last_offset) == NONE
    return name == "coordinator_epoch" and int(folded.coordinator_epoch) == NONE


def wrong_after_compaction(stored: Any, producers: FollowedProducers) -> list[str]:  # noqa: ANN401 - a producer_state
    """Return the fields that contradict the batches that compaction left.

    Args:
        stored: the entry of a snapshot.
        producers: those of all batches below it; the one of the entry is among them.
    """
    folded = producers.entries[stored.producer_id]
    if folded.producer_epoch > stored.producer_epoch:
        return ["producer_epoch"]
    if NONE < stored.last_offset < folded.last_offset:
        return ["last_offset"]
    if stored.last_offset == folded.last_offset:
        return [name for name in _SEQUENCES if getattr(stored, name) != getattr(folded, name)]
    return []
