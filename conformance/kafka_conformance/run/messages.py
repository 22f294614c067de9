"""The vectors of the protocol put to targets that read requests and responses."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.deaths import LIMITS, DeathLimits, Kind
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.session import Session
from kafka_conformance.errors import GaveUpError, StoppedError, TargetLostError
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.judge import judge
from kafka_conformance.kinds.message.questions import NOT_DECLARED, MessageQuestion, can_be_put
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.vectors.protocol import ProtocolVector

_PORTION: Final = 1000
"""Questions that are put before results are told."""


@dataclass(frozen=True, slots=True)
class MessageRun:
    """What came of one target.

    Attributes:
        target: its name.
        hello: what it declared; None if it did not come up.
        problem: what kept it from being asked, in words; empty if it was asked everything.
        results: a result a vector and version.
        passed: what passed besides, without a result that is kept.
        is_stopped: True if the user ended the run before it was asked everything.
    """

    target: str
    hello: Hello | None
    problem: str
    results: tuple[Result, ...] = ()
    passed: int = 0
    is_stopped: bool = False


Put = Callable[[Sequence[MessageQuestion]], tuple[str, tuple[Result, ...]]]
"""Puts questions to a target: why it gave up, if it did, and the results in the order of the
questions."""


def questions(vectors: Iterable[ProtocolVector]) -> list[MessageQuestion]:
    """Return what is asked: every vector of a request or response, in each of its versions."""
    return [MessageQuestion(vector, number) for vector in vectors if can_be_put(vector) for number in vector.versions]


def run(
    contestant: Contestant,
    asked: Sequence[MessageQuestion],
    limits: Limits,
    deaths: DeathLimits = LIMITS,
    on_result: Callable[[Result], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
    portion: int = _PORTION,
) -> MessageRun:
    """Put the questions to a target; never raises for what it does.

    Args:
        contestant: the target.
        asked: the questions.
        limits: time and memory that the target may take.
        deaths: how often it may die of one kind of bytes.
        on_result: is told of each result as it comes.
        stopped: tells whether the user has ended the run.
        portion: questions that are put before their results are told.
    """
    results: dict[str, Result] = {}
    begun = MessageRun(contestant.name, None, "")
    try:
        with asking(contestant, limits, stopped, deaths) as (begun, put):
            if put is None:
                return begun
            problem, start = "", 0
            while start < len(asked) and not problem:
                _end_if(stopped)
                problem, came = put(asked[start : start + portion])
                start += portion
                results |= {result.vector: result for result in came}
                for result in came:
                    on_result(result)
            outcome = replace(begun, problem=problem)
    except StoppedError:
        outcome = replace(begun, problem="the run was ended", is_stopped=True)
    order = (question.id for question in asked if question.id in results)
    return replace(outcome, results=tuple(results[name] for name in order))


def _end_if(stopped: Callable[[], bool]) -> None:
    """End the run if the user asked for it; a wait for a slow target does the same."""
    if stopped():
        raise StoppedError


def _kind(question: MessageQuestion) -> Kind:
    """Return what questions have in common: the message and its version, and what is broken."""
    vector, message = question.vector, f"{question.vector.layout} {question.number}"
    if vector.fault is None:
        return Kind(message, f"{message} where nothing is wrong", f"{vector.layout} where nothing is wrong")
    rule = vector.fault["rule"]
    return Kind(message, f"{message} where it breaks {rule}", f"{vector.id.rpartition('/')[2]} where it breaks {rule}")


@contextmanager
def asking(
    contestant: Contestant,
    limits: Limits,
    stopped: Callable[[], bool] = lambda: False,
    deaths: DeathLimits = LIMITS,
) -> Iterator[tuple[MessageRun, Put | None]]:
    """Start a target; yield its run so far, and how to ask it, or None if it takes no questions.

    Raises:
        StoppedError: the user has ended the run.
    """
    if contestant.command is None:
        yield MessageRun(contestant.name, None, contestant.problem), None
        return
    try:
        session = _start(contestant.command, limits, stopped, deaths)
    except TargetLostError as lost:
        yield MessageRun(contestant.name, None, f"it {lost.detail}"), None
        return
    try:
        form = session.hello.apis.get("form", "")
        if form:
            yield MessageRun(contestant.name, session.hello, ""), partial(_put, session, contestant.name, form)
        else:
            yield MessageRun(contestant.name, session.hello, NOT_DECLARED), None
    finally:
        session.close()


def _put(session: Session, name: str, form: str, asked: Sequence[MessageQuestion]) -> tuple[str, tuple[Result, ...]]:
    results: dict[int, Result] = {}
    problem = ""
    try:
        for word in session.ask([question.input for question in asked], list(map(_kind, asked))):
            results[word.question] = judge(asked[word.question], name, form, word)
    except GaveUpError as error:
        problem = str(error)
    return problem, tuple(results[at] for at in sorted(results))


def _start(command: Command, limits: Limits, stopped: Callable[[], bool], deaths: DeathLimits) -> Session:
    return Session(lambda: AdapterClient(command, limits, stopped), deaths)
