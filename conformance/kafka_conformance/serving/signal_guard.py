"""Keeps a decode function from ending the processes that watch it: such a signal hits the function's own process.

The watching side has to outlive whatever a decoder does, in order to tell on which bytes it was done. A signal reaches
another process a while later, when the decoder may be at other bytes; its own process dies at once.
"""

import os
import sys

_EVENTS = frozenset(("os.kill", "os.killpg"))


def turn_back() -> None:
    """Turn signals of this process, and of its forks, to those that watch it back on the sender, from now on.

    What code in C does on its own is not seen here.
    """
    sys.addaudithook(_turned_back)


def _turned_back(event: str, arguments: tuple[object, ...]) -> None:
    if event not in _EVENTS:
        return
    whom, number = arguments
    own, group = os.getpid(), os.getpgrp()
    watching = {os.getppid(), os.getsid(0), 0, -1, -group} if event == "os.kill" else {0, group}
    if number and whom in watching - {own}:
        os.kill(own, int(str(number)))
        raise PermissionError("a decoder must not send signals to the processes that watch it")
