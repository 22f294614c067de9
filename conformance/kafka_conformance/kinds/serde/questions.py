"""The vectors of keys and values, as questions to a reader."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kafka_conformance.child.deaths import QuestionGroup
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.protocol.messages import JsonInput
from kafka_conformance.vectors import loader
from kafka_conformance.vectors.loader import Filters, Source
from kafka_conformance.vectors.vector import Subject, Vector

STRING: Final = '"string"'
"""The Avro schema of payloads that have no other: a text."""

_CONTENT: Final = ("payload", "value")


@dataclass(frozen=True, slots=True)
class SerdeQuestion:
    """A key or a value to be read.

    Attributes:
        vector: the vector.
    """

    vector: Vector

    @property
    def direction(self) -> Direction:
        """It is read."""
        return Direction.DECODE

    @property
    def content(self) -> str:
        """The kind of content."""
        return str(self.vector.document["content"])

    @property
    def answers(self) -> Sequence[Mapping[str, Any]]:
        """The right answers: one; more where nothing says which of them; none of invalid bytes."""
        answers: Sequence[Mapping[str, Any]] = self.vector.document.get("answers", ())
        return answers

    @property
    def input(self) -> JsonInput:
        """What is put into a block."""
        line = self.vector.document
        asked = {"content": line["content"], "data": line["hex"], "headers": line["headers"]}
        return JsonInput(json.dumps(asked | {"schema": line.get("schema", STRING)}).encode())

    @property
    def group(self) -> QuestionGroup:
        """The group of questions that are alike."""
        return QuestionGroup(self.content, self.content, self.content)


def load(filters: Filters) -> Sequence[Vector]:
    """Return the chosen vectors of keys and values."""
    found = loader.load(filters, [Source.CONTENT])
    return [vector for vector in found if isinstance(vector, Vector)]


def questions(chosen: Iterable[Vector]) -> Sequence[SerdeQuestion]:
    """Return the questions about keys and values among vectors."""
    return [SerdeQuestion(vector) for vector in chosen if vector.subject is Subject.CONTENT]


def gap(question: SerdeQuestion, hello: Hello) -> str:
    """Say what a reader does not declare; empty if it declares all."""
    if question.content not in hello.serdes:
        return f"does not declare {question.content}"
    if question.answers and not set(_CONTENT).intersection(parts_of(question, hello)):
        return "gives no payload of a schema that is other people's"
    return ""


def parts_of(question: SerdeQuestion, hello: Hello) -> list[str]:
    """Return the parts of the right answer that a reader gives."""
    return [part for part in question.answers[0] if part in hello.serdes[question.content]]
