"""Brokers: what they write anew, in the format and codec of a topic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kafka_format.broker import records_builder
from kafka_format.broker.offsets import assignment
from kafka_format.broker.offsets.model import TopicState
from kafka_format.broker.offsets.produce_data import ProduceData
from kafka_format.broker.records_builder import BuilderSettings
from kafka_format.records.model import Record

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("assign", "assign")


@mutant("assign/written-anew-with-old-offsets")
def written_anew_with_old_offsets(patch: Patch) -> None:
    """Keeps the producer's offsets in entries that it rewrites."""
    patch.replace(assignment._number_records, lambda records, first_offset: list(records))


@mutant("assign/written-anew-with-one-timestamp", source=["ydb-platform/ydb#24272", "redpanda-data/redpanda#1389"])
def written_anew_with_one_timestamp(patch: Patch) -> None:
    """Gives everything that it rewrites the timestamp of the last record."""
    patch.result(
        assignment._number_records,
        lambda records: [record._replace(timestamp=records[-1].timestamp) for record in records],
    )


@mutant("assign/written-anew-without-producer")
def written_anew_without_producer(patch: Patch) -> None:
    """Drops the producer id of batches that it rewrites."""
    patch.result(
        assignment._settings,
        lambda settings: settings._replace(producer_id=-1, producer_epoch=-1, base_sequence=-1, transactional=False),
    )


@mutant("assign/written-anew-in-the-old-codec", rules=["offsets.codec"])
def written_anew_in_the_old_codec(patch: Patch) -> None:
    """Keeps the producer's codec where the topic has another."""
    patch.wrap(
        assignment._settings,
        lambda right, produced, first_offset, topic, codec: right(produced, first_offset, topic, produced.codec),
    )


@mutant("assign/v1-wrapper-with-absolute-offsets", rules=["offsets.v1.wrapper.anew"], source=["IBM/sarama#720"])
def v1_wrapper_with_absolute_offsets(patch: Patch) -> None:
    """Writes absolute offsets in v1 wrappers."""
    patch.always(records_builder._inner_base, returns=0)


@mutant("assign/v0-without-timestamp-as-zero", rules=["conversion.up.timestamps"], source=["SOHU-Co/kafka-node#812"])
def v0_without_timestamp_as_zero(patch: Patch) -> None:
    """Gives messages of v0 the timestamp 0 in newer formats."""

    def wrong(
        right: Callable[[Sequence[Record], BuilderSettings], bytes],
        records: Sequence[Record],
        settings: BuilderSettings,
    ) -> bytes:
        return right([record._replace(timestamp=max(record.timestamp, 0)) for record in records], settings)

    patch.wrap(records_builder._batch, wrong)


@mutant(
    "assign/append-time-not-on-inner-messages",
    rules=["offsets.append-time.anew"],
    source=["confluentinc/librdkafka#858"],
)
def append_time_not_on_inner_messages(patch: Patch) -> None:
    """Leaves the producer's timestamps in the inner messages of a wrapper that has the broker's."""

    def wrong(right: Callable[[Record, BuilderSettings], Any], record: Record, settings: BuilderSettings) -> Any:
        message = right(record, settings)
        return message._replace(timestamp=record.timestamp) if settings.magic else message

    patch.wrap(records_builder._message, wrong)


@mutant("assign/written-anew-with-producer-zero", rules=["conversion.up.batch"])
def written_anew_with_producer_zero(patch: Patch) -> None:
    """Writes the producer id 0 for entries that have none."""

    def wrong(
        right: Callable[[ProduceData, int, TopicState, str], BuilderSettings],
        produced: ProduceData,
        first_offset: int,
        topic: TopicState,
        codec: str,
    ) -> BuilderSettings:
        settings = right(produced, first_offset, topic, codec)
        return settings if produced.magic == 2 else settings._replace(producer_id=0)

    patch.wrap(assignment._settings, wrong)
