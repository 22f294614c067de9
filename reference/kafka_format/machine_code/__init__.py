"""Machine code for the loops that take most of the time, where numba is installed (the `fast` extra) to make it.

Nothing needs it: whoever asks for it has another way to the same bytes. To load it takes half a second, and to compile
it the first time some seconds. That is worth it for who has much to do: `load` says so; or it has been much by now.
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
"""The environment variable that forbids it if it is `0`."""

_KERNEL: Final = "kafka_format.machine_code.kernels"

_found: list[Any] = []
"""The kernels, once they were asked for; None if they cannot be had."""

MUCH: Final = 256 << 20
"""Bytes made or read without it that are worth loading it: that many take about as much longer."""

_handled = 0


def load() -> bool:
    """Import the kernels, and compile them the first time. False if they cannot be had."""
    if not _found:
        _found.append(_imported())
    return kernel() is not None


def kernel() -> Any:  # noqa: ANN401 - a module, whose functions numba made
    """Return kernels.py if it was loaded, else None."""
    return _found[0] if _found else None


def handled(size: int) -> None:
    """Count bytes that were made or read without it, and load it if there will be many more, by the look of it."""
    global _handled  # noqa: PLW0603 - of the process
    _handled += size
    if _handled >= MUCH:
        load()


@contextmanager
def without() -> Iterator[None]:
    """Do without it for a while, to test or to measure what numpy does."""
    before, _found[:] = list(_found), [None]
    try:
        yield
    finally:
        _found[:] = before


def _imported() -> ModuleType | None:
    if os.environ.get(SWITCH) == "0" or sys.byteorder != "little":
        return None
    try:
        return import_module(_KERNEL)
    except ImportError:
        return None
    except Exception as error:  # noqa: BLE001 - a numba that does not work here is as good as none
        warnings.warn(f"numba does not work here, so batches are made without it: {error}", stacklevel=4)
        return None
