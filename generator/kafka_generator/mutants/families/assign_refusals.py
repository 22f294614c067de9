"""Brokers: what they refuse of what a producer sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafka_format.broker import records_builder
from kafka_format.broker.offsets import produce_data
from kafka_format.broker.offsets.produce_data import ProduceData

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("assign", "assign")


@mutant("assign/count-not-checked", source=["apache/kafka#4585"])
def count_not_checked(patch: Patch) -> None:
    """Accepts a batch whose last_offset_delta does not fit its record_count."""
    patch.skip(produce_data._check_count)


@mutant("assign/control-batch-of-a-client")
def control_batch_of_a_client(patch: Patch) -> None:
    """Accepts a control batch from a client."""
    patch.skip(produce_data._check_no_control)


@mutant("assign/producer-without-sequence", source=["apache/kafka#5990"])
def producer_without_sequence(patch: Patch) -> None:
    """Accepts a producer id without a base sequence."""
    patch.skip(produce_data._check_sequence)


@mutant("assign/append-time-of-a-client")
def append_time_of_a_client(patch: Patch) -> None:
    """Accepts a client's claim that the broker set the time."""
    patch.skip(produce_data._check_timestamp_type)


@mutant("assign/mixed-magics", source=["segmentio/kafka-go#753"])
def mixed_magics(patch: Patch) -> None:
    """Accepts messages of several magics in one request."""
    patch.skip(produce_data._check_magic)


@mutant("assign/several-batches")
def several_batches(patch: Patch) -> None:
    """Accepts several batches of one producer in one request."""
    patch.skip(produce_data._check_single)


@mutant("assign/producers-in-old-formats")
def producers_in_old_formats(patch: Patch) -> None:
    """Accepts batches with a producer id for topics of v0 and v1."""
    patch.skip(produce_data._check_producer)


@mutant("assign/headers-in-old-formats")
def headers_in_old_formats(patch: Patch) -> None:
    """Accepts records with headers for topics of v0 and v1, and drops the headers."""
    patch.wrap(
        records_builder._check,
        lambda right, index, record, previous, settings: right(index, record._replace(headers=()), previous, settings),
    )


@mutant("assign/zstd-in-old-formats", source=["apache/kafka#5925"])
def zstd_in_old_formats(patch: Patch) -> None:
    """Writes zstd wrappers."""
    patch.skip(records_builder._check_codec)


@mutant("assign/cut-entry-refused", rules=["offsets.cut"])
def cut_entry_refused(patch: Patch) -> None:
    """Refuses a request whose last entry is cut off."""

    def wrong(right: Callable[..., None], self: ProduceData, data: bytes, *rest: Any) -> None:
        right(self, data, *rest)
        if len(self.data) != len(data):
            raise ValueError

    patch.wrap(ProduceData.__init__, wrong)
