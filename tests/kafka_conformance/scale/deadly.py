"""A decode function that does to its process what the file named by DEADLY says, for the batches that it names.

Served as `python:deadly:decode` from this folder. The file is JSON: the bytes of a batch in hex to a deed.
"""

import ctypes
import json
import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from kafka_conformance.protocol.hello import FIELDS
from kafka_format import records
from kafka_format.records import Record

HELLO = {"fields": FIELDS}

DEEDS = {bytes.fromhex(data): deed for data, deed in json.loads(Path(os.environ["DEADLY"]).read_text()).items()}


def decode(data: bytes) -> list[Record]:
    deed = DEEDS.get(data, "quietly does nothing")
    if deed.startswith("quietly"):
        _DOING.get(deed, lambda: None)()
        return records.decode(data)
    do(deed)
    raise ValueError(deed)


def do(deed: str) -> None:
    _DOING.get(deed, lambda: None)()
    if deed == "once" and not (mark := Path(os.environ["DEADLY"] + ".once")).exists():
        mark.touch()
        os._exit(7)


def _loop() -> None:
    while True:
        pass


def _sleep() -> None:
    time.sleep(600)


def _eat_memory() -> None:
    hoard = []
    while True:
        hoard.append(b"x" * (1 << 24))


def _elsewhere(does: Callable[[], object]) -> int:
    """Do it in a process of its own, whose number is written down."""
    if pid := os.fork():
        Path(os.environ["DEADLY"] + ".elsewhere").write_text(str(pid))
        return pid
    does()
    os._exit(0)


class _UntoldError(Exception):
    def __str__(self) -> str:
        do("exit 3")
        return "told"


def _raise(error: BaseException) -> None:
    raise error


_DOING: Mapping[str, Callable[[], object]] = {
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "exit 3": lambda: os._exit(3),
    "exit 0": lambda: os._exit(0),
    "eats memory": _eat_memory,
    "eats memory elsewhere": lambda: os.waitpid(_elsewhere(_eat_memory), 0),
    "loops": _loop,
    "sleeps": _sleep,
    "crashes beside another": lambda: [_elsewhere(_sleep), os.kill(os.getpid(), signal.SIGSEGV)],
    "hangs beside another": lambda: [_elsewhere(_sleep), _loop()],
    "exits when its error is told": lambda: _raise(_UntoldError()),
    "system exit": lambda: _raise(SystemExit(3)),
    "quietly closes 0 to 2": lambda: os.closerange(0, 3),
    "quietly closes all": lambda: os.closerange(0, 90),
    "interrupt": lambda: _raise(KeyboardInterrupt()),
    "kills its parent": lambda: os.kill(os.getppid(), signal.SIGKILL),
    "terminates its parent": lambda: os.kill(os.getppid(), signal.SIGTERM),
    "stops its parent": lambda: os.kill(os.getppid(), signal.SIGSTOP),
    "kills its group": lambda: os.kill(0, signal.SIGKILL),
    "kills its group by number": lambda: os.killpg(os.getpgrp(), signal.SIGKILL),
    "kills its parent from C": lambda: [ctypes.CDLL(None).kill(os.getppid(), signal.SIGKILL), time.sleep(600)],
    "quietly looks for its parent": lambda: os.kill(os.getppid(), 0),
}
