"""The transaction index of a segment: aborted transactions that end in it (TransactionIndex)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.codec.structures import structure
from kafka_format.errors import FormatError, Stage
from kafka_format.log.mapped_file import Data
from kafka_format.primitives.counts import byte_count

_ABORTED: Final = prefix("transaction_index_entry")
_LAYOUT: Final = "transaction_index_entry"

ENTRY_SIZE: Final = _ABORTED.size
SIZE_RULE: Final = "log.transaction-index.size"
LENIENT: Final = frozenset({"transaction-index-tail"})
"""The leniency of every release: a tail that is no entry."""


class AbortedTransaction(NamedTuple):
    """An entry of a transaction index.

    Attributes:
        producer_id: who aborted.
        first_offset: first offset of the transaction.
        last_offset: offset of the abort marker.
        last_stable_offset: the last stable offset once the marker is written.
    """

    producer_id: int
    first_offset: int
    last_offset: int
    last_stable_offset: int


def aborted_transactions(data: Data, flags: frozenset[str] = LENIENT) -> Iterator[AbortedTransaction]:
    """Yield the entries of a transaction index.

    Bytes after the last whole one are ignored, as in Kafka, unless the flags are others.

    Raises:
        FormatError: the version of an entry is not 0. Kafka up to 4.3 looks at the first byte of
            the two alone. Or, without the flag, the file ends within an entry.
    """
    read: Any = structure(_LAYOUT).decode
    for start in range(0, len(data) - _ABORTED.size + 1, _ABORTED.size):
        try:
            entry = read(bytes(data[start : start + _ABORTED.size]))
        except FormatError as error:
            raise error.within(start // _ABORTED.size, offset=start) from None
        yield AbortedTransaction(entry.producer_id, entry.first_offset, entry.last_offset, entry.last_stable_offset)
    tail = len(data) % _ABORTED.size
    if tail and not flags & LENIENT:
        detail = f"ends with {byte_count(tail)} and not an entry of {_ABORTED.size}"
        raise FormatError(detail, rule=SIZE_RULE, stage=Stage.FRAMING, offset=len(data) - tail)


def encode(entries: Iterable[AbortedTransaction]) -> bytes:
    """Write the entries of a transaction index."""
    write = structure(_LAYOUT)
    return b"".join(write.encode(write.type(**entry._asdict())) for entry in entries)
