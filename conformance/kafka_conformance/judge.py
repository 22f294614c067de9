"""What a target's word on a vector is worth.

Only here are replies held against verdicts. A vector that needs what the target does not declare (a format, a codec,
a look at checksums) is a gap: it is not put at all and never counts as a pass.

- valid: the answer must agree in every declared field.
- invalid: the bytes must be refused.
- lenient: refused, or accepted with exactly the answer that the flag describes.

Encoders are judged by what comes back: the reference decodes what they wrote, and the records must be the ones that
were asked for. Compressed bytes themselves are nobody's business, and neither is whether a batch that compression
does not shrink was compressed at all, so the codec is not compared.
"""

from collections.abc import Sequence

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Record

from kafka_conformance import answers
from kafka_conformance.outcomes import Direction, Hello, Outcome, Result
from kafka_conformance.protocol import EncodeInput, InputKind, Reply, Status
from kafka_conformance.session import DecodeQuestion, Loss, Word
from kafka_conformance.vectors import Vector, Verdict

_MAGIC = {"v0": 0, "v1": 1, "v2": 2}


def gap(vector: Vector, hello: Hello) -> str:
    """Say what the vector needs and the target does not declare; empty if it can be put."""
    if Direction.DECODE not in hello.directions:
        return "does not decode"
    if missing := [name for name in vector.formats if name not in hello.formats]:
        return f"does not declare format {', '.join(missing)}"
    if missing := [name for name in vector.codecs if name not in hello.codecs]:
        return f"does not declare codec {', '.join(missing)}"
    if not hello.checks_crc and vector.fault is not None and vector.fault.stage == "checksum":
        return "does not check checksums"
    return ""


def decode_question(vector: Vector) -> DecodeQuestion:
    """Put the bytes of a vector as the protocol wants them."""
    kind = InputKind.MESSAGE_SET_07 if vector.format == "v07" else InputKind.RECORDS
    return DecodeQuestion(kind, vector.data)


def can_encode(vector: Vector) -> bool:
    """True if the answer of a vector is something that a producer could be asked to write."""
    return bool(vector.canonical and vector.verdict is Verdict.VALID and vector.answer and vector.format in _MAGIC)


def encode_question(vector: Vector) -> EncodeInput:
    """Ask for the answer of a canonical vector to be written, in its format and with its codec."""
    expected = answers.from_json(vector.answer or ())
    return EncodeInput(_MAGIC[vector.format], expected[0].codec, answers.to_bytes(expected))


def judge_decode(vector: Vector, hello: Hello, target: str, word: Word) -> Result:
    """Hold a target's word on the bytes of a vector against the verdict."""
    reply = word.reply
    if isinstance(reply, Loss):
        return _result(vector, target, word, reply.outcome, detail=reply.detail)
    if reply.status == Status.UNSUPPORTED:
        return _result(vector, target, word, Outcome.UNSUPPORTED, detail=reply.text)
    if reply.status == Status.REFUSED:
        return _refused(vector, target, word, reply)
    try:
        got = answers.from_bytes(reply.content)
    except FormatError as error:
        return _result(
            vector, target, word, Outcome.BROKEN_PROTOCOL, detail=f"gave an answer that cannot be read: {error}"
        )
    return _accepted(vector, hello, target, word, got)


def judge_encode(vector: Vector, hello: Hello, target: str, word: Word) -> Result:
    """Hold what a target wrote, read back by the reference, against the records it was asked to write."""
    reply = word.reply
    if isinstance(reply, Loss):
        return _result(vector, target, word, reply.outcome, Direction.ENCODE, detail=reply.detail)
    if reply.status == Status.UNSUPPORTED:
        return _result(vector, target, word, Outcome.UNSUPPORTED, Direction.ENCODE, detail=reply.text)
    if reply.status == Status.REFUSED:
        return _result(vector, target, word, Outcome.REFUSED_VALID, Direction.ENCODE, detail=reply.text)
    try:
        got = records.decode(reply.content)
    except FormatError as error:
        detail = f"wrote bytes that break a rule: {error}"
        return _result(vector, target, word, Outcome.WRONG_ANSWER, Direction.ENCODE, path=error.path, detail=detail)
    fields = [field for field in hello.fields if field != "codec"]
    return _compared(vector, fields, target, word, got, Direction.ENCODE)


def _refused(vector: Vector, target: str, word: Word, reply: Reply) -> Result:
    if vector.verdict is Verdict.VALID:
        return _result(vector, target, word, Outcome.REFUSED_VALID, detail=reply.text)
    return _result(vector, target, word, Outcome.PASSED, detail=reply.text)


def _accepted(vector: Vector, hello: Hello, target: str, word: Word, got: Sequence[Record]) -> Result:
    if vector.verdict is not Verdict.INVALID:
        return _compared(vector, hello.fields, target, word, got, Direction.DECODE)
    count = "1 record" if len(got) == 1 else f"{len(got)} records"
    rule = vector.fault.rule if vector.fault else ", ".join(vector.rules)
    expected = f"refused, because of {rule}"
    return _result(vector, target, word, Outcome.ACCEPTED_INVALID, detail=vector.title, expected=expected, got=count)


def _compared(
    vector: Vector, fields: Sequence[str], target: str, word: Word, got: Sequence[Record], direction: Direction
) -> Result:
    expected = answers.visible(answers.from_json(vector.answer or ()), fields)
    difference = answers.first_difference(expected, got, fields)
    if difference is None:
        accepted = "accepted, as the flag allows" if vector.verdict is Verdict.LENIENT else ""
        return _result(vector, target, word, Outcome.PASSED, direction, detail=accepted)
    counts = "" if len(expected) == len(got) else f"; {len(expected)} records were due, {len(got)} came"
    detail = f"{difference.path} is {difference.got}, not {difference.expected}{counts}"
    shown = {"path": difference.path, "expected": difference.expected, "got": difference.got}
    return _result(vector, target, word, Outcome.WRONG_ANSWER, direction, detail=detail, **shown)


def _result(
    vector: Vector, target: str, word: Word, outcome: Outcome, direction: Direction = Direction.DECODE, **texts: str
) -> Result:
    return Result(vector.id, target, outcome, direction=direction, seconds=word.seconds, **texts)
