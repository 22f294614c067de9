"""One child process that speaks frames: fed, read, watched, and ended whatever it does.

A decoder under test may crash, hang, eat memory, print rubbish or stop in mid-sentence, and each of
these is a different finding. So one loop does all the waiting: it writes what is queued, reads what
comes, keeps the end of standard error, and looks at the clock and at the memory of the child, all
in turn. No pipe can fill up unread, so nothing deadlocks, and no thread is needed. When the child
is lost, `TargetLostError` says how; the process and all its descendants are gone by then.

All time limits are limits of the child's own time, see `clock`: a busy machine makes no target look
hung.

The child has a process group of its own, so that a shell or a launcher between us and the decoder
dies with it, and Ctrl-C reaches only the runner, which then ends its children in good order. What
the decoder started in a group of its own is found by its environment (`leftovers`).
"""

import contextlib
import os
import selectors
import signal
import subprocess
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import IO, cast

from kafka_format.primitives.counts import byte_count
from kafka_tools.system.exit_text import exit_words
from kafka_tools.system.resources import resident_bytes

from kafka_conformance.child import launch, leftovers
from kafka_conformance.child.clock import ChildClock, threads
from kafka_conformance.child.exit_text import rubbish_words, silence_words, stderr_words
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import StoppedError, TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.frames import LENGTH_BYTES, MAX_FRAME

LOOK_SECONDS = 0.05
"""A process touches some 4 GB a second at most, so the limit is overrun by a fifth of a gigabyte at
worst."""

_END_SECONDS = 2.0
_STDERR_BYTES = 64 << 10
_CHUNK = 64 << 10
"""As much as a pipe holds. To ask for more costs more: Python allocates it, and gives most of it
back."""


def _never() -> bool:
    return False


