"""Conversion of entries to another format: down for older clients, up for newer topics.

A broker of 0.10 to 3.x converted down when it answered a fetch request of an old version (clients
RecordsUtil; 4.0 took it away), and up, or down, when a topic's message format differed from a
producer's (storage LogValidator). Old formats have no place for much of what new ones hold; the
result lists what was lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final, NamedTuple

from kafka_format import compression
from kafka_format.broker.records_builder import BuilderSettings, refusal, write
from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.errors import FormatError
from kafka_format.records.budget import DEFAULT_RECORDS, Budget
from kafka_format.records.decoding import by_entry
from kafka_format.records.entries import FORMATS, Entry, split
from kafka_format.records.formats import head_of
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT, LOG_APPEND_TIME, TRANSACTIONAL_BIT, Record
from kafka_format.spec.layout import find
from kafka_format.spec.releases import allowed_flags

_DELETE_HORIZON_BIT: Final = find("record_batch").field("attributes").part("has_delete_horizon").in_place


class LossKind(StrEnum):
    """The kinds of loss in a conversion."""

    CONTROL_BATCH = "control-batch"
    EMPTY_BATCH = "empty-batch"
    BEFORE_FIRST_OFFSET = "before-first-offset"
    HEADERS = "headers"
    PRODUCER = "producer"
    TRANSACTION = "transaction"
    LEADER_EPOCH = "leader-epoch"
    DELETE_HORIZON = "delete-horizon"
    OFFSET_RANGE = "offset-range"
    TIMESTAMPS = "timestamps"


class ConversionLoss(NamedTuple):
    """One loss, in one entry.

    Attributes:
        entry: index of the entry in the input.
        loss: what it is. `offset-range` is the offsets before the first record and after the last
            one, which compaction emptied and only a batch remembers.
        offsets: the offsets of the records that lost it; empty if it is of the whole entry.
    """

    entry: int
    loss: LossKind
    offsets: tuple[int, ...] = ()


class Converted(NamedTuple):
    """The entries in the new format, and what was lost on the way."""

    data: bytes
    losses: list[ConversionLoss]


def down_convert(
    data: bytes,
    magic: int,
    first_offset: int = 0,
    *,
    flags: frozenset[str] = frozenset(),
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
) -> Converted:
    """Convert entries for a client that reads no magic above `magic`, as a broker did on a fetch.

    All entries are read, and must be sound; a broker reads only those that it converts, without
    their checksums. Entries that the client can read stay as they are. Offsets stay. A compressed
    batch becomes one wrapper; an uncompressed one becomes messages, of which those before
    `first_offset` are left out (KAFKA-5360).

    Args:
        data: the entries; one that is cut off at the end is left out.
        magic: 0 for fetch versions 0 and 1, 1 for versions 2 and 3, 2 for all that came later.
        first_offset: the offset that the client fetches from.
        flags: names of the leniencies that are allowed, as in spec/flags.yaml.
        limit: bytes that all payloads together may decompress to.
        max_records: records that there may be.

    Raises:
        FormatError: the bytes break a rule of their format, or cannot be converted, like a zstd
            batch.
        ValueError: there is no such magic or flag.
    """
    if magic not in FORMATS:
        raise ValueError(f"there is no magic {magic}; there are {', '.join(map(str, FORMATS))}")
    data = bytes(data)
    options = _Options(allowed_flags(flags, ""), Budget(limit, max_records))
    written: list[bytes] = []
    lost: list[ConversionLoss] = []
    for index, entry in enumerate(split(data, flags)):
        source = _Source(data, entry, index)
        try:
            written.append(_entry(source, magic, first_offset, lost, options))
        except FormatError as error:
            raise source.place(error) from None
    return Converted(b"".join(written), lost)


class _Options(NamedTuple):
    flags: frozenset[str]
    budget: Budget


class _Source:
    """One entry of the input."""

    def __init__(self, data: bytes, entry: Entry, index: int) -> None:
        self.raw = data[entry.start : entry.end]
        self.start = entry.start
        self.magic = entry.magic
        self.index = index
        fields, start = head_of(entry)
        self.head: Any = fields.read(data, start) if entry.end - start >= fields.size else None

    @property
    def codec(self) -> str:
        """Name of the codec."""
        return compression.NAMES[self.head.attributes & CODEC_MASK]

    def is_control(self) -> bool:
        """Tell whether it is a batch of control records."""
        return self.magic == 2 and bool(self.head.attributes & CONTROL_BIT)

    def place(self, error: FormatError) -> FormatError:
        """Return an error with its place in the whole input."""
        return error.within(offset=self.start, entry=self.index)

    def records(self, options: _Options) -> list[Record]:
        (records,) = by_entry(self.raw, options.flags, "", options.budget, read_control=True)
        return records


def _entry(source: _Source, magic: int, first_offset: int, lost: list[ConversionLoss], options: _Options) -> bytes:
    records = source.records(options)
    if magic < 2 and source.is_control():
        lost.append(ConversionLoss(source.index, LossKind.CONTROL_BATCH))
        return b""
    _check_codec(source, magic)
    if _is_readable(source, magic):
        return source.raw
    if not records:
        lost.append(ConversionLoss(source.index, LossKind.EMPTY_BATCH))
        return b""
    kept = _records_to_write(source, records, first_offset)
    lost.extend(_losses(source, magic, records, kept))
    return write(_without_headers(kept), _settings(source, kept, magic)) if kept else b""


def _check_codec(source: _Source, magic: int) -> None:
    if magic < 2 and source.codec == "zstd":
        raise refusal("conversion.zstd.refused", f"a zstd batch cannot be converted to v{magic}", "attributes")


def _is_readable(source: _Source, magic: int) -> bool:
    return source.magic <= magic


def _records_to_write(source: _Source, records: list[Record], first_offset: int) -> list[Record]:
    """Return the records to write: what is compressed stays whole (KAFKA-5360)."""
    return records if source.codec != "none" else [record for record in records if record.offset >= first_offset]


def _without_headers(records: list[Record]) -> list[Record]:
    return [record._replace(headers=()) for record in records]


def _settings(source: _Source, kept: list[Record], magic: int) -> BuilderSettings:
    first = kept[0]
    appended = first.timestamp if first.timestamp_type == LOG_APPEND_TIME else -1
    return BuilderSettings(magic, source.codec, first.offset, first.timestamp_type, appended)


def _losses(source: _Source, magic: int, records: list[Record], kept: list[Record]) -> Iterator[ConversionLoss]:
    """Yield what an entry loses, apart from losses of records that are left out altogether."""
    held = {record.offset for record in kept}
    before = tuple(record.offset for record in records if record.offset not in held)
    if before:
        yield ConversionLoss(source.index, LossKind.BEFORE_FIRST_OFFSET, before)
    by_record = {LossKind.HEADERS: [record.offset for record in kept if record.headers]}
    if magic == 0:
        by_record[LossKind.TIMESTAMPS] = [record.offset for record in kept if record.timestamp != -1]
    for loss, at in by_record.items():
        if at:
            yield ConversionLoss(source.index, loss, tuple(at))
    if source.magic == 2:
        yield from (ConversionLoss(source.index, loss) for loss in _batch_losses(source.head, records))


def _batch_losses(head: Any, records: list[Record]) -> Iterator[LossKind]:
    if head.producer_id >= 0:
        yield LossKind.PRODUCER
    if head.attributes & TRANSACTIONAL_BIT:
        yield LossKind.TRANSACTION
    if head.partition_leader_epoch >= 0:
        yield LossKind.LEADER_EPOCH
    if head.attributes & _DELETE_HORIZON_BIT:
        yield LossKind.DELETE_HORIZON
    if (records[0].offset, records[-1].offset) != (head.base_offset, head.base_offset + head.last_offset_delta):
        yield LossKind.OFFSET_RANGE
