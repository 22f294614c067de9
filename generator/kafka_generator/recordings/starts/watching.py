"""Watches a node at its start: until it serves, has ended, or has not become ready in time."""

from __future__ import annotations

import re
import time
from enum import StrEnum
from typing import Final

from kafka_generator.recordings.starts.nodes import Node

_READY: Final = re.compile(r"Kafka Server started|\[KafkaServer id=\d+\] started")
"""What a node says that serves: one of KRaft, and one of before."""

SECONDS: Final = 150
WATCHED_SECONDS: Final = 120
"""How long a node is watched that neither serves nor ends; a sound one takes three seconds."""

_PAUSE: Final = 0.2
_SETTLED_SECONDS: Final = 2.0
_SETTLING_SECONDS: Final = 20


class Result(StrEnum):
    """What became of a start."""

    STARTS = "starts"
    EXITS = "exits"
    NEVER_READY = "never ready"


def watch(node: Node, seconds: float = WATCHED_SECONDS) -> Result:
    """Watch a node until its fate is known, and then until it logs nothing for a while.

    Some nodes say that they started, and end then: replay of metadata goes on beside that.
    """
    deadline = time.monotonic() + seconds
    while _READY.search(node.log()) is None:
        if node.process.poll() is not None:
            return Result.EXITS
        if time.monotonic() > deadline:
            return Result.NEVER_READY
        time.sleep(_PAUSE)
    return _settle(node)


def _settle(node: Node) -> Result:
    deadline = time.monotonic() + _SETTLING_SECONDS
    size, since = len(node.log()), time.monotonic()
    while time.monotonic() < min(deadline, since + _SETTLED_SECONDS):
        time.sleep(_PAUSE)
        if node.process.poll() is not None:
            return Result.EXITS
        if (now := len(node.log())) != size:
            size, since = now, time.monotonic()
    return Result.STARTS


def await_start(node: Node) -> None:
    """Wait until a node serves.

    Raises:
        RuntimeError: it ended, or was not ready in time.
    """
    result = watch(node, SECONDS)
    if result is not Result.STARTS:
        raise RuntimeError(f"the node did not start ({result}): {node.log()[-2000:]}")
