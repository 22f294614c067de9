"""The kind of scenarios: a broker, and requests that build on one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kafka_conformance.child.launch import Limits
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.kind import Kind
from kafka_conformance.kinds.scenario import questions
from kafka_conformance.kinds.scenario.causes import diagnose_scenarios
from kafka_conformance.kinds.scenario.judge import ScenarioReaction, judge_scenario
from kafka_conformance.kinds.scenario.questions import ScenarioQuestion
from kafka_conformance.kinds.scenario.session import ScenarioSession
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors.vector import Vector


def _open(candidate: Candidate, limits: Limits, stopped: Callable[[], bool]) -> ScenarioSession:
    assert candidate.place is not None  # noqa: S101 - only what is ready is opened
    return ScenarioSession(candidate.place, limits, stopped)


def _diagnose(target: str, results: Sequence[Result], vectors: Mapping[str, Vector], _hello: Hello) -> Diagnosis:
    return diagnose_scenarios(target, results, vectors)


KIND: Final[Kind[ScenarioQuestion, ScenarioReaction]] = Kind(
    name="scenario",
    about="scenarios",
    targets=frozenset({TargetKind.BROKER}),
    load=questions.load,
    questions=questions.questions,
    open=_open,
    judge=judge_scenario,
    diagnose=_diagnose,
    undeclared="it answers no requests that build on one another",
    advice="Is it running, and does it listen there? --tls and --sasl are for listeners that ask for them.",
)
