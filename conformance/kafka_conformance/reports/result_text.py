"""What the reports say about a result: its name, a sentence, and the command that repeats it."""

import re
import shlex
from typing import Final

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.text import one_line

_OF_MESSAGE: Final = re.compile(r"(?:^|/)[a-z0-9-]+-(?:request|response)/\d+/")
"""What ids of requests and responses have: `fetch-request/4/typical`."""


def label(result: Result) -> str:
    """Name a case: the vector, and the direction unless it is decoding."""
    return one_line(result.vector + ("" if result.direction is Direction.DECODE else f" ({result.direction})"))


def sentence(result: Result) -> str:
    """Return one line about a result, without its vector and target."""
    said = _words(result)
    return one_line(f"{result.outcome.words}: {said}" if said else result.outcome.words, 400)


def rerun(result: Result) -> str:
    """Return the command that puts the same vector to the same target again."""
    command = "messages" if _OF_MESSAGE.search(result.vector) else "run"
    vector = result.vector.partition("@")[0]  # a message is one vector in several versions
    return one_line(f"kafka-conformance {command} {shlex.quote(result.target)} --vectors {shlex.quote(vector)}", 400)


def _words(result: Result) -> str:
    if not (result.expected or result.got):
        return result.detail
    if result.outcome is Outcome.WRONG_ANSWER:
        return f"{result.path}: expected {result.expected}, got {result.got}"
    return f"expected {result.expected}, got {result.got}"
