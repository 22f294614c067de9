"""Processes that a target left behind: found by a mark in their environment, and killed.

Killing the process group of a target ends what the target started, but not what began a session of
its own, as daemons do. Everything that the target starts inherits its environment, so a variable
with a value of this target's own tells its processes from all others. Where there is no /proc
(macOS), only the process group is killed.
"""

import contextlib
import os
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

VARIABLE: Final = "KAFKA_CONFORMANCE_TARGET"

_ROUNDS: Final = 5
"""A process may start others while it is looked for. One that does so faster than it can be killed
is left alone."""

_numbers = count()


def new_mark() -> str:
    """Return a value of the variable that no other target has."""
    return f"{os.getpid()}-{next(_numbers)}"


def kill(mark: str) -> None:
    """Kill every process of the target that was started with this mark."""
    for _ in range(_ROUNDS):
        found = list(_marked(mark))
        if not found:
            return
        for process in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)


def _marked(mark: str) -> Iterator[int]:
    wanted = f"{VARIABLE}={mark}".encode()
    for file in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):  # gone, or somebody else's; that of a zombie is empty
            if wanted in file.read_bytes().split(b"\0"):
                yield int(file.parent.name)
