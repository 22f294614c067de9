"""The broker that a run is about: one that runs already, or one that the suite starts itself.

A broker that the suite starts is a program that writes `HOST:PORT` on a line of standard output
when it listens there, and ends when its standard input does.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import IO, Any, Final, cast

from kafka_tools.errors import UsageError
from kafka_tools.system.exit_text import exit_words

from kafka_conformance.child import launch, leftovers
from kafka_conformance.child.exit_text import stderr_words
from kafka_conformance.child.launch import Command
from kafka_conformance.errors import TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets import broker_address as address
from kafka_conformance.targets.broker_address import Address
from kafka_conformance.targets.broker_security import OPEN, Security

START_SECONDS: Final = 120.0
"""Kafka with ZooKeeper takes ten seconds, and several times that on a machine that is busy."""

NOWHERE: Final = Address("127.0.0.1", 0)
"""Where a broker is that was not started yet."""

_END_SECONDS: Final = 15.0
_LAST_SECONDS: Final = 5.0
"""How long a program that is no broker may take to end, so that its ending is reported."""

_LINES: Final = 40


@dataclass(slots=True)
class RunningBroker:
    """A broker that runs already, which the user named.

    Attributes:
        address: where it is.
        name: what it is.
        version: its release; empty if nobody knows.
        language: the language it is written in.
        url: where it lives.
        run: what the names of the topics of this run have in common.
        security: how it is spoken to.
    """

    address: Address
    name: str = "broker"
    version: str = ""
    language: str = ""
    url: str = ""
    run: str = ""
    security: Security = OPEN

    @property
    def is_ours(self) -> bool:
        """True if the suite starts it, so that nothing of it stays."""
        return False

    def start(self) -> None:
        """Do nothing: it runs.

        Raises:
            TargetLostError: it does not come up, where the suite starts it.
        """

    def restart(self) -> str:
        """Start it again if it is dead, and tell how it died; empty if it was not started again.

        Raises:
            TargetLostError: it does not come up.
        """
        return ""

    def stop(self) -> None:
        """Do nothing: it goes on."""


@dataclass(slots=True)
class StartedBroker(RunningBroker):
    """A broker that the suite starts.

    Attributes:
        command: starts it.
    """

    command: Command = field(default_factory=lambda: Command(()))
    _child: subprocess.Popen[bytes] | None = None
    _mark: str = ""
    _threads: list[threading.Thread] = field(default_factory=list)
    _lines: deque[str] = field(default_factory=lambda: deque(maxlen=_LINES))

    @property
    def is_ours(self) -> bool:
        """True."""
        return True

    def start(self) -> None:
        """Start it, and wait until it says where it listens.

        Raises:
            TargetLostError: it ends before, says something else, or takes too long.
        """
        self._lines.clear()
        self._mark = leftovers.new_mark()
        self._child = launch.start(self.command, {leftovers.VARIABLE: self._mark})
        self._threads = [threading.Thread(target=self._listen, args=(self._child.stderr,), daemon=True)]
        self._threads[0].start()
        said: deque[bytes] = deque(maxlen=1)
        reader = threading.Thread(target=lambda: said.append(cast("IO[bytes]", self._out).readline()), daemon=True)
        reader.start()
        reader.join(START_SECONDS)
        try:
            self.address = address.parse((said[0] if said else b"").decode("ascii", "replace").strip())
        except UsageError:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(_LAST_SECONDS)
            words = self._end() or "does not say where it listens, as HOST:PORT on a line of standard output"
            raise TargetLostError(Outcome.CRASHED, words) from None
        self._threads.append(threading.Thread(target=self._listen, args=(self._out,), daemon=True))
        self._threads[1].start()

    def restart(self) -> str:
        """Start it again if it is dead, and tell how it died."""
        assert self._child is not None  # noqa: S101 - it was started
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(1.0)
        if self._child.poll() is None:
            return ""
        words = self._end()
        self.start()
        return words

    def stop(self) -> None:
        """End it in good order, and by force if it does not."""
        if self._child is not None and self._child.stdin is not None:
            self._child.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(_END_SECONDS)
            self._end()

    @property
    def _out(self) -> Any:
        assert self._child is not None  # noqa: S101 - it was started
        return self._child.stdout

    def _end(self) -> str:
        """End what is left of it; tell how it ended, with the last that it said."""
        if self._child is None:
            return ""
        code = self._child.poll()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        leftovers.kill(self._mark)
        self._child.wait()
        for thread in self._threads:
            thread.join(1.0)
        for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
            if stream is not None:
                stream.close()
        return "" if code is None else exit_words(code) + stderr_words("\n".join(self._lines))

    def _listen(self, stream: IO[bytes]) -> None:
        """Keep the end of what it says."""
        with contextlib.suppress(ValueError, OSError):
            for line in stream:
                self._lines.append(line.decode("utf-8", "replace").rstrip())
