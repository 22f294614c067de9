"""Where a zstd frame ends, and the most that it can decompress to: RFC 8878 (3.1).

Nothing is decompressed.

A frame is a magic, a header (descriptor, window, dictionary id, content size), blocks that say how
long they are, and maybe a checksum. The walk over them finds whatever is cut short or out of range,
and it is what a size in the header is held against before memory is given for it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kafka_format.compression.errors import payload_error
from kafka_format.primitives.counts import byte_count
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import default_bytes, places

_LAYOUT: Final = find("zstd_frame_header")
MAGIC: Final = default_bytes(_LAYOUT)[: places(_LAYOUT)["descriptor"]]
WINDOW_LIMIT: Final = 128 << 20
"""Largest window that Kafka's reader gives memory to: the zstd library's default
(ZSTD_WINDOWLOG_LIMIT_DEFAULT)."""

_SKIPPABLE: Final = bytes.fromhex("2a4d18")  # after a first byte 50 to 5f
_BLOCK_MAXIMUM: Final = 128 << 10
_CHECKSUM, _RESERVED, _SINGLE_SEGMENT = (
    _LAYOUT.field("descriptor").part(name).in_place for name in ("has_checksum", "reserved", "is_single_segment")
)
_DICTIONARY: Final = _LAYOUT.field("descriptor").part("dictionary_id_code")
_CONTENT_SIZE: Final = _LAYOUT.field("descriptor").part("content_size_code")
_DICTIONARY_SIZES: Final = (0, 1, 2, 4)
_CONTENT_SIZE_SIZES: Final = (0, 2, 4, 8)
_UNKNOWN: Final = (1 << 64) - 1  # ZSTD_CONTENTSIZE_UNKNOWN
_RAW, _RLE, _COMPRESSED, _RESERVED_TYPE = range(4)


class Frame(NamedTuple):
    """One frame, from `start` to `end` in the input.

    Attributes:
        bound: most bytes that it can decompress to.
        content_size: bytes that its header announces, never more than `bound`; None if it announces
            nothing.
        window: bytes that the decoder has to remember.
        is_skippable: it is made to be passed over and has no content.
    """

    start: int
    end: int
    bound: int = 0
    content_size: int | None = None
    window: int = 0
    is_skippable: bool = False


class _Header(NamedTuple):
    end: int
    window: int
    content_size: int | None
    has_checksum: bool


def read_frame(data: bytes, start: int, *, highest_is_unknown: bool = False) -> Frame:
    """Walk over the frame at `start`.

    With `highest_is_unknown`, the highest content size of eight bytes stands for none.
    """
    magic = data[start : start + len(MAGIC)]
    if magic == MAGIC:
        return _walk(data, start, _header(data, start, highest_is_unknown=highest_is_unknown))
    if magic[1:] == _SKIPPABLE and 0x50 <= magic[0] <= 0x5F:
        return _skip(data, start)
    if len(magic) < len(MAGIC) and (
        MAGIC.startswith(magic) or (0x50 <= magic[0] <= 0x5F and _SKIPPABLE.startswith(magic[1:]))
    ):
        raise payload_error(
            start, "compression.zstd.complete", "the input ends inside the magic of a frame" if magic else "no frame"
        )
    raise payload_error(start, "compression.zstd.magic", f"a frame starts with 28 b5 2f fd, here is {magic.hex(' ')}")


def _skip(data: bytes, start: int) -> Frame:
    size_at = start + len(MAGIC)
    end = _within(data, size_at, 4, "a skippable frame")
    size = int.from_bytes(data[size_at:end], "little")
    return Frame(start, _within(data, end, size, "a skippable frame"), is_skippable=True)


def _header(data: bytes, start: int, *, highest_is_unknown: bool) -> _Header:
    end = _within(data, start + len(MAGIC), 1, "the frame header")
    bits = data[end - 1]
    single = bool(bits & _SINGLE_SEGMENT)
    window_at, dictionary_at = end, end + (not single)
    size_at = dictionary_at + _DICTIONARY_SIZES[bits & _DICTIONARY.in_place]
    size_size = _CONTENT_SIZE_SIZES[bits >> _CONTENT_SIZE.low] or int(single)
    end = _within(data, end, size_at + size_size - end, "the frame header")
    if bits & _RESERVED:
        raise payload_error(
            start + len(MAGIC), "compression.zstd.reserved-bit", f"bit 3 is set in the frame descriptor {bits:#04x}"
        )
    if any(data[dictionary_at:size_at]):
        raise payload_error(
            dictionary_at, "compression.zstd.dictionary", "the frame needs a dictionary", "Kafka uses none."
        )
    size = int.from_bytes(data[size_at:end], "little") + (256 if size_size == 2 else 0) if size_size else None
    window = size if single and size is not None else _window(data[window_at])
    if window > WINDOW_LIMIT:
        raise payload_error(
            window_at, "compression.zstd.window", f"window of {window} bytes, the most is {WINDOW_LIMIT}"
        )
    announced = None if highest_is_unknown and size == _UNKNOWN else size
    return _Header(end, window, announced, bool(bits & _CHECKSUM))


def _window(descriptor: int) -> int:
    base = 1 << (10 + (descriptor >> 3))
    return base + base // 8 * (descriptor & 7)


def _walk(data: bytes, start: int, header: _Header) -> Frame:
    position, bound, last = header.end, 0, 0
    maximum = min(header.window, _BLOCK_MAXIMUM)
    while not last:
        end = _within(data, position, 3, "a block header")
        field = int.from_bytes(data[position:end], "little")
        last, kind, size = field & 1, field >> 1 & 3, field >> 3
        if kind == _RESERVED_TYPE:
            raise payload_error(position, "compression.zstd.block-type", "block type 3 is reserved")
        if size > maximum:
            raise payload_error(
                position, "compression.zstd.block-size", f"block of {size} bytes, the most is {maximum}"
            )
        bound += maximum if kind == _COMPRESSED else size
        position = _within(data, end, 1 if kind == _RLE else size, "a block")
    if header.content_size is not None and header.content_size > bound:
        detail = f"the header announces {byte_count(header.content_size)} of content, the blocks have at most {bound}"
        raise payload_error(start + len(MAGIC), "compression.zstd.content-size", detail)
    end = _within(data, position, 4, "the checksum") if header.has_checksum else position
    return Frame(start, end, bound, header.content_size, header.window)


def _within(data: bytes, start: int, size: int, what: str) -> int:
    if size > len(data) - start:
        raise payload_error(start, "compression.zstd.complete", f"the input ends inside {what}")
    return start + size
