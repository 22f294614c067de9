"""From entries to records: what a consumer sees of v0, v1 and v2.

Records of v2 count offsets and timestamps from their batch (KIP-98); messages of v0 and v1 are in `legacy`. Decoding is
strict: what Kafka's own readers accept beyond the rules is allowed by flags, one by one, or all those of one release.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kafka_format import structure
from kafka_format.codec.interpreter.reader import DEFAULT_LIMIT
from kafka_format.compression import NAMES
from kafka_format.errors import FormatError, Stage
from kafka_format.primitives.numbers import write_varint
from kafka_format.records import controls, legacy, quick
from kafka_format.records.budget import DEFAULT_RECORDS, Budget
from kafka_format.records.entries import FORMATS, MAGIC_AT, START, Entry, Place, split
from kafka_format.records.model import (
    CODEC_MASK,
    CONTROL_BIT,
    CREATE_TIME,
    LOG_APPEND_TIME,
    TIMESTAMP_TYPE_BIT,
    TRANSACTIONAL_BIT,
    Header,
    Record,
    sequence_of,
    wrapped,
)
from kafka_format.spec.releases import Release, allowed, release

_ATTRIBUTES_AT: Final = (17, 17, 22)
"""Where the byte with the codec stands in an entry, by magic."""

_COUNT_AT: Final = 57
_HEADER_SIZE: Final = 61
_SMALLEST_RECORD: Final = 7
_new: Final = tuple.__new__
"""Makes a named tuple of a tuple, without looking at either."""


def decode(
    data: bytes,
    *,
    flags: frozenset[str] = frozenset(),
    as_kafka: str = "",
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
    read_control: bool = True,
) -> list[Record]:
    """Read all records of a run of entries, as a fetch response has it.

    An entry that is cut off at the end is no fault.

    Args:
        data: the bytes; v0, v1 and v2 are told apart by the magic byte of each entry.
        flags: names of the leniencies that are allowed, as in spec/flags.yaml.
        as_kafka: a release of spec/releases.yaml, for example `3.9`: its leniencies are allowed too, and formats and
            codecs that it does not know yet are refused.
        limit: bytes that all payloads together may decompress to.
        max_records: records that there may be. With `limit` it bounds the memory: see `budget`.
        read_control: False leaves it to the caller what is in the keys and values of control records.

    Raises:
        FormatError: the bytes break a rule, or are more than a limit allows.
        ValueError: there is no such flag or release; the text says what there is.
    """
    if type(data) is not bytes:
        data = bytes(data)
    budget = Budget(limit, max_records)
    found, position, entries = ([], 0, 0) if flags or as_kafka else quick.decode(data, 0, len(data), budget)
    if not entries or position < len(data):
        at = Place(position, entries)
        for records in by_entry(data, flags, as_kafka, budget, read_control=read_control, at=at):
            found += records
    return found


def iterate(
    data: bytes,
    *,
    flags: frozenset[str] = frozenset(),
    as_kafka: str = "",
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
    read_control: bool = True,
) -> Iterator[Record]:
    """Yield the records of a run of entries one by one.

    The arguments are those of `decode`, but both limits hold for each entry by itself. Before a FormatError come all
    records of the entries before the fault.

    Raises:
        FormatError: the bytes break a rule, or those of an entry are more than a limit allows.
        ValueError: there is no such flag or release.
    """
    budget = Budget(limit, max_records)
    for records in by_entry(data, flags, as_kafka, budget, read_control=read_control):
        yield from records
        budget.limit, budget.records = limit, max_records


def by_entry(
    data: bytes,
    flags: frozenset[str],
    as_kafka: str,
    budget: Budget,
    *,
    read_control: bool,
    at: Place = START,
) -> Iterator[list[Record]]:
    """Yield the records of each entry from `at` on, and take them off a budget that callers may share between calls."""
    if type(data) is not bytes:
        data = bytes(data)
    kafka = release(as_kafka) if as_kafka else None
    flags = allowed(flags, as_kafka)
    for index, entry in enumerate(split(data, flags, at=at), at.entry):
        try:
            if kafka is not None:
                _known_to(kafka, data, entry)
            records = read_entry(data, entry, flags, budget, read_control=read_control)
        except FormatError as error:
            error.entry = index
            raise
        yield records


def read_entry(
    data: bytes, entry: Entry, flags: frozenset[str], budget: Budget, *, read_control: bool = True
) -> list[Record]:
    """Read the records of one entry of a run, and take what they cost off the budget.

    Raises:
        FormatError: the bytes break a rule, or are more than the budget.
    """
    if entry.magic == 2:
        found, position, _ = quick.decode(data, entry.start, entry.end, budget)
        if position == entry.end:
            return found
    limit = budget.limit
    read = _batch if entry.magic == 2 else legacy.read
    records = read(data, entry, flags, budget)
    if read_control and records and records[0].control:
        controls.check(records, data, entry, flags, limit)
    return records


def _known_to(kafka: Release, data: bytes, entry: Entry) -> None:
    """Refuse a format or a codec that came after this release."""
    if FORMATS[entry.magic] not in kafka.formats:
        detail = f"is {entry.magic}; Kafka {kafka.name} reads {', '.join(kafka.formats)}"
        raise FormatError(
            detail, rule="entry.magic.known", stage=Stage.FRAMING, offset=entry.start + MAGIC_AT, path="magic"
        )
    at = entry.start + _ATTRIBUTES_AT[entry.magic]
    codec = data[at] & CODEC_MASK if at < entry.end else 0
    if entry.magic == 2 and codec < len(NAMES) and NAMES[codec] not in kafka.codecs:
        detail = f"is {codec} ({NAMES[codec]}); Kafka {kafka.name} reads {', '.join(kafka.codecs)}"
        raise FormatError(detail, rule="v2.codec.known", stage=Stage.STRUCTURE, offset=at - 1, path="attributes.codec")


def _batch(data: bytes, entry: Entry, flags: frozenset[str], budget: Budget) -> list[Record]:
    start, end, _ = entry
    if data[start + _ATTRIBUTES_AT[2]] & CODEC_MASK or end - start > _SMALLEST_RECORD * budget.records:
        _check_count(data, entry, budget)
    batch, _ = structure("record_batch").read(data, start, end, flags=flags, limit=budget.limit)
    budget.records -= len(batch.records)
    attributes, base_offset, base_timestamp = batch.attributes, batch.base_offset, batch.base_timestamp
    appended = LOG_APPEND_TIME if attributes & TIMESTAMP_TYPE_BIT else CREATE_TIME
    producer_id, producer_epoch, base_sequence = batch.producer_id, batch.producer_epoch, batch.base_sequence
    transactional, control = bool(attributes & TRANSACTIONAL_BIT), bool(attributes & CONTROL_BIT)
    codec = attributes & CODEC_MASK
    if codec:
        budget.limit -= _payload_size(batch.records)
    found = []
    for _, _, timestamp_delta, offset_delta, key, value, _, read in batch.records:
        timestamp = batch.max_timestamp if appended else wrapped(base_timestamp + timestamp_delta)
        headers = tuple([_new(Header, header) for header in read]) if read else ()
        sequence = sequence_of(base_sequence, offset_delta)
        found.append(_new(Record, (
            wrapped(base_offset + offset_delta), timestamp, appended, key, value, headers,
            producer_id, producer_epoch, sequence, transactional, control, codec,
        )))  # fmt: skip
    return found


def _check_count(data: bytes, entry: Entry, budget: Budget) -> None:
    """Refuse more records than are allowed, unless the payload cannot hold them: then the reader has a better word."""
    count = int.from_bytes(data[entry.start + _COUNT_AT : entry.start + _HEADER_SIZE], "big")
    compressed = data[entry.start + _ATTRIBUTES_AT[2]] & CODEC_MASK
    room = budget.limit if compressed else entry.end - entry.start - _HEADER_SIZE
    if budget.records < count <= room // _SMALLEST_RECORD:
        raise budget.exceeded(entry.start + _COUNT_AT, "record_count")


def _payload_size(records: list[Any]) -> int:
    """Return the bytes that records had in their payload."""
    return sum([len(write_varint(record.length)) + record.length for record in records])
