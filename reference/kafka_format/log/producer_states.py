"""Works out what a broker remembers of producers from a log (storage ProducerStateManager).

Batches are taken as a follower takes them: sequences and epochs are not checked, for that was done
by the leader.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from kafka_format.codec.structures import structure
from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch
from kafka_format.log.transaction_index import AbortedTransaction
from kafka_format.records import control

_LENIENT: Final = frozenset({control.TRAILING})
NONE: Final = -1
_SEQUENCES: Final = 1 << 31


class ProducerStates:
    """The producers of a log up to an offset; batches are added in order.

    Attributes:
        aborted: the transactions that were aborted since, with the last stable offset after each.
        entries: what a snapshot keeps of each producer, by its id: values of the layout
            `producer_state`.
    """

    def __init__(self, entries: Iterable[Any] = ()) -> None:
        """Begin with the entries of a snapshot, or with none."""
        self.entries: Final[dict[int, Any]] = {entry.producer_id: entry for entry in entries}
        self.aborted: Final[list[AbortedTransaction]] = []
        first = "current_transaction_first_offset"
        begun = {
            getattr(entry, first): entry.producer_id for entry in self.entries.values() if getattr(entry, first) >= 0
        }
        self._open: Final[dict[int, int]] = dict(sorted(begun.items()))

    def add(self, batch: Batch) -> None:
        """Update the producers by a batch.

        Raises:
            FormatError: it has control records that cannot be read.
        """
        if batch.producer_id < 0:
            return
        if batch.has("is_control"):
            self._end_transaction(batch)
        else:
            self._add_data(batch)

    @property
    def open(self) -> dict[int, int]:
        """The first offsets of transactions that are open, by producer id."""
        return {producer: offset for offset, producer in self._open.items()}

    def snapshot(self) -> bytes:
        """Return a snapshot as a broker writes it, by producer id.

        Kafka's own order is that of a hash map.
        """
        write = structure("producer_snapshot_file")
        return write.encode(write.type(producers=[self.entries[number] for number in sorted(self.entries)]))

    def _entry(self, batch: Batch) -> Any:  # noqa: ANN401 - a value of producer_state
        """Return the producer's entry. A new epoch forgets its batches.

        ProducerStateEntry.maybeUpdateProducerEpoch does so.
        """
        entry = self.entries.get(batch.producer_id)
        epoch = batch.header.producer_epoch
        if entry is None:
            entry = structure("producer_state").type(producer_id=batch.producer_id, producer_epoch=epoch)
        if entry.producer_epoch != epoch:
            entry = entry._replace(producer_epoch=epoch, last_sequence=NONE, last_offset=NONE, offset_delta=0)
        return entry

    def _add_data(self, batch: Batch) -> None:
        header, entry = batch.header, self._entry(batch)
        first = entry.current_transaction_first_offset
        if first < 0 and batch.has("is_transactional"):
            first = batch.base_offset
            self._open[first] = batch.producer_id
        sequence = header.base_sequence
        self.entries[batch.producer_id] = entry._replace(
            last_sequence=NONE if sequence < 0 else (sequence + header.last_offset_delta) % _SEQUENCES,
            last_offset=batch.last_offset,
            offset_delta=header.last_offset_delta,
            timestamp=batch.max_timestamp,
            current_transaction_first_offset=first,
        )

    def _end_transaction(self, batch: Batch) -> None:
        records = batch.unchecked_records()
        if not records:
            return  # compaction removed the whole transaction
        marker = control.read(records[0].key, records[0].value, flags=_LENIENT)
        if marker.type not in {"abort", "commit"}:
            return
        entry = self._entry(batch)
        first = entry.current_transaction_first_offset
        if first >= 0:
            if marker.type == "abort":
                stable = self._last_stable_offset(batch)
                self.aborted.append(AbortedTransaction(batch.producer_id, first, batch.base_offset, stable))
            self._open.pop(first, None)
        self.entries[batch.producer_id] = entry._replace(
            timestamp=records[0].timestamp,
            coordinator_epoch=marker.fields.coordinator_epoch,
            current_transaction_first_offset=NONE,
        )

    def _last_stable_offset(self, marker: Batch) -> int:
        """Return the last stable offset once a marker has ended its producer's transaction."""
        others = [offset for offset, producer in self._open.items() if producer != marker.producer_id]
        return min(others, default=marker.base_offset + 1)


def read_snapshot(data: bytes) -> list[Any]:
    """Return the entries of a producer snapshot.

    Raises:
        FormatError: it breaks a rule. A broker removes it then, and takes an older one.
    """
    producers: list[Any] = structure("producer_snapshot_file").decode(data).producers
    return producers


def first_states(snapshot: Path | None) -> ProducerStates:
    """Return the producers known where a log begins.

    Args:
        snapshot: the producer snapshot of the first segment.
    """
    return ProducerStates(first_entries(snapshot) or ())


def first_entries(snapshot: Path | None) -> list[Any] | None:
    """Return the entries of the producer snapshot of a log's first segment.

    It keeps producers whose batches went with older segments. None if it is missing or cannot be
    read.
    """
    data = snapshot.read_bytes() if snapshot is not None and snapshot.is_file() else b""
    return read_snapshot(data) if is_readable(data) else None


def is_readable(data: bytes) -> bool:
    """Tell whether a broker can read a producer snapshot."""
    try:
        read_snapshot(data)
    except FormatError:
        return False
    return True
