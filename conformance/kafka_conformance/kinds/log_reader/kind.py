"""The kind of readers of log directories."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kafka_conformance.child.deaths import LIMITS
from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import Reaction
from kafka_conformance.kinds.adapter import start
from kafka_conformance.kinds.kind import Kind
from kafka_conformance.kinds.log_reader import questions
from kafka_conformance.kinds.log_reader.causes import diagnose_logs
from kafka_conformance.kinds.log_reader.judge import judge
from kafka_conformance.kinds.log_reader.questions import LogQuestion
from kafka_conformance.kinds.log_reader.session import LogSession
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import ADAPTERS


def _open(candidate: Candidate, limits: Limits, stopped: Callable[[], bool]) -> LogSession:
    return LogSession(start(candidate, limits, stopped, LIMITS))


KIND: Final[Kind[LogQuestion, Reaction]] = Kind(
    name="log_reader",
    about="logs",
    targets=ADAPTERS,
    load=questions.load,
    questions=questions.questions,
    is_due=lambda _, hello: bool(hello.logs),
    gap=questions.gap,
    open=_open,
    judge=judge,
    diagnose=diagnose_logs,
    undeclared="it does not read log directories",
    plain=("directory/sound/plain@verify",),
)
