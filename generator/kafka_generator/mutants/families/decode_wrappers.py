"""Wrappers of v0 and v1, and the messages inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafka_format.codec.prefix import prefix
from kafka_format.records import legacy
from kafka_format.records.entries import Entry
from kafka_format.records.legacy import _Inner
from kafka_format.records.model import Record

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode", "legacy")


def _inside(patch: Patch, change: Callable[[list[Record], int], list[Record]]) -> None:
    """Change the records of wrappers; `change` gets them and the wrapper's offset."""

    def wrong(right: Callable[..., list[Record]], data: bytes, entry: Entry, *rest: Any) -> list[Record]:
        records = right(data, entry, *rest)
        offset = prefix("message_set_entry").read(data, entry.start).offset
        return change(records, offset) if records and records[0].codec else records

    patch.wrap(legacy.read, wrong)


@mutant(
    "wrapper/inner-offsets-taken-for-absolute",
    rules=["v1.wrapper.offsets.relative"],
    source=["IBM/sarama#720", "IBM/sarama#721"],
)
def inner_offsets_taken_for_absolute(patch: Patch) -> None:
    """Gives the relative offsets inside v1 wrappers as they are."""
    patch.always(legacy._shift, returns=0)


@mutant(
    "wrapper/inner-offsets-of-v0-taken-for-relative",
    rules=["v0.wrapper.offsets.absolute"],
    source=["confluentinc/librdkafka#1192", "TrackingSoft/Kafka#33", "wglass/kiel#11", "kafka4beam/brod#252"],
)
def inner_offsets_of_v0_taken_for_relative(patch: Patch) -> None:
    """Counts the offsets inside v0 wrappers from the wrapper's, as in v1."""
    patch.wrap(legacy._shift, lambda right, offset, inner, magic, start, flags: right(offset, inner, 1, start, flags))


@mutant(
    "wrapper/relative-if-the-first-is-zero",
    source=["zendesk/ruby-kafka#505", "zendesk/ruby-kafka#506", "SOHU-Co/kafka-node#1225"],
)
def relative_if_the_first_is_zero(patch: Patch) -> None:
    """Guesses by the first inner offset whether they are relative."""
    patch.wrap(
        legacy._shift,
        lambda right, offset, inner, magic, start, flags: right(offset, inner, int(inner[0].offset == 0), start, flags),
    )


@mutant("wrapper/offset-taken-for-the-first", source=["weiboad/kafka-php#163"])
def offset_taken_for_the_first(patch: Patch) -> None:
    """Takes the offset of a v1 wrapper for that of its first message."""

    def wrong(right: Callable[..., int], wrapper: int, *rest: Any) -> int:
        right(wrapper, *rest)
        return wrapper

    patch.wrap(legacy._offset_shift, wrong)


@mutant("wrapper/offsets-counted-back", rules=["v1.wrapper.offsets.gaps"], source=["SOHU-Co/kafka-node#1388"])
def offsets_counted_back(patch: Patch) -> None:
    """Counts back from the wrapper's offset by messages, as if compaction left no gaps."""
    _inside(
        patch,
        lambda records, offset: [
            record._replace(offset=offset - len(records) + 1 + at) for at, record in enumerate(records)
        ],
    )


@mutant("wrapper/all-get-the-offset-of-the-wrapper")
def all_get_the_offset_of_the_wrapper(patch: Patch) -> None:
    """Gives every inner message the offset of its wrapper."""
    _inside(patch, lambda records, offset: [record._replace(offset=offset) for record in records])


@mutant("wrapper/offset-of-zero-is-not-special", rules=["v1.wrapper.offset.zero"], source=["apache/kafka#3203"])
def offset_of_zero_is_not_special(patch: Patch) -> None:
    """Counts from the wrapper's offset also where it is 0, as old producers sent it."""

    def wrong(right: Callable[..., int], wrapper: int, last_inner: int, *rest: Any) -> int:
        if wrapper == 0 < last_inner:
            raise ValueError
        return right(wrapper, last_inner, *rest) if wrapper else -last_inner

    patch.wrap(legacy._offset_shift, wrong)


