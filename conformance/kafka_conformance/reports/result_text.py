"""Words of the reports about a result: its name, a sentence, and the command that repeats it."""

import shlex

from kafka_tools.text import one_line

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction


def label(result: Result) -> str:
    """Name a case: the vector, and the direction unless it is decoding."""
    return one_line(result.vector + ("" if result.direction is Direction.DECODE else f" ({result.direction})"))


def sentence(result: Result) -> str:
    """Return one line about a result, without its vector and target."""
    said = _words(result)
    return one_line(f"{result.outcome.words}: {said}" if said else result.outcome.words, 400)


def rerun(result: Result) -> str:
    """Return the command that puts the same vector to the same target again."""
    return one_line(f"kafka-conformance run {shlex.quote(result.target)} --vectors {shlex.quote(result.vector)}", 400)


def _words(result: Result) -> str:
    if not (result.expected or result.got):
        return result.detail
    if result.outcome is Outcome.WRONG_ANSWER:
        return f"{result.path}: expected {result.expected}, got {result.got}"
    return f"expected {result.expected}, got {result.got}"
