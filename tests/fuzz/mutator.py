"""Hostile inputs made of good ones: some bytes changed, then mostly lengths and checksums put
right.

Damage that only breaks a checksum tests nothing but the checksum. So a change goes on one of three
floors (the bytes as they are, the bytes of an entry, the payload before it is compressed), and
everything above it is made whole again.
"""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable, Sequence
from typing import Final

from kafka_format import compression
from kafka_format.errors import FormatError
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.records.entries import Entry, split
from kafka_format.records.model import TIMESTAMP_TYPE_BIT

_crc32c: Final = CHECKSUMS["crc32c"]

_BATCH_HEADER: Final = 61
_KEY_LENGTH_AT: Final = (18, 26)
"""Where the length of the key stands in an entry of v0 and of v1."""

_ATTRIBUTES_AT: Final = (17, 17, 22)
"""Where the byte with the codec stands in an entry, by magic."""

_EDGES: Final = bytes.fromhex("00 01 02 03 0d 0e 7e 7f 80 81 82 fd fe ff")
_GAPS: Final = (b"", b"\x00", b"\x80\x00", b"\xff\xff\xff\xff", b"\x80\x80\x80\x80\x10", b"\x00\x00\x00\x0e", bytes(12))


_MAGICS: Final = (0, 1, 2, 3, 127, 128, 255)


class Mutator:
    """Makes inputs of seeds, the same ones for the same seed number."""

    def __init__(self, seeds: Sequence[bytes], number: int = 0) -> None:
        """Take the good inputs, and the number that decides what is done to them."""
        self._seeds = list(seeds)
        self._random = random.Random(number)  # noqa: S311 - chance, not secrets
        self._floors: tuple[Callable[[bytes], bytes], ...] = (
            self._raw,
            self._entry,
            self._entry,
            self._payload,
            self._payload,
        )

    def next(self) -> bytes:
        """Return the next input."""
        data = self._random.choice(self._seeds)
        if self._random.random() < 0.05:
            data += self._random.choice(self._seeds)
        if self._random.random() < 0.05:
            data = data[: self._random.randrange(len(data) + 1)]
        for _ in range(self._random.choice((1, 1, 1, 2, 3))):
            data = self._random.choice(self._floors)(data)
        return data

    def _raw(self, data: bytes) -> bytes:
        """Change some bytes, and put nothing right."""
        changed = bytearray(data)
        for _ in range(self._random.choice((1, 1, 2, 4))):
            self._change(changed, 0)
        return bytes(changed)

    def _entry(self, data: bytes) -> bytes:
        """Change the inside of an entry, and put its size and its checksum right."""
        entry = self._some_entry(data)
        if entry is None:
            return self._raw(data)
        inside = bytearray(data[entry.start : entry.end])
        for _ in range(self._random.choice((1, 1, 2, 3))):
            self._change(inside, 17)
        return data[: entry.start] + whole(bytes(inside), entry.magic) + data[entry.end :]

    def _payload(self, data: bytes) -> bytes:
        """Change what is inside of a compressed payload, in the same codec or another one."""
        entry = self._some_entry(data)
        if entry is None:
            return self._raw(data)
        inside = data[entry.start : entry.end]
        head, codec, payload = _opened(inside, entry.magic)
        if payload is None:
            return self._entry(data)
        changed = bytearray(payload)
        for _ in range(self._random.choice((1, 1, 2, 3))):
            self._change(changed, 0)
        plain = self._mended(bytes(changed)) if entry.magic < 2 else bytes(changed)
        if self._random.random() < 0.2:
            codec = self._random.choice(_codecs(entry.magic)[1:])
        if self._random.random() < 0.1:
            head = _stamped(head, entry.magic)
        return data[: entry.start] + _closed(head, codec, plain, entry.magic) + data[entry.end :]

    def _mended(self, inner: bytes) -> bytes:
        """Put the sizes and checksums of inner messages right, mostly, and give some another
        magic."""
        if self._random.random() < 0.3:
            return inner
        try:
            found = list(split(inner, any_magic=True))
            return b"".join(whole_message(inner[one.start : one.end], self._magic(one.magic)) for one in found)
        except (FormatError, struct.error):
            return inner

    def _magic(self, magic: int) -> int:
        return self._random.choice(_MAGICS) if self._random.random() < 0.1 else magic

    def _some_entry(self, data: bytes) -> Entry | None:
        found = []
        try:
            for entry in split(data):
                found.append(entry)  # noqa: PERF402 - what came before an error counts
        except FormatError:
            pass
        return self._random.choice(found) if found else None

    def _change(self, data: bytearray, start: int) -> None:
        """Change one place after `start`."""
        if len(data) <= start:
            data += self._random.choice(_GAPS)
            return
        at = self._random.randrange(start, min(len(data), start + 80) if self._random.random() < 0.7 else len(data))
        kind = self._random.randrange(7)
        if kind == 0:
            data[at] ^= 1 << self._random.randrange(8)
        elif kind == 1:
            data[at] = self._random.choice(_EDGES)
        elif kind == 2:
            data[at] = self._random.randrange(256)
        elif kind == 3:
            del data[at : at + self._random.choice((1, 1, 2, 4, 8))]
        elif kind == 4:
            data[at:at] = self._random.choice(_GAPS)
        elif kind == 5:
            other = self._random.choice(self._seeds)
            begin = self._random.randrange(len(other) + 1)
            data[at : at + self._random.choice((0, 1, 4, 8))] = other[
                begin : begin + self._random.choice((1, 2, 4, 8, 16))
            ]
        else:
            data += self._random.choice(_GAPS)


