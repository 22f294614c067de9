"""The kind of whole producers, which write what they are ordered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kafka_conformance.child.launch import Limits
from kafka_conformance.kinds.kind import Kind
from kafka_conformance.kinds.producer import questions
from kafka_conformance.kinds.producer.causes import diagnose_producer
from kafka_conformance.kinds.producer.driver import ProducerDriver
from kafka_conformance.kinds.producer.judge import judge_sending
from kafka_conformance.kinds.producer.questions import Order
from kafka_conformance.kinds.producer.session import OrderReaction, ProducerSession
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind


def _open(candidate: Candidate, limits: Limits, stopped: Callable[[], bool]) -> ProducerSession:
    command = candidate.command
    assert command is not None  # noqa: S101 - only what is ready is opened
    return ProducerSession(lambda: ProducerDriver(command, limits, stopped))


KIND: Final[Kind[Order, OrderReaction]] = Kind(
    name="producer",
    about="records",
    targets=frozenset({TargetKind.PRODUCER}),
    load=questions.load,
    questions=questions.questions,
    gap=questions.gap,
    open=_open,
    judge=judge_sending,
    diagnose=diagnose_producer,
    undeclared="it produces nothing",
    plain=("produce/v2/one/none", "produce/v1/one/none", "produce/v0/one/none"),
)
