"""The vectors of the protocol put to targets that read requests and responses."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.session import Session
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.judging.message_question import MessageQuestion, can_be_put
from kafka_conformance.judging.messages import judge
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.vectors.protocol import ProtocolVector


class DeathLimits(NamedTuple):
    """How often a target may die of one kind of bytes.

    Some die of every count that is too high, of which there are some 800, and to start a target
    again takes longer than to put a thousand messages to it.

    Attributes:
        deaths: so often; the others of this kind are not asked, which is a gap.
        portion: questions that are put before deaths are counted.
    """

    deaths: int = 20
    portion: int = 1000


_DEATHS: Final = frozenset({Outcome.CRASHED, Outcome.HUNG, Outcome.OUT_OF_MEMORY})
PATIENCE: Final = DeathLimits()
_SPARED: Final = "not asked: the same in other messages has ended the target too often"


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


Put = Callable[[Sequence[MessageQuestion]], tuple[str, tuple[Result, ...]]]
"""Puts questions to a target: why it gave up, if it did, and the results in the order of the
questions."""


def questions(vectors: Iterable[ProtocolVector]) -> list[MessageQuestion]:
    """Return what is asked: every vector of a request or response, in each of its versions."""
    return [MessageQuestion(vector, number) for vector in vectors if can_be_put(vector) for number in vector.versions]


def run(
    contestant: Contestant, asked: Sequence[MessageQuestion], limits: Limits, patience: DeathLimits = PATIENCE
) -> MessageRun:
    """Put the questions to a target; never raises for what it does."""
    with asking(contestant, limits) as (found, put):
        if put is None:
            return found
        problem, results = _put_portions(put, contestant.name, asked, patience)
        order = (question.id for question in asked if question.id in results)
        return replace(found, problem=problem, results=tuple(results[name] for name in order))


def _put_portions(
    put: Put, target: str, asked: Sequence[MessageQuestion], patience: DeathLimits
) -> tuple[str, dict[str, Result]]:
    """Put the questions in portions; return the results by id.

    Kinds that the target has died of too often are left out.
    """
    deaths: Counter[str] = Counter()
    results: dict[str, Result] = {}
    for start in range(0, len(asked), patience.portion):
        portion = {question.id: question for question in asked[start : start + patience.portion]}
        spared = [name for name, question in portion.items() if deaths[_kind(question)] >= patience.deaths]
        results |= {name: Result(name, target, Outcome.UNSUPPORTED, detail=_SPARED) for name in spared}
        problem, came = put([question for name, question in portion.items() if name not in results])
        results |= {result.vector: result for result in came}
        if problem:
            return problem, results
        deaths.update(_kind(portion[result.vector]) for result in came if result.outcome in _DEATHS)
    return "", results


def _kind(question: MessageQuestion) -> str:
    """Return what many questions may have in common: the broken rule, and how it is broken."""
    rule = (question.vector.fault or {}).get("rule", "")
    return f"{rule} {question.vector.id.rpartition('/')[2]}"


@contextmanager
def asking(contestant: Contestant, limits: Limits) -> Iterator[tuple[MessageRun, Put | None]]:
    """Start a target; yield its run so far, and how to ask it, or None if it takes no questions."""
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
