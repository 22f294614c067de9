"""The kind of conversations: a client, and a broker that does what a script says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kafka_conformance.child.launch import Limits
from kafka_conformance.kinds.consumer.causes import diagnose_consumer
from kafka_conformance.kinds.consumer.driver import starting
from kafka_conformance.kinds.conversation import questions
from kafka_conformance.kinds.conversation.dialog import hold
from kafka_conformance.kinds.conversation.judge import judge_conversation
from kafka_conformance.kinds.conversation.producing import produce
from kafka_conformance.kinds.conversation.script import Conversation
from kafka_conformance.kinds.conversation.session import ConversationReaction, ConversationSession
from kafka_conformance.kinds.kind import Kind
from kafka_conformance.kinds.producer.driver import ProducerDriver
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind


def _open(candidate: Candidate, limits: Limits, stopped: Callable[[], bool]) -> ConversationSession[Any]:
    if candidate.kind is TargetKind.PRODUCER:
        command = candidate.command
        assert command is not None  # noqa: S101 - only what is ready is opened
        return ConversationSession(lambda: ProducerDriver(command, limits, stopped), produce)
    return ConversationSession(starting(candidate, limits, stopped), hold)


KIND: Final[Kind[Conversation, ConversationReaction]] = Kind(
    name="conversation",
    about="conversations",
    targets=frozenset({TargetKind.CONSUMER, TargetKind.PRODUCER}),
    load=questions.load,
    questions=questions.questions,
    is_due=questions.is_due,
    gap=questions.gap,
    open=_open,
    judge=judge_conversation,
    diagnose=diagnose_consumer,
    undeclared="it takes part in no conversations",
    plain=("conversation/frames/in-pieces", "conversation/idempotence/plain"),
    has_third_look=True,
)
