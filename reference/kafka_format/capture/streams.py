"""One direction of a TCP connection: its bytes in the order they were sent, and what is missing.

A segment that comes too early waits for those before it. What is missing was not captured if the
other end has it, as its answer says; if too much waits for it; or if the connection ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

_NUMBERS: Final = 1 << 32
_MOST_WAITING: Final = 4 << 20
"""Bytes that wait in one direction."""

_MOST_SEGMENTS: Final = 512
"""Segments that wait in one direction."""


class StreamPiece(NamedTuple):
    """The next part of a direction: bytes, or a number of bytes that are missing."""

    time: float
    content: bytes
    missing: int = 0


class Stream:
    """One direction."""

    def __init__(self) -> None:
        """Start before the first segment."""
        self._next: int | None = None
        self._fin: int | None = None
        self._waiting: dict[int, tuple[float, bytes, int]] = {}
        self._size = 0

    def open(self, number: int) -> None:
        """Take the sequence number of SYN; the first byte has the next one."""
        self._next = (number + 1) % _NUMBERS

    def close(self, number: int) -> None:
        """Take the sequence number of FIN, which is acknowledged like a byte."""
        self._fin = number % _NUMBERS

    def feed(self, time: float, number: int, content: bytes, cut: int = 0) -> Iterator[StreamPiece]:
        """Take a segment, and yield what is now in order.

        Args:
            time: when it was captured.
            number: the sequence number of its first byte.
            content: its bytes, as far as they were captured.
            cut: bytes at its end that were not.
        """
        if not content and not cut:
            return
        if self._next is None:
            self._next = number
        ahead = _distance(self._next, number)
        if ahead <= 0:
            yield from self._pass_on(time, content, cut, -ahead)
        else:
            self._wait(time, number, content, cut)
        yield from self._ready()
        while self._size > _MOST_WAITING or len(self._waiting) > _MOST_SEGMENTS:
            yield from self._skip()

    def acknowledge(self, time: float, number: int) -> Iterator[StreamPiece]:
        """Take an acknowledgement of the other end.

        Bytes that it has and the capture has not will not come any more: yield the gap.
        """
        if self._fin is not None and _distance(self._fin, number) > 0:
            number = self._fin
        while self._next is not None and _distance(self._next, number) > 0:
            ahead = _distance(self._next, number)
            if self._waiting and _distance(self._next, self._first()) <= ahead:
                yield from self._skip()
            else:
                self._next = number
                yield StreamPiece(time, b"", ahead)

    def end(self) -> Iterator[StreamPiece]:
        """Yield what waits, with what is missing before it."""
        while self._waiting:
            yield from self._skip()

    def _wait(self, time: float, number: int, content: bytes, cut: int) -> None:
        """Keep a segment; of two that begin at one place the longer one."""
        before = self._waiting.get(number)
        if before is None or len(before[1]) < len(content):
            self._size += len(content) - (len(before[1]) if before is not None else 0)
            self._waiting[number] = (time, content, cut)

    def _pass_on(self, time: float, content: bytes, cut: int, known: int) -> Iterator[StreamPiece]:
        """Take a segment that is next, of which the first bytes are known, and yield the others."""
        cut = min(cut, max(0, len(content) + cut - known))
        content = content[known:]
        self._next = ((self._next or 0) + len(content) + cut) % _NUMBERS
        if content:
            yield StreamPiece(time, content)
        if cut:
            yield StreamPiece(time, b"", cut)

    def _ready(self) -> Iterator[StreamPiece]:
        """Yield the waiting segments that begin where those before them end, or earlier."""
        while self._waiting:
            number = self._first()
            ahead = _distance(self._next or 0, number)
            if ahead > 0:
                return
            time, content, cut = self._waiting.pop(number)
            self._size -= len(content)
            yield from self._pass_on(time, content, cut, -ahead)

    def _skip(self) -> Iterator[StreamPiece]:
        """Give up what is missing before the first segment that waits."""
        number = self._first()
        missing = _distance(self._next or 0, number)
        self._next = number
        yield StreamPiece(self._waiting[number][0], b"", missing)
        yield from self._ready()

    def _first(self) -> int:
        start = self._next or 0
        return min(self._waiting, key=lambda number: _distance(start, number))


def _distance(first: int, second: int) -> int:
    """Return how far the first sequence number is ahead of the second; negative if later."""
    return (second - first + _NUMBERS // 2) % _NUMBERS - _NUMBERS // 2
