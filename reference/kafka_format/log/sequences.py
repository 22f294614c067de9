"""Sequences of producers in a log: repeated batches, gaps and lower epochs, as hints.

A broker refuses these when a client sends them (storage ProducerAppendInfo). In a log they may be
right all the same: compaction and retention take batches, a producer that is forgotten begins
anywhere, and an epoch that rises begins at 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from kafka_format.log.batches import Batch
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.records.model import NO_PRODUCER, NO_SEQUENCE


class Oddity(StrEnum):
    """What is odd about a batch of a producer."""

    DUPLICATE = "has sequences that were there before"
    GAP = "leaves sequences out"
    LOWER_EPOCH = "has a lower epoch than the producer had"
    NOT_FROM_ZERO = "begins a new epoch above sequence 0"


class SequenceHint(NamedTuple):
    """A batch of a producer that does not follow the one before.

    Attributes:
        oddity: what is odd.
        producer_id: the producer.
        epoch: the epoch of the batch, and `before` that of the batch before.
        offset: the first offset of the batch.
        sequence: its first sequence, and `expected` the one that would follow.
    """

    oddity: Oddity
    producer_id: int
    epoch: int
    before: int
    offset: int
    sequence: int
    expected: int


_RANGE: Final = INT32_MAX + 1


def hints(log_batches: Iterable[Batch]) -> Iterator[SequenceHint]:
    """Yield what is odd about the sequences of producers in batches, in order."""
    known: dict[int, tuple[int, int]] = {}
    for batch in log_batches:
        if not batch.is_v2 or batch.producer_id == NO_PRODUCER or batch.has("is_control"):
            continue
        header, producer = batch.header, batch.producer_id
        if header.base_sequence == NO_SEQUENCE:
            continue
        last = (header.base_sequence + header.last_offset_delta) % _RANGE
        if producer in known:
            epoch, before = known[producer]
            oddity = _oddity(header.producer_epoch, header.base_sequence, epoch, before)
            if oddity is not None:
                at = (batch.base_offset, header.base_sequence, (before + 1) % _RANGE)
                yield SequenceHint(oddity, producer, header.producer_epoch, epoch, *at)
        known[producer] = (header.producer_epoch, last)


def _oddity(epoch: int, first: int, epoch_before: int, last_before: int) -> Oddity | None:
    if epoch < epoch_before:
        return Oddity.LOWER_EPOCH
    if epoch > epoch_before:
        return Oddity.NOT_FROM_ZERO if first else None
    expected = (last_before + 1) % _RANGE
    if first == expected:
        return None
    is_behind = (expected - first) % _RANGE < _RANGE // 2
    return Oddity.DUPLICATE if is_behind else Oddity.GAP
