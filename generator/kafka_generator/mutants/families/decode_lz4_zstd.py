"""lz4 and zstd, as Kafka uses them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from kafka_format.compression import lz4, lz4_header, zstd, zstd_frame
from kafka_format.compression.lz4_header import MAGIC, Header
from kafka_format.errors import FormatError

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode", "compression")

_Decompress = Callable[[bytes, int, int, frozenset[str]], bytes]
_BlockSize = Callable[[bytes, int, Header, frozenset[str]], int | None]


@mutant(
    "lz4/right-header-checksum-only",
    source=[
        "apache/kafka#1212",
        "dpkp/kafka-python#522",
        "confluentinc/librdkafka#507",
        "IBM/sarama#875",
        "kafka-rust/kafka-rust#152",
    ],
)
def lz4_right_header_checksum_only(patch: Patch) -> None:
    """Refuses the lz4 header checksum that Kafka wrote in v0."""
    patch.wrap(lz4_header._checksums, lambda right, descriptor, magic: right(descriptor, 2))


@mutant("lz4/wrong-header-checksum-everywhere", source=["apache/kafka#1212"])
def lz4_wrong_header_checksum_everywhere(patch: Patch) -> None:
    """Accepts the lz4 header checksum of v0 in all formats."""
    patch.wrap(lz4_header._checksums, lambda right, descriptor, magic: right(descriptor, 0))


@mutant("lz4/wrong-header-checksum-only", source=["apache/kafka#1212"])
def lz4_wrong_header_checksum_only(patch: Patch) -> None:
    """Refuses the right lz4 header checksum in v0, as 0.8.2 did."""
    patch.wrap(
        lz4_header.read_header,
        lambda right, data, magic, flags: (right if magic else lz4_header._check_header)(data, magic, flags),
    )
    patch.result(lz4_header._checksums, lambda checksums: checksums[-1:])


@mutant("lz4/header-checksum-not-checked", source=["apache/kafka#1344"])
def lz4_header_checksum_not_checked(patch: Patch) -> None:
    """Never compares the header checksum of lz4, also in v1 and v2."""
    patch.skip(lz4_header._check_checksum)


@mutant("lz4/block-checksums-not-checked")
def lz4_block_checksums_not_checked(patch: Patch) -> None:
    """Never compares the checksums of lz4 blocks."""

    def wrong(
        right: Callable[[bytes, int, bytes | None, str], int], data: bytes, start: int, hashed: bytes | None, rule: str
    ) -> int:
        return right(data, start, None if rule == "compression.lz4.block-checksum" else hashed, rule)

    patch.wrap(lz4._checksum_end, wrong)


@mutant("lz4/block-checksums-not-skipped")
def lz4_block_checksums_not_skipped(patch: Patch) -> None:
    """Takes the checksum after an lz4 block for the next block."""
    patch.result(lz4_header.read_header, lambda header: header._replace(block_checksums=False))


@mutant("lz4/content-size-not-skipped", source=["apache/kafka#23172"])
def lz4_content_size_not_skipped(patch: Patch) -> None:
    """Takes the content size in an lz4 header for the first block."""
    patch.wrap(lz4_header._descriptor_end, lambda right, bits: right(0))


@mutant("lz4/linked-blocks-accepted", source=["dpkp/kafka-python#1476", "kafka-protocol-rs/kafka-protocol-rs#59"])
def lz4_linked_blocks_accepted(patch: Patch) -> None:
    """Reads lz4 frames that say their blocks are linked."""
    patch.wrap(lz4_header._check_flg, lambda right, bits: right(bits | lz4_header._INDEPENDENT))


@mutant("lz4/stored-blocks-decompressed", source=["apache/kafka#2967", "lz4/lz4-java#99"])
def lz4_stored_blocks_decompressed(patch: Patch) -> None:
    """Decompresses lz4 blocks that are stored uncompressed."""
    patch.result(lz4._block_size, lambda size: None if size is None else size & ~lz4._STORED)


@mutant("lz4/second-frame-read", source=["demisto/content#6802"])
def lz4_second_frame_read(patch: Patch) -> None:
    """Reads a second lz4 frame too, where Kafka reads one."""

    def wrong(right: _Decompress, data: bytes, magic: int, limit: int, flags: frozenset[str]) -> bytes:
        content, end = lz4._frame(data, magic, limit, flags)
        if data.startswith(MAGIC, end):
            return content + lz4.decompress(data[end:], magic, limit, flags)
        return right(data, magic, limit, flags)

    patch.wrap(lz4.decompress, wrong)


@mutant("lz4/blocks-of-64-kib-only", source=["apache/kafka#2967"])
def lz4_blocks_of_64_kib_only(patch: Patch) -> None:
    """Refuses lz4 frames whose header allows larger blocks than Kafka writes."""
    patch.refuse(lz4_header._check_bd, when=lambda descriptor: descriptor >> 4 != 4)


@mutant("lz4/first-block-only")
def lz4_first_block_only(patch: Patch) -> None:
    """Stops after the first lz4 block."""

    def first(right: _BlockSize, data: bytes, position: int, header: Header, flags: frozenset[str]) -> int | None:
        return right(data, position, header, flags) if position == header.end else None

    patch.wrap(lz4._block_size, first)
    patch.wrap(
        lz4.decompress,
        lambda right, data, magic, limit, flags: right(data, magic, limit, flags | {lz4.TRAILING_BYTES}),
    )


@mutant("lz4/end-mark-may-be-missing", source=["tulios/kafkajs#152"])
def lz4_end_mark_may_be_missing(patch: Patch) -> None:
    """Accepts an lz4 frame that ends without an end mark."""

    def wrong(right: _BlockSize, data: bytes, position: int, header: Header, flags: frozenset[str]) -> int | None:
        return right(data, position, header, flags) if position + 4 <= len(data) else None

    patch.wrap(lz4._block_size, wrong)


@mutant("lz4/version-not-checked")
def lz4_version_not_checked(patch: Patch) -> None:
    """Never looks at the version of the lz4 frame format."""
    patch.wrap(lz4_header._check_flg, lambda right, bits: right(bits & 0x3F | 1 << 6))


@mutant(
    "zstd/content-size-needed",
    source=["kafka-python-ng/kafka-python-ng#202", "kafka4beam/brod#628", "kafka4beam/kafka_protocol#142"],
)
def zstd_content_size_needed(patch: Patch) -> None:
    """Refuses zstd frames that do not say how large their content is."""
    patch.refuse(zstd._content, when=lambda data, frame, limit, room: frame.content_size is None)


@mutant("zstd/first-frame-only", source=["kafka-python-ng/kafka-python-ng#202"])
def zstd_first_frame_only(patch: Patch) -> None:
    """Stops after the first zstd frame."""

    def wrong(right: _Decompress, data: bytes, magic: int, limit: int, flags: frozenset[str]) -> bytes:
        return right(data[: zstd_frame.read_frame(data, 0).end], magic, limit, flags)

    patch.wrap(zstd.decompress, wrong)


@mutant("zstd/skippable-frames-refused", source=["kafka-python-ng/kafka-python-ng#202"])
def zstd_skippable_frames_refused(patch: Patch) -> None:
    """Refuses skippable zstd frames."""
    patch.refuse(zstd_frame._skip, when=lambda data, start: True)


@mutant(
    "zstd/content-of-three-times-the-size",
    source=["confluentinc/librdkafka#5595", "confluentinc/librdkafka#3935"],
)
def zstd_content_of_three_times_the_size(patch: Patch) -> None:
    """Allocates three times the compressed size of zstd, and fails on content that is larger."""
    patch.wrap(zstd._decompress, lambda right, data, frame, room: right(data, frame, 3 * len(data) - 1))


@mutant("zstd/bytes-behind-frames-ignored")
def zstd_bytes_behind_frames_ignored(patch: Patch) -> None:
    """Ignores bytes after the first zstd frame that are not a frame."""

    def wrong(right: _Decompress, data: bytes, magic: int, limit: int, flags: frozenset[str]) -> bytes:
        end = 0
        with suppress(FormatError):
            while end < len(data):
                end = zstd_frame.read_frame(data, end).end
        return right(data[:end] or data, magic, limit, flags)

    patch.wrap(zstd.decompress, wrong)
