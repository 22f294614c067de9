"""The kind of readers of requests, responses and records of Kafka's own topics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kafka_conformance.child.deaths import MESSAGES, QuestionGroup
from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import AdapterInput, AdapterSession, Reaction
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.adapter import BlockSession, start
from kafka_conformance.kinds.kind import Kind
from kafka_conformance.kinds.message.causes import diagnose_messages
from kafka_conformance.kinds.message.further_questions import ask_further
from kafka_conformance.kinds.message.judge import judge
from kafka_conformance.kinds.message.later_fields import without_unknown_fields
from kafka_conformance.kinds.message.questions import NOT_DECLARED, in_versions
from kafka_conformance.kinds.message.vectors import MessageVector, message_vectors
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.protocol.messages import MessageInput, Reply, Status
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import ADAPTERS
from kafka_conformance.vectors.loader import Filters, Source
from kafka_conformance.vectors.protocol import families_of, load
from kafka_conformance.vectors.vector import Vector

_FURTHER: Final = QuestionGroup("further", "what it might take instead", "what it might take instead")
"""Further questions: after some on which a target is lost, no other is put."""


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A request, response or schema record that a target is to read."""

    vector: MessageVector

    @property
    def direction(self) -> Direction:
        """It is read, also by those who give it as bytes written again."""
        return Direction.DECODE

    @property
    def input(self) -> AdapterInput:
        """What is put into a block."""
        return self.vector.message.input

    @property
    def group(self) -> QuestionGroup:
        """What questions have in common: the message and its version, and what is broken."""
        message = self.vector.message
        name, fault = f"{message.vector.layout} {message.number}", message.vector.fault
        if fault is None:
            return QuestionGroup(
                name, f"{name} where nothing is wrong", f"{message.vector.layout} where nothing is wrong"
            )
        rule, special = fault["rule"], message.vector.id.rpartition("/")[2]
        return QuestionGroup(name, f"{name} where it breaks {rule}", f"{special} where it breaks {rule}")


def load_messages(filters: Filters) -> Sequence[Vector]:
    """Return the requests and responses that are chosen, each in every version."""
    wanted = filters.of(Source.PROTOCOL)
    families = families_of(wanted.patterns, apis=wanted.apis)
    chosen = (
        message
        for message in in_versions(load(families=families) if families else ())
        if (not wanted.apis or message.vector.api in wanted.apis)
        and wanted.fit_named(message.id, message.vector.rules, message.vector.verdict)
    )
    return message_vectors(chosen)


def _questions(vectors: Iterable[Vector]) -> Sequence[ReadMessage]:
    return [ReadMessage(vector) for vector in vectors if isinstance(vector, MessageVector)]


def _open(candidate: Candidate, limits: Limits, stopped: Callable[[], bool]) -> BlockSession[ReadMessage]:
    session = start(candidate, limits, stopped, MESSAGES)
    return BlockSession(session, lambda question: question.input, lambda question: question.group)


def _judge(question: ReadMessage, hello: Hello, target: str, reaction: Reaction) -> Result:
    return judge(question.vector.message, target, hello.apis["form"], reaction)


def _diagnose(target: str, results: Sequence[Result], vectors: Mapping[str, Vector], hello: Hello) -> Diagnosis:  # noqa: ARG001 - the results name it
    return diagnose_messages(results, vectors, hello.apis["form"])


def _ask_further(
    diagnosis: Diagnosis, candidate: Candidate, limits: Limits, vectors: Mapping[str, Vector], hello: Hello
) -> Diagnosis:
    session: AdapterSession | None = None

    def ask(inputs: Sequence[MessageInput]) -> list[bytes | None]:
        nonlocal session
        session = session or start(candidate, limits, lambda: False, MESSAGES)
        answers: list[bytes | None] = [None] * len(inputs)
        for reaction in session.ask(inputs, [_FURTHER] * len(inputs)):
            if isinstance(reaction.reply, Reply) and reaction.reply.status == Status.ANSWER:
                answers[reaction.question] = reaction.reply.content
        return answers

    try:
        return ask_further(diagnosis, vectors, hello.apis["form"], ask)
    except (TargetLostError, GaveUpError):
        return diagnosis
    finally:
        if session is not None:
            session.close()


KIND: Final[Kind[ReadMessage, Reaction]] = Kind(
    name="message",
    about="messages",
    targets=ADAPTERS,
    load=load_messages,
    questions=_questions,
    is_due=lambda _, hello: bool(hello.apis.get("form")),
    gap=lambda question, hello: question.vector.message.gap(hello),
    open=_open,
    judge=_judge,
    settle=without_unknown_fields,
    diagnose=_diagnose,
    ask_further=_ask_further,
    undeclared=NOT_DECLARED,
)
