"""gzip and snappy, as Kafka uses them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from itertools import islice

from kafka_format.compression import gzip, snappy
from kafka_format.compression.errors import payload_error
from kafka_format.compression.library import library

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode", "compression")

_Decompress = Callable[[bytes, int, int, frozenset[str]], bytes]


@mutant(
    "gzip/first-member-only",
    source=["confluentinc/librdkafka#54", "oleksiyk/kafka#100", "edenhill/kcat#83", "IBM/sarama#1572"],
)
def gzip_first_member_only(patch: Patch) -> None:
    """Stops after the first gzip member."""
    patch.always(gzip._is_last, returns=True)


@mutant("gzip/header-of-ten-bytes", source=["confluentinc/librdkafka#54"])
def gzip_header_of_ten_bytes(patch: Patch) -> None:
    """Assumes that every gzip header has ten bytes."""
    patch.replace(gzip._optional_end, lambda data, start, bits: start + 10)


@mutant("gzip/zlib-accepted")
def gzip_zlib_accepted(patch: Patch) -> None:
    """Reads zlib streams where gzip is due, too."""

    def wrong(right: _Decompress, data: bytes, magic: int, limit: int, flags: frozenset[str]) -> bytes:
        return zlib.decompress(data) if data.startswith(b"\x78") else right(data, magic, limit, flags)

    patch.wrap(gzip.decompress, wrong)


@mutant("gzip/checksum-not-checked")
def gzip_checksum_not_checked(patch: Patch) -> None:
    """Never compares the checksum in the trailer of gzip."""
    patch.skip(gzip._check_checksum)


@mutant("gzip/length-not-checked")
def gzip_length_not_checked(patch: Patch) -> None:
    """Never compares the length in the trailer of gzip."""
    patch.skip(gzip._check_length)


@mutant("gzip/header-checksum-not-checked")
def gzip_header_checksum_not_checked(patch: Patch) -> None:
    """Never compares the checksum of a gzip header."""
    patch.skip(gzip._check_header)


@mutant("gzip/trailer-may-be-cut", source=["tulios/kafkajs#152"])
def gzip_trailer_may_be_cut(patch: Patch) -> None:
    """Accepts a gzip stream that ends inside its trailer."""
    patch.wrap(
        gzip._check_trailer,
        lambda right, data, start, content: len(data) if len(data) < start + 8 else right(data, start, content),
    )


@mutant("gzip/any-method")
def gzip_any_method(patch: Patch) -> None:
    """Never looks at the compression method of gzip."""
    patch.skip(gzip._check_method)


@mutant(
    "snappy/no-xerial-framing",
    source=[
        "dpkp/kafka-python#126",
        "dpkp/kafka-python#127",
        "zendesk/ruby-kafka#227",
        "tychedelia/kafka-protocol-rs#79",
        "nisshi-io/nisshi#67",
    ],
)
def snappy_no_xerial_framing(patch: Patch) -> None:
    """Reads raw snappy blocks only, and no xerial framing."""
    patch.replace(snappy._chunks, lambda data, limit, flags: iter([snappy._block(data, 0, len(data), limit, limit)]))


@mutant("snappy/header-of-twenty-bytes", source=["TrackingSoft/Kafka#18", "kafkaex/kafka_ex#38"])
def snappy_header_of_twenty_bytes(patch: Patch) -> None:
    """Skips the xerial header and the first length, and reads the rest as one snappy block."""
    patch.replace(snappy._chunks, lambda data, limit, flags: iter([snappy._block(data, 20, len(data), limit, limit)]))


@mutant("snappy/first-chunk-only", source=["TrackingSoft/Kafka#18", "kafkaex/kafka_ex#38"])
def snappy_first_chunk_only(patch: Patch) -> None:
    """Stops after the first chunk of snappy."""
    patch.result(snappy._chunks, lambda chunks: islice(chunks, 1))


@mutant("snappy/chunk-length-little-endian", source=["redpanda-data/redpanda#25091"])
def snappy_chunk_length_little_endian(patch: Patch) -> None:
    """Reads the length of a snappy chunk with its bytes the other way round."""
    patch.constant(snappy, "_LENGTH", struct.Struct("<i"))


@mutant("snappy/chunk-length-trusted", source=["apache/kafka#14434"])
def snappy_chunk_length_trusted(patch: Patch) -> None:
    """Reads the last chunk of snappy even if its length says that more follows."""

    def wrong(right: Callable[[bytes, int], int], data: bytes, start: int) -> int:
        length = int.from_bytes(data[start - 4 : start], signed=True)
        return min(start + length, len(data)) if length > 0 else right(data, start)

    patch.wrap(snappy._chunk_end, wrong)


@mutant("snappy/raw-block-refused", rules=["compression.snappy.magic"], source=["osodevops/kafka-backup#152"])
def snappy_raw_block_refused(patch: Patch) -> None:
    """Refuses snappy without the xerial header, which is what librdkafka writes."""

    def wrong(right: _Decompress, data: bytes, magic: int, limit: int, flags: frozenset[str]) -> bytes:
        if not data.startswith(snappy._MAGIC):
            raise payload_error(0, "compression.snappy.magic", "no xerial header")
        return right(data, magic, limit, flags)

    patch.wrap(snappy.decompress, wrong)


@mutant(
    "snappy/little-endian-versions-refused",
    rules=["compression.snappy.version"],
    source=["dpkp/kafka-python#2414", "redpanda-data/redpanda#25091", "redpanda-data/redpanda#25092"],
)
def snappy_little_endian_versions_refused(patch: Patch) -> None:
    """Refuses a xerial header with little-endian versions, which is what Redpanda wrote."""
    patch.constant(snappy, "_LITTLE_ENDIAN_HEADER", snappy._HEADER)


@mutant("snappy/official-framing-accepted", source=["xerial/snappy-java#115"])
def snappy_official_framing_accepted(patch: Patch) -> None:
    """Reads the official snappy framing too."""

    def wrong(right: _Decompress, data: bytes, magic: int, limit: int, flags: frozenset[str]) -> bytes:
        if not data.startswith(snappy._OFFICIAL):
            return right(data, magic, limit, flags)
        return bytes(library("snappy", "python-snappy").StreamDecompressor().decompress(data))

    patch.wrap(snappy.decompress, wrong)


@mutant("snappy/empty-is-empty", source=["confluentinc/librdkafka#645"])
def snappy_empty_is_empty(patch: Patch) -> None:
    """Accepts a snappy payload of no bytes as an empty one."""

    def wrong(right: _Decompress, data: bytes, magic: int, limit: int, flags: frozenset[str]) -> bytes:
        return right(data, magic, limit, flags) if data else b""

    patch.wrap(snappy.decompress, wrong)
