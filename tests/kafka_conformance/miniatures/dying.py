"""Miniatures that crash, hang, eat memory, do not come up or do not go."""

import os
import signal
import struct
import sys
import time
from pathlib import Path

from miniature import POISON, Result, frames, on_poison, raw, serve, sound


def crashes() -> None:
    on_poison(lambda: os.kill(os.getpid(), signal.SIGSEGV))


def exits_with_3() -> None:
    def leave() -> None:
        sys.stderr.write("the toy has broken")
        sys.stderr.flush()
        os._exit(3)

    on_poison(leave)


def exits_with_0_half_way() -> None:
    on_poison(lambda: os._exit(0))


def dies_in_mid_reply() -> None:
    def half() -> None:
        raw(struct.pack(">i", 100) + b"D12")
        os._exit(1)

    on_poison(half)


def hangs() -> None:
    on_poison(lambda: time.sleep(600))


def hangs_and_tells() -> None:
    """Hangs, and makes the file given as the second argument when it begins to."""

    def hang() -> None:
        Path(sys.argv[2]).touch()
        time.sleep(600)

    on_poison(hang)


def answers_late() -> None:
    """Not wrong, but slow: so many seconds as the second argument says, or twice the limit of a
    test."""
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1.2
    on_poison(lambda: time.sleep(seconds))


def loads_late() -> None:
    """Takes a while over its first question, whatever that is, and hangs on the poison."""
    left = [1.0]
    serve(lambda data: (time.sleep(600) if POISON in data else time.sleep(left.pop() if left else 0), sound(data))[1])


def spins() -> None:
    def spin() -> None:
        while True:
            pass

    on_poison(spin)


def eats_memory() -> None:
    def eat() -> None:
        kept = []
        while True:
            kept.append(bytearray(b"\1") * (4 << 20))

    on_poison(eat)


def child_eats_memory() -> None:
    """The memory is taken by a process that the adapter starts, as a launcher script would."""
    if os.fork() == 0:
        kept = [bytearray(b"\1") * (200 << 20)]
        time.sleep(600)
        del kept
    on_poison(lambda: time.sleep(600))


def crashes_once() -> None:
    """Dies of the first poison it ever sees; the file given as the second argument remembers."""
    seen = Path(sys.argv[2])

    def die_once() -> None:
        if not seen.exists():
            seen.touch()
            os.kill(os.getpid(), signal.SIGABRT)

    on_poison(die_once)


def crashes_twice() -> None:
    """Dies of the first two poisons it ever sees: in a block, and alone.

    The third it can stomach.
    """
    seen = Path(sys.argv[2])

    def die_twice() -> None:
        before = len(seen.read_bytes()) if seen.exists() else 0
        if before < 2:
            seen.write_bytes(b"x" * (before + 1))
            os.kill(os.getpid(), signal.SIGABRT)

    on_poison(die_twice)


def dies_of_the_second() -> None:
    """Dies of the second input that it ever sees, whatever it is, as a decoder does that spoils its
    memory."""
    seen = 0

    def decode(data: bytes) -> Result:
        nonlocal seen
        seen += 1
        if seen > 1:
            os.kill(os.getpid(), signal.SIGSEGV)
        return sound(data)

    serve(decode)


def crashes_on_everything() -> None:
    serve(lambda _: os._exit(1))


def never_starts() -> None:
    sys.stderr.write("no toy here")
    sys.exit(4)


def silent() -> None:
    for _ in frames():
        pass


def deaf() -> None:
    """Reads nothing at all, so that its standard input fills up."""
    time.sleep(600)


def closes_standard_output() -> None:
    def close() -> None:
        os.close(1)
        time.sleep(600)

    on_poison(close)


def lingers() -> None:
    serve()
    time.sleep(600)


def exits_with_5_at_the_end() -> None:
    serve()
    sys.exit(5)
