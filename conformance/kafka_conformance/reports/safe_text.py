r"""Texts from outside, made fit to show.

A target chooses its name, its error texts and its answers, so a report takes none of them on trust. What cannot be
printed (terminal escapes, characters that XML forbids, marks that turn the reading direction, halves of surrogate
pairs) is shown as an escape such as `\x1b`, and what is too long is cut, with a note of how much is missing. Escaping
for HTML, XML or Markdown comes on top, where the format is known.
"""

import shlex

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction

LONGEST = 10_000
"""Characters of one text in a report: far more than a person reads, far less than a target can send."""


def shown(text: str, longest: int = LONGEST) -> str:
    """Return the text with what cannot be printed as escapes, and cut if it is long. Lines stay lines."""
    left_out = len(text) - longest
    if left_out <= 0 and text.isprintable():
        return text  # as nearly all are, and a large report shows a million
    visible = "".join(map(_visible, text[:longest]))
    return f"{visible}... ({left_out:,} more characters)" if left_out > 0 else visible


def one_line(text: str, longest: int = 200) -> str:
    """Return the text as `shown` does, in one line."""
    return " ".join(shown(text, longest).split())


def label(result: Result) -> str:
    """Name a case: the vector, and the direction unless it is decoding."""
    return one_line(result.vector + ("" if result.direction is Direction.DECODE else f" ({result.direction})"))


def sentence(result: Result) -> str:
    """Say what is telling about a result, without its vector and target, in one line."""
    said = _said(result)
    return one_line(f"{result.outcome.words}: {said}" if said else result.outcome.words, 400)


def rerun(result: Result) -> str:
    """Return the command that puts the same vector to the same target again."""
    return one_line(f"kafka-conformance run {shlex.quote(result.target)} --vectors {shlex.quote(result.vector)}", 400)


def _said(result: Result) -> str:
    if not (result.expected or result.got):
        return result.detail
    if result.outcome is Outcome.WRONG_ANSWER:
        return f"{result.path}: expected {result.expected}, got {result.got}"
    return f"expected {result.expected}, got {result.got}"


def _visible(character: str) -> str:
    if character.isprintable() or character == "\n":
        return character
    return character.encode("unicode_escape").decode()
