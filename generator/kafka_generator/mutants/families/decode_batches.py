"""Record batches: their headers, and what those say of all their records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kafka_format.codec.prefix import prefix
from kafka_format.records import decoding, model
from kafka_format.records.budget import Budget
from kafka_format.records.entries import Entry
from kafka_format.records.model import LOG_APPEND_TIME, Record, sequence_of
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.model import Checksum, CompressedBy

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode", "v2")

_DELETE_HORIZON_BIT = 0x40
_UNUSED_BITS = ~0x7F
_HIGHEST_SEQUENCE = (1 << 31) - 1
_ROOM = 1 << 24


def _append_times(patch: Patch, timestamp: Callable[[Any, Any], int]) -> None:
    """Give records with append time the timestamp that `timestamp` makes of batch and item."""
    patch.wrap(
        decoding._timestamp,
        lambda right, batch, item: (
            timestamp(batch, item) if decoding._timestamp_type(batch) == LOG_APPEND_TIME else right(batch, item)
        ),
    )


@mutant(
    "batch/crc-not-checked",
    source=[
        "confluentinc/librdkafka#1056",
        "confluentinc/confluent-kafka-dotnet#44",
        "thomhurst/Dekaf#1727",
        "spirit-labs/tektite#41",
    ],
)
def crc_not_checked(patch: Patch) -> None:
    """Never compares the checksum of a batch."""
    patch.allow("v2.crc.covers-attributes-to-end")


@mutant("batch/crc-of-the-old-formats")
def crc_of_the_old_formats(patch: Patch) -> None:
    """Checks CRC-32 where batches have CRC-32C."""
    patch.field("record_batch", "crc", computed=Checksum("crc32", "attributes"))


@mutant("batch/crc-without-attributes", source=["aklivity/zilla#1214", "Jroland/kafka-net#27", "apache/kafka#7124"])
def crc_without_attributes(patch: Patch) -> None:
    """Computes the checksum from the field after the attributes on."""
    patch.field("record_batch", "crc", computed=Checksum("crc32c", "last_offset_delta"))


@mutant(
    "batch/crc-signed",
    source=["redpanda-data/redpanda#6631", "redpanda-data/redpanda#7683", "apache/kafka#13583"],
)
def crc_signed(patch: Patch) -> None:
    """Reads the checksum as a signed number and compares it with an unsigned one."""
    patch.refuse(decoding._records, when=lambda batch: batch.crc >> 31)


@mutant("batch/crc-of-zero-is-no-batch", source=["redpanda-data/redpanda#4113", "redpanda-data/redpanda#4099"])
def crc_of_zero_is_no_batch(patch: Patch) -> None:
    """Treats a batch whose checksum is 0 as space that was never written, and stops."""
    patch.wrap(decoding._records, lambda right, batch: right(batch) if batch.crc else [])


@mutant(
    "batch/append-time-ignored",
    rules=["v2.timestamp.append"],
    source=[
        "kafka4beam/kafka_protocol#60",
        "zendesk/ruby-kafka#706",
        "tulios/kafkajs#838",
        "tulios/kafkajs#768",
        "redpanda-data/redpanda#27674",
    ],
)
def append_time_ignored(patch: Patch) -> None:
    """Gives base_timestamp plus timestamp_delta where the broker set the time."""
    _append_times(patch, lambda batch, item: int(batch.base_timestamp + item.timestamp_delta))


@mutant("batch/append-time-is-the-base", source=["apache/kafka#3177"])
def append_time_is_the_base(patch: Patch) -> None:
    """Takes base_timestamp for the broker's time."""
    _append_times(patch, lambda batch, _: int(batch.base_timestamp))


@mutant("batch/max-timestamp-for-all", source=["streamnative/kop#326", "streamnative/kop#327"])
def max_timestamp_for_all(patch: Patch) -> None:
    """Gives every record max_timestamp, also where producers set the time."""
    patch.replace(decoding._timestamp, lambda batch, item: int(batch.max_timestamp))


@mutant("batch/codec-of-two-bits")
def codec_of_two_bits(patch: Patch) -> None:
    """Reads two codec bits, so zstd looks like none."""
    right, *others = find("record_batch").field("attributes").bits
    codec = replace(right, high=1, enum=specification().enums["legacy_codec"])
    patch.field("record_batch", "attributes", bits=(codec, *others))
    patch.field("record_batch", "records", compressed_by=CompressedBy("attributes", codec))


@mutant("batch/zstd-unknown", source=["aio-libs/aiokafka#1111", "confluentinc/librdkafka#2880"])
def zstd_unknown(patch: Patch) -> None:
    """Refuses zstd."""
    patch.enum("codec", {0: "none", 1: "gzip", 2: "snappy", 3: "lz4"})


@mutant("batch/transactional-and-control-swapped", rules=["v2.transactional"])
def transactional_and_control_swapped(patch: Patch) -> None:
    """Reads bit 4 as control and bit 5 as transactional."""
    patch.constant(model, "TRANSACTIONAL_BIT", 0x20)
    patch.constant(model, "CONTROL_BIT", 0x10)


@mutant(
    "batch/delete-horizon-unknown",
    rules=["v2.delete-horizon"],
    source=["twmb/franz-go#1393", "kafka-protocol-rs/kafka-protocol-rs#157"],
)
def delete_horizon_unknown(patch: Patch) -> None:
    """Refuses a batch with the bit of the delete horizon."""
    patch.refuse(decoding._records, when=lambda batch: batch.attributes & _DELETE_HORIZON_BIT)


