"""An answer of a reader, held against Kafka's."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from kafka_conformance.errors import ProtocolError
from kafka_conformance.kinds.log_reader.hello import AnswerPart
from kafka_conformance.kinds.log_reader.questions import PARTS, Ask, LogQuestion
from kafka_conformance.outcomes import Outcome

_OUT_OF_RANGE: Final = "OffsetOutOfRangeException"
_DEATHS: Final = frozenset({Outcome.CRASHED, Outcome.HUNG, Outcome.OUT_OF_MEMORY, Outcome.BROKEN_PROTOCOL})
_WIDTH: Final = 80


class LogResult(NamedTuple):
    """The result of one question.

    Attributes:
        question: what was asked.
        outcome: what came of it.
        detail: where the answer differs, or what the reader said.
    """

    question: LogQuestion
    outcome: Outcome
    detail: str = ""

    @property
    def is_finding(self) -> bool:
        """Return whether the reader is wrong on sound files, or died on damaged ones."""
        return self.outcome.is_finding and (self.question.is_sound or self.outcome in _DEATHS)

    @property
    def is_otherwise(self) -> bool:
        """Return whether the reader's answer on damaged files differs from Kafka's."""
        return self.outcome.is_finding and not self.is_finding


def judge(question: LogQuestion, answer: Any, parts: Collection[AnswerPart]) -> LogResult:
    """Compare an answer with the right one.

    Args:
        question: what was asked.
        answer: what came.
        parts: what the reader declares.

    Raises:
        ProtocolError: the answer is none.
    """
    if not isinstance(answer, dict):
        raise ProtocolError("answered with JSON that is not an object")
    if "unsupported" in answer:
        return LogResult(question, Outcome.UNSUPPORTED, str(answer["unsupported"]))
    if "error" in answer:
        if question.expected and not question.may_refuse:
            return LogResult(question, Outcome.REFUSED_VALID, str(answer["error"]))
        return LogResult(question, Outcome.PASSED)
    if not question.expected:
        return LogResult(question, Outcome.ACCEPTED_INVALID, f"Kafka does not {question.ask} it")
    asked = [part for part in PARTS[question.ask] if part in parts and part in question.expected]
    if missing := [part for part in asked if part not in answer]:
        raise ProtocolError(f"gave an answer without {' and '.join(missing)}, which its hello declares")
    for part in asked:
        if part is AnswerPart.TIMES:
            answer[part] = [*map(_with_epoch, answer[part], question.expected[part])]
        if detail := _difference(part, answer[part], question.expected[part]):
            return LogResult(question, Outcome.WRONG_ANSWER, detail)
    return LogResult(question, Outcome.PASSED)


def _with_epoch(given: Any, kafkas: Any) -> Any:
    """Return a row about a time; where the reader leaves out the leader epoch, with Kafka's."""
    is_short = isinstance(given, list) and len(given) + 1 == len(kafkas)
    return [*given, kafkas[-1]] if is_short and len(given) > 1 else given


def same(given: object, kafkas: object) -> bool:
    """Tell whether two answers agree.

    All errors are alike, but out of range is an answer.
    """
    if isinstance(given, list) and isinstance(kafkas, list):
        return len(given) == len(kafkas) and all(map(same, given, kafkas))
    return given == kafkas or (_is_error(given) and _is_error(kafkas))


def _difference(part: AnswerPart, given: object, kafkas: object) -> str:
    """Return the first difference in words; empty for none."""
    if same(given, kafkas):
        return ""
    if not (isinstance(given, list) and isinstance(kafkas, list)):
        return f"{part}: {_short(given)}, and Kafka {_short(kafkas)}"
    for number, (ours, theirs) in enumerate(zip(given, kafkas, strict=False)):
        if not same(ours, theirs):
            return f"{part}, row {number}: {_short(ours)}, and Kafka {_short(theirs)}"
    return f"{part}: {len(given)} rows, and Kafka {len(kafkas)}"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}..."


def _is_error(answer: object) -> bool:
    return isinstance(answer, str) and answer.endswith("Exception") and answer != _OUT_OF_RANGE


ASKED_OF: Final = {part: ask for ask, parts in PARTS.items() for part in parts}
"""The question to which a part is the answer."""


def is_asked(ask: Ask, parts: Collection[AnswerPart]) -> bool:
    """Return whether a question is put to a reader that declares these parts."""
    return any(ASKED_OF[part] is ask for part in parts)
