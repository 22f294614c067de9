"""The two ways in which the sampler works, for measuring them side by side."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar

from kafka_format import machine_code

_Result = TypeVar("_Result")

NUMPY, NUMBA = "numpy", "numba"


def ways() -> tuple[str, ...]:
    """Return those that there are here."""
    return (NUMPY, NUMBA) if machine_code.load() else (NUMPY,)


def using(way: str, action: Callable[[], _Result]) -> _Result:
    """Do something in one of the ways."""
    with machine_code.without() if way == NUMPY else nullcontext():
        return action()
