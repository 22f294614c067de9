"""How much memory a process and its descendants hold, read from /proc; and how often Python looks for what to free.

Where there is no /proc (macOS) the answer is 0: memory is not watched there, and a decoder that eats it runs into the
time limit.
"""

import gc
import os

_PAGE = os.sysconf("SC_PAGE_SIZE")
_RESIDENT = 1
_ALLOCATIONS = 100_000


def collect_seldom() -> None:
    """Have the garbage collector look only after 100,000 allocations instead of 700.

    Vectors, records and results hold no cycles and stay to the end, and looking through them over and over is a third
    of the time of a run.
    """
    gc.set_threshold(_ALLOCATIONS, *gc.get_threshold()[1:])


def resident_bytes(pid: int) -> int:
    """Sum the resident set of a process and all its living descendants, in bytes. A process that is gone counts 0."""
    own = _own_resident_bytes(pid)
    return own + sum(resident_bytes(child) for child in children(pid))


def _own_resident_bytes(pid: int) -> int:
    try:
        return int(told(f"{pid}/statm").split()[_RESIDENT]) * _PAGE
    except (OSError, IndexError):
        return 0


def children(pid: int) -> list[int]:
    """The processes that a process has started; every thread has its own list of them."""
    try:
        lists = [told(f"{pid}/task/{thread}/children") for thread in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208
    except OSError:
        return []
    return [int(child) for text in lists for child in text.split()]


def told(file: str) -> bytes:
    """Read a file below /proc, in half of the time that `Path` takes: that counts where it is done often.

    Raises:
        OSError: there is none, or no longer.
    """
    with open(f"/proc/{file}", "rb", buffering=0) as opened:  # noqa: PTH123
        return opened.read()
