"""The vectors of the protocol put to targets that read requests and responses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.session import Session
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.judging.messages import MessageQuestion, can_be_put, judge
from kafka_conformance.judging.result import Result
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.vectors.protocol import ProtocolVector


@dataclass(frozen=True, slots=True)
class MessageRun:
    """What came of one target.

    Attributes:
        target: its name.
        hello: what it declared; None if it did not come up.
        problem: what kept it from being asked, in words; empty if it was asked everything.
        results: a result a vector and version.
    """

    target: str
    hello: Hello | None
    problem: str
    results: tuple[Result, ...] = ()


def questions(vectors: Iterable[ProtocolVector]) -> list[MessageQuestion]:
    """Return what is asked: every vector of a request or response, in each of its versions."""
    return [MessageQuestion(vector, number) for vector in vectors if can_be_put(vector) for number in vector.versions]


def run(contestant: Contestant, asked: Sequence[MessageQuestion], limits: Limits) -> MessageRun:
    """Put the questions to a target; never raises for what it does."""
    if contestant.command is None:
        return MessageRun(contestant.name, None, contestant.problem)
    try:
        session = _start(contestant.command, limits)
    except TargetLostError as lost:
        return MessageRun(contestant.name, None, f"it {lost.detail}")
    form = session.hello.apis.get("form", "")
    if not form:
        session.close()
        return MessageRun(contestant.name, session.hello, "it does not read requests and responses")
    found: dict[int, Result] = {}
    problem = ""
    try:
        for word in session.ask([question.input for question in asked]):
            found[word.question] = judge(asked[word.question], contestant.name, form, word)
    except GaveUpError as error:
        problem = str(error)
    finally:
        session.close()
    return MessageRun(contestant.name, session.hello, problem, tuple(found[at] for at in sorted(found)))


def _start(command: Command, limits: Limits) -> Session:
    return Session(lambda: AdapterClient(command, limits))
