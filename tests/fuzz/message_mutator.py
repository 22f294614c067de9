"""Hostile bytes of the protocol: good messages changed, cut, stretched, and bytes out of thin air.

What hurts a reader of the protocol is a length, a count or a tag section that claims more than
there is, so most of what is put in is one of those.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

LENGTHS: Final = (
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\x80\0\0\0",
    b"\0\0\xff\xff",
    b"\x7f\xff",
    b"\xff\xff",
    b"\x80\x80\x80\x80\x08",
    b"\xff\xff\xff\xff\x07",
    b"\xff\xff\xff\xff\x0f",
    b"\xff\xff\xff\xff\x7f",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\x80\x80\x80\x80\x80\0",
    b"\x80\0",
    b"\x81\0",
    b"\xff",
    b"\x01",
    b"\0",
)
"""Lengths and counts, fixed and varints: minus one, the largest, 2^31, one byte too long."""

TEXTS: Final = (b"\xc3\x28", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xc0\x80", b"\xf5\x80\x80\x80")
"""UTF-8 that is none, and one character of four bytes."""

LONGEST: Final = 1 << 16
_STRETCH: Final = 0.01
_THIN_AIR: Final = 0.05


class MessageMutator:
    """Changes bytes of messages; the same ones for the same number."""

    def __init__(self, number: int) -> None:
        """Take the number that decides what is done."""
        self.random = random.Random(number)  # noqa: S311 - chance, not secrets
        self._changes: tuple[Callable[[bytes, int], bytes], ...] = (
            self._flip,
            self._cut,
            self._put_in,
            self._put_in,
            self._take_out,
            self._write_over,
            self._write_over,
            self._write_over,
            self._repeat,
            self._tags,
        )

    def message(self, seeds: Sequence[bytes]) -> bytes:
        """Return a hostile message, mostly made of one of these."""
        if not seeds or self.random.random() < _THIN_AIR:
            return self.thin_air()
        data = self.random.choice(seeds)
        if self.random.random() < _STRETCH:
            data = self._stretched(data)
        for _ in range(self.random.choice((0, 1, 1, 1, 1, 2, 3))):
            data = self.random.choice(self._changes)(data, self.random.randint(0, len(data)))
        if self.random.random() < _THIN_AIR:
            other = self.random.choice(seeds)
            data = data[: self.random.randint(0, len(data))] + other[self.random.randint(0, len(other)) :]
        return data

    def thin_air(self) -> bytes:
        """Return bytes that come from no message: random ones, or lengths in a row."""
        match self.random.randrange(4):
            case 0:
                return self.random.randbytes(self.random.randrange(64))
            case 1:
                return self.random.choice(LENGTHS) * self.random.randrange(40)
            case 2:
                return b"".join(self.random.choice(LENGTHS) for _ in range(self.random.randrange(40)))
            case _:
                return bytes((self.random.choice((0, 1, 2, 3, 0x7F, 0xFF)),)) * self.random.choice((9, 99, 999))

    def _flip(self, data: bytes, at: int) -> bytes:
        if at == len(data):
            return data
        return data[:at] + bytes((data[at] ^ 1 << self.random.randrange(8),)) + data[at + 1 :]

    def _cut(self, data: bytes, at: int) -> bytes:
        return data[:at]

    def _put_in(self, data: bytes, at: int) -> bytes:
        return data[:at] + self._evil() + data[at:]

    def _take_out(self, data: bytes, at: int) -> bytes:
        return data[:at] + data[at + self.random.choice((1, 1, 2, 4, 8, 16)) :]

    def _write_over(self, data: bytes, at: int) -> bytes:
        evil = self._evil()
        return data[:at] + evil + data[at + len(evil) :]

    def _repeat(self, data: bytes, at: int) -> bytes:
        piece = data[at : at + self.random.choice((1, 2, 4, 8, 16))]
        return data[:at] + piece * self.random.choice((2, 2, 3, 9)) + data[at:]

    def _tags(self, data: bytes, at: int) -> bytes:
        """Put in a tag section: with a count that is right or not, tags in and out of order."""
        count = self.random.choice((0, 1, 2, 5, 127))
        tags = sorted(self.random.randrange(128) for _ in range(count))
        if self.random.random() < 0.5:
            self.random.shuffle(tags)
        fields = b"".join(bytes((tag, size)) + bytes(size) for tag in tags for size in (self.random.randrange(4),))
        front = bytes((count,)) if self.random.random() < 0.8 else self.random.choice(LENGTHS)
        over = self.random.choice((0, 1, 1))
        return data[:at] + front + fields + data[at + over :]

    def _stretched(self, data: bytes) -> bytes:
        """Make data long: a piece of it many times over."""
        at = self.random.randint(0, len(data))
        piece = data[at : at + self.random.choice((1, 2, 3, 5, 9, 17, 33))] or b"\0"
        return data[:at] + piece * (LONGEST // len(piece)) + data[at:]

    def _evil(self) -> bytes:
        if self.random.random() < 0.2:
            return self.random.choice(TEXTS)
        if self.random.random() < 0.2:
            return self.random.randbytes(self.random.choice((1, 2, 4)))
        return self.random.choice(LENGTHS)
