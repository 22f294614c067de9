"""Questions to decoders of records: a vector's bytes to read, or its answer to write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from kafka_format.records import Record

from kafka_conformance.child.deaths import QuestionGroup
from kafka_conformance.child.session import AdapterInput, DecodeInput
from kafka_conformance.kinds.decoder import encode_questions
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.protocol.messages import InputKind
from kafka_conformance.vectors import golden
from kafka_conformance.vectors.loader import Filters, Source
from kafka_conformance.vectors.vector import Refusal, Subject, Vector, Verdict


class DecodeCase(Protocol):
    """Bytes that a decoder is to read, and the verdict on them; a vector is such a case."""

    @property
    def id(self) -> str:
        """What results call it."""

    @property
    def title(self) -> str:
        """What is special about it, in a sentence."""

    @property
    def data(self) -> bytes:
        """The bytes."""

    @property
    def format(self) -> str:
        """The format of the bytes, as `Vector.format`."""

    @property
    def formats(self) -> tuple[str, ...]:
        """Every format that occurs in them."""

    @property
    def codecs(self) -> tuple[str, ...]:
        """Every codec that occurs in them."""

    @property
    def verdict(self) -> Verdict:
        """What a decoder must do with them."""

    @property
    def fault(self) -> Refusal | None:
        """Where and why a strict decoder refuses them; None if it must not."""

    def records(self) -> Sequence[Record]:
        """Return the records that are due; none if the bytes must be refused."""


@dataclass(frozen=True, slots=True)
class CodecQuestion:
    """A vector that a decoder is to read, or whose answer an encoder is to write."""

    vector: Vector
    direction: Direction

    @property
    def input(self) -> AdapterInput:
        """What is put into a block."""
        if self.direction is Direction.ENCODE:
            return encode_questions.question(self.vector)
        return decode_input(self.vector)

    @property
    def group(self) -> QuestionGroup:
        """What vectors have in common: formats and codecs, and the rule that is broken."""
        return group_of(self.vector, "" if self.direction is Direction.DECODE else "the writing of ")


def group_of(vector: Vector, doing: str = "") -> QuestionGroup:
    """Return what a vector has in common with others when it is read, or another thing is done."""
    what = f"{doing}{', '.join(vector.formats)} with {', '.join(vector.codecs)}"
    where = f"it breaks {vector.fault.rule}" if vector.fault and not doing else "nothing is wrong"
    return QuestionGroup(what, f"{what} where {where}", f"{what} where {where}")


def decode_input(case: DecodeCase) -> DecodeInput:
    """Return the bytes of a case, as they are put to a decoder."""
    kind = InputKind.MESSAGE_SET_07 if case.format == "v07" else InputKind.RECORDS
    return DecodeInput(kind, case.data)


def load(filters: Filters) -> Sequence[Vector]:
    """Return the vectors of records that are chosen."""
    wanted = filters.of(Source.RECORDS)
    return wanted.keep(golden.load(patterns=wanted.patterns))


def questions(vectors: Iterable[Vector]) -> Sequence[CodecQuestion]:
    """Return a question to read each vector of records, then to write those that can be written."""
    chosen = [vector for vector in vectors if vector.subject is Subject.RECORDS]
    return [
        *(CodecQuestion(vector, Direction.DECODE) for vector in chosen),
        *(CodecQuestion(vector, Direction.ENCODE) for vector in encode_questions.encodable(chosen)),
    ]


def is_due(question: CodecQuestion, hello: Hello) -> bool:
    """Tell whether a target reads or writes records.

    An encoder is asked for the formats and codecs that it declares, and no gap is made of others.
    """
    if not hello.formats or question.direction not in hello.directions:
        return False
    return question.direction is Direction.DECODE or not gap(question, hello)


def gap(question: CodecQuestion, hello: Hello) -> str:
    """Return what a vector needs and the target does not declare; empty if it declares all."""
    return missing(question.vector, hello)


def missing(case: DecodeCase, hello: Hello) -> str:
    """Return the formats, codecs or checks that a case needs and a target does not declare."""
    if lacking := [name for name in case.formats if name not in hello.formats]:
        return f"does not declare format {', '.join(lacking)}"
    if lacking := [name for name in case.codecs if name not in hello.codecs]:
        return f"does not declare codec {', '.join(lacking)}"
    if not hello.checks_crc and case.fault is not None and case.fault.stage == _CHECKSUM:
        return "does not check checksums"
    return ""


_CHECKSUM: Final = "checksum"
