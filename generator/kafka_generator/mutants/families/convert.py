"""Brokers: what clients of old fetch versions get."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kafka_format.broker import conversion, records_builder
from kafka_format.broker.conversion import ConversionLoss, Converted, LossKind, _Source
from kafka_format.broker.records_builder import BuilderSettings
from kafka_format.codec.prefix import prefix
from kafka_format.records import entries
from kafka_format.records.model import CODEC_MASK, CREATE_TIME, Record

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("convert", "convert")


def _write(patch: Patch, change: Callable[[Record, Sequence[Record]], Record]) -> None:
    """Let every record be written changed; `change` gets it and all that are written with it."""
    patch.wrap(
        records_builder.write,
        lambda right, records, settings: right([change(record, records) for record in records], settings),
    )


@mutant("convert/not-at-all", source=["IBM/sarama#988", "Parsely/pykafka#866"])
def not_at_all(patch: Patch) -> None:
    """Sends record batches to old clients without converting them."""
    patch.always(conversion._is_readable, returns=True)


@mutant(
    "convert/messages-before-the-fetch-offset",
    rules=["conversion.down.messages"],
    source=["apache/kafka#3191"],
)
def messages_before_the_fetch_offset(patch: Patch) -> None:
    """Gives messages before the requested offset, which old clients cannot handle."""
    patch.replace(conversion._records_to_write, lambda source, records, first_offset: records)


@mutant("convert/wrappers-from-the-fetch-offset")
def wrappers_from_the_fetch_offset(patch: Patch) -> None:
    """Leaves out records before the requested offset in compressed batches too."""
    patch.replace(
        conversion._records_to_write,
        lambda source, records, first_offset: [record for record in records if record.offset >= first_offset],
    )


@mutant("convert/control-batches-converted", rules=["conversion.down.control"], source=["dpkp/kafka-python#2361"])
def control_batches_converted(patch: Patch) -> None:
    """Gives control records to old clients, as data."""
    patch.always(_Source.is_control, returns=False)


@mutant("convert/offsets-counted", source=["IBM/sarama#1037"])
def offsets_counted(patch: Patch) -> None:
    """Counts the offsets of converted records up from the first."""
    _write(patch, lambda record, all_: record._replace(offset=all_[0].offset + all_.index(record)))


@mutant("convert/headers-refused", rules=["conversion.down.headers"])
def headers_refused(patch: Patch) -> None:
    """Refuses records with headers, where they are to be left out."""
    patch.replace(conversion._without_headers, lambda records: records)


@mutant("convert/timestamps-left-out", source=["redpanda-data/redpanda#1389"])
def timestamps_left_out(patch: Patch) -> None:
    """Leaves out timestamps in v1 too."""
    _write(patch, lambda record, _: record._replace(timestamp=-1))


@mutant("convert/timestamp-of-the-last-for-all", source=["redpanda-data/redpanda#1389"])
def timestamp_of_the_last_for_all(patch: Patch) -> None:
    """Gives all messages the timestamp of the last record."""
    _write(patch, lambda record, all_: record._replace(timestamp=all_[-1].timestamp))


@mutant("convert/null-values-as-empty", source=["platformatic/kafka#217"])
def null_values_as_empty(patch: Patch) -> None:
    """Turns null values into empty ones."""
    _write(patch, lambda record, _: record._replace(value=record.value or b""))


@mutant("convert/append-time-as-create-time", rules=["conversion.down.append-time"])
def append_time_as_create_time(patch: Patch) -> None:
    """Marks timestamps of the broker as set by producers."""
    patch.result(conversion._settings, lambda settings: settings._replace(timestamp_type=CREATE_TIME))


@mutant("convert/decompressed", rules=["conversion.down.wrapper"])
def decompressed(patch: Patch) -> None:
    """Gives compressed batches as plain messages."""
    patch.result(conversion._settings, lambda settings: settings._replace(codec="none"))


@mutant("convert/zstd-converted", source=["confluentinc/librdkafka#2880", "apache/kafka#5925"])
def zstd_converted(patch: Patch) -> None:
    """Writes zstd wrappers for clients that cannot read them."""
    patch.skip(conversion._check_codec)
    patch.skip(records_builder._check_codec)


@mutant("convert/empty-batches-refused", rules=["conversion.down.empty"], source=["dpkp/kafka-python#1571"])
def empty_batches_refused(patch: Patch) -> None:
    """Refuses batches that compaction left without records."""

    def wrong(
        right: Callable[..., bytes],
        source: _Source,
        magic: int,
        first_offset: int,
        lost: list[ConversionLoss],
        *rest: Any,
    ) -> bytes:
        data = right(source, magic, first_offset, lost, *rest)
        if lost and lost[-1].loss is LossKind.EMPTY_BATCH:
            raise ValueError
        return data

    patch.wrap(conversion._entry, wrong)


@mutant("convert/v1-wrapper-with-absolute-offsets", source=["IBM/sarama#720"])
def v1_wrapper_with_absolute_offsets(patch: Patch) -> None:
    """Writes absolute offsets in v1 wrappers."""
    patch.always(records_builder._inner_base, returns=0)


@mutant("convert/v0-wrapper-with-relative-offsets", source=["confluentinc/librdkafka#1192"])
def v0_wrapper_with_relative_offsets(patch: Patch) -> None:
    """Writes relative offsets in v0 wrappers."""
    patch.replace(records_builder._inner_base, lambda settings: settings.base_offset if settings.codec != "none" else 0)


@mutant("convert/wrapper-offset-of-the-first", source=["apache/kafka#3203"])
def wrapper_offset_of_the_first(patch: Patch) -> None:
    """Gives a wrapper the offset of its first message."""

    def wrong(
        right: Callable[[Sequence[Record], BuilderSettings], bytes],
        records: Sequence[Record],
        settings: BuilderSettings,
    ) -> bytes:
        data = bytearray(right(records, settings))
        prefix("message_set_entry").write(data, offset=records[0].offset)
        return bytes(data)

    patch.wrap(records_builder._legacy, wrong)


@mutant("convert/wrapper-timestamp-of-the-last", source=["apache/kafka#15621"])
def wrapper_timestamp_of_the_last(patch: Patch) -> None:
    """Gives a wrapper the timestamp of its last message, not the largest."""
    patch.wrap(
        records_builder.max_timestamp,
        lambda right, records, settings: right(records, settings) if settings.appended else records[-1].timestamp,
    )


@mutant("convert/only-the-first-batch", source=["ydb-platform/ydb#24272"])
def only_the_first_batch(patch: Patch) -> None:
    """Converts the first entry and leaves out the rest."""

    def wrong(right: Callable[..., Converted], data: bytes, *rest: Any, **options: Any) -> Converted:
        return right(data[: next(entries.split(data)).end], *rest, **options)

    patch.wrap(conversion.down_convert, wrong)


@mutant("convert/v1-to-v0-not-converted", rules=["conversion.down.timestamps"], source=["IBM/sarama#988"])
def v1_to_v0_not_converted(patch: Patch) -> None:
    """Gives messages of v1 to clients that read v0."""
    patch.replace(conversion._is_readable, lambda source, magic: source.magic <= max(magic, 1))


@mutant("convert/codec-of-the-wrapper-left-out", source=["redpanda-data/redpanda#1389"])
def codec_of_the_wrapper_left_out(patch: Patch) -> None:
    """Writes a compressed wrapper without its codec."""
    patch.result(
        records_builder._wrapper, lambda message: message._replace(attributes=message.attributes & ~CODEC_MASK)
    )


@mutant("convert/readable-written-anew", rules=["conversion.down.readable"])
def readable_written_anew(patch: Patch) -> None:
    """Rewrites entries that the client can read as they are."""
    patch.always(conversion._is_readable, returns=False)
    patch.wrap(conversion._settings, lambda right, source, kept, magic: right(source, kept, min(magic, source.magic)))
