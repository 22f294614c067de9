"""From entries to records: what a consumer sees of v0, v1 and v2.

Records of v2 count offsets and timestamps from their batch (KIP-98); messages of v0 and v1 are in
`legacy`. Decoding is strict: what Kafka's own readers accept beyond the rules is allowed by flags,
one by one, or all those of one release.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any, Final

from kafka_format.codec.compiler import structure
from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.codec.prefix import prefix
from kafka_format.codec.readings import READINGS
from kafka_format.compression import NAMES
from kafka_format.errors import FormatError, Stage
from kafka_format.primitives.collector import LARGE, paused_collector
from kafka_format.primitives.integers import int64
from kafka_format.records import control, legacy, quick
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
)
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Nested, minimum_size
from kafka_format.spec.releases import Release, allowed_flags, release

_SMALLEST_RECORD: Final = minimum_size(Nested(find("record")))


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

    An entry that is cut off at the end is left out; that is no error.

    Args:
        data: the bytes; v0, v1 and v2 are told apart by the magic byte of each entry.
        flags: names of the leniencies that are allowed, as in spec/flags.yaml.
        as_kafka: a release of spec/releases.yaml, for example `3.9`: its leniencies are allowed
            too, and formats and codecs that it does not know yet are refused.
        limit: bytes that all payloads together may decompress to.
        max_records: records that there may be. With `limit` it bounds the memory: see `budget`.
        read_control: False leaves it to the caller what is in the keys and values of control
            records.

    Raises:
        FormatError: the bytes break a rule, or are more than a limit allows.
        ValueError: there is no such flag or release; the text says what there is.
    """
    begun = None
    if READINGS.machine is not None and not flags and not as_kafka:
        begun = quick.MACHINE.decode(data, 0, None, limit, max_records)
        if type(begun) is list:
            return begun
    if type(data) is not bytes:
        data = bytes(data)
    budget = Budget(limit, max_records)
    decoded: list[Record] = []
    given_up = None
    if not flags and not as_kafka:
        decoded, position, entries = quick.decode(data, 0, len(data), budget, read_control=read_control, begun=begun)
        if position == len(data):
            return decoded
        given_up = Place(position, entries)
    with paused_collector() if len(data) >= LARGE else nullcontext():
        for records in by_entry(data, flags, as_kafka, budget, read_control=read_control, given_up=given_up):
            decoded += records
    return decoded


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

    The arguments are those of `decode`, but both limits hold for each entry by itself. A
    FormatError comes after all records of the entries before the wrong one.

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
    given_up: Place | None = None,
) -> Iterator[list[Record]]:
    """Yield the records of each entry. They are taken off a budget, which calls may share.

    Args:
        data: the bytes.
        flags: names of the leniencies that are allowed.
        as_kafka: a release whose leniencies are allowed too, as for `decode`.
        budget: what is left of the limits.
        read_control: False leaves it to the caller what is in the keys and values of control
            records.
        given_up: the entry to begin with, which the quick reader has given up already; None for the
            first one.

    Raises:
        FormatError: the bytes break a rule, or are more than the budget.
        ValueError: there is no such flag or release.
    """
    if type(data) is not bytes:
        data = bytes(data)
    kafka = release(as_kafka) if as_kafka else None
    flags = allowed_flags(flags, as_kafka)
    at = given_up or START
    for index, entry in enumerate(split(data, flags, at=at), at.entry):
        try:
            if kafka is not None:
                _check_release(kafka, data, entry)
            is_given_up = given_up is not None and index == given_up.entry
            read = _interpret if is_given_up else read_entry
            records = read(data, entry, flags, budget, read_control=read_control)
        except FormatError as error:
            raise error.within(entry=index) from None
        yield records


def read_entry(
    data: bytes, entry: Entry, flags: frozenset[str], budget: Budget, *, read_control: bool = True
) -> list[Record]:
    """Read the records of one entry of a run, and take what they cost off the budget.

    Raises:
        FormatError: the bytes break a rule, or are more than the budget.
    """
    if entry.magic == 2:
        decoded, position, _ = quick.decode(data, entry.start, entry.end, budget, flags, read_control=read_control)
        if position == entry.end:
            return decoded
    return _interpret(data, entry, flags, budget, read_control=read_control)


