"""What is lost between the bytes and the application: null, empty, headers, numbers."""

from __future__ import annotations

import struct
from collections.abc import Callable

from kafka_format.records import decoding
from kafka_format.records.model import CREATE_TIME, NO_TIMESTAMP, Header, Record

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode", "answer")


def _records(patch: Patch, change: Callable[[Record], Record]) -> None:
    """Let every record be given changed."""
    patch.result(decoding._interpret, lambda records: [change(record) for record in records])


def _headers(patch: Patch, change: Callable[[Header], Header]) -> None:
    """Let every header be given changed."""
    _records(patch, lambda record: record._replace(headers=tuple([change(header) for header in record.headers])))


def _as_float(number: int) -> int:
    return int(struct.unpack("f", struct.pack("f", number))[0])


def _as_int32(number: int) -> int:
    """Return the low 32 bits, as a signed number."""
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def _as_text(content: bytes | None) -> bytes | None:
    return content and content.decode(errors="replace").encode()


@mutant(
    "answer/null-key-as-empty",
    rules=["length.null-is-not-empty"],
    source=["tulios/kafkajs#185", "influxdata/rskafka#93"],
)
def null_key_as_empty(patch: Patch) -> None:
    """Gives an empty key for null."""
    _records(patch, lambda record: record._replace(key=record.key or b""))


@mutant(
    "answer/null-value-as-empty", source=["platformatic/kafka#54", "platformatic/kafka#216", "platformatic/kafka#217"]
)
def null_value_as_empty(patch: Patch) -> None:
    """Gives an empty value for null, so tombstones are lost."""
    _records(patch, lambda record: record._replace(value=record.value or b""))


@mutant("answer/empty-key-as-null", source=["confluentinc/librdkafka#1386", "confluentinc/librdkafka#1357"])
def empty_key_as_null(patch: Patch) -> None:
    """Gives null for an empty key."""
    _records(patch, lambda record: record._replace(key=record.key or None))


@mutant("answer/empty-value-as-null", source=["confluentinc/librdkafka#1386", "confluentinc/librdkafka#1357"])
def empty_value_as_null(patch: Patch) -> None:
    """Gives null for an empty value, which makes it a tombstone."""
    _records(patch, lambda record: record._replace(value=record.value or None))


@mutant("answer/tombstones-dropped", source=["tulios/kafkajs#185"])
def tombstones_dropped(patch: Patch) -> None:
    """Leaves out records whose value is null."""
    patch.result(decoding._interpret, lambda records: [record for record in records if record.value is not None])


@mutant("answer/last-record-dropped")
def last_record_dropped(patch: Patch) -> None:
    """Leaves out the last record of each entry."""
    patch.result(decoding._interpret, lambda records: records[:-1])


@mutant("answer/only-the-first-of-many")
def only_the_first_of_many(patch: Patch) -> None:
    """Gives only the first records of an entry that has more than a hundred."""
    patch.result(decoding._interpret, lambda records: records[:100])


@mutant("answer/records-sorted-by-offset")
def records_sorted_by_offset(patch: Patch) -> None:
    """Sorts the records of an entry by their offsets."""
    patch.result(decoding._interpret, lambda records: sorted(records, key=lambda record: record.offset))


@mutant(
    "answer/offsets-counted",
    source=[
        "aio-libs/aiokafka#71",
        "Parsely/pykafka#460",
        "apache/beam#3461",
        "confluentinc/kafka-connect-hdfs#154",
    ],
)
def offsets_counted(patch: Patch) -> None:
    """Counts the offsets of an entry up from its first."""
    patch.result(
        decoding._interpret,
        lambda records: [record._replace(offset=records[0].offset + at) for at, record in enumerate(records)],
    )


@mutant("answer/offsets-as-doubles")
def offsets_as_doubles(patch: Patch) -> None:
    """Keeps offsets as floating-point numbers, which lose bits past 2^53."""
    _records(patch, lambda record: record._replace(offset=int(float(record.offset))))


@mutant("answer/offsets-as-int32", source=["apache/kafka#4692"])
def offsets_as_int32(patch: Patch) -> None:
    """Keeps the low 32 bits of offsets."""
    _records(patch, lambda record: record._replace(offset=record.offset & 0x7FFFFFFF))


@mutant("answer/timestamps-as-doubles")
def timestamps_as_doubles(patch: Patch) -> None:
    """Keeps timestamps as floating-point numbers, which lose bits past 2^53."""
    _records(patch, lambda record: record._replace(timestamp=int(float(record.timestamp))))


@mutant("answer/timestamps-as-uint32")
def timestamps_as_uint32(patch: Patch) -> None:
    """Keeps the low 32 bits of timestamps."""
    _records(patch, lambda record: record._replace(timestamp=record.timestamp & 0xFFFFFFFF))


@mutant("answer/timestamps-as-floats")
def timestamps_as_floats(patch: Patch) -> None:
    """Keeps timestamps as floating-point numbers of 32 bits, which lose up to a minute or two."""
    _records(patch, lambda record: record._replace(timestamp=_as_float(record.timestamp)))


