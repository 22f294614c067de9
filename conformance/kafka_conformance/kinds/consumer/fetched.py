"""What is in the answer to a fetch, entry by entry: what a consumer may get wrong about it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from kafka_format.broker.consumer import Reason, deliver
from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.primitives.integers import int64
from kafka_format.records import Record
from kafka_format.records.budget import DEFAULT_RECORDS, Budget
from kafka_format.records.decoding import by_entry
from kafka_format.records.entries import Entry, split
from kafka_format.records.model import CONTROL_BIT, DELETE_HORIZON_BIT, TRANSACTIONAL_BIT

from kafka_conformance.kinds.consumer.questions import View

_BATCH: Final = prefix("record_batch")


@dataclass(frozen=True, slots=True)
class FetchedEntry:
    """One whole entry of an answer.

    Attributes:
        first: its first offset; of a message, its own.
        last: its last offset, whatever compaction left in it.
        records: all that is in it, markers of transactions among them; none if it breaks a rule.
        magic: its magic byte.
        producer: its producer id; -1 if it has none.
        is_control: True for a control batch.
        is_transactional: True for a batch of a transaction.
        is_aborted: True if a consumer with read_committed leaves it out.
        has_delete_horizon: True if compaction has noted when its tombstones may go (KIP-534).
        error: the rule that it breaks; None if it keeps all.
    """

    first: int
    last: int
    records: tuple[Record, ...]
    magic: int
    producer: int = -1
    is_control: bool = False
    is_transactional: bool = False
    is_aborted: bool = False
    has_delete_horizon: bool = False
    error: FormatError | None = None


class Fetched(NamedTuple):
    """An answer, and what a consumer must make of it.

    Attributes:
        view: what is asked of the consumer.
        entries: the whole entries; behind one that cannot be read, those that can be found.
        right: the records that the application must get, by entry.
        next_offset: where the consumer must go on.
        rest: what there is of a last entry that the broker has cut off.
    """

    view: View
    entries: Sequence[FetchedEntry]
    right: Sequence[Sequence[Record]]
    next_offset: int
    rest: bytes

    @property
    def is_sound(self) -> bool:
        """True if no entry breaks a rule."""
        return self.view.vector.fault is None


def fetched(view: View) -> Fetched:
    """Return what is in the answer that a view serves."""
    skipped = deliver(view.vector.data, view.fetch_offset, view.isolation, view.aborted).skipped
    aborted = {index for index, reason, *_ in skipped if reason is Reason.ABORTED}
    flags = frozenset({view.vector.flag} - {""})
    whole, rest = _split(view.vector.data, flags)
    entries = list(_entries(view.vector.data, whole, flags, aborted))
    next_offset = max(view.next_offsets, default=view.fetch_offset)
    return Fetched(view, entries, list(_right(view, entries)), next_offset, rest)


def _split(data: bytes, flags: frozenset[str]) -> tuple[Sequence[Entry], bytes]:
    """Return the whole entries, and what is behind them; nothing of that if it breaks a rule."""
    whole: list[Entry] = []
    try:
        whole.extend(split(data, flags, any_magic=True))  # if it ends with an error, what came stays
    except FormatError:
        return whole, b""
    return whole, data[whole[-1].end if whole else 0 :]


def _entries(data: bytes, whole: Iterable[Entry], flags: frozenset[str], aborted: set[int]) -> Iterator[FetchedEntry]:
    budget = Budget(DEFAULT_LIMIT, DEFAULT_RECORDS)
    for index, (start, end, magic) in enumerate(whole):
        found, error = _records(data[start:end], flags, budget)
        yield _entry(data[start:end], magic, found, error, is_aborted=index in aborted)


def _records(data: bytes, flags: frozenset[str], budget: Budget) -> tuple[tuple[Record, ...], FormatError | None]:
    try:
        (found,) = by_entry(data, flags, "", budget, read_control=False)
    except FormatError as error:
        return (), error
    return tuple(found), None


def _entry(
    data: bytes, magic: int, found: tuple[Record, ...], error: FormatError | None, *, is_aborted: bool
) -> FetchedEntry:
    if magic != 2 or len(data) < _BATCH.size:
        offset = int.from_bytes(data[:8], "big", signed=True)
        return FetchedEntry(min((record.offset for record in found), default=offset), offset, found, magic, error=error)
    first, delta, attributes, producer = (
        _BATCH.value(data, 0, name) for name in ("base_offset", "last_offset_delta", "attributes", "producer_id")
    )
    return FetchedEntry(
        first,
        int64(first + delta),
        found,
        magic,
        producer,
        is_control=bool(attributes & CONTROL_BIT),
        is_transactional=bool(attributes & TRANSACTIONAL_BIT),
        is_aborted=is_aborted,
        has_delete_horizon=bool(attributes & DELETE_HORIZON_BIT),
        error=error,
    )


def _right(view: View, entries: Sequence[FetchedEntry]) -> Iterator[list[Record]]:
    """Yield the records that must come, by the entry that they are of."""
    due = deque(view.records)
    for entry in entries:
        wanted = () if entry.is_control or entry.is_aborted else entry.records
        yield [due.popleft() for record in wanted if due and record == due[0]]
