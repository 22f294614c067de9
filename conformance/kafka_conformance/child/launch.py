"""Starts a child, within limits."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kafka_conformance.errors import TargetLostError
from kafka_conformance.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of time and memory; the same for every target.

    Seconds are the target's own, see `clock`: time in which it had no processor does not count.

    Attributes:
        seconds: time for one vector. The slowest sound decoder (pure Python, 2 MB compressed) needs
            well under a second; ten of them separate "slow" from "never".
        start_seconds: time from start to hello; a JVM with a cold disk cache takes a few.
        memory: resident bytes of the child and its descendants. Runtimes rest at 50 to 200 MB and
            the largest vector decompresses to a few MB; a gibibyte is only reached by believing a
            false length. Resident memory is what is watched, because an address-space limit
            (RLIMIT_AS) keeps the JVM, Go and Node from starting at all, and would turn a large but
            untouched reservation into a crash.
    """

    seconds: float = 10.0
    start_seconds: float = 30.0
    memory: int = 1 << 30


@dataclass(frozen=True, slots=True)
class Command:
    """The way to start a child: program and arguments, folder, additional environment variables."""

    arguments: tuple[str, ...]
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)


def start(command: Command, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a child with three pipes, in a session (and so a process group) of its own.

    Args:
        command: what to start.
        environment: environment variables on top of our own and those of the command.

    Raises:
        TargetLostError: the program cannot be started.
    """
    try:
        return subprocess.Popen(
            command.arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=command.folder,
            env={**os.environ, **command.environment, **environment},
            start_new_session=True,
        )
    except OSError as error:
        raise TargetLostError(Outcome.CRASHED, f"{command.arguments[0]} cannot be started: {error.strerror}") from None
