"""Wrong consumers by name, and what each makes of the answer to a fetch.

They go wrong where a consumer does more than decode: in transactions, in the position, in the
order and the number of records, at gaps, at what is damaged. `causes` looks among them for the one
that a target behaves like.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kafka_format.records import Record

from kafka_conformance.kinds.consumer.wrong_consumers.errors import OF_ERRORS
from kafka_conformance.kinds.consumer.wrong_consumers.features import of_features
from kafka_conformance.kinds.consumer.wrong_consumers.positions import OF_POSITION
from kafka_conformance.kinds.consumer.wrong_consumers.record_lists import (
    OF_RECORDS,
    first_only,
    large_key_lost,
    large_lost,
    last_only,
    small_lost,
)
from kafka_conformance.kinds.consumer.wrong_consumers.transactions import OF_TRANSACTIONS
from kafka_conformance.kinds.consumer.wrong_consumers.ways import (
    Consumed,
    Way,
    WrongConsumer,
    position_moved,
    within,
)

__all__ = ["WRONG_CONSUMERS", "Consumed", "Way", "WrongConsumer", "by_size", "position_moved", "within"]

WRONG_CONSUMERS: Final = (*OF_TRANSACTIONS, *OF_POSITION, *OF_RECORDS, *of_features(), *OF_ERRORS)
"""All of them, the most usual first: of those that a target does not tell apart, the first is
named."""


def by_size(lost: Sequence[Record], kept: Sequence[int]) -> Iterator[WrongConsumer]:
    """Yield consumers that lose records for a size, or for their number.

    Args:
        lost: records that did not come.
        kept: how many came of each answer that some are missing of.
    """
    if not lost:
        return
    values = [len(record.value or b"") for record in lost]
    yield large_lost(min(values))
    yield small_lost(max(values))
    yield large_key_lost(min(len(record.key or b"") for record in lost))
    for most in {max(kept)} - {0, 1}:
        yield from (first_only(most), last_only(most))
