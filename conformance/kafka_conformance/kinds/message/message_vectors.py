"""Requests and responses as vectors, for reports: with the bytes that a target gets."""

from collections.abc import Iterable
from typing import Final

from kafka_conformance.kinds.message.questions import MessageQuestion
from kafka_conformance.vectors.vector import Refusal, Vector

FORMATS: Final = ("request", "response")
"""The formats of such vectors; what is written of one is its version."""


def message_vectors(questions: Iterable[MessageQuestion]) -> tuple[Vector, ...]:
    """Return the questions as vectors, in the same order."""
    return tuple(map(_vector, questions))


def _vector(question: MessageQuestion) -> Vector:
    vector, data = question.vector, question.input.message
    return Vector(
        id=question.id,
        title=vector.title,
        format=question.kind,
        family=vector.layout.removesuffix(f"_{question.kind}").replace("_", "-"),
        formats=(str(question.number),),
        codecs=(),
        rules=vector.rules,
        verdict=vector.verdict,
        data=data,
        flag=vector.flag,
        fault=_fault(question, len(data) - len(vector.data)),
        canonical=vector.canonical,
        reach=vector.reach,
        evidence=vector.evidence,
        oracle=vector.oracle,
        document={"api": vector.api, "version": question.number},
    )


def _fault(question: MessageQuestion, header: int) -> Refusal | None:
    """Return the fault; its place counts from the first byte of the header that stands in front."""
    fault = question.vector.fault
    if fault is None:
        return None
    return Refusal(fault.get("stage", ""), fault["rule"], fault.get("offset", 0) + header, _path(fault.get("path", "")))


def _path(path: object) -> str:
    return path if isinstance(path, str) else ".".join(map(str, path if isinstance(path, list) else ()))
