"""Brokers: header fields that they write into what a producer sent."""

from __future__ import annotations

from collections.abc import Callable

from kafka_format.broker.offsets import assignment
from kafka_format.broker.offsets.model import Assigned, TopicState
from kafka_format.broker.offsets.produce_data import ProduceData
from kafka_format.codec.prefix import Prefix, prefix
from kafka_format.records.entries import Entry
from kafka_format.records.formats import head_of
from kafka_format.records.model import CREATE_TIME, TIMESTAMP_TYPE_BIT

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("assign", "assign")

_SetLastOffset = Callable[[bytearray, Entry, int, TopicState], None]

_SetMaxTimestamp = Callable[[bytearray, Entry, int, TopicState], bool]


@mutant("assign/offsets-not-assigned", rules=["offsets.uncompressed.in-place"])
def offsets_not_assigned(patch: Patch) -> None:
    """Appends the producer's offsets."""
    patch.skip(assignment._set_last_offset)


@mutant("assign/base-offset-of-the-last", source=["ydb-platform/ydb#24545"])
def base_offset_of_the_last(patch: Patch) -> None:
    """Writes the last offset of a batch for its base_offset."""

    def wrong(right: _SetLastOffset, data: bytearray, entry: Entry, last_offset: int, topic: TopicState) -> None:
        right(data, entry, last_offset, topic)
        if entry.magic == 2:
            prefix("record_batch").write(data, entry.start, base_offset=last_offset)

    patch.wrap(assignment._set_last_offset, wrong)


@mutant("assign/wrapper-offset-of-the-first", rules=["offsets.v1.wrapper.in-place"], source=["apache/kafka#3203"])
def wrapper_offset_of_the_first(patch: Patch) -> None:
    """Gives a wrapper the offset of its first message."""

    def wrong(
        right: Callable[[ProduceData, int, TopicState], Assigned],
        produced: ProduceData,
        first_offset: int,
        topic: TopicState,
    ) -> Assigned:
        assigned = right(produced, first_offset, topic)
        if produced.magic == 2 or produced.codec == "none":
            return assigned
        data = bytearray(assigned.data)
        prefix("message_set_entry").write(data, offset=first_offset)
        return assigned._replace(data=bytes(data))

    patch.wrap(assignment._update_in_place, wrong)


@mutant("assign/last-offset-off-by-one", source=["confluentinc/librdkafka#3400"])
def last_offset_off_by_one(patch: Patch) -> None:
    """Says that the next offset is the last one."""
    patch.result(assignment._update_in_place, lambda assigned: assigned._replace(last_offset=assigned.last_offset + 1))


@mutant("assign/leader-epoch-left-out", rules=["offsets.v2.base-offset"])
def leader_epoch_left_out(patch: Patch) -> None:
    """Leaves the producer's partition_leader_epoch."""

    def wrong(right: _SetLastOffset, data: bytearray, entry: Entry, last_offset: int, topic: TopicState) -> None:
        if entry.magic == 2:
            topic = topic._replace(leader_epoch=prefix("record_batch").read(data, entry.start).partition_leader_epoch)
        right(data, entry, last_offset, topic)

    patch.wrap(assignment._set_last_offset, wrong)


@mutant("assign/leader-epoch-in-the-checksum")
def leader_epoch_in_the_checksum(patch: Patch) -> None:
    """Computes the checksum from the leader epoch on."""

    def wrong(right: _SetLastOffset, data: bytearray, entry: Entry, last_offset: int, topic: TopicState) -> None:
        right(data, entry, last_offset, topic)
        if entry.magic == 2:
            prefix("record_batch").write(data, entry.start, crc=0)

    patch.wrap(assignment._set_last_offset, wrong)


@mutant("assign/checksum-not-computed-anew", source=["redpanda-data/redpanda#11922", "redpanda-data/redpanda#27671"])
def checksum_not_computed_anew(patch: Patch) -> None:
    """Leaves the checksum as it was where fields that it covers changed."""
    patch.skip(Prefix.seal)


@mutant("assign/append-time-bit-left-out", rules=["offsets.append-time"], source=["redpanda-data/redpanda#27671"])
def append_time_bit_left_out(patch: Patch) -> None:
    """Writes the append time and leaves the bit that says so."""
    patch.wrap(assignment._with_type, lambda right, attributes, magic, bit: right(attributes, magic, 0))


@mutant("assign/append-time-written-to-the-base", source=["apache/kafka#3177"])
def append_time_written_to_the_base(patch: Patch) -> None:
    """Rewrites base_timestamp too where the broker sets the time."""

    def wrong(right: _SetMaxTimestamp, data: bytearray, entry: Entry, timestamp: int, topic: TopicState) -> bool:
        changed = right(data, entry, timestamp, topic)
        if changed and entry.magic == 2:
            prefix("record_batch").write(data, entry.start, base_timestamp=timestamp)
            prefix("record_batch").seal(data, entry.start, entry.end)
        return changed

    patch.wrap(assignment._set_max_timestamp, wrong)


@mutant(
    "assign/max-timestamp-believed",
    rules=["offsets.max-timestamp"],
    source=["redpanda-data/redpanda#25200", "redpanda-data/redpanda#27529", "redpanda-data/redpanda#25769"],
)
def max_timestamp_believed(patch: Patch) -> None:
    """Leaves the producer's max_timestamp."""

    def wrong(right: _SetMaxTimestamp, data: bytearray, entry: Entry, timestamp: int, topic: TopicState) -> bool:
        form, start = head_of(entry)
        head = form.read(data, start)
        believed = topic.timestamp_type == CREATE_TIME and not head.attributes & TIMESTAMP_TYPE_BIT
        return not believed and right(data, entry, timestamp, topic)

    patch.wrap(assignment._set_max_timestamp, wrong)


@mutant("assign/max-timestamp-of-the-last", source=["apache/kafka#15474", "apache/kafka#15621"])
def max_timestamp_of_the_last(patch: Patch) -> None:
    """Takes the timestamp of the last record for the largest."""
    patch.replace(assignment._largest_timestamp, lambda records: records[-1].timestamp)


@mutant(
    "assign/inner-offsets-not-checked",
    rules=["offsets.v0.wrapper.anew"],
    source=["apache/kafka#7628", "SOHU-Co/kafka-node#1388"],
)
def inner_offsets_not_checked(patch: Patch) -> None:
    """Keeps compressed batches whose offsets do not count from 0."""
    patch.always(assignment._counts_from_zero, returns=True)


@mutant("assign/client-append-time-kept", rules=["offsets.timestamp-type.cleared"])
def client_append_time_kept(patch: Patch) -> None:
    """Leaves the bit by which a client says that the broker set the time."""
    patch.wrap(
        assignment._with_type,
        lambda right, attributes, magic, bit: right(attributes, magic, bit | attributes & TIMESTAMP_TYPE_BIT),
    )


@mutant("assign/unused-bits-kept", rules=["offsets.attributes.unused-lost"])
def unused_bits_kept(patch: Patch) -> None:
    """Keeps unused attribute bits where it writes the timestamp."""
    patch.replace(assignment._with_type, lambda attributes, magic, bit: attributes & ~TIMESTAMP_TYPE_BIT | bit)