def _interpret(data: bytes, entry: Entry, flags: frozenset[str], budget: Budget, *, read_control: bool) -> list[Record]:
    if entry.magic != 2:
        return legacy.read(data, entry, flags, budget)
    limit = budget.limit
    records = _batch(data, entry, flags, budget)
    if read_control and records and records[0].control:
        control.check(records, data, entry, flags, limit)
    return records


def _check_release(kafka: Release, data: bytes, entry: Entry) -> None:
    """Refuse a format or a codec that came after this release."""
    if FORMATS[entry.magic] not in kafka.formats:
        detail = f"is {entry.magic}; Kafka {kafka.name} reads {', '.join(kafka.formats)}"
        raise FormatError(
            detail, rule="entry.magic.known", stage=Stage.FRAMING, offset=entry.start + MAGIC_AT, path=("magic",)
        )
    if entry.magic != 2:
        return
    form = prefix("record_batch")
    at = entry.start + form.places["attributes"]
    if entry.end - at < minimum_size(form.layout.field("attributes").type):
        return
    codec = form.value(data, entry.start, "attributes") & CODEC_MASK
    if codec < len(NAMES) and NAMES[codec] not in kafka.codecs:
        detail = f"is {codec} ({NAMES[codec]}); Kafka {kafka.name} reads {', '.join(kafka.codecs)}"
        path = ("attributes", "codec")
        raise FormatError(detail, rule="v2.codec.known", stage=Stage.STRUCTURE, offset=at, path=path)


def _batch(data: bytes, entry: Entry, flags: frozenset[str], budget: Budget) -> list[Record]:
    _check_count(data, entry, budget)
    form = structure("record_batch")
    reader = form.interpreter(data, flags, budget.limit)
    batch, _ = reader.read(form.layout, entry.start, entry.end)
    budget.records -= len(batch.records)
    budget.limit -= reader.payload_size
    return _records(batch)


def _records(batch: Any) -> list[Record]:
    """Return the records of a batch as a consumer gets them."""
    return [_record(batch, item) for item in batch.records]


def _record(batch: Any, item: Any) -> Record:
    attributes = batch.attributes
    return Record(
        offset=int64(batch.base_offset + item.offset_delta),
        timestamp=_timestamp(batch, item),
        timestamp_type=_timestamp_type(batch),
        key=item.key,
        value=item.value,
        headers=tuple([Header._make(header) for header in item.headers or ()]),
        producer_id=batch.producer_id,
        producer_epoch=batch.producer_epoch,
        sequence=sequence_of(batch.base_sequence, item.offset_delta),
        transactional=bool(attributes & TRANSACTIONAL_BIT),
        control=bool(attributes & CONTROL_BIT),
        codec=attributes & CODEC_MASK,
    )


def _timestamp_type(batch: Any) -> int:
    return LOG_APPEND_TIME if batch.attributes & TIMESTAMP_TYPE_BIT else CREATE_TIME


def _timestamp(batch: Any, item: Any) -> int:
    """Return a record's timestamp. The append time is the batch's, one for all (KIP-32)."""
    if _timestamp_type(batch) == LOG_APPEND_TIME:
        return int(batch.max_timestamp)
    return int64(batch.base_timestamp + item.timestamp_delta)


def _check_count(data: bytes, entry: Entry, budget: Budget) -> None:
    """Refuse more records than allowed.

    Counts that the bytes cannot hold are left to the reader.
    """
    form = prefix("record_batch")
    room = entry.end - entry.start - form.size
    if room < 0:
        return
    head = form.read(data, entry.start)
    if head.attributes & CODEC_MASK:
        room = budget.limit
    if budget.records < head.record_count <= room // _SMALLEST_RECORD:
        raise budget.error(entry.start + form.places["record_count"], "record_count")
