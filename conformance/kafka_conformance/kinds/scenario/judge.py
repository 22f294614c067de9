"""Holds the answers of a broker against those of Kafka.

A release of Kafka has to answer as it did when it was recorded. Any other broker has to answer as
some release did, in all steps. A release of Kafka that was not recorded may answer otherwise: that
is a gap, for it is right by definition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.judging.difference import Difference
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.broker.known_errors import KAFKA
from kafka_conformance.kinds.scenario.comparison import difference, masked, shared
from kafka_conformance.kinds.scenario.questions import ScenarioQuestion
from kafka_conformance.kinds.scenario.steps import End, StepAnswer
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Status

_UNRECORDED: Final = "is a release of Kafka that was not recorded, and answers otherwise"
_UNASKED: Final = "was asked in versions that no release of Kafka was asked in"


@dataclass(frozen=True, slots=True)
class ScenarioReaction(Reaction):
    """What came of a scenario: the answers to the steps that it got to."""

    answers: tuple[StepAnswer, ...] = ()


def judge_scenario(question: ScenarioQuestion, hello: Hello, target: str, reaction: ScenarioReaction) -> Result:
    """Return the result of a scenario."""
    vector, reply, seconds = question.vector.id, reaction.reply, reaction.seconds
    result = Result(vector, target, Outcome.PASSED, seconds=seconds)
    if isinstance(reply, Loss):
        return Result(vector, target, reply.outcome, detail=reply.detail, seconds=seconds)
    if reply.status == Status.UNSUPPORTED:
        return Result(vector, target, Outcome.UNSUPPORTED, detail=reply.text, seconds=seconds)
    known, is_kafka = question.scenario.kafka, target.partition("@")[0] in KAFKA
    own = {name: known[name] for name in known if is_kafka and name == hello.version}
    compared = list(filter(None, (_first(question, *each, reaction.answers) for each in (own or known).items())))
    if not compared:
        return replace(result, outcome=Outcome.UNSUPPORTED, detail=_UNASKED)
    number, release, unlike = max(compared, key=lambda each: each[0])
    if unlike is None:
        steps = question.scenario.steps[number:]
        detail = f"has not answered what {steps[0].name} is to say then" if steps else ""
        return replace(result, outcome=Outcome.BROKEN_PROTOCOL, detail=detail) if steps else result
    story = f"{unlike.path} is {unlike.got}, not {unlike.expected}, as Kafka {release} answers"
    if is_kafka and not own:
        return replace(result, outcome=Outcome.UNSUPPORTED, detail=f"{_UNRECORDED}: {story}")
    return result.differing(Outcome.WRONG_ANSWER, unlike, story)


def _first(
    question: ScenarioQuestion, release: str, ends: Mapping[End, Sequence[StepAnswer]], got: Sequence[StepAnswer]
) -> tuple[int, str, Difference | None] | None:
    """Return how many steps are as a release answers, and the first difference.

    None if it was not asked in versions that have the same fields: OffsetFetch has several groups
    since version 8.
    """
    ordered = sorted(ends, key=lambda end: end is not question.end)
    for number, came in enumerate(got):
        mask = question.scenario.mask | question.scenario.steps[number].mask
        answer = masked(came.answer, mask)
        dues = [(end[number].version, masked(end[number].answer, mask)) for end in map(ends.__getitem__, ordered)]
        _, due = max(dues, key=lambda each: (each[0] == came.version, shared(each[1], answer)))
        if answer and due and not shared(due, answer):
            return None
        unlike = difference(due, answer, f"steps[{number}].{question.scenario.steps[number].name}")
        if unlike is not None:
            return number, release, unlike
    return len(got), release, None
