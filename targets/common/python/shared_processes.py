"""The processes that a decoder starts: what they hold is held by it, and they end with it.

`kafka_conformance.child.resources` counts in the same way, which a test compares; a target's environment lacks it.
"""

import contextlib
import ctypes
import mmap
import os
import signal

_ADOPT = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2): whose parent has died becomes a child of this process."""


def resident_bytes(pid: int) -> int:
    """Sum the resident memory of a process and all below it; one that is gone counts 0."""
    try:
        with open(f"/proc/{pid}/statm", "rb", buffering=0) as file:  # noqa: PTH123 - looked at every twentieth of a second
            own = int(file.read().split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0
    return own + sum(map(resident_bytes, _children(pid)))


class Orphans:
    """What the children of this process leave behind when they die."""

    def __init__(self, libc: ctypes.CDLL) -> None:
        """Adopt them from now on. What has been started before belongs to the library, and stays."""
        self._others = frozenset(_children(os.getpid()))
        libc.prctl(_ADOPT, 1)

    def end(self) -> None:
        """End them, and what they leave behind in their turn."""
        while left := set(_children(os.getpid())) - self._others:
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)


def _children(pid: int) -> list[int]:
    """Every thread has its own list."""
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - as above
            with open(f"/proc/{pid}/task/{thread}/children", "rb", buffering=0) as file:  # noqa: PTH123 - likewise
                found += [int(child) for child in file.read().split()]
    except OSError:  # a thread has ended meanwhile
        pass
    return found
