"""The kind of decoders and encoders of records."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kafka_conformance.child.deaths import DeathLimits
from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import Reaction
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.adapter import BlockSession, start
from kafka_conformance.kinds.decoder import questions
from kafka_conformance.kinds.decoder.judge import judge
from kafka_conformance.kinds.decoder.questions import CodecQuestion
from kafka_conformance.kinds.kind import Kind
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import ADAPTERS
from kafka_conformance.vectors.vector import Vector

DEATHS: Final = DeathLimits(hangs_in_a_row=5, hangs=20, deaths=sys.maxsize)
"""How often a decoder may hang on one kind of vectors. One that crashes is asked all of them: that
costs a restart each, and no waiting."""


def _open(candidate: Candidate, limits: Limits, stopped: Callable[[], bool]) -> BlockSession[CodecQuestion]:
    session = start(candidate, limits, stopped, DEATHS)
    return BlockSession(session, lambda question: question.input, lambda question: question.group)


def diagnose_records(target: str, results: Sequence[Result], vectors: Mapping[str, Vector], hello: Hello) -> Diagnosis:
    """Return what the findings about records come from, by what the target declares."""
    return diagnose(target, results, vectors, fields=hello.fields)


KIND: Final[Kind[CodecQuestion, Reaction]] = Kind(
    name="decoder",
    about="records",
    targets=ADAPTERS,
    load=questions.load,
    questions=questions.questions,
    is_due=questions.is_due,
    gap=questions.gap,
    open=_open,
    judge=judge,
    diagnose=diagnose_records,
    undeclared="it does not read records",
    is_reducible=True,
)
