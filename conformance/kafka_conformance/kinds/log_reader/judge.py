"""An answer of a reader of log directories, held against Kafka's.

A reader may be stricter than Kafka about damaged files: what it makes of those otherwise is counted
and shown, and is no finding. A reader that dies of them is one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.errors import ProtocolError
from kafka_conformance.judging.difference import Difference
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.log_reader.questions import LogQuestion
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.logs import PARTS, AnswerPart
from kafka_conformance.protocol.messages import Reply, Status

_OUT_OF_RANGE: Final = "OffsetOutOfRangeException"
_WIDTH: Final = 80


def judge(question: LogQuestion, hello: Hello, target: str, reaction: Reaction) -> Result:
    """Compare an answer with the right one.

    Args:
        question: what was asked.
        hello: what the reader declares.
        target: its name.
        reaction: what it said, or did.
    """
    reply = reaction.reply
    if isinstance(reply, Loss):
        return _result(question, target, reaction, reply.outcome, reply.detail)
    if reply.status != Status.ANSWER:
        return _result(question, target, reaction, _outcome(question, reply), reply.text)
    if not question.expected:
        detail = f"Kafka does not {question.ask} it"
        return _result(question, target, reaction, Outcome.ACCEPTED_INVALID, detail)
    return _judge_answer(question, hello, target, reaction, reply)


def _outcome(question: LogQuestion, reply: Reply) -> Outcome:
    """Return what it means that a reader gives no answer."""
    if reply.status == Status.UNSUPPORTED:
        return Outcome.UNSUPPORTED
    return Outcome.REFUSED_VALID if question.expected and not question.may_refuse else Outcome.PASSED


def _judge_answer(question: LogQuestion, hello: Hello, target: str, reaction: Reaction, reply: Reply) -> Result:
    try:
        asked = [part for part in PARTS[question.ask] if part in hello.logs and part in question.expected]
        unlike = difference(question, reply.document(asked), asked)
    except ProtocolError as error:
        return _result(question, target, reaction, Outcome.BROKEN_PROTOCOL, str(error))
    if unlike is None:
        return _result(question, target, reaction, Outcome.PASSED, "")
    detail = f"{unlike.path}: {unlike.got}, and Kafka {unlike.expected}"
    return _result(question, target, reaction, Outcome.WRONG_ANSWER, detail, unlike)


def _result(
    question: LogQuestion,
    target: str,
    reaction: Reaction,
    outcome: Outcome,
    detail: str,
    unlike: Difference | None = None,
) -> Result:
    """Make a result; another answer on damaged files is no finding."""
    is_otherwise = outcome in _ANSWERS and not question.is_sound
    kept = Outcome.OTHERWISE if is_otherwise else outcome
    result = Result(question.vector.id, target, kept, detail=detail, seconds=reaction.seconds)
    return result if unlike is None else result.differing(kept, unlike, detail)


_ANSWERS: Final = frozenset({Outcome.WRONG_ANSWER, Outcome.ACCEPTED_INVALID, Outcome.REFUSED_VALID})
"""What a reader says; all else is a death, or no answer."""


def difference(question: LogQuestion, answer: dict[str, Any], parts: Iterable[AnswerPart]) -> Difference | None:
    """Return the first difference of an answer and Kafka's in some parts; None if they agree."""
    for part in parts:
        given, kafkas = answer[part], question.expected[part]
        if part is AnswerPart.TIMES and isinstance(given, list):
            given = [*map(_with_epoch, given, kafkas), *given[len(kafkas) :]]
        if unlike := _difference(part, given, kafkas):
            return unlike
    return None


def _with_epoch(given: Any, kafkas: Any) -> Any:  # rows of JSON
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


def _difference(part: str, given: object, kafkas: object) -> Difference | None:
    """Return the first difference of a part."""
    if same(given, kafkas):
        return None
    if not (isinstance(given, list) and isinstance(kafkas, list)):
        return Difference(part, _short(kafkas), _short(given))
    for number, (ours, theirs) in enumerate(zip(given, kafkas, strict=False)):
        if not same(ours, theirs):
            return Difference(f"{part}[{number}]", _short(theirs), _short(ours))
    return Difference(part, f"{len(kafkas)} rows", f"{len(given)} rows")


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}..."


def _is_error(answer: object) -> bool:
    return isinstance(answer, str) and answer.endswith("Exception") and answer != _OUT_OF_RANGE
