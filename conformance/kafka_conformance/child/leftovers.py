"""Processes that a target left behind: found by a mark in their environment, and killed.

Killing the process group of a target ends what the target started, but not what began a session of
its own, as daemons do. Everything that the target starts inherits its environment, so a variable
with a value of this target's own tells its processes from all others. Where there is no /proc
(macOS), only the process group is killed.

A run that is killed itself (SIGKILL) can end nothing any more. So a guard, this file run as a
program, waits for the end of the run and kills what is left then.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

VARIABLE: Final = "KAFKA_CONFORMANCE_TARGET"

_ROUNDS: Final = 5
"""A process may start others while it is looked for. One that does so faster than it can be killed
is left alone."""

_numbers = count()


def new_mark() -> str:
    """Return a value of the variable for one target, with which no other begins."""
    _start_guard(os.getpid())
    return f"{_prefix(os.getpid())}{next(_numbers)};"


def kill(marks: str) -> None:
    """Kill every process whose mark begins with this text."""
    for _ in range(_ROUNDS):
        marked_processes = list(_marked_processes(marks))
        if not marked_processes:
            return
        for process in marked_processes:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)


def _marked_processes(marks: str) -> Iterator[int]:
    wanted = f"{VARIABLE}={marks}".encode()
    for file in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):  # gone, or somebody else's; that of a zombie is empty
            if any(line.startswith(wanted) for line in file.read_bytes().split(b"\0")):
                yield int(file.parent.name)


def _prefix(run: int) -> str:
    return f"{run}-"


@cache
def _start_guard(run: int) -> None:
    """Start the guard of this process, once: it reads a pipe that ends when this process does."""
    reads, _ = os.pipe()  # the other end stays open as long as this process lives
    arguments = [sys.executable, "-I", "-S", __file__, str(run)]
    os.posix_spawn(sys.executable, arguments, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, reads, 0)], setpgroup=0)
    os.close(reads)


def _guard(run: int) -> None:
    """Wait for the end of a run, and kill what its targets left behind."""
    while os.read(0, 1):
        pass
    kill(_prefix(run))


if __name__ == "__main__":
    _guard(int(sys.argv[1]))
