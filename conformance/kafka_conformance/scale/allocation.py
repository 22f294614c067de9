"""Memory that numpy frees is kept, where the C library would give it back to the system each time.

The arrays of a block are some hundred kilobytes each. By default glibc maps and unmaps each of
them, and the system clears every page again: that takes as long as all the arithmetic.
"""

import contextlib
import ctypes

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
_LARGEST_MMAP_THRESHOLD = 32 << 20
_KEPT = 256 << 20


def keep_memory() -> None:
    """Have glibc keep up to 256 MiB of free memory; elsewhere do nothing."""
    with contextlib.suppress(AttributeError, OSError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_THRESHOLD, _LARGEST_MMAP_THRESHOLD)
        mallopt(_TRIM_THRESHOLD, _KEPT)
        mallopt(_TOP_PAD, 1 << 20)
