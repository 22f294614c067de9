"""The vectors of the protocol put to targets that read requests and responses."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.session import Session
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.judging.message_question import MessageQuestion, can_be_put
from kafka_conformance.judging.messages import judge
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
        passed: what passed besides, without a result that is kept.
    """

    target: str
    hello: Hello | None
    problem: str
    results: tuple[Result, ...] = ()
    passed: int = 0


def questions(vectors: Iterable[ProtocolVector]) -> list[MessageQuestion]:
    """Return what is asked: every vector of a request or response, in each of its versions."""
    return [MessageQuestion(vector, number) for vector in vectors if can_be_put(vector) for number in vector.versions]


def run(contestant: Contestant, asked: Sequence[MessageQuestion], limits: Limits) -> MessageRun:
    """Put the questions to a target; never raises for what it does."""
    with asking(contestant, limits) as (found, put):
        if put is None:
            return found
        problem, results = put(asked)
        return replace(found, problem=problem, results=results)


Put = Callable[[Sequence[MessageQuestion]], tuple[str, tuple[Result, ...]]]
"""Puts questions to a target: why it gave up, if it did, and the results in the order of the questions."""


@contextmanager
def asking(contestant: Contestant, limits: Limits) -> Iterator[tuple[MessageRun, Put | None]]:
    """Have a target run: what came of it before any question, and what puts questions to it, unless it takes none."""
    if contestant.command is None:
        yield MessageRun(contestant.name, None, contestant.problem), None
        return
    try:
        session = _start(contestant.command, limits)
    except TargetLostError as lost:
        yield MessageRun(contestant.name, None, f"it {lost.detail}"), None
        return
    try:
        form = session.hello.apis.get("form", "")
        if form:
            yield MessageRun(contestant.name, session.hello, ""), partial(_put, session, contestant.name, form)
        else:
            yield MessageRun(contestant.name, session.hello, "it does not read requests and responses"), None
    finally:
        session.close()


def _put(session: Session, name: str, form: str, asked: Sequence[MessageQuestion]) -> tuple[str, tuple[Result, ...]]:
    found: dict[int, Result] = {}
    problem = ""
    try:
        for word in session.ask([question.input for question in asked]):
            found[word.question] = judge(asked[word.question], name, form, word)
    except GaveUpError as error:
        problem = str(error)
    return problem, tuple(found[at] for at in sorted(found))


def _start(command: Command, limits: Limits) -> Session:
    return Session(lambda: AdapterClient(command, limits))
