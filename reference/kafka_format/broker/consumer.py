"""Works out what a consumer makes of a fetch response: records, and the next fetch offset.

This is the part of reading that is not decoding, and where most clients went wrong once: batches
without any record left, control batches, aborted transactions, records before the fetch offset,
responses that hold no whole entry. It follows clients CompletedFetch and FetchCollector step by
step, as a consumer with `check.crcs` runs them.

It is strict where they are loose: a batch or wrapper that breaks any rule of its format gives none
of its records, where Kafka gives those before the error, and the checksum of a wrapper itself
counts, at which Kafka's consumer never looks. An error is always reported: Kafka drops it where
entries far before the fetch offset have moved it back. And what came before an error is always
delivered: Kafka loses it where its own code throws what is no KafkaException, as for the length of
a key or value of v0 and v1 that goes beyond the message, or for a chunk of snappy of a negative
length.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Final, NamedTuple

from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError, Stage
from kafka_format.primitives.integers import int64
from kafka_format.records import control
from kafka_format.records.budget import DEFAULT_RECORDS, Budget
from kafka_format.records.decoding import by_entry
from kafka_format.records.entries import Entry, split
from kafka_format.records.formats import head_of
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT, TRANSACTIONAL_BIT, Record
from kafka_format.spec.releases import allowed_flags

READ_UNCOMMITTED: Final = "read_uncommitted"
READ_COMMITTED: Final = "read_committed"
ISOLATIONS: Final = (READ_UNCOMMITTED, READ_COMMITTED)
"""The isolation levels; their order is their number in a fetch request (KIP-98)."""


class Aborted(NamedTuple):
    """An aborted transaction, as a fetch response lists it: its producer, and its first offset."""

    producer_id: int
    first_offset: int


class Reason(StrEnum):
    """Why records of a response do not reach the application."""

    BEFORE_FETCH_OFFSET = "before-fetch-offset"
    CONTROL = "control"
    ABORTED = "aborted"


class Skipped(NamedTuple):
    """Some offsets of one entry that the application does not get.

    Attributes:
        entry: index of the entry in the response.
        reason: why not.
        first_offset: the first of them.
        last_offset: the last of them.
    """

    entry: int
    reason: Reason
    first_offset: int
    last_offset: int


class Delivery(NamedTuple):
    """The result of reading one fetch response as a consumer.

    Attributes:
        records: what the application gets.
        next_offset: where the consumer fetches next; the offset of this fetch if it made no
            progress.
        skipped: what it does not get.
        too_small: the response has bytes and no whole entry, so the fetch size is too small; there
            is no progress.
        error: what stopped the reading; the records before it are delivered first.
    """

    records: list[Record]
    next_offset: int
    skipped: list[Skipped]
    too_small: bool = False
    error: FormatError | None = None


def deliver(
    entries: bytes,
    fetch_offset: int,
    isolation: str = READ_UNCOMMITTED,
    aborted: Iterable[tuple[int, int]] = (),
    *,
    flags: frozenset[str] = frozenset(),
    as_kafka: str = "",
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
) -> Delivery:
    """Read a fetch response of one partition as a consumer does.

    Args:
        entries: the records field of the response: a run of entries, the last of which may be cut
            off.
        fetch_offset: the offset that was asked for.
        isolation: `read_uncommitted` or `read_committed`.
        aborted: the response's list of aborted transactions, as pairs of producer id and first
            offset, in any order. Without read_committed it is not looked at.
        flags: names of the leniencies that are allowed, as in spec/flags.yaml.
        as_kafka: a release of spec/releases.yaml, as for `records.decode`.
        limit: bytes that all payloads together may decompress to.
        max_records: records that may be read, delivered or not.

    Raises:
        ValueError: there is no such isolation level, flag or release. Wrong bytes raise nothing;
            they are the delivery's `error`, and so is a limit that is reached.
    """
    if isolation not in ISOLATIONS:
        raise ValueError(f"there is no isolation level {isolation!r}; there are {', '.join(ISOLATIONS)}")
    data = bytes(entries)
    waiting = [Aborted._make(pair) for pair in aborted] if isolation == READ_COMMITTED else None
    reading = _Reading(allowed_flags(flags, as_kafka), as_kafka, Budget(limit, max_records))
    return _Fetch(data, fetch_offset, waiting, reading).delivery()


class _Reading(NamedTuple):
    """The leniencies, the release and the limits of reading."""

    flags: frozenset[str]
    as_kafka: str
    budget: Budget


class _Fetch:
    """One response on its way to the application (clients CompletedFetch)."""

    def __init__(self, data: bytes, fetch_offset: int, waiting: list[Aborted] | None, reading: _Reading) -> None:
        self._data = data
        self._fetch_offset = self._next_offset = fetch_offset
        self._committed_only = waiting is not None
        self._waiting = sorted(waiting or (), key=lambda transaction: transaction.first_offset, reverse=True)
        self._aborting: set[int] = set()
        self._reading = reading
        self._delivered: list[Record] = []
        self._skipped: list[Skipped] = []

    def delivery(self) -> Delivery:
        after: int | None = None
        try:
            for index, entry in enumerate(split(self._data, self._reading.flags)):
                after = self._offset_after(index, entry)
        except FormatError as error:
            return self._end_with_error(error)
        if after is None:
            return Delivery([], self._fetch_offset, [], too_small=bool(self._data))
        self._next_offset = after
        return self._end(None)

    def _end_with_error(self, error: FormatError) -> Delivery:
        """End with an error: a consumer that has no record to return throws, and does not move."""
        if not self._delivered:
            self._next_offset = self._fetch_offset
        return self._end(error)

    def _end(self, error: FormatError | None) -> Delivery:
        """End; the position of a consumer never moves back (FetchCollector.fetchRecords)."""
        moved = max(self._next_offset, self._fetch_offset)
        return Delivery(self._delivered, moved, self._skipped, error=error)

    def _offset_after(self, index: int, entry: Entry) -> int:
        """Read one entry; return the offset after it, whatever is left in it."""
        return self._batch(index, entry) if entry.magic == 2 else self._message(index, entry)

    def _batch(self, index: int, entry: Entry) -> int:
        form = prefix("record_batch")
        if entry.end - entry.start < form.size:
            self._read(index, entry)
        head = form.read(self._data, entry.start)
        records = None
        if self._is_filtered(head):
            self._check(index, entry)
            self._begin_aborted(_last_offset(head))
            if _is_control(head):
                records = self._read(index, entry)
            if records and self._is_abort(index, entry, records[0]):
                self._end_aborted(head.producer_id)
            elif self._is_aborted(head):
                return self._pass_over(index, head)
        records = self._read(index, entry) if records is None else records
        self._hand_on(index, records, control=_is_control(head))
        return int64(_last_offset(head) + 1)

    def _is_filtered(self, head: Any) -> bool:
        """Tell whether a batch can belong to an aborted transaction."""
        return self._committed_only and head.producer_id >= 0

    def _is_aborted(self, head: Any) -> bool:
        return bool(head.attributes & TRANSACTIONAL_BIT) and head.producer_id in self._aborting

    def _pass_over(self, index: int, head: Any) -> int:
        """Leave out an aborted batch unread; return the offset after it."""
        last_offset = _last_offset(head)
        self._skip(index, Reason.ABORTED, head.base_offset, last_offset)
        self._next_offset = int64(last_offset + 1)
        return self._next_offset

    def _message(self, index: int, entry: Entry) -> int:
        (offset, _) = prefix("message_set_entry").read(self._data, entry.start)
        form, start = head_of(entry)
        attributes = form.value(self._data, start, "attributes")
        if not attributes & CODEC_MASK and offset < self._next_offset:
            # Kafka looks at the checksum of a message only when it is going to return it.
            self._skip(index, Reason.BEFORE_FETCH_OFFSET, offset, offset)
        else:
            self._hand_on(index, self._read(index, entry), control=False)
        return int64(offset + 1)

    def _read(self, index: int, entry: Entry) -> list[Record]:
        """Decode an entry strictly; errors say where they are in the whole response."""
        try:
            data = self._data[entry.start : entry.end]
            (records,) = by_entry(data, *self._reading, read_control=False)
        except FormatError as error:
            raise error.within(offset=entry.start, entry=index) from None
        return records

    def _check(self, index: int, entry: Entry) -> None:
        """Look at the checksum of a batch, before any of it is believed."""
        try:
            prefix("record_batch").check(self._data, entry.start, entry.end)
        except FormatError as error:
            raise error.within(entry=index) from None

    def _hand_on(self, index: int, records: list[Record], *, control: bool) -> None:
        """Deliver the records at or after the next offset.

        Control records only move that offset on.
        """
        for record in records:
            if self._is_before(record):
                self._skip(index, Reason.BEFORE_FETCH_OFFSET, record.offset, record.offset)
                continue
            if control:
                self._skip(index, Reason.CONTROL, record.offset, record.offset)
            else:
                self._delivered.append(record)
            self._next_offset = int64(record.offset + 1)

    def _is_before(self, record: Record) -> bool:
        return record.offset < self._next_offset

    def _skip(self, entry: int, reason: Reason, first: int, last: int) -> None:
        """Note what is skipped; what follows directly on the last note is one with it."""
        if self._skipped and self._skipped[-1][:2] == (entry, reason):
            self._skipped[-1] = self._skipped[-1]._replace(last_offset=last)
        else:
            self._skipped.append(Skipped(entry, reason, first, last))

    def _begin_aborted(self, last_offset: int) -> None:
        """Begin to filter producers whose aborted transactions begin no later than this batch."""
        while self._waiting and self._waiting[-1].first_offset <= last_offset:
            self._aborting.add(self._waiting.pop().producer_id)

    def _end_aborted(self, producer_id: int) -> None:
        """Stop to filter a producer."""
        self._aborting.discard(producer_id)

    def _is_abort(self, index: int, entry: Entry, first: Record) -> bool:
        """Tell whether a control batch aborts a transaction. Only its first record counts."""
        try:
            return control.check_key(first.key) == "abort"
        except FormatError as error:
            raise FormatError(
                error.detail,
                rule="consumer.control.key",
                stage=Stage.SEMANTICS,
                offset=entry.start,
                path=("records", 0, *error.path),
                entry=index,
            ) from None


def _last_offset(head: Any) -> int:
    """Return the last offset of a batch, whatever is left in it."""
    return int64(head.base_offset + head.last_offset_delta)


def _is_control(head: Any) -> bool:
    return bool(head.attributes & CONTROL_BIT)
