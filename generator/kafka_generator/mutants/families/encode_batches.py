"""Writers of batches: what the right reference reads of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kafka_format.records import encoding
from kafka_format.records.model import TIMESTAMP_TYPE_BIT, TRANSACTIONAL_BIT, Record
from kafka_format.spec.layout.model import Checksum

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("encode", "encode")

_DELETE_HORIZON_BIT = 0x40


def _batch(patch: Patch, change: Callable[[Sequence[Record]], dict[str, Any]]) -> None:
    """Let a batch be written with other fields, which `change` makes of its records."""
    patch.wrap(encoding._batch, lambda right, records, codec: right(records, codec)._replace(**change(records)))


@mutant("encode/base-offset-of-zero", source=["ydb-platform/ydb#24545", "ydb-platform/ydb#24546"])
def base_offset_of_zero(patch: Patch) -> None:
    """Writes 0 for base_offset."""
    _batch(patch, lambda _: {"base_offset": 0})


@mutant(
    "encode/last-offset-delta-of-zero",
    rules=["encoding.batch.last-offset-delta"],
    source=["IBM/sarama#1013", "IBM/sarama#1026", "redpanda-data/redpanda#15415"],
)
def last_offset_delta_of_zero(patch: Patch) -> None:
    """Writes 0 for last_offset_delta."""
    _batch(patch, lambda _: {"last_offset_delta": 0})


@mutant(
    "encode/last-offset-delta-counts-records",
    rules=["encoding.batch.last-offset-delta"],
    source=["redpanda-data/redpanda#14966"],
)
def last_offset_delta_counts_records(patch: Patch) -> None:
    """Writes the number of records minus one as last_offset_delta."""
    _batch(patch, lambda records: {"last_offset_delta": len(records) - 1})


@mutant(
    "encode/max-timestamp-unset",
    rules=["encoding.batch.max-timestamp"],
    source=["redpanda-data/redpanda#25200", "redpanda-data/redpanda#27529", "redpanda-data/redpanda#1702"],
)
def max_timestamp_unset(patch: Patch) -> None:
    """Writes -1 for max_timestamp."""
    _batch(patch, lambda _: {"max_timestamp": -1})


@mutant("encode/max-timestamp-of-the-first", rules=["encoding.batch.max-timestamp"], source=["streamnative/kop#326"])
def max_timestamp_of_the_first(patch: Patch) -> None:
    """Writes the timestamp of the first record for max_timestamp."""
    _batch(patch, lambda records: {"max_timestamp": records[0].timestamp})


@mutant(
    "encode/max-timestamp-of-the-last",
    rules=["encoding.batch.max-timestamp"],
    source=["apache/kafka#15474", "apache/kafka#15621"],
)
def max_timestamp_of_the_last(patch: Patch) -> None:
    """Writes the timestamp of the last record for max_timestamp."""
    _batch(patch, lambda records: {"max_timestamp": records[-1].timestamp})


@mutant("encode/append-time-left-out")
def append_time_left_out(patch: Patch) -> None:
    """Leaves out the bit of log append time."""
    patch.result(encoding._attributes, lambda attributes: attributes & ~TIMESTAMP_TYPE_BIT)


@mutant("encode/transactional-left-out")
def transactional_left_out(patch: Patch) -> None:
    """Leaves out the bit of transactional batches."""
    patch.result(encoding._attributes, lambda attributes: attributes & ~TRANSACTIONAL_BIT)


@mutant("encode/producer-id-left-out")
def producer_id_left_out(patch: Patch) -> None:
    """Writes no producer id."""
    _batch(patch, lambda _: {"producer_id": -1})


@mutant("encode/producer-epoch-left-out")
def producer_epoch_left_out(patch: Patch) -> None:
    """Writes no producer epoch."""
    _batch(patch, lambda _: {"producer_epoch": -1})


@mutant("encode/sequence-of-the-last", source=["tulios/kafkajs#598"])
def sequence_of_the_last(patch: Patch) -> None:
    """Writes the sequence of the last record for base_sequence."""
    _batch(patch, lambda records: {"base_sequence": records[-1].sequence})


@mutant("encode/last-record-left-out")
def last_record_left_out(patch: Patch) -> None:
    """Leaves out the last record of a batch."""
    patch.result(encoding._items, lambda items: items[:-1])


@mutant("encode/records-sorted-by-timestamp")
def records_sorted_by_timestamp(patch: Patch) -> None:
    """Writes records in the order of their timestamps."""
    patch.result(encoding._items, lambda items: sorted(items, key=lambda item: int(item.timestamp_delta)))


@mutant("encode/crc-of-the-old-formats")
def crc_of_the_old_formats(patch: Patch) -> None:
    """Writes CRC-32 where batches have CRC-32C."""
    patch.field("record_batch", "crc", computed=Checksum("crc32", "attributes"))


@mutant("encode/crc-without-attributes", source=["aklivity/zilla#1214"])
def crc_without_attributes(patch: Patch) -> None:
    """Computes the checksum from the field after the attributes on."""
    patch.field("record_batch", "crc", computed=Checksum("crc32c", "last_offset_delta"))


@mutant("encode/delete-horizon-set", rules=["encoding.attributes.unused-zero"])
def delete_horizon_set(patch: Patch) -> None:
    """Sets the bit of the delete horizon in batches."""
    patch.result(encoding._attributes, lambda attributes: attributes | _DELETE_HORIZON_BIT)


@mutant("encode/batches-for-messages", rules=["encoding.magic"])
def batches_for_messages(patch: Patch) -> None:
    """Writes batches of v2 where messages were asked for."""
    patch.wrap(encoding._encode, lambda right, records, magic, codec: right(records, 2 if magic else 0, codec))


@mutant("encode/gzip-for-every-codec", rules=["encoding.codec"])
def gzip_for_every_codec(patch: Patch) -> None:
    """Compresses with gzip, whatever codec was asked for."""
    patch.wrap(
        encoding._encode,
        lambda right, records, magic, codec: right(records, magic, codec if codec == "none" else "gzip"),
    )