@mutant("wrapper/offset-below-last-gives-negative-offsets", source=["WallarooLabs/pony-kafka#40"])
def offset_below_last_gives_negative_offsets(patch: Patch) -> None:
    """Subtracts the last inner offset from the wrapper's, whichever is larger."""
    patch.replace(
        legacy._offset_shift, lambda wrapper, last_inner, start, flags: wrapper - last_inner if wrapper else 0
    )


@mutant("wrapper/append-time-ignored", rules=["v1.wrapper.timestamp.append"], source=["confluentinc/librdkafka#858"])
def append_time_ignored(patch: Patch) -> None:
    """Gives inner messages their own timestamps where the wrapper has the broker's."""
    patch.always(legacy._keeps_timestamp, returns=True)


@mutant(
    "wrapper/timestamp-for-all",
    rules=["v1.wrapper.timestamp.inner"],
    source=["streamnative/kop#1888", "ydb-platform/ydb#24272"],
)
def timestamp_for_all(patch: Patch) -> None:
    """Gives inner messages the timestamp of their wrapper, also where producers set the time."""

    def wrong(right: Callable[..., Record], offset: int, inner: _Inner, wrapper: Any, flags: frozenset[str]) -> Record:
        record = right(offset, inner, wrapper, flags)
        return record._replace(timestamp=wrapper.timestamp) if wrapper.magic and inner.message.magic else record

    patch.wrap(legacy._inner_record, wrong)


@mutant("wrapper/timestamp-type-of-the-inner-message", rules=["v1.wrapper.timestamp-type"])
def timestamp_type_of_the_inner_message(patch: Patch) -> None:
    """Takes the timestamp type from inner messages, not from the wrapper."""
    patch.wrap(
        legacy._inner_type,
        lambda right, inner, wrapper, flags: right(inner, wrapper._replace(attributes=inner.message.attributes), flags),
    )


@mutant("wrapper/not-opened", rules=["legacy.wrapper"])
def not_opened(patch: Patch) -> None:
    """Gives a wrapper as one message with compressed bytes for a value."""
    patch.always(legacy._is_wrapper, returns=False)


@mutant("wrapper/only-the-first-message", source=["ydb-platform/ydb#24272"])
def only_the_first_message(patch: Patch) -> None:
    """Gives only the first message of a wrapper."""
    _inside(patch, lambda records, _: records[:1])


@mutant("wrapper/null-value-is-empty")
def null_value_is_empty(patch: Patch) -> None:
    """Treats a wrapper without a value as one without messages."""
    patch.wrap(
        legacy._open,
        lambda right, wrapper, entry: [] if wrapper.message.value is None else right(wrapper, entry),
    )


@mutant("wrapper/inner-checksums-not-checked", source=["confluentinc/librdkafka#1056"])
def inner_checksums_not_checked(patch: Patch) -> None:
    """Never compares the checksums of inner messages."""
    patch.wrap(
        legacy._inner_entry, lambda right, payload, entry, flags: right(payload, entry, flags | legacy._OF_WRAPPERS)
    )


@mutant("wrapper/zstd-accepted", source=["apache/kafka#5925", "confluentinc/librdkafka#2880"])
def zstd_accepted(patch: Patch) -> None:
    """Reads zstd in v0 and v1, where it never was allowed."""
    patch.enum("legacy_codec", {0: "none", 1: "gzip", 2: "snappy", 3: "lz4", 4: "zstd"})


@mutant("wrapper/lz4-unknown")
def lz4_unknown(patch: Patch) -> None:
    """Refuses lz4 in v0 and v1."""
    patch.enum("legacy_codec", {0: "none", 1: "gzip", 2: "snappy"})


@mutant("wrapper/key-refused", rules=["legacy.wrapper.key.ignored"])
def key_refused(patch: Patch) -> None:
    """Refuses a wrapper with a key."""
    patch.refuse(legacy._open, when=lambda wrapper, entry: wrapper.message.key is not None)
