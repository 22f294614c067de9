"""Records of v2, and their headers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate
from typing import Any

from kafka_format.primitives.varints import VARLONG
from kafka_format.records import decoding
from kafka_format.records.model import CREATE_TIME, Record
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.model import Array, Varint
from kafka_format.spec.layout.types import INTEGERS, VARINTS

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode", "v2")


def _timestamps(patch: Patch, timestamp: Callable[[Any, Any], int]) -> None:
    """Give records with create time the timestamp that `timestamp` makes of batch and item."""
    patch.wrap(
        decoding._timestamp,
        lambda right, batch, item: (
            timestamp(batch, item) if decoding._timestamp_type(batch) == CREATE_TIME else right(batch, item)
        ),
    )


def _offsets(patch: Patch, offset: Callable[[Any, Any], int]) -> None:
    """Let records have the offset that `offset` makes of a batch and one item of it."""
    patch.wrap(decoding._record, lambda right, batch, item: right(batch, item)._replace(offset=offset(batch, item)))


@mutant(
    "record/timestamp-delta-as-varint",
    rules=["varlong.width"],
    source=["twmb/franz-go#324", "apache/kafka#7415", "apache/kafka#8870"],
)
def timestamp_delta_as_varint(patch: Patch) -> None:
    """Reads timestamp_delta as a varint of 32 bits, as the documentation said until 2020."""
    patch.field("record", "timestamp_delta", type=VARINTS["varint"])


@mutant(
    "record/timestamp-delta-of-five-bytes",
    source=["kafka-protocol-rs/kafka-protocol-rs#158", "osodevops/kafka-backup#150"],
)
def timestamp_delta_of_five_bytes(patch: Patch) -> None:
    """Reads at most five bytes of timestamp_delta."""
    patch.field("record", "timestamp_delta", type=Varint(VARLONG._replace(max_bytes=5)))


@mutant("record/timestamp-delta-as-int32")
def timestamp_delta_as_int32(patch: Patch) -> None:
    """Keeps the low 32 bits of timestamp_delta, which holds 25 days."""
    _timestamps(
        patch,
        lambda batch, item: int(batch.base_timestamp + (item.timestamp_delta + (1 << 31)) % (1 << 32) - (1 << 31)),
    )


@mutant("record/timestamp-delta-unsigned")
def timestamp_delta_unsigned(patch: Patch) -> None:
    """Reads timestamp_delta without its sign."""
    patch.field("record", "timestamp_delta", type=Varint(VARLONG._replace(zigzag=False)))


@mutant("record/timestamp-delta-ignored", rules=["v2.timestamp.create"])
def timestamp_delta_ignored(patch: Patch) -> None:
    """Gives every record the timestamp of the batch."""
    _timestamps(patch, lambda batch, _: int(batch.base_timestamp))


@mutant("record/timestamp-delta-is-absolute")
def timestamp_delta_is_absolute(patch: Patch) -> None:
    """Reads timestamp_delta as the timestamp itself."""
    _timestamps(patch, lambda _, item: int(item.timestamp_delta))


@mutant("record/timestamp-delta-from-the-record-before")
def timestamp_delta_from_the_record_before(patch: Patch) -> None:
    """Counts timestamp_delta from the record before, not from the batch."""

    def wrong(right: Callable[[Any], list[Record]], batch: Any) -> list[Record]:
        if decoding._timestamp_type(batch) != CREATE_TIME:
            return right(batch)
        _, *timestamps = accumulate([batch.base_timestamp, *[item.timestamp_delta for item in batch.records]])
        return [record._replace(timestamp=at) for record, at in zip(right(batch), timestamps, strict=True)]

    patch.wrap(decoding._records, wrong)


@mutant("record/timestamp-delta-in-microseconds", source=["segmentio/kafka-go#266"])
def timestamp_delta_in_microseconds(patch: Patch) -> None:
    """Reads timestamp_delta as microseconds."""
    _timestamps(patch, lambda batch, item: int(batch.base_timestamp + item.timestamp_delta // 1000))


@mutant("record/timestamp-does-not-wrap")
def timestamp_does_not_wrap(patch: Patch) -> None:
    """Computes timestamps that exceed 64 bits instead of wrapping."""
    _timestamps(patch, lambda batch, item: int(batch.base_timestamp + item.timestamp_delta))


@mutant("record/no-base-timestamp-no-timestamps")
def no_base_timestamp_no_timestamps(patch: Patch) -> None:
    """Gives no record a timestamp if base_timestamp is -1."""
    patch.wrap(
        decoding._timestamp,
        lambda right, batch, item: (
            -1 if batch.base_timestamp == -1 and decoding._timestamp_type(batch) == CREATE_TIME else right(batch, item)
        ),
    )


@mutant("record/offset-delta-ignored", rules=["v2.offset"], source=["IBM/sarama#1037"])
def offset_delta_ignored(patch: Patch) -> None:
    """Counts records up from base_offset, whatever their offset_delta is."""
    patch.wrap(
        decoding._records,
        lambda right, batch: [record._replace(offset=batch.base_offset + at) for at, record in enumerate(right(batch))],
    )


@mutant("record/offset-delta-is-absolute")
def offset_delta_is_absolute(patch: Patch) -> None:
    """Reads offset_delta as the offset itself."""
    _offsets(patch, lambda _, item: int(item.offset_delta))


@mutant("record/offsets-shifted-by-the-gap-at-the-end", source=["IBM/sarama#1037"])
def offsets_shifted_by_the_gap_at_the_end(patch: Patch) -> None:
    """Shifts all offsets so that the last record gets the last offset of the batch."""
    _offsets(
        patch,
        lambda batch, item: int(
            batch.base_offset + item.offset_delta + batch.last_offset_delta - batch.records[-1].offset_delta
        ),
    )


@mutant("record/offset-does-not-wrap", source=["redpanda-data/redpanda#15416"])
def offset_does_not_wrap(patch: Patch) -> None:
    """Computes offsets that exceed 64 bits instead of wrapping."""
    _offsets(patch, lambda batch, item: int(batch.base_offset + item.offset_delta))


@mutant("record/length-ignored", source=["pixie-io/pixie@44d42f1d"])
def length_ignored(patch: Patch) -> None:
    """Never looks at the length of a record."""
    patch.field("record", "length", computed=None, minimum=None, has_default=True, default=0)


@mutant("record/trailing-bytes-ignored", source=["pixie-io/pixie@44d42f1d"])
def trailing_bytes_ignored(patch: Patch) -> None:
    """Ignores bytes between the headers and the end of a record."""
    patch.allow("v2.record.length.exact")


@mutant("record/attributes-must-be-zero", rules=["v2.record.attributes.ignored"])
def attributes_must_be_zero(patch: Patch) -> None:
    """Refuses records whose unused attributes are not 0."""
    patch.refuse(decoding._record, when=lambda batch, item: item.attributes)


@mutant("record/key-never-null", rules=["v2.key.nullable"], source=["influxdata/rskafka#93", "Geal/proust#16"])
def key_never_null(patch: Patch) -> None:
    """Refuses a null key."""
    patch.refuse(decoding._record, when=lambda batch, item: item.key is None)


@mutant(
    "record/value-never-null",
    rules=["v2.value.nullable"],
    source=["tulios/kafkajs#185", "confluentinc/librdkafka#200"],
)
def value_never_null(patch: Patch) -> None:
    """Refuses a null value."""
    patch.refuse(decoding._record, when=lambda batch, item: item.value is None)


@mutant("record/headers-fail", source=["tulios/kafkajs#113"])
def headers_fail(patch: Patch) -> None:
    """Refuses records with headers."""
    patch.refuse(decoding._record, when=lambda batch, item: item.headers)


@mutant(
    "header/null-value-fails",
    rules=["v2.header.value.nullable"],
    source=[
        "kafka-protocol-rs/kafka-protocol-rs#133",
        "MassTransit/MassTransit#3871",
        "obsidiandynamics/kafdrop#139",
        "apache/druid#16177",
        "pinpoint-apm/pinpoint#8527",
        "gojek/ziggurat#267",
    ],
)
def header_null_value_fails(patch: Patch) -> None:
    """Refuses a null header value."""
    patch.refuse(decoding._record, when=lambda batch, item: any(header.value is None for header in item.headers))


@mutant("header/count-as-int32", source=["optiopay/kafka#108"])
def header_count_as_int32(patch: Patch) -> None:
    """Reads header_count as an int32."""
    patch.field("record", "header_count", type=INTEGERS["int32"])


@mutant("header/negative-count-is-none", source=["segmentio/kafka-go#457", "segmentio/kafka-go#551"])
def header_negative_count_is_none(patch: Patch) -> None:
    """Reads a header_count of -1 as 0."""
    headers = find("record").field("headers").type
    if isinstance(headers, Array):
        patch.field("record", "headers", type=replace(headers, nullable=True))


@mutant("header/null-key-accepted")
def header_null_key_accepted(patch: Patch) -> None:
    """Accepts a null header key."""
    patch.field("header", "key", type=specification().forms["varint_bytes"])


@mutant("header/key-of-any-bytes")
def header_key_of_any_bytes(patch: Patch) -> None:
    """Gives header keys that are not UTF-8 as they are."""
    patch.form("varint_string", content="bytes")
