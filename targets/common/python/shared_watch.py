"""Watches the child that decodes: forks it, knows by what it shares where it stood, and forks another behind that."""

import contextlib
import ctypes
import gc
import os
import select
import signal
import struct
import time
from collections.abc import Callable
from typing import NamedTuple

from shared_processes import Orphans, resident_bytes
from shared_state import ACTIVE, BLOCKS, COMPARED, COMPARING, CRASHED, HUNG, NOT_PUT, OUT_OF_MEMORY, PLACE, State

GIVE_UP = 40
"""Losses without a single batch between them after which the child is not forked again."""

_STATUS = struct.Struct("=i")
_LOOK_SECONDS = 0.05
_KEPT_MEMORY = ((-3, 32 << 20), (-1, 256 << 20))
"""M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of mallopt(3): glibc else gives a block's memory back each time, and the system
clears every page of it again."""

_KILL_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


class Orders(NamedTuple):
    """What a child has to know of those before it, in the block at hand.

    Attributes:
        suspect: place of a batch to decode first, alone, because it killed the last child; -1 for none.
        left_out: places of batches that are not decoded any more.
        given_up: decode nothing more of the block.
        singly: compare the batches before this place one by one: a child was lost when it looked at many at a time.
    """

    suspect: int = -1
    left_out: frozenset[int] = frozenset()
    given_up: bool = False
    singly: int = 0


class Watch:
    """Forks children, one after another, and notes what becomes of them."""

    def __init__(self, seconds: float, memory: int, patience: float) -> None:
        self._seconds = seconds
        self._memory = memory
        self._state = State()
        self._orders = Orders()
        self._block = self._place = -1
        self._in_a_row = 0
        self._patience = patience
        self._libc = ctypes.CDLL(None)
        self._orphans = Orphans(self._libc)

    def run(self, child: Callable[[State, Orders], None]) -> None:
        """Keep a child running until it has read all input."""
        while True:
            began = time.monotonic()
            word, content = self._wait(self._fork(child))
            self._orphans.end()
            if not self._state.numbers[ACTIVE]:
                os._exit(0 if (word, content) == (CRASHED, _STATUS.pack(0)) else 1)
            if word == HUNG:
                self._patience -= min(time.monotonic() - began, self._seconds)
            self._note(word, content)

    def _fork(self, child: Callable[[State, Orders], None]) -> int:
        pid = os.fork()
        if pid:
            return pid
        status = 1
        try:
            self._libc.prctl(_KILL_WITH_PARENT, signal.SIGKILL)
            with contextlib.suppress(AttributeError):  # another C library than glibc
                for what, size in _KEPT_MEMORY:
                    self._libc.mallopt(what, size)
            gc.disable()
            child(self._state, self._orders)
            status = 0
        finally:
            os._exit(status)

    def _note(self, word: int, content: bytes) -> None:
        """Note what the batch at hand did to the child, and give orders to the next one."""
        numbers = self._state.numbers
        if self._block != numbers[BLOCKS]:
            self._block, self._place, self._orders = numbers[BLOCKS], -1, Orders()
        place, suspect = numbers[PLACE], self._orders.suspect
        self._in_a_row = self._in_a_row + 1 if place - self._place <= 1 else 1
        self._place = place
        again = suspect == place
        many, numbers[COMPARING] = numbers[COMPARING] > 1, 0
        # Else it died between batches, of a file that one of them closed, say: the next child goes on.
        if place >= 0 and not many:
            self._state.note(place, word, content + bytes([again]) if word == CRASHED else content)
        given_up = self._in_a_row > GIVE_UP or self._patience < 0
        if given_up:
            self._state.note(numbers[COMPARED], NOT_PUT, b"")
        left_out = self._orders.left_out
        if many:  # any of them may be to blame
            self._orders = Orders(-1, left_out, given_up, place + 1)
            return
        alone = word == CRASHED and not again and place >= 0
        self._orders = Orders(place if alone else -1, left_out | {place}, given_up, self._orders.singly)

    def _wait(self, pid: int) -> tuple[int, bytes]:
        """Wait for the end of a child, or end it."""
        watched = os.pidfd_open(pid)
        poll = select.poll()
        poll.register(watched, select.POLLIN)
        stood, since = (-1, -1, -1), time.monotonic()
        word = CRASHED
        while not poll.poll(_LOOK_SECONDS * 1000):
            stands = (self._state.numbers[BLOCKS], self._state.numbers[PLACE], self._state.numbers[COMPARED])
            if stands != stood or stands[1] < 0 or not self._state.numbers[ACTIVE]:
                stood, since = stands, time.monotonic()
            elif time.monotonic() - since > self._seconds:
                word = HUNG
            if stands[1] >= 0 and resident_bytes(pid) > self._memory:
                word = OUT_OF_MEMORY
            if word != CRASHED:
                os.kill(pid, signal.SIGKILL)
                break
        _, status = os.waitpid(pid, 0)
        os.close(watched)
        return word, _STATUS.pack(os.waitstatus_to_exitcode(status)) if word == CRASHED else b""
