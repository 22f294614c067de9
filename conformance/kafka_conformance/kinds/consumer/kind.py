"""The kind of whole consumers, which a broker serves the vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kafka_conformance.child.launch import Limits
from kafka_conformance.kinds.consumer import questions
from kafka_conformance.kinds.consumer.causes import diagnose_consumer
from kafka_conformance.kinds.consumer.driver import starting
from kafka_conformance.kinds.consumer.judge import judge_delivery
from kafka_conformance.kinds.consumer.questions import View
from kafka_conformance.kinds.consumer.served_topic import DeliveryReaction
from kafka_conformance.kinds.consumer.session import ConsumerSession
from kafka_conformance.kinds.kind import Kind
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind


def _open(candidate: Candidate, limits: Limits, stopped: Callable[[], bool]) -> ConsumerSession:
    return ConsumerSession(starting(candidate, limits, stopped))


KIND: Final[Kind[View, DeliveryReaction]] = Kind(
    name="consumer",
    about="records",
    targets=frozenset({TargetKind.CONSUMER}),
    load=questions.load,
    questions=questions.questions,
    gap=questions.gap,
    open=_open,
    judge=judge_delivery,
    diagnose=diagnose_consumer,
    undeclared="it consumes nothing",
    plain=("check/v2/twin", "check/v1/twin", "check/v0/twin"),
    has_third_look=True,
)
