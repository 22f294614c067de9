"""Tries a user's function in a process of its own, for it may hang or crash."""

import json
import os
import select
import signal
from collections.abc import Callable
from typing import Any, NoReturn

from kafka_conformance.errors import UsageError

SECONDS = 3.0
"""How long a trial may last. A function that needs longer is left to the vectors."""

_LONGEST = 2000
_MOST = 1 << 16
"""Characters of a message, and bytes that are read of it: a pipe holds it whole."""


def try_apart(trial: Callable[[], Any]) -> None:
    """Call something in a forked process. Only what is wrong with its use comes back.

    Whether it crashes, hangs or raises something else is nobody's concern here.

    Args:
        trial: what to call.

    Raises:
        UsageError: the trial raised it.
    """
    told, telling = os.pipe()
    child = os.fork()
    if not child:
        os.close(told)
        _try_and_exit(trial, telling)
    os.close(telling)
    try:
        ready, _, _ = select.select([told], [], [], SECONDS)
        said = os.read(told, _MOST) if ready else b""
    finally:
        os.close(told)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if said:
        raise UsageError(*json.loads(said))


def _try_and_exit(trial: Callable[[], Any], telling: int) -> NoReturn:
    try:
        trial()
    except UsageError as error:
        os.write(telling, json.dumps([error.message[:_LONGEST], error.hint]).encode())
    finally:
        os._exit(0)  # past all that the parent has still to write, and its handlers
