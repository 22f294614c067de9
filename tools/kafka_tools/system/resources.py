"""What processes cost: memory and processor time of this one and its descendants, read from /proc.

Where there is no /proc (macOS), `resident_bytes` is 0, so that memory is not watched there and a
decoder that eats it runs into the time limit; peak memory is that of this process alone, and
processor time leaves out children that live.
"""

import gc
import os
import resource
import sys
from collections.abc import Iterator

_PAGE = os.sysconf("SC_PAGE_SIZE")
_RESIDENT = 1
_ALLOCATIONS = 100_000
_TICKS = os.sysconf("SC_CLK_TCK")
_TIMES = slice(11, 15)
"""utime, stime, cutime and cstime, counted from after the name, which may hold spaces."""

_KIB = 1024


def collect_seldom() -> None:
    """Run the garbage collector only after 100,000 allocations instead of 700.

    Vectors, records and results hold no cycles and stay to the end, and looking through them over
    and over is a third of the time of a run.
    """
    gc.set_threshold(_ALLOCATIONS, *gc.get_threshold()[1:])


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process and its descendants, in bytes; 0 if it is gone."""
    own = _own_resident_bytes(pid)
    return own + sum(resident_bytes(child) for child in children(pid))


def _own_resident_bytes(pid: int) -> int:
    try:
        return int(read_proc(f"{pid}/statm").split()[_RESIDENT]) * _PAGE
    except (OSError, IndexError):
        return 0


def children(pid: int) -> list[int]:
    """The processes that a process has started; every thread has its own list of them."""
    try:
        lists = [read_proc(f"{pid}/task/{thread}/children") for thread in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208
    except OSError:
        return []
    return [int(child) for text in lists for child in text.split()]


def cpu_seconds() -> float:
    """Processor time of this process and all below it, those that have ended included."""
    return sum(os.times()[:4]) + sum(_cpu_seconds(pid) for pid in _below(os.getpid()))


def peak_bytes() -> int:
    """Return the peak resident memory of this process and its descendants, in bytes.

    Each had its most at its own time; these are added up.
    """
    return own_peak_bytes() + sum(map(peak_of, _below(os.getpid())))


def own_peak_bytes() -> int:
    """Return the peak resident memory of this process, in bytes.

    What the system says of its use of resources begins with that of the process which started it.
    """
    if peak := peak_of(os.getpid()):
        return peak
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return own if sys.platform == "darwin" else own * _KIB


def peak_of(pid: int) -> int:
    """Return the peak resident memory of a process, in bytes; 0 if it is gone."""
    try:
        status = read_proc(f"{pid}/status")
    except OSError:
        return 0
    return next((int(line.split()[1]) * _KIB for line in status.splitlines() if line.startswith(b"VmHWM:")), 0)


def _cpu_seconds(pid: int) -> float:
    try:
        stat = read_proc(f"{pid}/stat")
    except OSError:
        return 0.0
    return sum(map(int, stat.rpartition(b")")[2].split()[_TIMES])) / _TICKS


def _below(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from _below(child)


def read_proc(file: str) -> bytes:
    """Read a file below /proc. It takes half of the time of `Path`, which counts here.

    Raises:
        OSError: there is none, or no longer.
    """
    with open(f"/proc/{file}", "rb", buffering=0) as opened:  # noqa: PTH123
        return opened.read()
