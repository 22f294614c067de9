"""The kind of brokers, which keep the vectors and serve them again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kafka_conformance.child.launch import Limits
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.broker import questions
from kafka_conformance.kinds.broker.causes import diagnose_appends
from kafka_conformance.kinds.broker.judge import judge_appends
from kafka_conformance.kinds.broker.questions import Question
from kafka_conformance.kinds.broker.replies import AppendReaction
from kafka_conformance.kinds.broker.session import BrokerSession
from kafka_conformance.kinds.kind import Kind
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors.vector import Vector


def _open(candidate: Candidate, limits: Limits, stopped: Callable[[], bool]) -> BrokerSession:
    assert candidate.place is not None  # noqa: S101 - only what is ready is opened
    return BrokerSession(candidate.place, limits, stopped)


def _diagnose(_target: str, results: Sequence[Result], vectors: Mapping[str, Vector], _hello: Hello) -> Diagnosis:
    return diagnose_appends(results, vectors)


KIND: Final[Kind[Question, AppendReaction]] = Kind(
    name="broker",
    about="records",
    targets=frozenset({TargetKind.BROKER}),
    load=questions.load,
    questions=questions.questions,
    open=_open,
    judge=judge_appends,
    diagnose=_diagnose,
    undeclared="it keeps nothing",
    advice="Is it running, and does it listen there? --tls and --sasl are for listeners that ask for them.",
)
