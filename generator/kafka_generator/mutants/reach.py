"""How far the right reference gets: the functions that it calls, and the layouts that it reads by.

A mutant that changes nothing of this cannot answer otherwise, and need not be asked.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType

from kafka_format.codec.readings import interpreter_only
from kafka_format.spec.layout import Layout

from kafka_generator.mutants.reference import PACKAGE, prepare

Reached = CodeType | str
"""The code of a function, or the name of a layout."""


def reach(ask: Callable[[], object]) -> frozenset[Reached]:
    """Return the functions that the reference calls during `ask`, with the interpreter alone."""
    reached: set[Reached] = set()
    errors: list[Exception] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        try:
            if event == "call" and frame.f_globals.get("__name__", "").startswith(PACKAGE):
                reached.update(_of_call(frame))
        except Exception as error:  # noqa: BLE001 - `ask` would take it for one of the reference
            errors.append(error)

    prepare()
    before = sys.getprofile()
    with interpreter_only():
        sys.setprofile(note)
        try:
            ask()
        finally:
            sys.setprofile(before)
    if errors:
        raise errors[0]
    return frozenset(reached)


def _of_call(frame: FrameType) -> Iterator[Reached]:
    """Yield the code that is called, and the layouts among its arguments or in them."""
    yield frame.f_code
    for argument in frame.f_locals.values():
        layout = argument if isinstance(argument, Layout) else getattr(argument, "layout", None)
        if isinstance(layout, Layout) and frame.f_code.co_name != "__init__":
            yield layout.name
