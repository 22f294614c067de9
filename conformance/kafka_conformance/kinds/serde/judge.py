"""An answer about a key or a value, held against the right one.

- valid: the answer must agree in every part that is declared.
- invalid: the bytes must be refused.
- lenient: refused, or one of the answers that the vector has.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any, Final

from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.errors import ProtocolError
from kafka_conformance.judging.difference import Difference
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.serde.questions import SerdeQuestion, parts_of
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.vectors.vector import Verdict

_WIDTH: Final = 80


def judge(question: SerdeQuestion, hello: Hello, target: str, reaction: Reaction) -> Result:
    """Compare an answer with the right one.

    Args:
        question: what was asked.
        hello: what the reader declares.
        target: its name.
        reaction: what it said, or did.
    """
    blank = Result(question.vector.id, target, Outcome.PASSED, seconds=reaction.seconds)
    reply = reaction.reply
    if isinstance(reply, Loss):
        return _with(blank, reply.outcome, reply.detail)
    if reply.status == Status.UNSUPPORTED:
        return _with(blank, Outcome.UNSUPPORTED, reply.text)
    if reply.status != Status.ANSWER:
        is_wrong = question.vector.verdict is Verdict.VALID
        return _with(blank, Outcome.REFUSED_VALID if is_wrong else Outcome.PASSED, reply.text)
    try:
        return _judge_answer(blank, question, hello, reply)
    except ProtocolError as error:
        return _with(blank, Outcome.BROKEN_PROTOCOL, str(error))


def _with(blank: Result, outcome: Outcome, detail: str) -> Result:
    return Result(blank.vector, blank.target, outcome, detail=detail, seconds=blank.seconds)


def _judge_answer(blank: Result, question: SerdeQuestion, hello: Hello, reply: Reply) -> Result:
    asked = parts_of(question, hello) if question.answers else []
    answer = reply.document(asked)
    if not question.answers:
        rule = next(iter(question.vector.rules), "")
        wrong = Difference("", f"a refusal, by {rule}", _short(answer))
        return blank.differing(Outcome.ACCEPTED_INVALID, wrong, f"answered {_short(answer)}")
    differences = [_difference(answer, right, asked) for right in question.answers]
    if any(each is None for each in differences):
        return blank
    wrong = differences[0] or Difference("", "", "")
    return blank.differing(Outcome.WRONG_ANSWER, wrong, f"{wrong.path} is {wrong.got}, not {wrong.expected}")


def _difference(answer: Mapping[str, Any], right: Mapping[str, Any], parts: list[str]) -> Difference | None:
    """Return the first part in which an answer differs; None if there is none."""
    for part in parts:
        if not same(answer[part], right[part]):
            return Difference(part, _short(right[part]), _short(answer[part]))
    return None


def same(given: object, right: object) -> bool:
    """Tell whether two values agree; of numbers 1.0 is 1, and -0.0 is not 0."""
    if isinstance(given, dict) and isinstance(right, dict):
        return given.keys() == right.keys() and all(same(given[key], right[key]) for key in right)
    if isinstance(given, list) and isinstance(right, list):
        return len(given) == len(right) and all(map(same, given, right))
    if isinstance(given, bool) or isinstance(right, bool):
        return given is right
    if isinstance(given, float) or isinstance(right, float):
        return isinstance(given, int | float) and isinstance(right, int | float) and _bits(given) == _bits(right)
    return given == right


def _bits(number: float) -> bytes:
    try:
        return struct.pack(">d", number)
    except (OverflowError, struct.error):
        return repr(number).encode()


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}..."