@mutant("answer/timestamps-in-seconds")
def timestamps_in_seconds(patch: Patch) -> None:
    """Drops the milliseconds of timestamps."""
    _records(patch, lambda record: record._replace(timestamp=record.timestamp // 1000 * 1000))


@mutant(
    "answer/no-timestamp-as-zero",
    rules=["v2.timestamp.none"],
    source=["SOHU-Co/kafka-node#812", "apache/kafka#5072", "apache/iggy#4229"],
)
def no_timestamp_as_zero(patch: Patch) -> None:
    """Gives the timestamp 0 for -1, which means none."""
    _records(patch, lambda record: record._replace(timestamp=0) if record.timestamp == NO_TIMESTAMP else record)


@mutant("answer/negative-timestamps-as-none", source=["apache/kafka#2117", "apache/kafka#2079"])
def negative_timestamps_as_none(patch: Patch) -> None:
    """Gives -1 for every negative timestamp."""
    _records(patch, lambda record: record._replace(timestamp=max(record.timestamp, NO_TIMESTAMP)))


@mutant("answer/negative-timestamps-as-unsigned", source=["SOHU-Co/kafka-node#812"])
def negative_timestamps_as_unsigned(patch: Patch) -> None:
    """Gives a huge number for a negative timestamp."""
    _records(patch, lambda record: record._replace(timestamp=record.timestamp % (1 << 64)))


@mutant("answer/timestamp-type-always-create-time")
def timestamp_type_always_create_time(patch: Patch) -> None:
    """Never says that the broker set a timestamp."""
    _records(patch, lambda record: record._replace(timestamp_type=min(record.timestamp_type, CREATE_TIME)))


@mutant("answer/producer-ids-as-doubles", rules=["v2.producer"])
def producer_ids_as_doubles(patch: Patch) -> None:
    """Keeps producer ids as floating-point numbers, which lose bits past 2^53."""
    _records(patch, lambda record: record._replace(producer_id=int(float(record.producer_id))))


@mutant("answer/producer-ids-as-int32", rules=["v2.producer"])
def producer_ids_as_int32(patch: Patch) -> None:
    """Keeps the low 32 bits of producer ids."""
    _records(patch, lambda record: record._replace(producer_id=_as_int32(record.producer_id)))


@mutant("answer/no-producer-as-zero")
def no_producer_as_zero(patch: Patch) -> None:
    """Gives the producer id 0 for -1, which means none."""
    _records(patch, lambda record: record._replace(producer_id=max(record.producer_id, 0)))


@mutant("answer/keys-as-text")
def keys_as_text(patch: Patch) -> None:
    """Passes keys through UTF-8, which replaces bytes that are not UTF-8."""
    _records(patch, lambda record: record._replace(key=_as_text(record.key)))


@mutant("answer/values-as-text")
def values_as_text(patch: Patch) -> None:
    """Passes values through UTF-8, which replaces bytes that are not UTF-8."""
    _records(patch, lambda record: record._replace(value=_as_text(record.value)))


@mutant("answer/values-end-at-a-zero-byte")
def values_end_at_a_zero_byte(patch: Patch) -> None:
    """Keeps values as C strings."""
    _records(patch, lambda record: record._replace(value=record.value and record.value.split(b"\0")[0]))


@mutant(
    "answer/headers-as-a-map",
    source=[
        "tchiotludo/akhq#1257",
        "platformatic/kafka#372",
        "karafka/rdkafka-ruby#546",
        "osodevops/kafka-backup#156",
        "redpanda-data/connect#1478",
        "elastic/beats#30369",
    ],
)
def headers_as_a_map(patch: Patch) -> None:
    """Keeps headers in a map, where the last of a repeated key remains."""
    _records(patch, lambda record: record._replace(headers=tuple(map(Header._make, dict(record.headers).items()))))


@mutant("answer/headers-sorted", rules=["v2.header.order"], source=["platformatic/kafka#373"])
def headers_sorted(patch: Patch) -> None:
    """Sorts headers by their keys."""
    _records(
        patch, lambda record: record._replace(headers=tuple(sorted(record.headers, key=lambda header: header.key)))
    )


@mutant("answer/header-values-as-text", source=["ag2ai/faststream#2458"])
def header_values_as_text(patch: Patch) -> None:
    """Passes header values through UTF-8, which replaces bytes that are not UTF-8."""
    _headers(patch, lambda header: header._replace(value=_as_text(header.value)))


@mutant("answer/null-header-value-as-empty", source=["fede1024/rust-rdkafka#454"])
def null_header_value_as_empty(patch: Patch) -> None:
    """Gives an empty header value for null."""
    _headers(patch, lambda header: header._replace(value=header.value or b""))


@mutant("answer/empty-header-value-as-null", source=["thomhurst/Dekaf#1627"])
def empty_header_value_as_null(patch: Patch) -> None:
    """Gives null for an empty header value."""
    _headers(patch, lambda header: header._replace(value=header.value or None))


@mutant("answer/headers-of-empty-keys-dropped")
def headers_of_empty_keys_dropped(patch: Patch) -> None:
    """Leaves out headers whose key is empty."""
    _records(patch, lambda record: record._replace(headers=tuple([header for header in record.headers if header.key])))
