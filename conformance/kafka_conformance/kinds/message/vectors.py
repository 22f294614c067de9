"""Requests and responses as vectors: one a version, with the header in front that a target gets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from kafka_conformance.kinds.message.questions import MessageQuestion
from kafka_conformance.vectors.vector import Refusal, Subject, Vector

FORMATS: Final = ("request", "response", "key", "value", "record")
"""The formats of such vectors, the last words of their layouts; of one, its version is written."""


@dataclass(frozen=True, slots=True)
class MessageVector(Vector):
    """A request or response in one version.

    Attributes:
        message: the vector of the protocol, and the version.
    """

    message: MessageQuestion = field(kw_only=True, repr=False, compare=False)

    __hash__ = Vector.__hash__


def message_vectors(questions: Iterable[MessageQuestion]) -> tuple[MessageVector, ...]:
    """Return messages as vectors, in the same order."""
    return tuple(map(_vector, questions))


def _vector(question: MessageQuestion) -> MessageVector:
    vector, data = question.vector, question.message
    family, _, kind = vector.layout.rpartition("_")
    return MessageVector(
        id=question.id,
        title=vector.title,
        format=kind,
        family=family.replace("_", "-"),
        formats=(str(question.body_version),),
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
        document={"api": vector.api, "version": question.number, "layout": vector.layout},
        subject=Subject.MESSAGE,
        message=question,
    )


def _fault(question: MessageQuestion, header: int) -> Refusal | None:
    """Return the fault; its place counts from the first byte of the header that stands in front."""
    fault = question.vector.fault
    if fault is None:
        return None
    return Refusal(fault.get("stage", ""), fault["rule"], fault.get("offset", 0) + header, _path(fault.get("path", "")))


def _path(path: object) -> str:
    return path if isinstance(path, str) else ".".join(map(str, path if isinstance(path, list) else ()))