def whole(entry: bytes, magic: int) -> bytes:
    """Return an entry with its magic, its size and its checksum put right."""
    if magic < 2:
        return whole_message(entry, magic)
    checked = entry[21:]
    return _head(entry) + entry[12:16] + b"\x02" + struct.pack(">I", _crc32c(checked)) + checked


def whole_message(entry: bytes, magic: int) -> bytes:
    """Return an entry with its magic, its size and its checksum put right as v0 and v1 have
    them."""
    checked = bytes([magic]) + entry[17:]
    return _head(entry) + struct.pack(">I", zlib.crc32(checked)) + checked


def _head(entry: bytes) -> bytes:
    return entry[:8] + struct.pack(">i", len(entry) - 12)


def _opened(entry: bytes, magic: int) -> tuple[bytes, str, bytes | None]:
    """Return what stands before the payload, its codec, and the payload decompressed; None if there
    is none."""
    start = _BATCH_HEADER if magic == 2 else _KEY_LENGTH_AT[magic] + 8
    codec = entry[_ATTRIBUTES_AT[magic]] & 7 if len(entry) >= start else 0
    if not 0 < codec < len(_codecs(magic)):
        return b"", "none", None
    if magic < 2:
        (key,) = struct.unpack_from(">i", entry, _KEY_LENGTH_AT[magic])
        start += max(key, 0)
    try:
        plain = compression.decompress(compression.NAMES[codec], entry[start:], magic=magic, limit=1 << 20)
    except FormatError:
        return b"", "none", None
    return entry[:start], compression.NAMES[codec], plain


def _stamped(head: bytes, magic: int) -> bytes:
    """Return the head of an entry with the other timestamp type."""
    at = _ATTRIBUTES_AT[magic]
    return head[:at] + bytes([head[at] ^ TIMESTAMP_TYPE_BIT]) + head[at + 1 :]


def _codecs(magic: int) -> tuple[str, ...]:
    return compression.NAMES if magic == 2 else compression.NAMES[:4]


def _closed(head: bytes, codec: str, plain: bytes, magic: int) -> bytes:
    """Return the entry with this payload, compressed again."""
    payload = compression.compress(codec, plain, magic=magic)
    at = _ATTRIBUTES_AT[magic]
    head = head[:at] + bytes([head[at] & ~7 | compression.NAMES.index(codec)]) + head[at + 1 :]
    if magic < 2:
        head = head[:-4] + struct.pack(">i", len(payload))
    return whole(head + payload, magic)
