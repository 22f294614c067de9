"""The two readings of bytes, and the switch that leaves one of them.

Bytes are read quickly first, by code that is compiled from their layout: it takes what is beyond
suspicion, and gives up at the first doubt without saying why. What it gives up is read by the
interpreter, which is the executable specification: it accepts, as far as flags allow, or says what
is wrong, where, and by which rule. Values are written the same way, by compiled code first and then
by the interpreter.

Both must agree, so `interpreter_only` changes no result. It is for those who change the interpreter
and want to see what becomes of it (the mutants), or compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final


class Readings:
    """Which readings there are.

    Attributes:
        quick: False leaves everything to the interpreter.
    """

    quick: bool = True


READINGS: Final = Readings()
"""Holds for all of the process."""


@contextmanager
def interpreter_only() -> Iterator[None]:
    """Read and write with the interpreter alone, in all threads, until the block ends."""
    before = READINGS.quick
    READINGS.quick = False
    try:
        yield
    finally:
        READINGS.quick = before
