"""A pause of the garbage collector while one call makes many values.

Decoded values are tuples of numbers and bytes, in no cycle. Still the collector walks through all
that are kept, again and again while more are made. With 100,000 records, that was half of the time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

LARGE: Final = 64 << 10
"""Bytes of input from which on a pause pays: some hundred records."""


@contextmanager
def paused_collector() -> Iterator[None]:
    """Switch the collector off until the block ends, if it was on.

    Threads do not disturb one another: whoever has switched it off switches it on again, so it is
    never left off. The others are then only slower.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
