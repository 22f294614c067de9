"""What this process and all below it have cost: processor time and memory, read from /proc.

Where there is no /proc (macOS), the memory is that of this process alone, and the time leaves out children that live.
"""

import os
import resource
import sys
from collections.abc import Iterator

from kafka_conformance.child.memory import children, told

_TICKS = os.sysconf("SC_CLK_TCK")
_TIMES = slice(11, 15)
"""utime, stime, cutime and cstime, counted from behind the name, which may hold spaces."""

_KIB = 1024


def cpu_seconds() -> float:
    """Processor time of this process and all below it, those that have ended included."""
    return sum(os.times()[:4]) + sum(_cpu_seconds(pid) for pid in _below(os.getpid()))


def peak_bytes() -> int:
    """The most resident memory that this process and those that live below it have had, each at its own time."""
    return own_peak_bytes() + sum(map(peak_of, _below(os.getpid())))


def own_peak_bytes() -> int:
    """The most resident memory that this process has had.

    What the system says of its use of resources begins with that of the process which started it.
    """
    if found := peak_of(os.getpid()):
        return found
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return own if sys.platform == "darwin" else own * _KIB


def peak_of(pid: int) -> int:
    """The most resident memory that a process has had, in bytes; 0 if it is gone."""
    try:
        status = told(f"{pid}/status")
    except OSError:
        return 0
    return next((int(line.split()[1]) * _KIB for line in status.splitlines() if line.startswith(b"VmHWM:")), 0)


def _cpu_seconds(pid: int) -> float:
    try:
        stat = told(f"{pid}/stat")
    except OSError:
        return 0.0
    return sum(map(int, stat.rpartition(b")")[2].split()[_TIMES])) / _TICKS


def _below(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from _below(child)
