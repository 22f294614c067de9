"""Judge a reply: compare what a target said of a vector with the verdict.

No other module does. A vector that needs what the target does not declare (a format, a codec,
checking checksums) is a gap: the target is not asked, and a gap never counts as a pass.

- valid: the answer must agree in every declared field.
- invalid: the bytes must be refused.
- lenient: refused, or accepted with exactly the answer that the flag describes.

Records before an error are not a clean refusal. For valid bytes they are a finding of its own, or a
wrong answer if one of them is wrong. For other bytes the error counts, because entries before the
fault are valid.

Encoders are judged by what the reference reads from what they wrote: the records that they were
asked for, and the fields that no record shows. It reads raw snappy blocks too, which several
clients write and every Kafka accepts.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Record
from kafka_tools.text import plural

from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.judging import encoded_fields, miswritten
from kafka_conformance.judging.difference import Difference, first_difference, visible
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.decoder import encode_questions
from kafka_conformance.kinds.decoder.questions import CodecQuestion, DecodeCase
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.vectors.vector import Vector, Verdict


def judge(question: CodecQuestion, hello: Hello, target: str, reaction: Reaction) -> Result:
    """Judge what a target read or wrote; see `judge_decode` and `judge_encode`."""
    judge_it = judge_decode if question.direction is Direction.DECODE else judge_encode
    return judge_it(question.vector, hello, target, reaction)


def judge_decode(
    case: DecodeCase, hello: Hello, target: str, reaction: Reaction, answer: Sequence[Record] | None = None
) -> Result:
    """Judge a target's reply to a case: compare it with the verdict and the records that are due.

    Args:
        case: what was put.
        hello: what the target declares.
        target: its name.
        reaction: what it said, or did.
        answer: the records that are due; None if they are those of the case.
    """
    asked, reply = _Asked(case, target, reaction, Direction.DECODE, answer), reaction.reply
    if isinstance(reply, Loss):
        return asked.result(reply.outcome, reply.detail)
    if reply.status == Status.UNSUPPORTED:
        return asked.result(Outcome.UNSUPPORTED, reply.text)
    if reply.status == Status.REFUSED:
        outcome = Outcome.REFUSED_VALID if case.verdict is Verdict.VALID else Outcome.PASSED
        return asked.result(outcome, reply.text)
    try:
        got = [answers.from_wire(record) for record in reply.records]
    except FormatError as error:
        return asked.result(Outcome.BROKEN_PROTOCOL, f"gave an answer that cannot be read: {error}")
    if reply.status == Status.PARTIAL:
        return asked.partial(got, reply.text, hello.fields)
    return asked.judge_acceptance(got) if case.verdict is Verdict.INVALID else asked.judge_answer(got, hello.fields)


def judge_encode(vector: Vector, hello: Hello, target: str, reaction: Reaction) -> Result:
    """Judge the bytes that a target encoded: compare their records with those of the question."""
    asked, reply = _AskedToWrite(vector, target, reaction, Direction.ENCODE), reaction.reply
    if isinstance(reply, Loss):
        return asked.result(reply.outcome, reply.detail)
    if reply.status == Status.UNSUPPORTED:
        return asked.result(Outcome.UNSUPPORTED, reply.text)
    if reply.status == Status.REFUSED:
        return asked.result(Outcome.REFUSED_VALID, reply.text)
    return asked.judge_encoding(reply, [field for field in hello.fields if field != "codec"])


@dataclass(frozen=True, slots=True)
class _Asked:
    """One case, what was said of it, and the results that can come of that."""

    case: DecodeCase
    target: str
    reaction: Reaction
    direction: Direction
    records: Sequence[Record] | None = None

    def result(
        self,
        outcome: Outcome,
        detail: str,
        difference: Difference | None = None,
        answer: Sequence[Record] | None = None,
    ) -> Result:
        kept, seconds = None if answer is None else tuple(answer), self.reaction.seconds
        result = Result(self.case.id, self.target, outcome, self.direction, detail, seconds=seconds, answer=kept)
        return result if difference is None else result.differing(outcome, difference, detail)

    def judge_acceptance(self, got: Sequence[Record]) -> Result:
        expected = f"refused, because of {self.case.fault.rule}" if self.case.fault else "refused"
        difference = Difference("", expected, plural(len(got), "record"))
        return self.result(Outcome.ACCEPTED_INVALID, self.case.title, difference, got)

    def partial(self, got: Sequence[Record], error: str, fields: Sequence[str]) -> Result:
        story = f"{plural(len(got), 'record')}, then: {error}"
        if self.case.verdict is not Verdict.VALID:
            return replace(self.result(Outcome.PASSED, story, answer=got), error=error)
        expected = self.expected_records(fields)
        difference = first_difference(expected[: len(got)], got, fields)
        if difference is not None:
            return self.wrong(difference, got, f"; {story}")
        counts = Difference("", plural(len(expected), "record"), f"{plural(len(got), 'record')}, then an error")
        return replace(self.result(Outcome.PARTIAL_ANSWER, story, counts, got), error=error)

    def expected_records(self, fields: Sequence[str]) -> list[Record]:
        return visible(self.case.records() if self.records is None else self.records, fields)

    def judge_answer(self, got: Sequence[Record], fields: Sequence[str]) -> Result:
        expected = self.expected_records(fields)
        difference = first_difference(expected, got, fields)
        if difference is None:
            lenient = self.case.verdict is Verdict.LENIENT
            return self.result(Outcome.PASSED, "accepted, as the flag allows" if lenient else "", answer=got)
        due, came = len(expected), len(got)
        if due == came:
            return self.wrong(difference, got)
        return replace(self.wrong(difference, got, f"; {due} records were due, {came} came"), due=due, came=came)

    def wrong(self, difference: Difference, got: Sequence[Record], also: str = "") -> Result:
        detail = f"{difference.path} is {difference.got}, not {difference.expected}{also}"
        return self.result(Outcome.WRONG_ANSWER, detail, difference, got)


@dataclass(frozen=True, slots=True)
class _AskedToWrite(_Asked):
    """One vector whose answer was to be written."""

    case: Vector

    def judge_encoding(self, reply: Reply, fields: Sequence[str]) -> Result:
        result = self.judge_written(reply, fields)
        if result.outcome is not Outcome.WRONG_ANSWER:
            return result
        expected = self.expected_records(fields)

        def is_right(data: bytes) -> bool:
            with suppress(FormatError):
                return bool(expected) and first_difference(expected, records.decode(data), fields) is None
            return False

        def is_exact(data: bytes) -> bool:
            return is_right(data) and encoded_fields.difference(encode_questions.question(self.case), data) is None

        return replace(result, miswritten=miswritten.what(reply.content, is_right, is_exact))

    def judge_written(self, reply: Reply, fields: Sequence[str]) -> Result:
        try:
            result = self.judge_answer(records.decode(reply.content), fields)
        except FormatError as error:
            difference = Difference(error.path_text, "bytes that keep the rules", str(error))
            return self.result(Outcome.WRONG_ANSWER, f"wrote bytes that break a rule: {error}", difference)
        if result.outcome is not Outcome.PASSED:
            return result
        unlike = encoded_fields.difference(encode_questions.question(self.case), reply.content)
        return self.wrong(unlike, self.case.records()) if unlike else result
