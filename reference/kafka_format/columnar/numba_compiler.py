"""Has numba compile a loop: for types that are known, and once for all processes.

What was compiled is kept in numba's cache, which is renewed when the file of the loop changes, and
only then. So constants of a loop stand in its file or are passed as arguments, and helpers stand
beside it. Those that take arrays are inlined: else numba counts references to them, which takes
longer than to read a varint.

Compiled code does not check positions, so loops do before they read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from numba import njit, types

INT: Final = types.int64
BYTES: Final = types.Array(types.uint8, 1, "C", readonly=True)
WORDS: Final = types.Array(types.uint64, 1, "A", readonly=True, aligned=False)
GIVEN: Final = types.Array(INT, 1, "C", readonly=True)
GIVEN_ROWS: Final = types.Array(INT, 2, "C", readonly=True)
PAIR: Final = types.UniTuple(INT, 2)
FILLED: Final = types.Array(INT, 1, "C")
FILLED_ROWS: Final = types.Array(INT, 2, "C")
SMALL: Final = types.Array(types.int32, 1, "C")
SMALL_ROWS: Final = types.Array(types.int32, 2, "C")
FLAGS: Final = types.Array(types.boolean, 1, "C")


def compiled(signature: Any = None, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for these types, and keep the outcome where there is a folder for it."""

    def make(function: Callable[..., Any]) -> Any:
        try:
            return njit(signature, cache=True, **options)(function)
        except RuntimeError:  # "cannot cache function": neither this folder nor one of the user can be written
            return njit(signature, **options)(function)

    return make
