"""zstd (codec 4, format v2 only, since 2.1, KIP-110): one or more zstd frames, also skippable ones.

Written as Kafka's streaming writer does: level 3, no content size, no checksum, a window for data
of unknown size. So a reader learns the size of the payload only by decompressing it.

Kafka's reader is zstd-jni's ZstdInputStreamNoFinalizer, run as Kafka 3.9.1 (zstd-jni 1.5.6-4),
4.3.0 (1.5.6-10) and 4.4.0 (1.5.7-17). It verifies checksums, refuses windows over 128 MiB, and
accepts more than whole frames:

- `zstd-empty-input`: no bytes at all decompress to no bytes.
- `zstd-truncated-tail`: a frame that is cut short after a whole one ends the payload; what could
  be decompressed of it counts. So it is as long as the cut frame lies in the bytes that the reader
  took in together with the end of the whole one, some 128 KiB; a frame that is cut later is
  refused.
- `zstd-short-tail`: one to four bytes after the last frame are ignored, whatever they are (2.1 to
  3.4; 3.5, with zstd-jni 1.5.5, looks at them).
- `zstd-unknown-content-size`: a content size of eight bytes ff is none; libzstd means an unknown
  size by this number.

Contexts are kept, one of each kind a thread: making one costs more than a small payload. One that
met a window over 8 MiB is not kept, as it would keep that memory.
"""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING, Final

from kafka_format.compression.errors import over_limit, payload_error
from kafka_format.compression.library import library
from kafka_format.compression.zstd_frame import Frame, read_frame
from kafka_format.errors import FormatError

if TYPE_CHECKING:
    from zstandard import ZstdCompressor, ZstdDecompressor

EMPTY_INPUT: Final = "zstd-empty-input"
TRUNCATED_TAIL: Final = "zstd-truncated-tail"
SHORT_TAIL: Final = "zstd-short-tail"
UNKNOWN_CONTENT_SIZE: Final = "zstd-unknown-content-size"
FLAGS: Final = frozenset({EMPTY_INPUT, TRUNCATED_TAIL, SHORT_TAIL, UNKNOWN_CONTENT_SIZE})

_SHORT: Final = 4

_LEVEL: Final = 3
_KEPT_WINDOW: Final = 8 << 20


class _Contexts(threading.local):
    """The contexts of one thread; a context must not be used by two at once."""

    @cached_property
    def compressor(self) -> ZstdCompressor:
        compressor: ZstdCompressor = library("zstandard", "zstandard").ZstdCompressor(_LEVEL, write_content_size=False)
        return compressor

    @cached_property
    def decompressor(self) -> ZstdDecompressor:
        return _new_decompressor()


_contexts: Final = _Contexts()


def _new_decompressor() -> ZstdDecompressor:
    decompressor: ZstdDecompressor = library("zstandard", "zstandard").ZstdDecompressor()
    return decompressor


def compress(data: bytes, _magic: int) -> bytes:
    """Compress to one frame, as a stream of unknown size."""
    stream = _contexts.compressor.compressobj()
    return stream.compress(data) + stream.flush()


def decompress(data: bytes, _magic: int, limit: int, flags: frozenset[str]) -> bytes:
    """Read all frames; see the module for the flags."""
    if not data and EMPTY_INPUT in flags:
        return b""
    pieces: list[bytes] = []
    position = size = 0
    while not position or position < len(data):
        if position and SHORT_TAIL in flags and len(data) - position <= _SHORT:
            break
        try:
            frame = read_frame(data, position, highest_is_unknown=UNKNOWN_CONTENT_SIZE in flags)
        except FormatError as error:
            if not position or error.rule != "compression.zstd.complete" or TRUNCATED_TAIL not in flags:
                raise
            pieces.append(_tail(data, position, limit, limit - size))
            break
        pieces.append(b"" if frame.is_skippable else _content(data, frame, limit, limit - size))
        position, size = frame.end, size + len(pieces[-1])
    return b"".join(pieces)


def check_start(_data: bytes, _magic: int, _limit: int, _flags: frozenset[str]) -> None:
    """Read nothing: the stream looks at its input when content is asked for."""


def _content(data: bytes, frame: Frame, limit: int, room: int) -> bytes:
    if frame.content_size is not None and frame.content_size > room:
        raise over_limit(frame.start, limit)
    try:
        content = _decompress(data[frame.start : frame.end], frame, room)
    except library("zstandard", "zstandard").ZstdError as error:
        raise _refusal(str(error), frame, limit, room) from None
    if len(content) > room:
        raise over_limit(frame.start, limit)
    return content


def _decompress(data: bytes, frame: Frame, room: int) -> bytes:
    if frame.content_size == 0:  # the one-shot call believes this size and looks no further
        return _read(data, room)
    decompressor = _contexts.decompressor if frame.window <= _KEPT_WINDOW else _new_decompressor()
    most = max(1, min(frame.bound, room + 1))
    return decompressor.decompress(data, max_output_size=most, allow_extra_data=False)


def _read(data: bytes, room: int) -> bytes:
    with _new_decompressor().stream_reader(data) as reader:
        return reader.read(room + 1)


def _refusal(text: str, frame: Frame, limit: int, room: int) -> FormatError:
    if "checksum" in text:
        return payload_error(frame.end - 4, "compression.zstd.checksum", "the checksum does not fit the content")
    if "full frame" in text and frame.bound > room:  # the frame is whole, so it was the room that ended
        return over_limit(frame.start, limit)
    return payload_error(frame.start, "compression.zstd.data", f"the frame is damaged ({text})")


def _tail(data: bytes, start: int, limit: int, room: int) -> bytes:
    try:
        content = _read(data[start:], room)
    except library("zstandard", "zstandard").ZstdError as error:
        raise payload_error(start, "compression.zstd.data", f"the frame is damaged ({error})") from None
    if len(content) > room:
        raise over_limit(start, limit)
    return content
