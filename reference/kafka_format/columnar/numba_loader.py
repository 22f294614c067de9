"""The loader of numba_loops.py: only where numba is installed (the `numba` extra) and pays off.

Nothing needs numba: numpy reads the same in about twice the time. To load what it compiled
takes half a second, and to compile it the first time some seconds. So that happens when a caller
asks for it, or once a process has read a lot.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, Final

SWITCH: Final = "KAFKA_FORMAT_NUMBA"
"""The environment variable that forbids numba if it is `0`."""

MUCH: Final = 256 << 20
"""Bytes that a process reads with numpy before it tries numba."""

_LOOPS: Final = "kafka_format.columnar.numba_loops"

_tried: list[Any] = []
"""The module numba_loops.py, or None if it cannot be had; empty until somebody asked."""

_bytes_read = 0


def load_numba() -> bool:
    """Load the loops that numba compiles, and compile them the first time.

    Returns:
        False if numba is not installed, does not work here (which gives a warning), or is forbidden
            by `SWITCH`.
    """
    if not _tried:
        _tried.append(None)  # so that it is tried once, whatever happens
        _tried[0] = _import()
    return loops() is not None


def loops() -> Any:
    """Return the module numba_loops.py if it was loaded, else None."""
    return _tried[0] if _tried else None


def count_bytes(size: int) -> None:
    """Count bytes that are going to be read, and load numba once there were many."""
    global _bytes_read  # noqa: PLW0603 - of the process
    _bytes_read += size
    if not _tried and _bytes_read >= MUCH:
        load_numba()


@contextmanager
def numpy_only() -> Iterator[None]:
    """Use numpy only, to test or to measure it."""
    before, _tried[:] = list(_tried), [None]
    try:
        yield
    finally:
        _tried[:] = before


def _import() -> ModuleType | None:
    if os.environ.get(SWITCH) == "0" or sys.byteorder != "little":
        return None
    try:
        if import_module("numba").config.DISABLE_JIT:
            return None
        return import_module(_LOOPS)
    except Exception as error:  # noqa: BLE001 - a numba that does not work here is as good as none
        if isinstance(error, ModuleNotFoundError) and error.name == "numba":
            return None
        warnings.warn(f"numba does not work here, so columns are read without it: {error}", stacklevel=4)
        return None
