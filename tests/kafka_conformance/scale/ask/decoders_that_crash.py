"""A decode function that does to its process what the file DEEDS says, batch by batch.

Served as `python:decoders_that_crash:decode` from this folder. The file is JSON: the bytes of a
batch in hex to a deed.
"""

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

FILE = Path(os.environ["DEEDS"])
DEEDS = {bytes.fromhex(data): deed for data, deed in json.loads(FILE.read_text()).items()}


def decode(data: bytes) -> list[Record]:
    deed = DEEDS.get(data)
    if deed is None:
        return records.decode(data)
    _DO[deed]()
    raise ValueError(deed)


def _loop() -> None:
    while True:
        pass


def _eat_memory() -> None:
    hoard = []
    while True:
        hoard.append(b"x" * (1 << 24))


def _exit_once() -> None:
    if not (mark := FILE.with_suffix(".once")).exists():
        mark.touch()
        os._exit(7)


def _raise(error: BaseException) -> None:
    raise error


def _elsewhere(does: Callable[[], object]) -> int:
    """Do it in a process of its own, whose id is written down."""
    if pid := os.fork():
        FILE.with_suffix(".elsewhere").write_text(str(pid))
        return pid
    does()
    os._exit(0)


def _sleep() -> None:
    time.sleep(600)


_DO: Mapping[str, Callable[[], object]] = {
    "refusal": lambda: None,
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "exit 3": lambda: os._exit(3),
    "exit 0": lambda: os._exit(0),
    "exits once": _exit_once,
    "system exit": lambda: _raise(SystemExit(3)),
    "interrupt": lambda: _raise(KeyboardInterrupt()),
    "eats memory": _eat_memory,
    "loops": _loop,
    "sleeps": _sleep,
    "eats memory elsewhere": lambda: os.waitpid(_elsewhere(_eat_memory), 0),
    "crashes beside another": lambda: [_elsewhere(_sleep), os.kill(os.getpid(), signal.SIGSEGV)],
    "hangs beside another": lambda: [_elsewhere(_sleep), _sleep()],
    "kills its parent": lambda: [os.kill(os.getppid(), signal.SIGKILL), _sleep()],
}
