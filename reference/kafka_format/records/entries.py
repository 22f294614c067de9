"""A run of entries: where each begins and ends, and by which format it is written.

A log, a fetch response and the payload of a wrapper are runs of entries and nothing else. The first
17 bytes of an entry are the same in v0, v1 and v2: offset int64, size int32 of what follows, four
bytes that differ, and the magic byte. The last entry may be cut off anywhere, because brokers cut
at a number of bytes (clients ByteBufferLogInputStream).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from mmap import mmap
from typing import Final, NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError, Stage
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Nested, minimum_size

_ENTRY: Final = prefix("message_set_entry")
_SIZE_AT: Final = _ENTRY.places["message_size"]

OVERHEAD: Final = _ENTRY.size
"""Bytes of an entry that its size does not count: the offset and the size."""

SMALLEST_SIZE: Final = minimum_size(Nested(find("message_v0")))
"""The size of the smallest message there is: v0 with null key and null value."""

LARGEST_SIZE: Final = INT32_MAX - OVERHEAD
"""The largest size: with the bytes before what it counts it is an int32, and Kafka adds the two."""

MAGIC_AT: Final = prefix("record_batch").places["magic"]
"""Where the magic byte stands in an entry of any format."""

FORMATS: Final = {0: "v0", 1: "v1", 2: "v2"}
"""Name of the format by the magic byte."""

_SIZE: Final = _ENTRY.packers["message_size"]


class Entry(NamedTuple):
    """One whole entry: its first byte, the byte after its last, and its magic."""

    start: int
    end: int
    magic: int


class Place(NamedTuple):
    """Where an entry begins: its first byte, and how many entries are before it."""

    position: int
    entry: int


START: Final = Place(0, 0)


def split(
    data: bytes, flags: frozenset[str] = frozenset(), *, any_magic: bool = False, at: Place = START
) -> Iterator[Entry]:
    """Yield the whole entries of a run.

    An entry that is cut off at the end is left out, as in Kafka.

    Args:
        data: the run.
        flags: leniencies that are allowed; they are about the entry that is cut off.
        any_magic: yield entries of an unknown magic too, for a caller that judges them itself.
        at: where to begin.

    Raises:
        FormatError: a size is too small or too large for any message, or a magic byte is unknown.
            Entries before it were yielded.
    """
    position, index = at
    while len(data) - position >= OVERHEAD:
        (size,) = _SIZE.unpack_from(data, position + _SIZE_AT)
        end = _end(position, size)
        if size < SMALLEST_SIZE:
            if "cut-entry-any-size" in flags and size >= 0 and end > len(data):
                return
            detail = f"is {size}, the smallest message has {SMALLEST_SIZE} bytes"
            raise _framing("entry.size.minimum", detail, position + _SIZE_AT, "size", index)
        if len(data) - position <= MAGIC_AT:
            return
        if size > LARGEST_SIZE and not ("cut-entry-size-beyond-int32" in flags and end > len(data)):
            detail = f"is {size}, the largest is {LARGEST_SIZE}"
            raise _framing("entry.size.maximum", detail, position + _SIZE_AT, "size", index)
        if end > len(data) and "cut-entry-any-magic" in flags:
            return
        magic = data[position + MAGIC_AT]
        if magic not in FORMATS and not any_magic:
            detail = (
                f"is {magic - 256 if magic > 127 else magic}, known are {', '.join(str(known) for known in FORMATS)}"
            )
            raise _framing("entry.magic.known", detail, position + MAGIC_AT, "magic", index)
        if end > len(data):
            return
        yield tuple.__new__(Entry, (position, end, magic))
        position = end
        index += 1


def parts(data: bytes | mmap, size: int) -> Iterator[tuple[int, int]]:
    """Yield where each part of a run ends, and how many whole entries it has.

    The last part has the rest: an entry that is cut off, or all from a frame on that is wrong.

    Args:
        data: the run, or a file that is mapped into memory.
        size: bytes that a part has at least, but for the last one.
    """
    start = end = count = 0
    with suppress(FormatError):  # whoever reads the part in which it is says so
        for entry in split(data):  # type: ignore[arg-type]  # a mapped file gives the same
            end, count = entry.end, count + 1
            if end - start >= size:
                yield end, count
                start, count = end, 0
    if start < len(data):
        yield len(data), count


def _end(position: int, size: int) -> int:
    """Return where the entry at `position` ends. Its size counts from after the size field."""
    return position + OVERHEAD + size


def _framing(rule: str, detail: str, offset: int, path: str, entry: int) -> FormatError:
    return FormatError(detail, rule=rule, stage=Stage.FRAMING, offset=offset, path=(path,), entry=entry)
