"""The page on which a decoder in isolation says where it stands, and the watch over it."""

import os
import signal
import sys
from contextlib import suppress
from mmap import mmap
from typing import Any

from kafka_format import structure
from kafka_tools.system.resources import resident_bytes

from kafka_conformance.child.clock import ChildClock, threads
from kafka_conformance.child.launch import Limits
from kafka_conformance.child.process import LOOK_SECONDS
from kafka_conformance.outcomes import Outcome


def possible() -> bool:
    """True where isolation has what it needs: files in memory, /proc, little-endian integers."""
    return sys.platform == "linux" and sys.byteorder == "little"


class Page:
    """A file in memory, of the layout `isolation_page`.

    Attributes:
        path: where processes of the same user find it.
    """

    def __init__(self) -> None:
        """Make it; nobody stands anywhere."""
        self._layout = structure("isolation_page")
        empty = self._layout.encode({})
        self._file = os.memfd_create("isolation page")
        self._size = os.write(self._file, empty)
        self._memory = mmap(self._file, self._size)
        self.path = f"/proc/{os.getpid()}/fd/{self._file}"

    def read(self) -> Any:  # noqa: ANN401 - a NamedTuple that the layout made
        """Read its fields: process, block_id, input."""
        return self._layout.decode(self._memory[: self._size])

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()
        os.close(self._file)


class Watch:
    """Kills a child that takes too long or too much memory.

    The time that a child stands still is its own: see `child.clock`. One that gets no processor is
    not hung.
    """

    def __init__(self, page: Page, limits: Limits, clock: ChildClock | None = None) -> None:
        """Watch the child of a page, by a clock of the child's own time or by the one given."""
        self._page = page
        self._limits = limits
        self._stood = page.read()
        self._clock = clock or ChildClock(lambda: threads(self._stood.process))
        self._outcome = Outcome.CRASHED

    def look(self) -> None:
        """Check the limits once; call it every `LOOK_SECONDS` as long as the child has work."""
        stands = self._page.read()
        if stands != self._stood:
            self._stood = stands
            self._clock.start()
        if stands.input < 0:
            return
        self._clock.tick(2 * LOOK_SECONDS)
        if self._clock.seconds > self._limits.seconds:
            self._end(Outcome.HUNG)
        elif resident_bytes(stands.process) > self._limits.memory:
            self._end(Outcome.OUT_OF_MEMORY)

    def outcome(self) -> Outcome:
        """Return the outcome of a child that has ended: crashed, unless this watch killed it."""
        outcome, self._outcome = self._outcome, Outcome.CRASHED
        return outcome

    def kill(self) -> None:
        """End a child that has not ended yet, and what it has started."""
        if process := self._page.read().process:
            with suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)

    def _end(self, outcome: Outcome) -> None:
        if self._outcome is Outcome.CRASHED:
            self._outcome = outcome
            self.kill()
