"""Tries a user's function in a process of its own, for it may hang or crash."""

import json
import os
import select
import signal
from collections.abc import Callable
from typing import Any, NoReturn

from kafka_tools.errors import UsageError

from kafka_conformance.child.clock import ChildClock, threads

SECONDS = 3.0
"""The seconds that a trial may last. A function that needs longer is left to the vectors."""

_LOOK = 0.05
"""The seconds between two looks at the child's time."""

_LONGEST = 2000
_MOST = 1 << 16
"""Characters of a message, and bytes that are read of it: a pipe holds it whole."""


def try_apart(trial: Callable[[], Any]) -> Any:
    """Call something in a forked process; return what it returned, which JSON must hold.

    Whether it crashes, hangs or raises something else is nobody's concern here: that is None.

    Args:
        trial: what to call.

    Raises:
        UsageError: the trial raised it.
    """
    reading, telling = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _try_and_exit(trial, telling)
    os.close(telling)
    try:
        said = _wait(reading, child)
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if not said:
        return None
    outcome = json.loads(said)
    if "wrong" in outcome:
        raise UsageError(*outcome["wrong"])
    return outcome["returned"]


def _wait(reading: int, child: int) -> bytes:
    """Return what the child says, in the time that it has on a processor or could have had."""
    clock = ChildClock(lambda: threads(child))
    while clock.seconds < SECONDS:
        if select.select([reading], [], [], _LOOK)[0]:
            return os.read(reading, _MOST)
        clock.tick(2 * _LOOK)
    return b""


def _try_and_exit(trial: Callable[[], Any], telling: int) -> NoReturn:
    try:
        os.write(telling, json.dumps(_outcome(trial)).encode())
    finally:
        os._exit(0)  # past all that the parent has still to write, and its handlers


def _outcome(trial: Callable[[], Any]) -> dict[str, Any]:
    try:
        return {"returned": trial()}
    except UsageError as error:
        return {"wrong": [error.message[:_LONGEST], error.hint]}
