"""Idempotent producers and transactions, as Kafka's broker keeps them.

The broker looks into batches only where its settings say so (`checks_producers`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from kafka_format import structure
from kafka_format.errors import FormatError
from kafka_format.records import decode
from kafka_format.records.model import TRANSACTIONAL_BIT

from kafka_tools.server.error_codes import (
    CORRUPT_MESSAGE,
    INVALID_PRODUCER_EPOCH,
    INVALID_PRODUCER_ID_MAPPING,
    INVALID_TXN_STATE,
    NO_ERROR,
    OUT_OF_ORDER_SEQUENCE_NUMBER,
    PRODUCER_FENCED,
)

REMEMBERED: Final = 5
"""Batches of a producer that the broker knows again (ProducerStateEntry.NUM_BATCHES_TO_RETAIN)."""

MOST_BATCHES: Final = 100_000


class Fate(StrEnum):
    """What became of a transaction."""

    OPEN = "open"
    COMMITTED = "committed"
    ABORTED = "aborted"


@dataclass(slots=True)
class Appended:
    """A batch in the log of a topic.

    Attributes:
        topic: the topic.
        values: the values of its records.
        offset: the offset of the first.
        transactional_id: whose transaction it is in; empty for none.
        fate: what became of that.
    """

    topic: str
    values: tuple[bytes | None, ...]
    offset: int
    transactional_id: str = ""
    fate: Fate = Fate.COMMITTED


@dataclass(slots=True)
class _Producer:
    """What the log of a topic knows of a producer: its epoch, and its last batches by sequences."""

    epoch: int
    batches: list[tuple[int, int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Transaction:
    """What the coordinator knows of a transactional id.

    Attributes:
        producer_id: the producer.
        epoch: its epoch.
        topics: those of the transaction that is open.
        ended: how the last one ended, and at which epoch of the producer; None before the first.
    """

    producer_id: int
    epoch: int
    topics: set[str] = field(default_factory=set)
    ended: tuple[Fate, int] | None = None


class Producers:
    """All producers, transactions and batches of a broker.

    Attributes:
        log: the batches of all topics, in order.
        transactions: what the coordinator knows, by transactional id.
    """

    def __init__(self) -> None:
        self.log: list[Appended] = []
        self.transactions: dict[str, Transaction] = {}
        self._known: dict[tuple[str, int], _Producer] = {}
        self._ends: dict[str, int] = {}
        self._ids = 0

    def new_id(self) -> int:
        """Give a producer id that nobody has."""
        self._ids += 1
        return self._ids

    @property
    def ids(self) -> range:
        """The producer ids that were given."""
        return range(1, self._ids + 1)

    def init(self, transactional_id: str | None, known: int, epoch: int) -> tuple[int, int, int]:
        """Give a producer its id and epoch; the first is an error code.

        An open transaction is aborted.
        """
        if not transactional_id:
            return (NO_ERROR, self.new_id(), 0) if known < 0 else (NO_ERROR, known, epoch + 1)
        found = self.transactions.get(transactional_id)
        if found is None:
            found = self.transactions[transactional_id] = Transaction(self.new_id(), -1)
        elif known >= 0 and (known, epoch) != (found.producer_id, found.epoch):
            return PRODUCER_FENCED, -1, -1
        self._settle(transactional_id, found, Fate.ABORTED)
        found.epoch, found.ended = found.epoch + 1, None
        return NO_ERROR, found.producer_id, found.epoch

    def add(self, transactional_id: str, producer_id: int, epoch: int, topics: Iterator[str]) -> int:
        """Take topics into a transaction; return an error code."""
        error = self._check(transactional_id, producer_id, epoch)
        if not error:
            self.transactions[transactional_id].topics.update(topics)
        return error

    def append(self, topic: str, data: bytes, transactional_id: str, *, adds: bool) -> tuple[int, int]:
        """Append a batch, unless it is known or out of order; return an error code, and its offset.

        Args:
            topic: the topic.
            data: the batch.
            transactional_id: whose it is; empty for none.
            adds: True if the topic joins the transaction by this (KIP-890).
        """
        try:
            batch: Any = structure("record_batch").decode(data)
            values = tuple(record.value for record in decode(data))
        except FormatError:
            return CORRUPT_MESSAGE, -1
        is_transactional = bool(batch.attributes & TRANSACTIONAL_BIT)
        if is_transactional and (error := self._join(topic, batch, transactional_id, adds=adds)):
            return error, -1
        error, offset = self._place(topic, batch, len(values))
        if error or offset is not None:
            return error, -1 if offset is None else offset
        offset = self._ends.get(topic, 0)
        self._ends[topic] = offset + len(values)
        fate = Fate.OPEN if is_transactional else Fate.COMMITTED
        self.log.append(Appended(topic, values, offset, transactional_id, fate))
        del self.log[:-MOST_BATCHES]
        self._remember(topic, batch, len(values), offset)
        return NO_ERROR, offset

    def end(self, transactional_id: str, producer_id: int, epoch: int, fate: Fate, *, raises: bool) -> tuple[int, int]:
        """End a transaction; return an error code, and the epoch of the next one.

        Args:
            transactional_id: whose it is.
            producer_id: the producer.
            epoch: its epoch.
            fate: how it ends.
            raises: True if the epoch rises with each transaction (KIP-890).
        """
        found = self.transactions.get(transactional_id)
        if found is not None and raises and found.ended == (fate, epoch) and found.epoch == epoch + 1:
            return NO_ERROR, found.epoch  # it asks again, since the answer was lost
        if error := self._check(transactional_id, producer_id, epoch):
            return error, -1
        assert found is not None  # noqa: S101 - else it was an error
        if not found.topics and found.ended != (fate, epoch) and not raises:
            return INVALID_TXN_STATE, -1
        self._settle(transactional_id, found, fate)
        found.ended = fate, epoch
        found.epoch += int(raises)
        return NO_ERROR, found.epoch

    def visible(self, topic: str) -> list[bytes | None]:
        """Return the values that a `read_committed` reader sees of a topic at the end."""
        return [
            value
            for batch in self.log
            if batch.topic == topic and batch.fate is Fate.COMMITTED
            for value in batch.values
        ]

    def _check(self, transactional_id: str, producer_id: int, epoch: int) -> int:
        found = self.transactions.get(transactional_id)
        if found is None or found.producer_id != producer_id:
            return INVALID_PRODUCER_ID_MAPPING
        return NO_ERROR if epoch == found.epoch else PRODUCER_FENCED if epoch < found.epoch else INVALID_PRODUCER_EPOCH

    def _join(self, topic: str, batch: Any, transactional_id: str, *, adds: bool) -> int:
        error = self._check(transactional_id, batch.producer_id, batch.producer_epoch)
        if error:
            return INVALID_PRODUCER_EPOCH if error == PRODUCER_FENCED else error
        found = self.transactions[transactional_id]
        if adds:
            found.topics.add(topic)
        return NO_ERROR if topic in found.topics else INVALID_TXN_STATE

    def _settle(self, transactional_id: str, found: Transaction, fate: Fate) -> None:
        found.topics.clear()
        for batch in self.log:
            if batch.transactional_id == transactional_id and batch.fate is Fate.OPEN:
                batch.fate = fate

    def _place(self, topic: str, batch: Any, count: int) -> tuple[int, int | None]:
        """Return an error code, and the offset of a batch that is there already."""
        known = self._known.get((topic, batch.producer_id))
        if batch.producer_id < 0 or known is None:
            return NO_ERROR, None
        if batch.producer_epoch < known.epoch:
            return INVALID_PRODUCER_EPOCH, None
        first = batch.base_sequence
        if batch.producer_epoch > known.epoch:
            return (OUT_OF_ORDER_SEQUENCE_NUMBER if first else NO_ERROR), None
        for begin, last, offset in known.batches:
            if (begin, last) == (first, first + count - 1):
                return NO_ERROR, offset
        return (NO_ERROR if first == known.batches[-1][1] + 1 else OUT_OF_ORDER_SEQUENCE_NUMBER), None

    def _remember(self, topic: str, batch: Any, count: int, offset: int) -> None:
        if batch.producer_id < 0:
            return
        known = self._known.get((topic, batch.producer_id))
        if known is None or known.epoch != batch.producer_epoch:
            known = self._known[topic, batch.producer_id] = _Producer(batch.producer_epoch)
        known.batches.append((batch.base_sequence, batch.base_sequence + count - 1, offset))
        del known.batches[:-REMEMBERED]
