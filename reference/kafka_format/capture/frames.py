"""One direction of a connection, cut into frames by the sizes in front.

Where bytes are missing inside of a frame, its size tells where the next one begins. Where they are
missing around a size, the next place that looks like the start of a frame is taken for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from kafka_format.capture.streams import StreamPiece
from kafka_format.explain.requests import SIZE

LARGEST: Final = 104857600
"""Bytes of the largest request that a broker takes (socket.request.max.bytes); a size above it is
none."""

_LEAST: Final = 2 * SIZE
"""Bytes that show whether a frame begins: its size, and what says what it is."""

_HELD: Final = 64
"""Bytes at the end of a segment that may be the start of a header that goes on in the next one."""

KEPT: Final = 4 << 20
"""Bytes of a frame that are kept."""


class Frame(NamedTuple):
    """A frame, or what is not one.

    Attributes:
        time: when its last byte was captured.
        data: its bytes with the size in front, as far as they were kept; of what is lost, none.
        size: how many it has; of what is lost, how many are missing or unknown.
        missing: bytes inside it that were not captured.
        is_lost: True for bytes that belong to no frame that is known.
    """

    time: float
    data: bytes
    size: int
    missing: int = 0
    is_lost: bool = False


class Frames:
    """Cuts one direction into frames."""

    def __init__(self, find_frame: Callable[[bytes], int | None]) -> None:
        """Take a function that finds in bytes the place where a frame begins; None for nowhere.

        It is asked where the start of a frame is not known: after a gap, or in the middle of a
        connection.
        """
        self._find = find_frame
        self._buffer = bytearray()
        self._size: int | None = None
        self._passed = 0
        self._missing = 0
        self._in_step = False
        self._lost = 0
        self._held = b""

    @property
    def is_in_step(self) -> bool:
        """True if it is known where the next frame begins."""
        return self._in_step

    def feed(self, piece: StreamPiece) -> Iterator[Frame]:
        """Take what comes next, and yield the frames that are whole."""
        if piece.missing:
            self._lost, self._held = self._lost + len(self._held), b""
            yield from self._gap(piece)
            return
        content = piece.content
        if not self._in_step:
            content, self._held = self._held + content, b""
            if len(content) < _LEAST:  # a size in a segment of its own
                self._held = content
                return
            at = self._find(content)
            if at is None:
                self._held = content[-_HELD:]
                self._lost += len(content) - len(self._held)
                return
            yield from self.begin(piece.time, at)
            content = content[at:]
        yield from self._pass_on(piece.time, content)

    def begin(self, time: float, lost: int = 0) -> Iterator[Frame]:
        """Take what comes next for the start of a frame; yield what was lost before it."""
        self._lost += lost
        yield from self._report_loss(time)
        self._in_step = True

    def end(self, time: float) -> Iterator[Frame]:
        """Yield the frame that is cut by the end, and what was lost before it."""
        self._lost, self._held = self._lost + len(self._held), b""
        if self._buffer or self._size is not None:
            size = self._size if self._size is not None else len(self._buffer)
            yield Frame(time, bytes(self._buffer), size, size - self._passed - len(self._buffer) + self._missing)
        yield from self._report_loss(time)
        self._forget()

    def _report_loss(self, time: float) -> Iterator[Frame]:
        if self._lost:
            yield Frame(time, b"", self._lost, is_lost=True)
            self._lost = 0

    def _gap(self, piece: StreamPiece) -> Iterator[Frame]:
        """Pass over missing bytes: to the end of the frame that they are in, or out of step."""
        left = None if self._size is None else self._size - len(self._buffer) - self._passed
        if left is None or piece.missing > left:
            self._lost += len(self._buffer) + self._passed + piece.missing
            self._forget()
            self._in_step = False
            return
        self._passed += piece.missing
        self._missing += piece.missing
        yield from self._finish(piece.time)

    def _pass_on(self, time: float, content: bytes) -> Iterator[Frame]:
        view = memoryview(content)
        while view:
            if self._size is None:
                count = SIZE - len(self._buffer)
                self._buffer += view[:count]
                view = view[count:]
                if len(self._buffer) < SIZE:
                    return
                size = int.from_bytes(self._buffer, "big", signed=True)
                if not 0 <= size <= LARGEST:
                    self._lost += SIZE + len(view)
                    self._forget()
                    self._in_step = False
                    return
                self._size = SIZE + size
            else:
                count = min(len(view), self._size - len(self._buffer) - self._passed)
                self._keep(view[:count])
                view = view[count:]
            yield from self._finish(time)

    def _keep(self, content: memoryview) -> None:
        """Keep bytes in front of what is missing, and up to `KEPT`; count the others."""
        room = 0 if self._passed else max(0, KEPT - len(self._buffer))
        self._buffer += content[:room]
        self._passed += max(0, len(content) - room)

    def _finish(self, time: float) -> Iterator[Frame]:
        if self._size is not None and len(self._buffer) + self._passed == self._size:
            yield Frame(time, bytes(self._buffer), self._size, self._missing)
            self._forget()

    def _forget(self) -> None:
        self._buffer.clear()
        self._size = None
        self._passed = self._missing = 0
