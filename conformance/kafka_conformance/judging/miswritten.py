"""Which field of a batch an encoder writes wrong, where one field explains what went wrong.

A batch whose checksum, length, codec or width of a field is wrong reads as something else, and the
first error of a reader names what it stumbled over. So each of these is mended in turn: if the
right records come out then, it is the one. Several batches are mended alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from kafka_format import compression
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.records.entries import MAGIC_AT, OVERHEAD, split
from kafka_format.records.model import CODEC_MASK
from kafka_tools.text import plural, too_text

_LARGEST: Final = 1 << 22
"""Bytes that are mended at most; one of the smaller vectors shows the same."""

_BATCH: Final = prefix("record_batch")
_CRC, _COVERED = _BATCH.places["crc"], _BATCH.places["attributes"]
_WIDTHS: Final = (1, 2, 4, 8)
_MISCOUNTED: Final = 2
_ALL_BITS: Final = 0xFFFFFFFF
_LENGTHS: Final = {
    OVERHEAD: "counts base_offset and itself, too, in the batch_length",
    OVERHEAD - 4: "counts base_offset, too, in the batch_length",
    4: "counts itself, too, in the batch_length",
    -4: "leaves four bytes out of the batch_length",
}

IsRight = Callable[[bytes], bool]
"""Tells whether bytes are read without an error, as the records that were asked for."""


def what(written: bytes, is_right: IsRight, is_exact: IsRight) -> str:
    """Return what an encoder does that wrote these bytes, as a sentence without its subject.

    Empty if no single field explains it, or if the bytes are no batches.

    Args:
        written: the bytes.
        is_right: tells whether others give the right records.
        is_exact: the same, and that the fields of the batch are right which no record shows. Where
            a field has another width, several mends may give the right records.
    """
    if not _BATCH.size <= len(written) <= _LARGEST or written[MAGIC_AT] != 2:
        return ""
    words = _checksum(written, is_right) or _length(written, is_right) or _codec(written, is_right)
    return words or _count(written, is_right) or _width(written, is_exact)


def _checksum(written: bytes, is_right: IsRight) -> str:
    try:
        bounds = [(start, end) for start, end, _ in split(written)]
    except FormatError:
        return ""
    if not bounds or not is_right(b"".join(_sealed(written[start:end]) for start, end in bounds)):
        return ""
    return _how_computed(written[slice(*bounds[0])])


def _how_computed(batch: bytes) -> str:
    """Say which bytes a wrong checksum is of, or what was done to it."""
    stored = _BATCH.value(batch, 0, "crc")
    right = _BATCH.checksum(batch, 0, len(batch))
    plain = {
        0: "writes 0 for the checksum of batches",
        CHECKSUMS["crc32"](batch[_COVERED:]): "writes CRC-32 where batches have CRC-32C",
        int.from_bytes(right.to_bytes(4, "little"), "big"): "writes the checksum of batches little-endian",
        right ^ _ALL_BITS: "leaves the last step of CRC-32C out, which inverts all bits",
    }
    if stored in plain:
        return plain[stored]
    for name, covered in _ranges(batch):
        if stored == CHECKSUMS["crc32c"](covered):
            return f"computes the checksum of batches from {name} on, not from attributes on"
        if stored == CHECKSUMS["crc32"](covered):
            return f"computes the checksum of batches with CRC-32 and from {name} on"
    return "writes a wrong checksum of batches, which is no CRC from any field on"


def _ranges(batch: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the bytes from each field to the end, with the checksum itself as zeros or left out."""
    for name, place in _BATCH.places.items():
        if place > _COVERED:
            yield name, batch[place:]
        elif place < _COVERED:
            yield name, batch[place:_CRC] + bytes(_COVERED - _CRC) + batch[_COVERED:]
            yield name, batch[place:_CRC] + batch[_COVERED:]
    yield "records", batch[_BATCH.size :]


def _length(written: bytes, is_right: IsRight) -> str:
    stored, right = _BATCH.value(written, 0, "batch_length"), len(written) - OVERHEAD
    if stored == right or not is_right(_with(written, batch_length=right)):
        return ""
    return _LENGTHS.get(stored - right, f"writes a batch_length that is {too_text(stored - right)}")


def _count(written: bytes, is_right: IsRight) -> str:
    stored = _BATCH.value(written, 0, "record_count")
    for right in range(max(stored - _MISCOUNTED, 0), stored + _MISCOUNTED + 1):
        if right != stored and is_right(_sealed(_with(written, record_count=right))):
            return f"writes a count of records that is {too_text(stored - right)}"
    return ""


def _codec(written: bytes, is_right: IsRight) -> str:
    attributes = _BATCH.value(written, 0, "attributes")
    marked = attributes & CODEC_MASK
    for number, name in enumerate(compression.NAMES):
        mended = _with(written, attributes=attributes & ~CODEC_MASK | number)
        if number != marked and is_right(_sealed(mended)):
            said = compression.NAMES[marked] if marked < len(compression.NAMES) else str(marked)
            packed = "not compressed" if name == "none" else f"compressed with {name}"
            return f"writes the codec {marked} ({said}) into the attributes of batches that are {packed}"
    return ""


def _width(written: bytes, is_right: IsRight) -> str:
    """Take each field as written with another width, and write it with its own."""
    for name, place in _BATCH.places.items():
        size = _BATCH.packers[name].size
        for width in _WIDTHS if place >= _COVERED else ():
            value = int.from_bytes(written[place : place + width], "big", signed=True)
            if width == size or not -(1 << 8 * size - 1) <= value < 1 << 8 * size - 1:
                continue
            mended = written[:place] + value.to_bytes(size, "big", signed=True) + written[place + width :]
            if is_right(_sealed(_with(mended, batch_length=len(mended) - OVERHEAD))):
                return f"writes {name} of batches with {plural(width, 'byte')}, not {size}"
    return ""


def _with(batch: bytes, **values: int) -> bytes:
    mended = bytearray(batch)
    _BATCH.write(mended, **values)
    return bytes(mended)


def _sealed(batch: bytes) -> bytes:
    mended = bytearray(batch)
    _BATCH.seal(mended, 0, len(mended))
    return bytes(mended)
