"""Writers of records in batches, and of the varints that these are made of."""

from __future__ import annotations

from collections.abc import Callable
from itertools import starmap
from typing import Any

from kafka_format.primitives import varints
from kafka_format.primitives.varints import VarintKind
from kafka_format.records import encoding
from kafka_format.records.model import Header, Record
from kafka_format.spec.layout.types import INTEGERS

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("encode", "encode")


def _items(patch: Patch, change: Callable[[Any], dict[str, Any]]) -> None:
    """Let every record be written with other fields, which `change` makes of the right ones."""
    patch.result(encoding._items, lambda items: [item._replace(**change(item)) for item in items])


def _deltas(patch: Patch, name: str, delta: Callable[[Record, Record, int], int]) -> None:
    """Change a delta; `delta` gets a record, the one before (or itself) and its index."""
    patch.wrap(
        encoding._items,
        lambda right, records, first: [
            item._replace(**{name: delta(records[index], records[max(index - 1, 0)], index)})
            for index, item in enumerate(right(records, first))
        ],
    )


@mutant("encode/null-key-as-empty", source=["platformatic/kafka#217"])
def null_key_as_empty(patch: Patch) -> None:
    """Writes the length 0 for a null key."""
    _items(patch, lambda item: {"key": item.key or b""})


@mutant("encode/null-value-as-empty", source=["platformatic/kafka#54", "platformatic/kafka#217"])
def null_value_as_empty(patch: Patch) -> None:
    """Writes the length 0 for a null value, so tombstones are lost."""
    _items(patch, lambda item: {"value": item.value or b""})


@mutant("encode/empty-key-as-null", source=["confluentinc/librdkafka#1386"])
def empty_key_as_null(patch: Patch) -> None:
    """Writes null for an empty key."""
    _items(patch, lambda item: {"key": item.key or None})


@mutant("encode/empty-value-as-null", source=["confluentinc/librdkafka#1386"])
def empty_value_as_null(patch: Patch) -> None:
    """Writes null for an empty value."""
    _items(patch, lambda item: {"value": item.value or None})


@mutant("encode/headers-left-out", source=["segmentio/kafka-go#1050"])
def headers_left_out(patch: Patch) -> None:
    """Writes no headers."""
    _items(patch, lambda _: {"headers": ()})


@mutant("encode/headers-as-a-map", source=["tchiotludo/akhq#1257", "platformatic/kafka#372"])
def headers_as_a_map(patch: Patch) -> None:
    """Takes headers from a map, where the last of a repeated key remains."""
    _items(patch, lambda item: {"headers": tuple(starmap(Header, dict(item.headers).items()))})


@mutant("encode/null-header-value-as-empty", source=["fede1024/rust-rdkafka#454", "thomhurst/Dekaf#1627"])
def null_header_value_as_empty(patch: Patch) -> None:
    """Writes the length 0 for a null header value."""
    _items(
        patch, lambda item: {"headers": tuple(header._replace(value=header.value or b"") for header in item.headers)}
    )


@mutant("encode/header-count-as-int32", source=["optiopay/kafka#108"])
def header_count_as_int32(patch: Patch) -> None:
    """Writes header_count as an int32."""
    patch.field("record", "header_count", type=INTEGERS["int32"])


@mutant("encode/varints-without-zigzag", source=["alibaba/ilogtail@fbb01358"])
def varints_without_zigzag(patch: Patch) -> None:
    """Writes varints in two's complement."""
    patch.wrap(
        VarintKind.number, lambda right, self, value: value % (1 << self.bits) if self.zigzag else right(self, value)
    )


@mutant("encode/varints-of-two-bytes-at-least")
def varints_of_two_bytes_at_least(patch: Patch) -> None:
    """Writes short varints with a group more than they need."""
    patch.result(varints.write_varint, lambda written: bytes([written[0] | 0x80, 0]) if len(written) == 1 else written)


@mutant("encode/timestamp-delta-as-varint", source=["twmb/franz-go#324", "kafka-protocol-rs/kafka-protocol-rs#158"])
def timestamp_delta_as_varint(patch: Patch) -> None:
    """Writes timestamp_delta as a varint of 32 bits."""
    _items(patch, lambda item: {"timestamp_delta": (item.timestamp_delta + (1 << 31)) % (1 << 32) - (1 << 31)})


@mutant("encode/timestamp-delta-in-nanoseconds", source=["segmentio/kafka-go#266"])
def timestamp_delta_in_nanoseconds(patch: Patch) -> None:
    """Writes timestamp_delta in nanoseconds."""
    _items(patch, lambda item: {"timestamp_delta": item.timestamp_delta * 1_000_000})


@mutant("encode/timestamp-delta-from-the-record-before")
def timestamp_delta_from_the_record_before(patch: Patch) -> None:
    """Counts timestamp_delta from the record before."""
    _deltas(patch, "timestamp_delta", lambda record, before, _: record.timestamp - before.timestamp)


@mutant("encode/timestamp-delta-left-out", source=["redpanda-data/redpanda#1389"])
def timestamp_delta_left_out(patch: Patch) -> None:
    """Writes every timestamp_delta as 0."""
    _items(patch, lambda _: {"timestamp_delta": 0})


@mutant("encode/offset-delta-counts-records")
def offset_delta_counts_records(patch: Patch) -> None:
    """Writes the index of a record for its offset_delta."""
    _deltas(patch, "offset_delta", lambda _record, _before, index: index)


@mutant("encode/offset-delta-left-out", source=["apache/kafka#7628"])
def offset_delta_left_out(patch: Patch) -> None:
    """Writes every offset_delta as 0."""
    _items(patch, lambda _: {"offset_delta": 0})


@mutant("encode/offset-delta-is-absolute", source=["ydb-platform/ydb#24545"])
def offset_delta_is_absolute(patch: Patch) -> None:
    """Writes the offset for its offset_delta."""
    _deltas(patch, "offset_delta", lambda record, _before, _index: record.offset)


@mutant("encode/record-attributes-set", rules=["encoding.attributes.unused-zero"])
def record_attributes_set(patch: Patch) -> None:
    """Sets a bit in the attributes of records."""
    _items(patch, lambda _: {"attributes": 1})