@mutant("batch/unused-bits-must-be-zero", rules=["v2.attributes.unused-ignored"])
def unused_bits_must_be_zero(patch: Patch) -> None:
    """Refuses a batch with unused attribute bits."""
    patch.refuse(decoding._records, when=lambda batch: batch.attributes & _UNUSED_BITS)


@mutant(
    "batch/empty-refused",
    rules=["v2.batch.empty"],
    source=["dpkp/kafka-python#1571", "kafka4beam/brod#263", "apache/kafka#3406", "apache/kafka#17193"],
)
def empty_refused(patch: Patch) -> None:
    """Refuses a batch that compaction left without records."""
    patch.refuse(decoding._records, when=lambda batch: not batch.records)


@mutant(
    "batch/gaps-refused",
    rules=["v2.last-offset-delta.kept"],
    source=["redpanda-data/redpanda#515", "dpkp/kafka-python#1390"],
)
def gaps_refused(patch: Patch) -> None:
    """Requires record_count to be last_offset_delta + 1."""
    patch.refuse(decoding._records, when=lambda batch: len(batch.records) != batch.last_offset_delta + 1)


@mutant(
    "batch/last-offset-delta-is-a-count",
    source=["confluentinc/librdkafka#5577", "confluentinc/librdkafka#5603", "redpanda-data/redpanda#14966"],
)
def last_offset_delta_is_a_count(patch: Patch) -> None:
    """Allocates last_offset_delta + 1 records, which fails for 2^31."""
    patch.refuse(decoding._records, when=lambda batch: batch.last_offset_delta > _ROOM)


@mutant(
    "batch/negative-count-is-none",
    source=["segmentio/kafka-go#1438", "segmentio/kafka-go#1442", "segmentio/kafka-go#1445"],
)
def negative_count_is_none(patch: Patch) -> None:
    """Reads a record_count of -1 as 0."""

    def wrong(
        right: Callable[..., list[Record]], data: bytes, entry: Entry, flags: frozenset[str], budget: Budget
    ) -> list[Record]:
        is_none = prefix("record_batch").read(data, entry.start).record_count == -1
        return [] if is_none else right(data, entry, flags, budget)

    patch.wrap(decoding._batch, wrong)


@mutant("batch/bytes-behind-the-records-ignored", source=["apache/kafka#3156"])
def bytes_behind_the_records_ignored(patch: Patch) -> None:
    """Reads record_count records and ignores the bytes after them."""
    patch.allow("v2.records.fill-the-batch")


@mutant(
    "batch/sequence-wraps-to-negative",
    rules=["v2.sequence.wraps"],
    source=[
        "twmb/franz-go#216",
        "redpanda-data/redpanda#4854",
        "redpanda-data/redpanda#27832",
        "apache/kafka#3183",
    ],
)
def sequence_wraps_to_negative(patch: Patch) -> None:
    """Counts sequences from 2147483647 on to -2147483648."""
    patch.replace(
        model.sequence_of,
        lambda base_sequence, offset_delta: (
            -1 if base_sequence < 0 else (base_sequence + offset_delta + (1 << 31)) % (1 << 32) - (1 << 31)
        ),
    )


@mutant("batch/sequence-wraps-one-short", source=["tulios/kafkajs#1790", "tulios/kafkajs#1787"])
def sequence_wraps_one_short(patch: Patch) -> None:
    """Counts sequences from 2147483646 on to 0."""

    def wrong(right: Callable[[int, int], int], base_sequence: int, offset_delta: int) -> int:
        number = base_sequence + offset_delta
        wraps = base_sequence >= 0 and (offset_delta < 0 or number >= _HIGHEST_SEQUENCE)
        return number - _HIGHEST_SEQUENCE if wraps else right(base_sequence, offset_delta)

    patch.wrap(model.sequence_of, wrong)


@mutant("batch/sequence-counts-records", rules=["v2.sequence"], source=["tulios/kafkajs#598"])
def sequence_counts_records(patch: Patch) -> None:
    """Counts sequences by records, also where compaction took some out."""
    patch.wrap(
        decoding._records,
        lambda right, batch: [
            record._replace(sequence=sequence_of(batch.base_sequence, at)) for at, record in enumerate(right(batch))
        ],
    )


@mutant("batch/sequence-of-the-batch-for-all")
def sequence_of_the_batch_for_all(patch: Patch) -> None:
    """Gives every record base_sequence."""
    patch.replace(model.sequence_of, lambda base_sequence, offset_delta: base_sequence)


@mutant("batch/sequence-without-a-base")
def sequence_without_a_base(patch: Patch) -> None:
    """Counts sequences up from -1, which means none."""
    patch.wrap(
        model.sequence_of,
        lambda right, base_sequence, offset_delta: (
            base_sequence + offset_delta if base_sequence < 0 else right(base_sequence, offset_delta)
        ),
    )


@mutant("batch/leader-epoch-must-be-none", rules=["v2.leader-epoch.outside-crc"])
def leader_epoch_must_be_none(patch: Patch) -> None:
    """Refuses a batch in which a broker has written partition_leader_epoch."""
    patch.refuse(decoding._records, when=lambda batch: batch.partition_leader_epoch != -1)
