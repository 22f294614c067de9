"""Writers of messages, of the wrappers that hold them, and of compressed payloads."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from kafka_format.compression import gzip, lz4, lz4_header, snappy
from kafka_format.compression.library import library
from kafka_format.records import encoding
from kafka_format.records.model import TIMESTAMP_TYPE_BIT, Record
from kafka_format.spec.layout.model import Checksum

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("encode", "encode")

_UNUSED_BIT = 0x10


def _messages(patch: Patch, magic: int, change: Callable[[Any], dict[str, Any]]) -> None:
    """Write messages of one magic with the fields that `change` makes of the right ones."""

    def wrong(right: Callable[..., Any], record: Record, of: int, attributes: int = 0) -> Any:
        message = right(record, of, attributes)
        return message._replace(**change(message)) if of == magic else message

    patch.wrap(encoding._message, wrong)


def _wrappers(patch: Patch, change: Callable[[Record, Sequence[Record]], Record]) -> None:
    """Write wrappers changed; `change` gets the wrapper as a record, and the records inside."""
    patch.wrap(encoding._wrapper_record, lambda right, records, payload: change(right(records, payload), records))


@mutant("encode/message-crc-without-magic", source=["Jroland/kafka-net#27"])
def message_crc_without_magic(patch: Patch) -> None:
    """Computes the checksum of a message from the attributes on."""
    for layout in ("message_v0", "message_v1"):
        patch.field(layout, "crc", computed=Checksum("crc32", "attributes"))


@mutant("encode/v0-null-value-as-empty", source=["tulios/kafkajs#185"])
def v0_null_value_as_empty(patch: Patch) -> None:
    """Writes the length 0 for a null value of v0."""
    _messages(patch, 0, lambda message: {"value": message.value or b""})


@mutant("encode/v1-null-key-as-empty", source=["adobe-research/libkafka#1"])
def v1_null_key_as_empty(patch: Patch) -> None:
    """Writes the length 0 for a null key of v1."""
    _messages(patch, 1, lambda message: {"key": message.key or b""})


@mutant("encode/v1-timestamp-left-out")
def v1_timestamp_left_out(patch: Patch) -> None:
    """Writes -1 for the timestamps of v1."""
    _messages(patch, 1, lambda _: {"timestamp": -1})


@mutant("encode/message-offsets-of-zero", source=["apache/kafka#7628"])
def message_offsets_of_zero(patch: Patch) -> None:
    """Writes the offset 0 for every message."""

    def wrong(right: Callable[..., bytes], records: Sequence[Record], magic: int, codec: str) -> bytes:
        if magic < 2 and codec == "none":
            records = [record._replace(offset=0) for record in records]
        return right(records, magic, codec)

    patch.wrap(encoding._encode, wrong)


@mutant("encode/wrapper-offset-of-the-first", rules=["encoding.wrapper.offset"], source=["apache/kafka#3203"])
def wrapper_offset_of_the_first(patch: Patch) -> None:
    """Gives a wrapper the offset of its first message."""
    _wrappers(patch, lambda wrapper, records: wrapper._replace(offset=records[0].offset))


@mutant(
    "encode/wrapper-of-v0-with-relative-offsets",
    rules=["encoding.wrapper.offsets"],
    source=["confluentinc/librdkafka#1192"],
)
def wrapper_of_v0_with_relative_offsets(patch: Patch) -> None:
    """Writes relative offsets in v0 wrappers, as in v1."""
    patch.replace(encoding._inner_base, lambda first, magic: first.offset)


@mutant("encode/wrapper-of-v1-with-absolute-offsets", rules=["encoding.wrapper.offsets"])
def wrapper_of_v1_with_absolute_offsets(patch: Patch) -> None:
    """Writes absolute offsets in v1 wrappers, as in v0."""
    patch.always(encoding._inner_base, returns=0)


@mutant("encode/wrapper-timestamp-of-zero", rules=["encoding.wrapper.timestamp"])
def wrapper_timestamp_of_zero(patch: Patch) -> None:
    """Writes the timestamp 0 for a wrapper with create time, as kafka-python and aiokafka do."""
    _wrappers(patch, lambda wrapper, _: wrapper._replace(timestamp=wrapper.timestamp * wrapper.timestamp_type))


@mutant("encode/wrapper-timestamp-of-the-first", rules=["encoding.wrapper.timestamp"])
def wrapper_timestamp_of_the_first(patch: Patch) -> None:
    """Gives a wrapper the timestamp of its first message."""
    _wrappers(patch, lambda wrapper, records: wrapper._replace(timestamp=records[0].timestamp))


@mutant("encode/wrapper-timestamp-of-the-last", rules=["encoding.wrapper.timestamp"])
def wrapper_timestamp_of_the_last(patch: Patch) -> None:
    """Gives a wrapper the timestamp of its last message."""
    _wrappers(patch, lambda wrapper, records: wrapper._replace(timestamp=records[-1].timestamp))


@mutant("encode/wrapper-append-time-left-out", source=["confluentinc/librdkafka#858"])
def wrapper_append_time_left_out(patch: Patch) -> None:
    """Leaves out the bit of log append time on a wrapper."""
    _wrappers(patch, lambda wrapper, _: wrapper._replace(timestamp_type=0))


@mutant("encode/gzip-as-zlib")
def gzip_as_zlib(patch: Patch) -> None:
    """Writes zlib streams for gzip."""
    patch.replace(gzip.compress, lambda data, _magic: zlib.compress(data))


@mutant("encode/snappy-little-endian-chunk-lengths")
def snappy_little_endian_chunk_lengths(patch: Patch) -> None:
    """Writes the lengths of chunks little-endian."""
    patch.constant(snappy, "_LENGTH", struct.Struct("<i"))


@mutant("encode/snappy-official-framing", source=["xerial/snappy-java#115"])
def snappy_official_framing(patch: Patch) -> None:
    """Writes the official snappy framing."""
    patch.replace(
        snappy.compress,
        lambda data, _magic: bytes(library("snappy", "python-snappy").StreamCompressor().compress(data)),
    )


@mutant("encode/lz4-wrong-header-checksum", source=["apache/kafka#1212", "dpkp/kafka-python#522"])
def lz4_wrong_header_checksum(patch: Patch) -> None:
    """Writes the header checksum of v0 in all formats."""
    patch.wrap(lz4.compress, lambda right, data, magic: right(data, 0))


@mutant("encode/lz4-without-end-mark")
def lz4_without_end_mark(patch: Patch) -> None:
    """Writes no end mark."""
    patch.constant(lz4, "_END_MARK", b"")


@mutant("encode/lz4-linked-blocks", source=["dpkp/kafka-python#1476", "kafka-protocol-rs/kafka-protocol-rs#59"])
def lz4_linked_blocks(patch: Patch) -> None:
    """Says that blocks are linked, which Java refuses."""
    patch.constant(lz4_header, "WRITTEN", lz4_header.MAGIC + bytes.fromhex("4040 c0"))


@mutant("encode/v1-unused-bit-set", rules=["encoding.attributes.unused-zero"])
def v1_unused_bit_set(patch: Patch) -> None:
    """Sets an unused bit in the attributes of messages of v1."""
    _messages(patch, 1, lambda message: {"attributes": message.attributes | _UNUSED_BIT})


@mutant("encode/v0-timestamp-type-bit", rules=["encoding.attributes.unused-zero"])
def v0_timestamp_type_bit(patch: Patch) -> None:
    """Sets the timestamp type bit in messages of v0, where it has no meaning."""
    _messages(patch, 0, lambda message: {"attributes": message.attributes | TIMESTAMP_TYPE_BIT})
