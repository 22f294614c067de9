"""The time that counts against a child: time in which it could have answered.

On a busy machine a sound target may take ten times as long, and none of that is its doing. So this
clock leaves out

- time in which the child was ready to run and had no processor. Linux counts it for every thread,
  in /proc/PID/task/TID/schedstat: nanoseconds on a processor, and nanoseconds in the queue for one;
- time in which we had no processor ourselves and did not look: the child may have been waiting for
  us.

It counts the time in which the child computes, and the time in which it sleeps or waits for
anything else. On a quiet machine it therefore runs like the clock on the wall, and on any machine a
child that hangs is found.

Where there is no schedstat (macOS, some sandboxes), only our own absence is left out.
"""

import os
from collections.abc import Callable, Mapping
from time import monotonic
from typing import NamedTuple

from kafka_tools.system.resources import children, read_proc

SLOWEST = 20
"""The clock runs at a twentieth of the speed of the one on the wall at least, so that every wait
ends."""

_NANOSECONDS = 1e9


class Scheduled(NamedTuple):
    """How long one thread ran, and how long it waited for a processor, since its start.

    Attributes:
        run_seconds: time on a processor.
        wait_seconds: time in which it was ready to run and had no processor.
    """

    run_seconds: float = 0.0
    wait_seconds: float = 0.0


Threads = Mapping[int, Scheduled]
"""Every living thread of a process and its descendants, by its id."""


def threads(pid: int) -> Threads:
    """Return the threads of a process and its descendants; none where the system does not tell."""
    own = {int(thread): scheduled for thread in _thread_ids(pid) if (scheduled := _schedule_of(pid, thread))}
    for child in children(pid):
        own.update(threads(child))
    return own


class ChildClock:
    """Measures how long a child takes, without the time that it waits for a processor.

    Attributes:
        seconds: what counts against the child since the wait began, as of the last `tick`.
    """

    def __init__(self, look: Callable[[], Threads], now: Callable[[], float] = monotonic) -> None:
        """`look` looks up the child's threads: see `threads`. `now` tells the time in seconds."""
        self._look = look
        self._now = now
        self.start()

    def start(self) -> None:
        """Begin a new wait."""
        self._last = self._began = self._now()
        self._seen: Threads | None = None
        self._present = self._ran = self._queued = 0.0
        self.seconds = 0.0

    def tick(self, longest: float) -> None:
        """Count the time since the last tick.

        If it is longer than `longest` seconds, this process itself was not running.
        """
        now, seen = self._now(), self._look()
        passed, self._last = now - self._last, now
        self._present += min(passed, longest)
        if self._seen is not None:
            self._count(seen, self._seen, passed)
        self._seen = seen
        self.seconds = max(self._ran, self._present - self._queued, (now - self._began) / SLOWEST)

    def _count(self, threads: Threads, before: Threads, passed: float) -> None:
        """Add what the threads did since the last tick; several that run at a time count as one."""
        new = Scheduled()
        self._ran += min(
            passed, sum(times.run_seconds - before.get(thread, new).run_seconds for thread, times in threads.items())
        )
        self._queued += sum(
            times.wait_seconds - before.get(thread, new).wait_seconds for thread, times in threads.items()
        )


def _thread_ids(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - it is asked often
    except OSError:
        return []


def _schedule_of(pid: int, thread: str) -> Scheduled | None:
    try:
        ran, queued, _ = read_proc(f"{pid}/task/{thread}/schedstat").split()
    except (OSError, ValueError):
        return None
    return Scheduled(int(ran) / _NANOSECONDS, int(queued) / _NANOSECONDS)
