"""The readings of bytes, and the engines that do the first of them.

Bytes are read quickly first: by the layout machine where it is installed, else by Python text that
is compiled from their layout. Both take what is beyond suspicion, and give up at the first doubt
without saying why. What they give up is read by the interpreter, which is the executable
specification: it accepts, as far as flags allow, or says what is wrong, where, and by which rule.
Values are written the same way.

All must agree, so the choice of an engine changes no result. It is for those who measure, who
change the interpreter and want to see what becomes of it (the mutants), or compare.
"""

from __future__ import annotations

import os
import struct
import sysconfig
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from types import ModuleType
from typing import Final

SWITCH: Final = "KAFKA_FORMAT_ENGINE"
"""The environment variable that names the engine of a process."""

ENGINES: Final = ("machine", "python", "interpreter")
"""The engines; without a choice it is the first one that is there."""

EXTENSION: Final = "kafka_format_native"
PROGRAMS: Final = 2
"""The form of programs that the extension must know."""


DEFAULT_LIMIT: Final = 64 << 20
"""Bytes that a payload may decompress to, unless the caller says otherwise: far above any broker's
default message size."""

DOUBT: Final = (LookupError, ValueError, struct.error)
"""Errors that a quick reader raises at the first doubt. UnicodeDecodeError is a ValueError."""

REFUSED: Final = (TypeError, ValueError, AttributeError, LookupError, OverflowError, struct.error)
"""Errors that a quick writer raises for values that it cannot write."""


class Readings:
    """The engine of this process.

    Attributes:
        quick: False leaves everything to the interpreter.
        machine: the extension with the layout machine, if that is the engine.
    """

    quick: bool = True
    machine: ModuleType | None = None

    def use(self, engine: str) -> None:
        """Use an engine.

        Raises:
            ValueError: there is no such engine.
            ImportError: it is the machine, and that is not installed, or of another release.
        """
        if engine not in ENGINES:
            raise ValueError(f"{SWITCH} is {engine!r}; there are {', '.join(ENGINES)}")
        self.machine = load_machine() if engine == "machine" else None
        self.quick = engine != "interpreter"


def load_machine() -> ModuleType:
    """Import the extension.

    Raises:
        ImportError: it is not installed, not for this Python, or of another release.
    """
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise ImportError("the layout machine needs a Python with the global lock", name=EXTENSION)
    extension = import_module(EXTENSION)
    if extension.PROGRAMS != PROGRAMS:
        detail = f"{EXTENSION} is of another release, so Python reads alone: install kafka-format-native again"
        warnings.warn(detail, stacklevel=2)
        raise ImportError(detail, name=EXTENSION)
    return extension


def _first() -> Readings:
    """Return the engine that the environment names, or the best one that is there."""
    readings, chosen = Readings(), os.environ.get(SWITCH, "")
    try:
        readings.use(chosen or ENGINES[0])
    except ImportError:
        if chosen:
            raise
    return readings


READINGS: Final = _first()
"""Holds for all of the process."""


@contextmanager
def engine(name: str) -> Iterator[None]:
    """Read and write with one engine, in all threads, until the block ends.

    Raises:
        ValueError: there is no such engine.
        ImportError: it is the machine, and that is not installed.
    """
    before = READINGS.quick, READINGS.machine
    READINGS.use(name)
    try:
        yield
    finally:
        READINGS.quick, READINGS.machine = before


def interpreter_only() -> AbstractContextManager[None]:
    """Read and write with the interpreter alone, in all threads, until the block ends."""
    return engine("interpreter")
