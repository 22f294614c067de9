"""snappy (codec 2, since 0.7.1): one raw block, or raw blocks in snappy-java's framing (xerial).

The Java producer, sarama, kafkajs and kafka-python write the xerial framing. librdkafka, rskafka
and @platformatic/kafka write one raw block, which every release of Kafka reads. The official
framing of snappy is not used.

A xerial stream is 8 bytes of magic, a version and the least compatible version (int32 1 and 1),
then chunks: int32 length and one raw snappy block of at most 32 KiB of content (1 KiB from the Java
producers 0.8.2 to 0.10.2, KAFKA-5236). No checksum, no end mark. All integers are big-endian, but
for the two versions, which Redpanda wrote little-endian (redpanda 25091). An empty payload is the
16 bytes of the header.

Kafka's reader is snappy-java's SnappyInputStream. It was run as Kafka 0.8.2.2 (snappy-java
1.1.1.7), 0.10.0.0 (1.1.2.4), 0.10.2.2 and 0.11.0.3 (1.1.2.6), 3.9.1 (1.1.10.5), 4.3.0 and 4.4.0
(1.1.10.7), and accepts more:

- `snappy-xerial-version`: the versions are not looked at (0.8.2.2 refuses a version below 1).
- `snappy-trailing-bytes`: 1 to 3 bytes after the last chunk are ignored, in all of these.
- `snappy-concatenated-streams`: a further header between two chunks is skipped if its version is 1
  or more, or if its magic is wrong after the fourth byte; the latter ends the payload where no
  chunk came before it since the last one, because a read that has nothing to give is the end of a
  stream. Since 0.10.0, not in 0.8.2.2.

Of raw blocks, 0.10.0.0 refused those that start with the byte 82 (xerial/snappy-java 142).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from kafka_format.compression.errors import over_limit, payload_error
from kafka_format.compression.library import library
from kafka_format.primitives.counts import byte_count, left_text
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import default_bytes, packer, places

XERIAL_VERSION: Final = "snappy-xerial-version"
TRAILING_BYTES: Final = "snappy-trailing-bytes"
CONCATENATED_STREAMS: Final = "snappy-concatenated-streams"
FLAGS: Final = frozenset({XERIAL_VERSION, TRAILING_BYTES, CONCATENATED_STREAMS})

_LAYOUT: Final = find("xerial_header")
_FIELDS: Final = packer(_LAYOUT)
_HEADER: Final = default_bytes(_LAYOUT)
_MAGIC: Final = _HEADER[: places(_LAYOUT)["version"]]
_LITTLE_ENDIAN_HEADER: Final = _MAGIC + struct.pack("<ii", 1, 1)
_LENGTH: Final = packer(find("xerial_chunk"))
_OFFICIAL: Final = b"\xff\x06\x00\x00sNaPpY"
_CHUNK: Final = 32 << 10
_GROWTH: Final = 22  # the densest element is a copy of 64 bytes in 3


def compress(data: bytes, _magic: int) -> bytes:
    """Compress in chunks of 32 KiB of content, as Kafka does."""
    snappy = library("snappy", "python-snappy")
    out = [_HEADER]
    for start in range(0, len(data), _CHUNK):
        block = snappy.compress(data[start : start + _CHUNK])
        out += (_LENGTH.pack(len(block)), block)
    return b"".join(out)


def decompress(data: bytes, _magic: int, limit: int, flags: frozenset[str]) -> bytes:
    """Read all chunks of a xerial stream, or the one raw block; see the module for the flags."""
    if data.startswith(_MAGIC):
        return b"".join(_chunks(data, limit, flags))
    if data and not data.startswith(_OFFICIAL):
        return _block(data, 0, len(data), limit, limit)
    raise payload_error(0, "compression.snappy.magic", *_no_magic(data))


def check_start(data: bytes, magic: int, limit: int, flags: frozenset[str]) -> None:
    """Read the xerial header; a raw block is uncompressed at once."""
    if data.startswith(_MAGIC):
        _header_end(data, 0, flags)
    else:
        decompress(data, magic, limit, flags)


def _no_magic(data: bytes) -> tuple[str, str]:
    if data.startswith(_OFFICIAL):
        return "the official snappy framing, which Kafka does not use", "Write the xerial framing of snappy-java."
    return "no bytes", "An empty payload is the 16 bytes of the xerial header."


def _chunks(data: bytes, limit: int, flags: frozenset[str]) -> Iterator[bytes]:
    position, room, has_content = _header_end(data, 0, flags), limit, False
    while position < len(data):
        if len(data) - position < _LENGTH.size:
            if TRAILING_BYTES in flags:
                return
            raise payload_error(
                position, "compression.snappy.trailing-bytes", "too few bytes for the length of a chunk"
            )
        if CONCATENATED_STREAMS in flags and data.startswith(_MAGIC[: _LENGTH.size], position):
            if len(data) - position < len(_HEADER) or data.startswith(_MAGIC, position):
                position = _header_end(data, position, flags)
                continue
            if not has_content:
                return
            position, has_content = position + len(_HEADER), False
            continue
        start = position + _LENGTH.size
        end = _chunk_end(data, start)
        content = _block(data, start, end, room, limit)
        yield content
        position, room, has_content = end, room - len(content), True


def _header_end(data: bytes, start: int, flags: frozenset[str]) -> int:
    end = start + len(_HEADER)
    if len(data) < end:
        raise payload_error(start, "compression.snappy.header", f"a xerial header has {len(_HEADER)} bytes")
    if data[start:end] not in {_HEADER, _LITTLE_ENDIAN_HEADER}:
        _, *versions = _FIELDS.unpack_from(data, start)
        if XERIAL_VERSION not in flags or (start and versions[0] < 1):
            detail = f"version and least compatible version are {versions[0]} and {versions[1]}, must be 1 and 1"
            raise payload_error(start + len(_MAGIC), "compression.snappy.version", detail)
    return end


def _chunk_end(data: bytes, start: int) -> int:
    (length,) = _LENGTH.unpack_from(data, start - _LENGTH.size)
    left = len(data) - start
    if 0 < length <= left:
        return start + int(length)
    second = data.startswith(_MAGIC, start - _LENGTH.size)
    hint = f"This is a second xerial header; the flag {CONCATENATED_STREAMS} skips it, as Kafka does." if second else ""
    detail = f"chunk length {length}, {left_text(left)}"
    raise payload_error(start - _LENGTH.size, "compression.snappy.chunk-length", detail, hint)


def _block(data: bytes, start: int, end: int, room: int, limit: int) -> bytes:
    size = _announced_size(data, start, end)
    if size > _GROWTH * (end - start):
        detail = f"{byte_count(end - start)} cannot decompress to {size}, which this block announces"
        raise payload_error(start, "compression.snappy.block-size", detail)
    if size > room:
        raise over_limit(start, limit)
    snappy = library("snappy", "python-snappy")
    try:
        content: bytes = snappy.uncompress(data[start:end])
    except snappy.UncompressError as error:
        raise payload_error(
            start, "compression.snappy.block", f"not a valid snappy block ({error.__cause__})"
        ) from None
    return content


def _announced_size(data: bytes, start: int, end: int) -> int:
    size = 0
    for place, byte in enumerate(data[start : min(end, start + 5)]):
        size |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return size
    raise payload_error(
        start, "compression.snappy.block-size", "the size at the start of the block does not end in 5 bytes"
    )
