"""The framing of compressed payloads as fields, for annotated dumps: headers, lengths, blocks.

Nothing is decompressed here and nothing is refused. What cannot be read, or has no layout, is one
piece at the end. The codecs themselves are in `compression`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.errors import FormatError
from kafka_format.spec.layout import find


class _Frames:
    """A payload on the way to its pieces.

    Attributes:
        whole: the span that the pieces take the place of.
        position: where the next piece starts, from the start of the payload.
    """

    def __init__(self, whole: Span) -> None:
        self.whole = whole
        self.position = 0

    def fields(self, layout: str, *path: str | int) -> list[Span]:
        """Read one structure and go after it; no spans if it cannot be read."""
        reader = SpanReader(self.whole.raw)
        try:
            _, end = reader.read(find(layout), self.position, len(self.whole.raw), (*self.whole.path, *path))
        except FormatError:
            return []
        self.position = end
        start, payload = self.whole.start, self.whole.payload
        return [span._replace(start=start + span.start, end=start + span.end, payload=payload) for span in reader.spans]

    def piece(self, size: int, *path: str | int) -> Iterator[Span]:
        """Take bytes that no layout describes; none if there are none."""
        raw = self.whole.raw[self.position : self.position + size]
        if raw:
            start = self.whole.start + self.position
            yield self.whole._replace(
                path=(*self.whole.path, *path), start=start, end=start + len(raw), value=raw, raw=raw
            )
        self.position += len(raw)


def spans(whole: Span, codec: str) -> Iterator[Span]:
    """Yield the pieces of a compressed payload, which together are all of its bytes."""
    frames = _Frames(whole)
    yield from _CODECS[codec](frames)
    yield from frames.piece(len(whole.raw))


def _gzip(frames: _Frames) -> Iterator[Span]:
    yield from frames.fields("gzip_header", "header")


def _snappy(frames: _Frames) -> Iterator[Span]:
    header = frames.fields("xerial_header", "header")
    yield from header
    index = 0
    while header:
        header = frames.fields("xerial_chunk", "chunks", index)
        yield from header
        index += 1


def _lz4(frames: _Frames) -> Iterator[Span]:
    header = frames.fields("lz4_frame_header", "header")
    yield from header
    flags = header[1].value if header else 0
    checksum = _CHECKSUM_SIZE if flags & _BLOCK_CHECKSUMS else 0
    index = 0
    while header:
        header = frames.fields("lz4_block_header", "blocks", index)
        yield from header
        size = header[0].value & _BLOCK_LENGTH if header else 0
        if not size:
            yield from frames.piece(_CHECKSUM_SIZE if header and flags & _CONTENT_CHECKSUM else 0, "content_checksum")
            return
        yield from frames.piece(size, "blocks", index)
        yield from frames.piece(checksum, "blocks", index, "checksum")
        index += 1


def _zstd(frames: _Frames) -> Iterator[Span]:
    yield from frames.fields("zstd_frame_header", "header")


_CHECKSUM_SIZE: Final = 4
"""Bytes of an xxh32, after a block and after the frame (LZ4 frame format 1.6)."""

_LZ4_FLAGS: Final = find("lz4_frame_header").field("flags")
_BLOCK_CHECKSUMS: Final = _LZ4_FLAGS.part("has_block_checksums").in_place
_CONTENT_CHECKSUM: Final = _LZ4_FLAGS.part("has_content_checksum").in_place
_BLOCK_LENGTH: Final = find("lz4_block_header").field("size").part("length").in_place
_CODECS: Final[dict[str, Callable[[_Frames], Iterator[Span]]]] = {
    "gzip": _gzip,
    "snappy": _snappy,
    "lz4": _lz4,
    "zstd": _zstd,
}
