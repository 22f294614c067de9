"""Messages of v0 and v1."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

from kafka_format.codec.prefix import prefix
from kafka_format.records import legacy
from kafka_format.records.entries import MAGIC_AT, OVERHEAD, Entry
from kafka_format.records.model import CREATE_TIME, NO_TIMESTAMP, TIMESTAMP_TYPE_BIT, Record
from kafka_format.spec.layout.model import Checksum
from kafka_format.spec.layout.types import INTEGERS, VARINTS

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode", "legacy")


def _records(patch: Patch, magic: int, **fields: Any) -> None:
    """Let the records of messages of one magic, outside of wrappers, be given with other fields."""
    patch.wrap(
        legacy._record,
        lambda right, offset, message: (
            right(offset, message)._replace(**fields) if message.magic == magic else right(offset, message)
        ),
    )


@mutant("message/v0-timestamp-of-zero", rules=["v0.timestamp.none"], source=["SOHU-Co/kafka-node#812"])
def v0_timestamp_of_zero(patch: Patch) -> None:
    """Gives messages of v0, which have no timestamp, the timestamp 0."""
    _records(patch, 0, timestamp=0)


@mutant("message/v0-has-create-time")
def v0_has_create_time(patch: Patch) -> None:
    """Marks messages of v0, which have no timestamp, as having create time."""
    _records(patch, 0, timestamp_type=CREATE_TIME)


@mutant("message/timestamp-type-ignored", rules=["v1.timestamp-type"])
def timestamp_type_ignored(patch: Patch) -> None:
    """Marks every message of v1 as having create time."""
    _records(patch, 1, timestamp_type=CREATE_TIME)


@mutant("message/v1-without-timestamp", rules=["v1.timestamp"], source=["weiboad/kafka-php@c7ab2684"])
def v1_without_timestamp(patch: Patch) -> None:
    """Reads messages of v1 by the layout of v0."""

    def wrong(right: Callable[[int, Any], Record], offset: int, message: Any) -> Record:
        if message.magic == 0:
            return right(offset, message)
        kind = 1 if message.attributes & TIMESTAMP_TYPE_BIT else CREATE_TIME
        return Record(offset, NO_TIMESTAMP, kind, message.key, message.value)

    patch.remove("message_v1", "timestamp")
    patch.wrap(legacy._record, wrong)


@mutant(
    "message/key-never-null",
    rules=["legacy.key.nullable"],
    source=["adobe-research/libkafka#1", "influxdata/rskafka#93", "Geal/proust#16"],
)
def key_never_null(patch: Patch) -> None:
    """Refuses a null key."""
    patch.refuse(legacy._record, when=lambda offset, message: message.key is None)


@mutant(
    "message/value-never-null",
    rules=["legacy.value.nullable"],
    source=["tulios/kafkajs#185", "confluentinc/librdkafka#200"],
)
def value_never_null(patch: Patch) -> None:
    """Refuses a null value."""
    patch.refuse(legacy._record, when=lambda offset, message: message.value is None)


@mutant(
    "message/lengths-compact",
    source=[
        "confluentinc/librdkafka#5549",
        "confluentinc/librdkafka#5550",
        "confluentinc/librdkafka#5504",
        "scality/backbeat#2773",
    ],
)
def lengths_compact(patch: Patch) -> None:
    """Reads the lengths of keys and values as compact ones, as in flexible requests."""
    patch.form("nullable_bytes", length=VARINTS["compact_length"])


@mutant("message/lengths-as-int16", source=["tisonkun/kafka-api#10", "tisonkun/kafka-api#6"])
def lengths_as_int16(patch: Patch) -> None:
    """Reads the lengths of keys and values as int16."""
    patch.form("nullable_bytes", length=INTEGERS["int16"])


@mutant("message/crc-not-checked", source=["confluentinc/librdkafka#1056", "TrackingSoft/Kafka@e184f27f"])
def crc_not_checked(patch: Patch) -> None:
    """Never compares the checksum of a message."""
    patch.allow("legacy.crc.covers-magic-to-end")


@mutant("message/crc-without-magic", source=["Jroland/kafka-net#27"])
def crc_without_magic(patch: Patch) -> None:
    """Computes the checksum from the attributes on."""
    for layout in ("message_v0", "message_v1"):
        patch.field(layout, "crc", computed=Checksum("crc32", "attributes"))


@mutant("message/crc-signed", source=["redpanda-data/redpanda#6631"])
def crc_signed(patch: Patch) -> None:
    """Reads the checksum as a signed number and compares it with an unsigned one."""
    patch.refuse(legacy._is_wrapper, when=lambda message: message.crc >> 31)


@mutant("message/crc-of-four-bytes-more", source=["redpanda-data/redpanda#5685"])
def crc_of_four_bytes_more(patch: Patch) -> None:
    """Computes the checksum over four bytes of the next entry too, if there is one."""

    def differs(data: bytes, entry: Entry, *_: Any) -> bool:
        stored = prefix(f"message_v{entry.magic}").read(data, entry.start + OVERHEAD).crc
        return zlib.crc32(data[entry.start + MAGIC_AT : entry.end + 4]) != int(stored)

    patch.refuse(legacy.read, when=differs)


@mutant("message/unused-bits-must-be-zero", rules=["legacy.attributes.unused-ignored"])
def unused_bits_must_be_zero(patch: Patch) -> None:
    """Refuses a message with unused attribute bits."""
    patch.refuse(legacy._is_wrapper, when=lambda message: message.attributes & ~(0x0F if message.magic else 0x07))


@mutant("message/bits-from-the-other-end", rules=["field.bits"])
def bits_from_the_other_end(patch: Patch) -> None:
    """Counts attribute bits from the most significant one."""

    def turned(message: Any) -> Any:
        return message._replace(attributes=message.attributes >> 1 & TIMESTAMP_TYPE_BIT)

    patch.wrap(legacy._record, lambda right, offset, message: right(offset, turned(message)))
    patch.wrap(legacy._inner_type, lambda right, inner, wrapper, flags: right(inner, turned(wrapper), flags))
