"""Takes the bytes of a producer apart, and refuses what a broker refuses (storage LogValidator)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kafka_format import compression, records
from kafka_format.broker.offsets.model import TopicState
from kafka_format.broker.records_builder import refusal
from kafka_format.errors import FormatError
from kafka_format.records.budget import Budget
from kafka_format.records.decoding import by_entry
from kafka_format.records.entries import Entry, split
from kafka_format.records.formats import head_of
from kafka_format.records.model import (
    CODEC_MASK,
    CONTROL_BIT,
    LOG_APPEND_TIME,
    NO_TIMESTAMP,
    TIMESTAMP_TYPE_BIT,
    TRANSACTIONAL_BIT,
    Record,
)


class ProduceData:
    """The parsed entries of a Produce request.

    Attributes:
        data: the whole entries.
        entries: where they are.
        heads: fixed fields of the structure with the checksum, of each entry.
        magic: that of the first entry.
        codec: name of the codec of the last compressed entry; `none` if there is none.
        groups: the records of each entry.
        records: all records.
    """

    def __init__(self, data: bytes, flags: frozenset[str], budget: Budget) -> None:
        """Split and decode `data`.

        Raises:
            FormatError: the bytes break a rule of their format, or there are none or too many
                entries.
        """
        self.entries = list(split(data, flags))
        self.data = data[: self.entries[-1].end] if self.entries else b""
        if not self.entries:
            raise refusal("offsets.entries.some", "there is no whole entry")
        self.heads = [_head(data, entry) for entry in self.entries]
        self.magic = self.entries[0].magic
        codecs = [head.attributes & CODEC_MASK for head in self.heads]
        compressed = [codec for codec in codecs if codec]
        if self.magic == 2 or compressed:
            _check_single(self.entries)
        self.groups = [self._decode_records(index, flags, budget) for index in range(len(self.entries))]
        self.records = [record for group in self.groups for record in group]
        self.codec = compression.NAMES[compressed[-1]] if compressed else "none"

    def _decode_records(self, index: int, flags: frozenset[str], budget: Budget) -> list[Record]:
        entry = self.entries[index]
        try:
            (entry_records,) = by_entry(self.data[entry.start : entry.end], flags, "", budget, read_control=True)
        except FormatError as error:
            raise error.within(offset=entry.start, entry=index) from None
        return entry_records


def _head(data: bytes, entry: Entry) -> Any:
    """Return the fixed fields of a batch, or of the message in an entry."""
    form, start = head_of(entry)
    if entry.end - start < form.size:
        records.decode(data[entry.start : entry.end])
    return form.read(data, start)


def _check_single(entries: Sequence[Entry]) -> None:
    if len(entries) > 1:
        detail = f"{len(entries)} entries, where only uncompressed messages of v0 and v1 may be several"
        raise refusal("offsets.entries.one", detail, offset=entries[1].start, entry=1)


def validate(produced: ProduceData, index: int, topic: TopicState) -> None:
    """Raise an error for entries that LogValidator refuses from clients."""
    entry, head = produced.entries[index], produced.heads[index]
    _check_magic(entry, index, produced.magic)
    if entry.magic == 2:
        _check_count(head)
        _check_no_control(head)
        _check_sequence(head)
        _check_producer(head, topic)
    if head.attributes & TIMESTAMP_TYPE_BIT and entry.magic:
        _check_timestamp_type(produced.groups[index], entry, index, topic)


def _check_magic(entry: Entry, index: int, first: int) -> None:
    if entry.magic != first:
        detail = f"is {entry.magic}, that of the first entry {first}"
        raise refusal("offsets.magic.one", detail, "magic", offset=entry.start, entry=index)


def _check_count(head: Any) -> None:
    if head.last_offset_delta < 0 or head.record_count <= 0 or head.record_count != head.last_offset_delta + 1:
        detail = f"{head.record_count} records, but offsets from 0 to {head.last_offset_delta}"
        raise refusal("offsets.v2.count", detail, "record_count")


def _check_no_control(head: Any) -> None:
    if head.attributes & CONTROL_BIT:
        raise refusal("offsets.v2.control", "a client sent a control batch", "attributes")


def _check_sequence(head: Any) -> None:
    if head.producer_id >= 0 and head.base_sequence < 0:
        detail = f"is {head.base_sequence}, with producer id {head.producer_id}"
        raise refusal("offsets.v2.sequence", detail, "base_sequence")


def _check_producer(head: Any, topic: TopicState) -> None:
    if topic.magic < 2 and (head.attributes & TRANSACTIONAL_BIT or head.producer_id >= 0):
        raise refusal("offsets.producer.refused", f"v{topic.magic} has no producers and transactions", "producer_id")


def _check_timestamp_type(entry_records: Sequence[Record], entry: Entry, index: int, topic: TopicState) -> None:
    """Refuse a timestamp type of append time, which a client must not set.

    LogValidator.validateTimestamp checks it for some formats and codecs only.
    """
    for record in entry_records:
        if topic.timestamp_type == LOG_APPEND_TIME or record.timestamp == NO_TIMESTAMP:
            detail = "a client says that the broker set the timestamps"
            raise refusal("offsets.timestamp-type.client", detail, "attributes", offset=entry.start, entry=index)
