"""Assignment of offsets: in the producer's bytes if possible, else by writing the records anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kafka_format import compression
from kafka_format.broker.offsets.model import PRODUCER, Assigned, TopicState
from kafka_format.broker.offsets.produce_data import ProduceData, validate
from kafka_format.broker.records_builder import BuilderSettings, max_timestamp, refusal, write
from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.codec.prefix import prefix
from kafka_format.primitives.integers import INT64_MAX
from kafka_format.records import v07
from kafka_format.records.budget import DEFAULT_RECORDS, Budget
from kafka_format.records.entries import FORMATS, Entry
from kafka_format.records.formats import head_of
from kafka_format.records.model import (
    LOG_APPEND_TIME,
    NO_TIMESTAMP,
    TIMESTAMP_TYPE_BIT,
    TRANSACTIONAL_BIT,
    Record,
)
from kafka_format.spec.layout import find
from kafka_format.spec.releases import allowed_flags

_KNOWN_BITS: Final = find("record_batch").field("attributes").known_bits
_KNOWN_BITS_V1: Final = find("message_v1").field("attributes").known_bits


def assign_positions(
    data: bytes,
    position: int,
    *,
    flags: frozenset[str] = frozenset(),
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
) -> Assigned:
    """Append to a 0.7 log that is `position` bytes long.

    The bytes stay as they are, up to the last whole entry.

    The broker reads all messages first (kafka.log.Log.append, 0.7.2). The offset of a message is
    the position after it, so `last_offset` is where the log ends now; `first_offset` is where it
    ended before.

    Raises:
        FormatError: the bytes break a rule of their format.
    """
    v07.decode(data, position, flags=flags, limit=limit, max_records=max_records)
    end = max([entry.end for entry in v07.split(data)], default=0)
    return Assigned(bytes(data[:end]), position, position + end)


def assign(
    data: bytes,
    first_offset: int,
    topic: TopicState = TopicState(),  # noqa: B008 - a tuple never changes
    *,
    flags: frozenset[str] = frozenset(),
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
) -> Assigned:
    """Assign offsets to a producer's records as a broker does, in the format of the topic.

    Args:
        data: the entries of one produce request for one partition; one that is cut off at the end
            is left out.
        first_offset: the offset that the first record gets.
        topic: where it is appended.
        flags: names of the leniencies that are allowed, as in spec/flags.yaml.
        limit: bytes that the payload may decompress to.
        max_records: records that there may be.

    Raises:
        FormatError: the bytes break a rule of their format, or the broker refuses them.
        ValueError: no such topic, offset or flag can be.
    """
    if topic.magic not in FORMATS or topic.codec not in (PRODUCER, *compression.NAMES):
        codecs = ", ".join((PRODUCER, *compression.NAMES))
        detail = f"a topic cannot have magic {topic.magic} with codec {topic.codec!r}"
        raise ValueError(f"{detail}; there are {', '.join(map(str, FORMATS))}, and {codecs}")
    produced = ProduceData(bytes(data), allowed_flags(flags, ""), Budget(limit, max_records))
    if not 0 <= first_offset <= INT64_MAX - len(produced.records):
        detail = f"cannot count {len(produced.records)} records from offset {first_offset}"
        raise ValueError(f"{detail}; offsets are 0 to 2^63 - 1")
    for index in range(len(produced.entries)):
        validate(produced, index, topic)
    target = produced.codec if topic.codec == PRODUCER else topic.codec
    if produced.codec != target or produced.magic != topic.magic:
        return _rewrite(produced, first_offset, topic, target)
    if _counts_from_zero(produced, topic):
        return _update_in_place(produced, first_offset, topic)
    if topic.magic == 2:
        # Since 2.4 LogValidator reads the records without keys and values here, and then has none
        # to write.
        detail = "offsets of a compressed batch must count from 0, because its broker cannot write it anew"
        raise refusal("offsets.v2.compressed", detail, "records")
    return _rewrite(produced, first_offset, topic, target)


def _counts_from_zero(produced: ProduceData, topic: TopicState) -> bool:
    """Tell whether the offsets inside need no change: uncompressed they are not looked at."""
    if produced.codec == "none":
        return True
    return topic.magic > 0 and all(record.offset == index for index, record in enumerate(produced.records))


def _update_in_place(produced: ProduceData, first_offset: int, topic: TopicState) -> Assigned:
    """Change header fields, and compute a checksum only where one that it covers changed."""
    data = bytearray(produced.data)
    next_offset, largest, recomputed = first_offset, NO_TIMESTAMP, False
    for entry, records in zip(produced.entries, produced.groups, strict=True):
        next_offset += len(records)
        _set_last_offset(data, entry, next_offset - 1, topic)
        if entry.magic:
            stamp = topic.now if topic.timestamp_type == LOG_APPEND_TIME else _largest_timestamp(records)
            recomputed |= _set_max_timestamp(data, entry, stamp, topic)
            largest = max(largest, stamp)
    changed = _changed_fields(produced, bytes(data))
    return Assigned(bytes(data), first_offset, next_offset - 1, changed, recomputed, max_timestamp=largest)


def _largest_timestamp(records: Sequence[Record]) -> int:
    return max([NO_TIMESTAMP, *[record.timestamp for record in records]])


def _set_last_offset(data: bytearray, entry: Entry, last_offset: int, topic: TopicState) -> None:
    if entry.magic < 2:
        prefix("message_set_entry").write(data, entry.start, offset=last_offset)
        return
    batch = prefix("record_batch")
    base_offset = last_offset - batch.read(data, entry.start).last_offset_delta
    batch.write(data, entry.start, base_offset=base_offset, partition_leader_epoch=topic.leader_epoch)


def _set_max_timestamp(data: bytearray, entry: Entry, timestamp: int, topic: TopicState) -> bool:
    """Write timestamp and type if they differ from what is there; return whether they did."""
    fields, start = head_of(entry)
    head = fields.read(data, start)
    name = "max_timestamp" if entry.magic == 2 else "timestamp"
    bit = TIMESTAMP_TYPE_BIT * (topic.timestamp_type == LOG_APPEND_TIME)
    if head.attributes & TIMESTAMP_TYPE_BIT == bit and getattr(head, name) == timestamp:
        return False
    fields.write(data, start, attributes=_with_type(head.attributes, entry.magic, bit), **{name: timestamp})
    fields.seal(data, start, entry.end)
    return True


def _with_type(attributes: int, magic: int, bit: int) -> int:
    """Return attributes with this bit of the timestamp type; the unused bits are lost."""
    known = _KNOWN_BITS if magic == 2 else _KNOWN_BITS_V1
    return attributes & known & ~TIMESTAMP_TYPE_BIT | bit


def _changed_fields(produced: ProduceData, data: bytes) -> tuple[str, ...]:
    """Return the names of the header fields that differ now, in wire order."""
    names: dict[str, None] = {}
    for entry in produced.entries:
        forms = [head_of(entry)]
        if entry.magic < 2:
            forms.insert(0, (prefix("message_set_entry"), entry.start))
        for form, start in forms:
            before, after = form.read(produced.data, start), form.read(data, start)
            names |= {name: None for name in form.places if getattr(before, name) != getattr(after, name)}
    return tuple(names)


def _rewrite(produced: ProduceData, first_offset: int, topic: TopicState, codec: str) -> Assigned:
    """Write the records anew, in the format and codec of the topic."""
    settings = _settings(produced, first_offset, topic, codec)
    records = _number_records(produced.records, first_offset)
    data = write(records, settings)
    last_offset = first_offset + len(records) - 1
    return Assigned(
        data,
        first_offset,
        last_offset,
        checksum_recomputed=True,
        in_place=False,
        max_timestamp=max_timestamp(records, settings),
    )


def _settings(produced: ProduceData, first_offset: int, topic: TopicState, codec: str) -> BuilderSettings:
    """Return how the records are written: by the topic's settings, as their producer."""
    settings = BuilderSettings(
        topic.magic, codec, first_offset, topic.timestamp_type, topic.now, leader_epoch=topic.leader_epoch
    )
    if produced.magic < 2:
        return settings
    head = produced.heads[0]
    return settings._replace(
        producer_id=head.producer_id,
        producer_epoch=head.producer_epoch,
        base_sequence=head.base_sequence,
        transactional=bool(head.attributes & TRANSACTIONAL_BIT),
    )


def _number_records(records: Sequence[Record], first_offset: int) -> list[Record]:
    return [record._replace(offset=first_offset + index) for index, record in enumerate(records)]