class AdapterProcess:
    """A running child. Queue frames with `send`, take frames with `receive`, and always `close`.

    Attributes:
        look_seconds: how often the clock, the memory and the user's wish to stop are looked at.
        watch: what looks at the memory; for who knows better which process to look at.
    """

    def __init__(self, command: Command, limits: Limits, stopped: Callable[[], bool] = _never) -> None:
        """Start the child; `stopped` is asked now and then whether the run is over.

        Raises:
            TargetLostError: the program cannot be started.
        """
        self._limits = limits
        self._stopped = stopped
        self._outbox: deque[memoryview] = deque()
        self._inbox = bytearray()
        self._stderr_end = bytearray()
        self._next_look = 0.0
        self.look_seconds = LOOK_SECONDS
        self.watch = self._check_memory
        self._mark = leftovers.new_mark()
        self._child = launch.start(command, {leftovers.VARIABLE: self._mark})
        self._clock = ChildClock(lambda: threads(self._child.pid))
        self._stdin, self._stdout, self._stderr = (
            cast("IO[bytes]", stream) for stream in (self._child.stdin, self._child.stdout, self._child.stderr)
        )
        self._selector = selectors.DefaultSelector()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)

    def send(self, frame: bytes) -> None:
        """Queue a frame; it is written while `receive` waits."""
        if not self._outbox:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._outbox.append(memoryview(frame))

    def receive(self, seconds: float, pulse: Callable[[], int] | None = None, most: float | None = None) -> bytes:
        """Return the body of the next frame.

        Args:
            seconds: how long that may take.
            pulse: what changes while the child is at work; with every change the time begins anew.
            most: how long it may take with a pulse.

        Raises:
            TargetLostError: it did not come in time, or the child died, grew too large, or wrote
                something else.
            StoppedError: the run was interrupted.
        """
        self._clock.start()
        beat, until = pulse and pulse(), seconds
        while (body := self._take_body()) is None:
            if self._stdout not in self._selector.get_map():
                raise self._dead()
            # Read once more after each look at the clock: the reply may have come while we had no
            # processor.
            if self._clock.seconds > until:
                waited = until if until == most else seconds
                raise self.end_as_lost(Outcome.HUNG, silence_words(bytes(self._inbox), waited))
            if pulse is not None and beat != (beat := pulse()):
                until = self._clock.seconds + seconds
            until = min(until, most or until)
            self._look()
            self._move(until)
        return body

    def flush(self, seconds: float) -> None:
        """Write what is queued, for at most `seconds`. Errors are left to `receive`."""
        self._clock.start()
        while self._outbox and self._stdout in self._selector.get_map() and self._clock.seconds < seconds:
            self._look()
            self._move(seconds)

    def stderr(self) -> str:
        """The end of what the child wrote to standard error."""
        return self._stderr_end.decode("utf-8", "replace").strip()

    def end_as_lost(self, outcome: Outcome, detail: str) -> TargetLostError:
        """End the child and return the exception that says why."""
        self._kill()
        return TargetLostError(outcome, detail + stderr_words(self.stderr()))

    def close(self) -> list[str]:
        """End the child and everything it started; say what it did wrong in its last moments.

        A sound adapter exits with status 0 at the end of its input and writes nothing more.
        """
        if self._stdin.closed:
            return []
        self._drain()
        complaints = self._last_complaints()
        self._kill()
        return complaints

    def _take_body(self) -> bytes | None:
        if len(self._inbox) < LENGTH_BYTES:
            return None
        length = int.from_bytes(self._inbox[:LENGTH_BYTES], "big", signed=True)
        if not 1 <= length <= MAX_FRAME:
            raise self.end_as_lost(Outcome.BROKEN_PROTOCOL, rubbish_words(bytes(self._inbox), length))
        end = LENGTH_BYTES + length
        if len(self._inbox) < end:
            return None
        with memoryview(self._inbox) as inbox:
            body = bytes(inbox[LENGTH_BYTES:end])
        del self._inbox[:end]
        return body

    def _look(self) -> None:
        """Look at the clock, the memory and the user, now and then."""
        if monotonic() < self._next_look:
            return
        self._next_look = monotonic() + self.look_seconds
        self._clock.tick(2 * self.look_seconds)
        if self._stopped():
            self._kill()
            raise StoppedError
        self.watch()

    def _check_memory(self) -> None:
        used = resident_bytes(self._child.pid)
        if used > self._limits.memory:
            limit = self._limits.memory >> 20
            raise self.end_as_lost(Outcome.OUT_OF_MEMORY, f"took {used >> 20} MiB of memory; the limit is {limit} MiB")

    def _move(self, seconds: float) -> None:
        """Move bytes through the pipes that are ready, once; wait at most until the next look."""
        wait = min(self.look_seconds, max(0.0, seconds - self._clock.seconds))
        for key, _ in self._selector.select(wait):
            if key.fileobj is self._stdin:
                self._write()
            else:
                self._read(cast("IO[bytes]", key.fileobj))

    def _write(self) -> None:
        try:
            written = os.write(self._stdin.fileno(), self._outbox[0][:_CHUNK])
        except BrokenPipeError:
            # The child reads no more. Whether and how it died is read from the end of standard
            # output.
            self._outbox.clear()
        else:
            self._outbox[0] = self._outbox[0][written:]
            if not self._outbox[0]:
                self._outbox.popleft()
        if not self._outbox:
            self._selector.unregister(self._stdin)

    def _read(self, stream: IO[bytes]) -> None:
        chunk = os.read(stream.fileno(), _CHUNK)
        if not chunk:
            self._selector.unregister(stream)
        elif stream is self._stdout:
            self._inbox += chunk
        else:
            self._stderr_end += chunk
            del self._stderr_end[:-_STDERR_BYTES]

    def _dead(self) -> TargetLostError:
        """Standard output has ended: find out how the child did."""
        unfinished = f" ({byte_count(len(self._inbox))} of a reply had come)" if self._inbox else ""
        self._clock.start()
        self._await_exit()
        code = self._child.poll()
        if code is None:
            return self.end_as_lost(Outcome.BROKEN_PROTOCOL, "closed its standard output and went on running")
        return self.end_as_lost(Outcome.CRASHED, exit_words(code) + unfinished)

    def _drain(self) -> None:
        """Close the child's input, and read until it has exited or its time for that is over."""
        if self._outbox:
            self._outbox.clear()
            self._selector.unregister(self._stdin)
        self._stdin.close()
        self._clock.start()
        while self._selector.get_map() and self._clock.seconds < _END_SECONDS and len(self._inbox) < _CHUNK:
            self._clock.tick(2 * self.look_seconds)
            self._move(_END_SECONDS)
        self._await_exit()

    def _await_exit(self) -> None:
        """Wait for the child's exit, for what is left of `_END_SECONDS`."""
        while self._clock.seconds < _END_SECONDS:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(LOOK_SECONDS)
                return
            self._clock.tick(2 * LOOK_SECONDS)

    def _last_complaints(self) -> list[str]:
        complaints = []
        if self._inbox:
            complaints.append(f"wrote {byte_count(len(self._inbox))} that no request asked for")
        code = self._child.poll()
        if code is None:
            complaints.append(f"was still running {_END_SECONDS:g} s after the end of its input")
        elif code:
            complaints.append(f"{exit_words(code)} at the end of its input; it should be 0")
        return complaints

    def _kill(self) -> None:
        # Gone already, or (macOS) a group of zombies: both are what is wanted.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        leftovers.kill(self._mark)
        self._child.wait()
        if not self._stderr.closed:
            # Nothing is left to read, or a descendant outside the group holds the pipe and is
            # silent.
            with contextlib.suppress(BlockingIOError):
                self._stderr_end += os.read(self._stderr.fileno(), _STDERR_BYTES)
        for stream in (self._stdin, self._stdout, self._stderr):
            stream.close()
        self._selector.close()
