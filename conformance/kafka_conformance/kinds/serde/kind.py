"""The kind of readers of keys and values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import Reaction
from kafka_conformance.kinds.adapter import BlockSession, start
from kafka_conformance.kinds.decoder.kind import DEATHS
from kafka_conformance.kinds.kind import Kind
from kafka_conformance.kinds.serde import questions
from kafka_conformance.kinds.serde.causes import diagnose_contents
from kafka_conformance.kinds.serde.judge import judge
from kafka_conformance.kinds.serde.questions import SerdeQuestion
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import ADAPTERS


def _open(candidate: Candidate, limits: Limits, stopped: Callable[[], bool]) -> BlockSession[SerdeQuestion]:
    session = start(candidate, limits, stopped, DEATHS)
    return BlockSession(session, lambda question: question.input, lambda question: question.group)


KIND: Final[Kind[SerdeQuestion, Reaction]] = Kind(
    name="serde",
    about="contents",
    targets=ADAPTERS,
    load=questions.load,
    questions=questions.questions,
    is_due=lambda _, hello: bool(hello.serdes),
    gap=questions.gap,
    open=_open,
    judge=judge,
    diagnose=diagnose_contents,
    undeclared="it does not read keys and values",
    plain=("content/confluent/id", "content/long/one"),
)
